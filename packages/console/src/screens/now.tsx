import { Link } from '@tanstack/react-router';
import type { Data, Input } from '../data/api.ts';
import { useRead } from '../data/read.ts';
import { useRestaurants } from '../data/restaurants.ts';
import { Block, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { EmptyState, Loaded } from '../parts/states.tsx';
import { Age, CodeStatus, Count, Status, When } from '../parts/values.tsx';
import { subjectPath } from '../pure/subjects.ts';
import { code, t } from '../texts/texts.ts';
import { Behind } from './parts/behind.tsx';

type Target = { to: string; search?: Record<string, string> };

const TARGETS: Readonly<Record<string, Target>> = {
  ORDERS_NOT_AT_ERP: { to: '/orders', search: { at_erp: 'false', open: 'true' } },
  ORDERS_FAILED: { to: '/orders', search: { status: 'FAILED' } },
  INCIDENTS_CRITICAL: { to: '/incidents', search: { severity: 'CRITICAL', status: 'OPEN' } },
  INCIDENTS_INFO: { to: '/incidents', search: { severity: 'INFO', status: 'OPEN' } },
  IMPORTS_HELD_BACK: { to: '/sync', search: { reason: 'SUSPICIOUS_SHRINK' } },
  GIFT_CANDIDATES: { to: '/decisions' },
  GIFT_CONFLICTS: { to: '/decisions', search: { tab: 'conflicts' } },
  GIFTS_UNAUTHORIZED: { to: '/decisions', search: { tab: 'unauthorized' } },
  NEW_DISHES: { to: '/new-dishes' },
  NOTIFICATIONS: { to: '/notifications', search: { open: 'true' } },
  WEBHOOK_ENDPOINTS_DISABLED: { to: '/webhooks' },
};

const MOST_ORDERS = 5;
const SEVERE = ['ORDERS_NOT_AT_ERP', 'ORDERS_FAILED', 'INCIDENTS_CRITICAL', 'IMPORTS_HELD_BACK'];

/** Open work by kind, and the age of imports. */
export function Screen() {
  const work = useRead('getWork', []);
  return (
    <Page title={t('now.title')} lead={t('now.lead')}>
      <Behind />
      <Loaded query={work}>{(data) => <Tiles work={data} />}</Loaded>
      <div className={css['columns']}>
        <UrgentOrders work={work.data} />
        <Urgent />
        <Freshness />
      </div>
    </Page>
  );
}

function Tiles({ work }: { work: Data<'getWork'> }) {
  const open = work.kinds.filter(({ count }) => count > 0);
  if (open.length === 0) return <EmptyState text={t('now.nothing')} />;

  return (
    <div className={css['tiles']}>
      {open.map(({ kind, count, oldestAgeSeconds }) => {
        const { to, search } = TARGETS[kind] ?? { to: '/' };
        return (
          <Link
            key={kind}
            to={to}
            search={(search ?? {}) as never}
            className={`${css['tile']} ${css[SEVERE.includes(kind) ? 'tileBad' : 'tileWarn']}`}
          >
            <strong>
              <Count value={count} />
            </strong>
            <span>{code('work', kind, { count })}</span>
            {oldestAgeSeconds !== null && (
              <span className={css['muted']}>
                {t('now.oldest')} <Age seconds={oldestAgeSeconds} />
              </span>
            )}
          </Link>
        );
      })}
    </div>
  );
}

/** The age of each import, and connections that do not answer. */
function Freshness() {
  const status = useRead('getSyncStatus', [], { everyMs: 30_000 });
  return (
    <Block title={t('now.freshness')} needs="getSyncStatus">
      <Loaded query={status}>
        {({ jobs, connections, running: runs }) => (
          <ul className={css['list']}>
            {connections
              .filter(({ circuit }) => circuit !== 'CLOSED')
              .map(({ id, name, circuit, openUntil }) => (
                <li key={id}>
                  <span className={css['grow']}>{name}</span>
                  <CodeStatus group="circuit" value={circuit} tone="bad" />
                  <When at={openUntil} />
                </li>
              ))}
            {jobs.map(({ job, ageSeconds, stale, running }) => (
              <li key={job}>
                <span className={css['grow']}>
                  <Link to="/sync" search={{ job } as never}>
                    {code('job', job)}
                  </Link>
                </span>
                {running > 0 && <Status tone="info">{t('now.running')}</Status>}
                {runs
                  .filter((run) => run.job === job)
                  .map(({ id }) => (
                    <Link key={id} to={`/sync/runs/${id}`}>
                      #{id}
                    </Link>
                  ))}
                {stale > 0 && <Status tone="bad">{t('now.stale', { count: stale })}</Status>}
                <Age seconds={ageSeconds} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Block>
  );
}

/** Orders that have not reached the restaurant. */
function UrgentOrders({ work }: { work: Data<'getWork'> | undefined }) {
  const newest = (kind: string) => {
    const count = work?.kinds.find((of) => of.kind === kind)?.count ?? 0;
    return { size: Math.min(count, MOST_ORDERS), sort: ['createdAt,desc' as const] };
  };

  const [waiting, failed] = [newest('ORDERS_NOT_AT_ERP'), newest('ORDERS_FAILED')];
  if (waiting.size + failed.size === 0) return null;

  return (
    <Block title={t('now.orders')} needs="listStaffOrders">
      {waiting.size > 0 && <Orders params={{ open: true, at_erp: false, ...waiting }} />}
      {failed.size > 0 && <Orders params={{ status: ['FAILED'], ...failed }} />}
    </Block>
  );
}

function Orders({ params }: { params: NonNullable<Input<'listStaffOrders'>[0]> }) {
  const query = useRead('listStaffOrders', [params]);
  const restaurants = useRestaurants();

  return (
    <Loaded query={query}>
      {({ items }) => (
        <ul className={css['list']}>
          {items.map(({ orderId, number, status, problem, organizationId, createdAt }) => {
            const restaurant = restaurants.find(({ id }) => id === organizationId);
            return (
              <li key={orderId}>
                <span className={css['grow']}>
                  <Link to={`/orders/${orderId}`}>{number}</Link> {restaurant?.name}
                  <div className={css['muted']}>
                    {problem === null ? '' : code('orderProblem', problem)}
                  </div>
                </span>
                <CodeStatus group="orderStatus" value={status} />
                <When at={createdAt} zone={restaurant?.effectiveTimeZone} />
              </li>
            );
          })}
        </ul>
      )}
    </Loaded>
  );
}

function Urgent() {
  const query = useRead('listNotifications', [{ open: true, severity: 'CRITICAL', size: 5 }]);
  return (
    <Block title={t('now.critical')} needs="listNotifications">
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState text={t('now.noCritical')} />
          ) : (
            <ul className={css['list']}>
              {items.map((item) => (
                <li key={item.id}>
                  <span className={css['grow']}>
                    <Link to={subjectPath(item) ?? `/notifications/${item.id}`}>{item.title}</Link>
                  </span>
                  <When at={item.lastRaisedAt} />
                  <Link to={`/notifications/${item.id}`}>{t('notifications.details')}</Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Block>
  );
}
