import { Link } from '@tanstack/react-router';
import { useRead } from '../data/read.ts';
import { usePickedRestaurant, useRestaurants, useZone } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { LinkButton } from '../parts/button.tsx';
import { Download } from '../parts/download.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import type { ItemOf } from '../parts/resource.tsx';
import { CodeStatus, Money, Status, When } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { startOfDay } from '../pure/moments.ts';
import { code, t } from '../texts/texts.ts';

type Row = ItemOf<'listStaffOrders'>;

const STATUSES = [
  'ACCEPTED',
  'SENT',
  'CONFIRMED',
  'COOKING',
  'READY',
  'ON_THE_WAY',
  'DELIVERED',
  'CLOSED',
  'CANCELLED',
  'FAILED',
];

const PROBLEMS = [
  'ERP_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'STUCK_IN_PROGRESS',
  'NOT_CONFIGURED',
  'REJECTED_BY_ERP',
  'DEADLINE_PASSED',
  'WITHDRAWN',
  'CANCELLED_BY_RESTAURANT',
  'NEVER_ENDED',
  'CANCELLED_BY_STAFF',
];

const filters = (): readonly Filter[] => [
  { name: 'q', kind: 'text', label: t('orders.find') },
  {
    name: 'status',
    kind: 'choices',
    label: t('orders.status'),
    options: STATUSES.map((value) => [value, code('orderStatus', value)]),
  },
  {
    name: 'problem',
    kind: 'choices',
    label: t('orders.problem'),
    options: PROBLEMS.map((value) => [value, code('orderProblem', value)]),
  },
  {
    name: 'fulfillment',
    kind: 'choice',
    label: t('orders.fulfillment'),
    options: ['DELIVERY', 'PICKUP'].map((value) => [value, code('fulfillment', value)]),
  },
  { name: 'open', kind: 'flag', label: t('orders.open') },
  { name: 'at_erp', kind: 'flag', label: t('orders.atErp') },
  { name: 'from', kind: 'day', label: t('orders.from') },
];

/** Orders of guests and of the ERP, newest first. */
export function Screen() {
  const [search] = useUrl();
  const restaurant = usePickedRestaurant();
  const restaurants = useRestaurants();
  const zone = useZone();
  const { from, ...params } = toParams(indexKinds(filters()), search) as { from?: string };
  const filter = {
    ...params,
    ...(from === undefined ? {} : { from: startOfDay(from, zone) }),
    ...(restaurant === undefined ? {} : { organization_id: restaurant.id }),
  };

  const query = useRead('listStaffOrders', [filter]);
  const findRestaurant = (id: number) => restaurants.find((restaurant) => restaurant.id === id);
  const columns: readonly Column<Row>[] = [
    {
      id: 'number',
      header: t('orders.number'),
      sort: 'number',
      cell: ({ orderId, number }) => <Link to={`/orders/${orderId}`}>{number}</Link>,
    },
    {
      id: 'created',
      header: t('orders.created'),
      sort: 'createdAt',
      cell: ({ createdAt, organizationId }) => (
        <When at={createdAt} zone={findRestaurant(organizationId)?.effectiveTimeZone} />
      ),
    },
    {
      id: 'restaurant',
      header: t('missing.restaurant'),
      cell: ({ organizationId }) => findRestaurant(organizationId)?.name ?? '—',
    },
    {
      id: 'status',
      header: t('orders.status'),
      sort: 'status',
      cell: ({ status }) => <CodeStatus group="orderStatus" value={status} />,
    },
    {
      id: 'problem',
      header: t('orders.problem'),
      cell: ({ problem }) =>
        problem === null ? '—' : <Status tone="bad">{code('orderProblem', problem)}</Status>,
    },
    {
      id: 'fulfillment',
      header: t('orders.fulfillment'),
      cell: ({ fulfillment }) => code('fulfillment', fulfillment.type),
    },
    {
      id: 'promised',
      header: t('orders.promised'),
      cell: ({ eta, organizationId }) => (
        <When at={eta.at} zone={findRestaurant(organizationId)?.effectiveTimeZone} />
      ),
    },
    {
      id: 'total',
      header: t('orders.total'),
      sort: 'total',
      isNumber: true,
      cell: ({ total }) => <Money amount={total} />,
    },
  ];

  return (
    <Page
      title={t('orders.title')}
      lead={t('orders.lead')}
      actions={<Download kind="orders" params={filter} />}
    >
      <Filters filters={filters()} />
      <Block needs="listStaffOrders">
        <DataTable
          label={t('orders.title')}
          query={query}
          columns={columns}
          rowId={({ orderId }) => orderId}
          empty={{
            text: t('orders.none'),
            action: <LinkButton to="/orders">{t('orders.searchAll')}</LinkButton>,
          }}
        />
      </Block>
    </Page>
  );
}
