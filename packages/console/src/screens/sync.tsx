import { Link } from '@tanstack/react-router';
import { useRead } from '../data/read.ts';
import { usePickedRestaurant } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import type { ItemOf } from '../parts/resource.tsx';
import { CodeStatus, Count, When } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { code, t } from '../texts/texts.ts';
import { Behind } from './parts/behind.tsx';
import { ImportGrid } from './parts/import-grid.tsx';
import { Pauses } from './parts/pauses.tsx';

type Run = ItemOf<'listSyncRuns'>;

const JOBS = ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'MENU', 'STOP_LIST', 'ZONES'];
const STATUSES = ['RUNNING', 'SUCCESS', 'SKIPPED', 'FAILED'];
const REASONS = ['SUSPICIOUS_SHRINK', 'CANCELLED', 'ACTIVITY_TIMEOUT', 'ABANDONED', 'INTERNAL'];
const TRIGGERS = ['SCHEDULE', 'MANUAL', 'WEBHOOK', 'EVENT'];

const filters = (): readonly Filter[] => [
  {
    name: 'job',
    kind: 'choice',
    label: t('sync.job'),
    options: JOBS.map((job) => [job, code('job', job)]),
  },
  {
    name: 'status',
    kind: 'choices',
    label: t('sync.status'),
    options: STATUSES.map((status) => [status, code('runStatus', status)]),
  },
  {
    name: 'reason',
    kind: 'choice',
    label: t('sync.reason'),
    options: REASONS.map((reason) => [reason, code('runReason', reason)]),
  },
  { name: 'changed', kind: 'flag', label: t('sync.changed') },
  {
    name: 'trigger',
    kind: 'choice',
    label: t('sync.trigger'),
    options: TRIGGERS.map((trigger) => [trigger, code('trigger', trigger)]),
  },
];

/** Imports from the ERP: which are late, why, and what helps. */
export function Screen() {
  const [search] = useUrl();
  const restaurant = usePickedRestaurant();
  const ofRestaurant = restaurant === undefined ? {} : { organization_id: restaurant.id };
  const runs = useRead('listSyncRuns', [
    { ...toParams(indexKinds(filters()), search), ...ofRestaurant },
  ]);

  return (
    <Page title={t('sync.title')} lead={t('sync.lead')}>
      <Behind />
      <ImportGrid />
      <Pauses />
      <Filters filters={filters()} />
      <Block title={t('sync.runs')} needs="listSyncRuns">
        <DataTable
          label={t('sync.runs')}
          query={runs}
          columns={columns()}
          rowId={({ id }) => String(id)}
          empty={{ text: t('sync.noRuns') }}
        />
      </Block>
    </Page>
  );
}

const columns = (): readonly Column<Run>[] => [
  { id: 'id', header: t('sync.run'), cell: ({ id }) => <Link to={`/sync/runs/${id}`}>#{id}</Link> },
  {
    id: 'job',
    header: t('sync.job'),
    cell: ({ job, externalMenuErpId }) => `${code('job', job)} ${externalMenuErpId ?? ''}`,
  },
  {
    id: 'mode',
    header: t('sync.mode'),
    cell: ({ mode, trigger }) => `${code('runMode', mode)}, ${code('trigger', trigger)}`,
  },
  {
    id: 'status',
    header: t('sync.status'),
    cell: ({ status }) => <CodeStatus group="runStatus" value={status} />,
  },
  {
    id: 'reason',
    header: t('sync.reason'),
    cell: ({ reason }) => (reason === null ? '—' : code('runReason', reason)),
  },
  {
    id: 'started',
    header: t('sync.started'),
    sort: 'startedAt',
    cell: ({ startedAt }) => <When at={startedAt} />,
  },
  {
    id: 'items',
    header: t('sync.items'),
    isNumber: true,
    cell: ({ items }) => <Count value={items.created + items.updated + items.deleted} />,
  },
];
