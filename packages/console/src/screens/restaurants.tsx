import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Overview } from '../data/records.ts';
import { useRead } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { Table, type Column } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Pager } from '../parts/pager.tsx';
import { Loaded } from '../parts/states.tsx';
import { Age, Count, Status, When } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { code, t } from '../texts/texts.ts';
import { Busy } from './parts/busy.tsx';
import { RestaurantActions } from './parts/restaurant-actions.tsx';

const filters = (): readonly Filter[] => [
  { name: 'q', kind: 'text', label: t('restaurants.find') },
  {
    name: 'state',
    kind: 'choice',
    label: t('restaurants.state'),
    options: ['closed', 'stopped', 'busy', 'incomplete'].map((state) => [
      state,
      code('restaurantState', state),
    ]),
  },
];

const isStopped = ({ delivery, pickup }: Overview): boolean =>
  [delivery, pickup].some(({ enabled, accepting }) => enabled && !accepting);

const STATES: Readonly<Record<string, (restaurant: Overview) => boolean>> = {
  closed: ({ open }) => !open,
  stopped: ({ intakeStops }) => intakeStops.length > 0,
  busy: ({ busy }) => busy !== null,
  incomplete: ({ missing }) => missing.length > 0,
};

/** Restaurants per page. The answer contains all. */
const SIZE = 50;

/** Restaurants that take orders now, and obstacles of the others. */
export function Screen() {
  const query = useRead('getOrganizationsOverview', [{}], { everyMs: 30_000 });
  const [search] = useUrl();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const {
    q = '',
    state,
    page = 1,
  } = toParams(indexKinds(filters()), search) as { q?: string; state?: string; page?: number };

  const isShown = (restaurant: Overview) =>
    restaurant.name.toLowerCase().includes(q.toLowerCase()) &&
    (state === undefined || STATES[state]?.(restaurant) !== false);

  return (
    <Page manual="busy-restaurant" title={t('restaurants.title')} lead={t('restaurants.lead')}>
      <Filters filters={filters()} />
      <Loaded query={query} rows={8}>
        {({ organizations, at }) => {
          const rows = organizations.filter(isShown);
          const chosen = rows.filter(({ organizationId }) => ids.has(String(organizationId)));

          return (
            <div className={css['stack']}>
              <RestaurantActions chosen={chosen} at={at} />
              <Table
                label={t('restaurants.title')}
                rows={rows.slice((page - 1) * SIZE, page * SIZE)}
                columns={columns(at)}
                rowId={({ organizationId }) => String(organizationId)}
                empty={{ text: t('restaurants.none') }}
                selection={{
                  ids,
                  change: setIds,
                  all: rows.map(({ organizationId }) => String(organizationId)),
                }}
              />
              <Pager page={page} size={SIZE} total={rows.length} />
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

const columns = (at: string): readonly Column<Overview>[] => [
  {
    id: 'name',
    header: t('restaurants.name'),
    cell: ({ organizationId, name, phone }) => (
      <div>
        <Link to="/setup/$id" params={{ id: String(organizationId) } as never}>
          {name}
        </Link>
        {phone !== null && <div className={css['muted']}>{phone}</div>}
      </div>
    ),
  },
  {
    id: 'intake',
    header: t('restaurants.intake'),
    cell: (restaurant) => <Intake restaurant={restaurant} />,
  },
  {
    id: 'busy',
    header: t('restaurants.busy'),
    cell: (restaurant) => <Busy restaurant={restaurant} at={at} />,
  },
  {
    id: 'orders',
    header: t('restaurants.openOrders'),
    isNumber: true,
    cell: ({ openOrders }) => <Count value={openOrders} />,
  },
  {
    id: 'stops',
    header: t('restaurants.stops'),
    isNumber: true,
    cell: ({ organizationId, stoppedItems }) => (
      <Link
        to="/missing"
        search={{ restaurant: String(organizationId), reason: 'NOT_STOPPED' } as never}
      >
        <Count value={stoppedItems} />
      </Link>
    ),
  },
  {
    id: 'terminals',
    header: t('restaurants.terminals'),
    isNumber: true,
    cell: ({ terminals }) => `${terminals.awake} / ${terminals.total}`,
  },
  {
    id: 'menu',
    header: t('restaurants.menu'),
    cell: ({ menu }) =>
      menu === null ? (
        <Status tone="bad">{t('restaurants.noMenu')}</Status>
      ) : (
        <Age seconds={menu.ageSeconds} />
      ),
  },
  {
    id: 'missing',
    header: t('restaurants.missing'),
    cell: ({ missing }) =>
      missing.length === 0 ? '—' : missing.map((part) => code('readiness', part)).join(', '),
  },
];

function Intake({ restaurant }: { restaurant: Overview }) {
  const { delivery, pickup, timeZone, intakeStops } = restaurant;
  return (
    <div className={css['stack']}>
      {(
        [
          ['DELIVERY', delivery],
          ['PICKUP', pickup],
        ] as const
      )
        .filter(([, { enabled }]) => enabled)
        .map(([type, { accepting, reason, until }]) => (
          <div key={type}>
            <Status tone={accepting ? 'good' : 'bad'}>
              {`${code('fulfillment', type)}: ${accepting ? t('restaurants.accepting') : code('notAccepting', reason ?? 'CLOSED')}`}
            </Status>
            {until !== null && (
              <span className={css['muted']}>
                {' '}
                {t('restaurants.until')} <When at={until} zone={timeZone} />
              </span>
            )}
          </div>
        ))}
      {!delivery.enabled && !pickup.enabled && <Status>{t('restaurants.switchedOff')}</Status>}
      {isStopped(restaurant) && intakeStops.length > 0 && (
        <span className={css['muted']}>{t('restaurants.stopped')}</span>
      )}
    </div>
  );
}
