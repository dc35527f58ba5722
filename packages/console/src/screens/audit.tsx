import { useRead } from '../data/read.ts';
import { useZone } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page, Tabs } from '../parts/page.tsx';
import { When } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { startOfDay } from '../pure/moments.ts';
import { readOne } from '../pure/search.ts';
import { code, listCodes, t } from '../texts/texts.ts';
import { Differences } from './parts/differences.tsx';

export function Screen() {
  const [search] = useUrl();
  const tab = readOne(search, 'tab') ?? 'audit';

  return (
    <Page title={t('audit.title')} lead={t('audit.lead')}>
      <Tabs
        current={tab}
        tabs={[
          ['audit', t('audit.changes')],
          ['security', t('audit.security')],
        ]}
      />
      {tab === 'audit' ? <Changes /> : <Security />}
    </Page>
  );
}

/** Days begin in the zone of the restaurant. */
function useParams(filters: readonly Filter[]): Record<string, unknown> {
  const [search] = useUrl();
  const zone = useZone();
  const { from, ...params } = toParams(indexKinds(filters), search) as { from?: string };
  return { ...params, ...(from === undefined ? {} : { from: startOfDay(from, zone) }) };
}

function Changes() {
  const filters: readonly Filter[] = [
    {
      name: 'entity_type',
      kind: 'choice',
      label: t('audit.entity'),
      options: listCodes('entity').map((value) => [value, code('entity', value)]),
    },
    { name: 'entity_id', kind: 'text', label: t('audit.id') },
    { name: 'from', kind: 'day', label: t('orders.from') },
  ];

  const query = useRead('listAudit', [useParams(filters)]);

  return (
    <>
      <Filters filters={filters} />
      <Block needs="listAudit">
        <DataTable
          label={t('audit.title')}
          query={query}
          rowId={({ id }) => String(id)}
          empty={{ text: t('audit.none') }}
          columns={[
            { id: 'at', header: t('audit.at'), sort: 'at', cell: ({ at }) => <When at={at} /> },
            {
              id: 'who',
              header: t('audit.who'),
              cell: ({ userName, actor }) => <span translate="no">{userName ?? actor ?? '—'}</span>,
            },
            {
              id: 'entity',
              header: t('audit.entity'),
              cell: ({ entityType, entityId }) => (
                <>
                  {code('entity', entityType)} <code>{entityId}</code>
                </>
              ),
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
            {
              id: 'reason',
              header: t('form.reason'),
              cell: ({ reason }) => <span translate="no">{reason ?? '—'}</span>,
            },
          ]}
        />
      </Block>
    </>
  );
}

function Security() {
  const filters: readonly Filter[] = [
    {
      name: 'kind',
      kind: 'choice',
      label: t('incidents.type'),
      options: listCodes('securityEvent').map((value) => [value, code('securityEvent', value)]),
    },
    { name: 'from', kind: 'day', label: t('orders.from') },
  ];

  const query = useRead('listSecurityEvents', [useParams(filters)]);

  return (
    <>
      <Filters filters={filters} />
      <Block needs="listSecurityEvents">
        <DataTable
          label={t('audit.security')}
          query={query}
          rowId={({ id }) => String(id)}
          empty={{ text: t('audit.noEvents') }}
          columns={[
            {
              id: 'at',
              header: t('audit.at'),
              sort: 'occurredAt',
              cell: ({ occurredAt }) => <When at={occurredAt} />,
            },
            {
              id: 'kind',
              header: t('incidents.type'),
              cell: ({ kind }) => code('securityEvent', kind),
            },
            {
              id: 'who',
              header: t('audit.who'),
              cell: ({ userName }) => <span translate="no">{userName ?? '—'}</span>,
            },
            {
              id: 'network',
              header: t('audit.network'),
              cell: ({ network }) => <code>{network ?? '—'}</code>,
            },
          ]}
        />
      </Block>
    </>
  );
}
