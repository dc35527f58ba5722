import type { Input } from '../../data/api.ts';
import { useRead } from '../../data/read.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Block } from '../../parts/page.tsx';
import { When } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';
import { Differences } from './differences.tsx';

type EntityType = NonNullable<Input<'listAudit'>[0]['entity_type']>;

export function History({ type, id }: { type: EntityType; id: string }) {
  const query = useRead('listAudit', [
    { entity_type: type, entity_id: id, sort: ['at,desc'], size: 20 },
  ]);
  return (
    <Block title={t('product.history')} needs="listAudit">
      <DataTable
        label={t('product.history')}
        query={query}
        rowId={({ id: entry }) => String(entry)}
        empty={{ text: t('audit.none') }}
        columns={[
          { id: 'at', header: t('audit.at'), cell: ({ at }) => <When at={at} /> },
          {
            id: 'who',
            header: t('audit.who'),
            cell: ({ userName, actor }) => <span translate="no">{userName ?? actor ?? '—'}</span>,
          },
          {
            id: 'action',
            header: t('audit.action'),
            cell: ({ action }) => code('auditAction', action),
          },
          {
            id: 'change',
            header: t('audit.change'),
            cell: ({ before, after }) => <Differences before={before} after={after} />,
          },
        ]}
      />
    </Block>
  );
}
