import { Link } from '@tanstack/react-router';
import { useAll, useRead } from '../data/read.ts';
import { useZone } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { LinkButton } from '../parts/button.tsx';
import { Download } from '../parts/download.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import type { ItemOf } from '../parts/resource.tsx';
import { CodeStatus, When } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { startOfDay } from '../pure/moments.ts';
import { code, t } from '../texts/texts.ts';

type Row = ItemOf<'listCompensations'>;
const STATUSES = ['GRANTED', 'RESERVED', 'REDEEMED', 'EXPIRED', 'CANCELLED', 'BLOCKED'];

/** Gifts that guests may get, got, or lost. */
export function Screen() {
  const [search] = useUrl();
  const zone = useZone();
  const rewards = useAll('listRewards', {});
  const filters: readonly Filter[] = [
    { name: 'client', kind: 'text', label: t('gifts.find') },
    {
      name: 'status',
      kind: 'choice',
      label: t('gifts.status'),
      options: STATUSES.map((value) => [value, code('giftStatus', value)]),
    },
    {
      name: 'reward_id',
      kind: 'choice',
      label: t('gifts.reward'),
      options: (rewards.data?.items ?? []).map(({ id, name }) => [String(id), name]),
    },
    { name: 'from', kind: 'day', label: t('orders.from') },
  ];

  const {
    from,
    reward_id: reward,
    ...params
  } = toParams(indexKinds(filters), search) as { from?: string; reward_id?: string };

  const filter = {
    ...params,
    ...(reward === undefined ? {} : { reward_id: Number(reward) }),
    ...(from === undefined ? {} : { from: startOfDay(from, zone) }),
  };

  const query = useRead('listCompensations', [filter]);

  return (
    <Page
      manual="gift-question"
      title={t('gifts.title')}
      lead={t('gifts.lead')}
      actions={
        <>
          <Download kind="compensations" params={filter} />
          <LinkButton to="/guest">{t('gifts.grant')}</LinkButton>
        </>
      }
    >
      <Filters filters={filters} />
      <Block needs="listCompensations">
        <DataTable
          label={t('gifts.title')}
          query={query}
          columns={giftColumns()}
          rowId={({ id }) => id}
          empty={{ text: t('gifts.none') }}
        />
      </Block>
    </Page>
  );
}

export const giftColumns = (): readonly Column<Row>[] => [
  {
    id: 'reward',
    header: t('gifts.reward'),
    cell: ({ id, rewardName, quantity }) => (
      <Link to={`/gifts/${id}`}>{quantity === 1 ? rewardName : `${quantity} × ${rewardName}`}</Link>
    ),
  },
  {
    id: 'phone',
    header: t('order.phone'),
    cell: ({ clientId, clientPhone }) =>
      clientPhone === null ? (
        '—'
      ) : (
        <Link to="/guest" search={{ client: clientId } as never}>
          {clientPhone}
        </Link>
      ),
  },
  {
    id: 'status',
    header: t('gifts.status'),
    sort: 'status',
    cell: ({ status }) => <CodeStatus group="giftStatus" value={status} />,
  },
  {
    id: 'reason',
    header: t('form.reason'),
    cell: ({ reason, reasonComment }) => (
      <>
        {code('giftReason', reason)} <span translate="no">{reasonComment}</span>
      </>
    ),
  },
  {
    id: 'source',
    header: t('gifts.source'),
    sort: 'source',
    cell: ({ source }) => code('giftSource', source),
  },
  {
    id: 'granted',
    header: t('gifts.grantedAt'),
    sort: 'grantedAt',
    cell: ({ grantedAt }) => <When at={grantedAt} />,
  },
  {
    id: 'expires',
    header: t('gifts.expiresAt'),
    sort: 'expiresAt',
    cell: ({ expiresAt }) => <When at={expiresAt} />,
  },
];
