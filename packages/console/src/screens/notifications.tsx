import { Link } from '@tanstack/react-router';
import { useAction } from '../data/action.ts';
import { useRead } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import type { ItemOf } from '../parts/resource.tsx';
import { CodeStatus, Status, When } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { code, t } from '../texts/texts.ts';

type Row = ItemOf<'listNotifications'>;

const filters = (): readonly Filter[] => [
  { name: 'open', kind: 'flag', label: t('notifications.open') },
  {
    name: 'severity',
    kind: 'choice',
    label: t('notifications.severity'),
    options: ['CRITICAL', 'INFO'].map((value) => [value, code('severity', value)]),
  },
];

export function Screen() {
  const [search] = useUrl();
  const query = useRead('listNotifications', [toParams(indexKinds(filters()), search)]);
  const read = useAction('readNotification');
  const columns: readonly Column<Row>[] = [
    {
      id: 'title',
      header: t('notifications.what'),
      cell: ({ id, title }) => <Link to={`/notifications/${id}`}>{title}</Link>,
    },
    {
      id: 'severity',
      header: t('notifications.severity'),
      sort: 'severity',
      cell: ({ severity }) => <CodeStatus group="severity" value={severity} />,
    },
    {
      id: 'at',
      header: t('notifications.last'),
      sort: 'lastRaisedAt',
      cell: ({ lastRaisedAt }) => <When at={lastRaisedAt} />,
    },
    {
      id: 'repeated',
      header: t('notifications.repeated'),
      isNumber: true,
      cell: ({ repeated }) => String(repeated),
    },
    {
      id: 'state',
      header: t('notifications.state'),
      cell: ({ resolvedAt, readAt }) => (
        <Status tone={resolvedAt === null ? 'warn' : 'good'}>
          {t(
            resolvedAt !== null
              ? 'notifications.resolved'
              : readAt === null
                ? 'notifications.unread'
                : 'notifications.read',
          )}
        </Status>
      ),
    },
    {
      id: 'read',
      header: t('table.actions'),
      cell: ({ id, readAt }) => (
        <ActionButton
          small
          action={read}
          label={t('notifications.markRead')}
          reason={readAt === null ? null : t('notifications.alreadyRead')}
          input={() => [{ id }]}
        />
      ),
    },
  ];

  return (
    <Page title={t('notifications.title')} lead={t('notifications.lead')}>
      <Filters filters={filters()} />
      <Block needs="listNotifications">
        <DataTable
          label={t('notifications.title')}
          query={query}
          columns={columns}
          rowId={({ id }) => String(id)}
          empty={{ text: t('notifications.none') }}
        />
      </Block>
    </Page>
  );
}
