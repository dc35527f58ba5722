import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { inScope, type Scope } from '../../kernel/scope.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { keptPlan } from '../delivery/hours/kept-plans.ts';
import type { OrderingDeps } from '../delivery/configuration/ordering-config.ts';
import { readFacts, type OrganizationFacts } from '../delivery/hours/read-facts.ts';
import { statusAt, type Acceptance } from '../delivery/rules/status.ts';
import { staffText } from '../../kernel/staff-text.ts';
import { checklist, missingItems, type ReadinessFacts } from './rules/readiness.ts';
import type { OrganizationOverview, Overview, Readiness } from './schemas/overview.ts';

/** Uses one subquery for the counts of each kind. */
const rows = ({ db }: Sql) =>
  db
    .selectFrom('served_organization as organization')
    .leftJoin('ordering_config as config', 'config.organizationId', 'organization.id')
    .leftJoin('busy_mode as busy', (join) =>
      join
        .onRef('busy.organizationId', '=', 'organization.id')
        .on('busy.until', '>', sql<Date>`now()`),
    )
    .leftJoin('snapshot', 'snapshot.organizationId', 'organization.id')
    .leftJoin('snapshot_request as request', 'request.organizationId', 'organization.id')
    .select([
      'organization.id as organizationId',
      'organization.erpId',
      'organization.name',
      'config.phone',
      sql<boolean>`coalesce(config.delivery_enabled, false)`.as('deliveryEnabled'),
      sql<boolean>`coalesce(config.pickup_enabled, false)`.as('pickupEnabled'),
      'busy.extraMinutes',
      'busy.until as busyUntil',
      'snapshot.revision as menuRevision',
      sql<number>`floor(extract(epoch from now() - snapshot.generated_at))::int`.as(
        'menuAgeSeconds',
      ),
      sql<Date | null>`case when request.dirty_seq > request.built_seq then request.dirty_at end`.as(
        'dirtySince',
      ),
      sql<number>`(select count(*)::int from mirror_stop_list stop where stop.organization_id = organization.id)`.as(
        'stoppedItems',
      ),
      sql<number>`(select count(*)::int from mirror_terminal_group terminal
        where terminal.organization_id = organization.id and terminal.inactive_at is null)`.as(
        'terminals',
      ),
      sql<number>`(select count(*)::int from mirror_terminal_group terminal
        where terminal.organization_id = organization.id and terminal.inactive_at is null and not is_asleep)`.as(
        'awake',
      ),
      sql<number>`(select count(*)::int from mirror_delivery_zone zone
        where zone.organization_id = organization.id and zone.inactive_at is null)`.as('zones'),
      sql<number>`coalesce(open_orders.count, 0)::int`.as('openOrders'),
      sql<number>`coalesce(payable.count, 0)::int`.as('paymentMethods'),
    ])
    .leftJoin(
      sql<{ organizationId: number; count: number }>`(
        select organization_id, count(*) as count from customer_order where ended_at is null group by organization_id)`.as(
        'open_orders',
      ),
      'open_orders.organizationId',
      'organization.id',
    )
    .leftJoin(
      sql<{ organizationId: number; count: number }>`(
        select (entry ->> 'organizationId')::bigint as organization_id, count(*) as count
          from payment_method method cross join jsonb_array_elements(method.availability) as entry
         where method.is_enabled group by 1)`.as('payable'),
      'payable.organizationId',
      'organization.id',
    );

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

/**
 * Reads the served restaurants of a scope by name at a moment (ms). Uses three statements (FUL-92).
 */
export async function readOverview(
  { db, env }: OrderingDeps,
  scope: Scope,
  at: number,
): Promise<Overview> {
  const served = await db.db
    .selectFrom('served_organization as organization')
    .select('organization.id')
    .where((eb) => inScope(eb.ref('organization.id'), scope))
    .execute();

  const ids = served.map(({ id }) => id);
  const [organizationRows, facts] = await Promise.all([
    rows(db)
      .where('organization.id', '=', anyOf(ids))
      .orderBy('organization.name')
      .orderBy('organization.id')
      .execute(),
    readFacts(db, ids, { since: 'ever', timeZone: env.SYNC_TIME_ZONE }),
  ]);

  const organizations: OrganizationOverview[] = [];

  for (const row of organizationRows) {
    const own = facts.get(row.organizationId);
    if (own === undefined) continue;
    const startMs = performance.now();
    organizations.push(toOverview(row, own, at));
    // Yields, because calculating a weekly plan takes milliseconds.
    if (performance.now() - startMs > 1) await nextTurn();
  }

  return { at: new Date(at), organizations };
}

function toOverview(row: Row, facts: OrganizationFacts, at: number): OrganizationOverview {
  const status = statusAt(keptPlan(facts, at).plan, at);
  const { organizationId, erpId, name, phone, stoppedItems, terminals, awake, openOrders } = row;
  const stops = facts.schedule.intakeStops.filter(
    ({ from, to }) => from <= at && (to === null || to > at),
  );

  return {
    organizationId,
    erpId,
    name,
    phone,
    timeZone: facts.schedule.timeZone,
    open: status.open,
    nextChangeAt: toDate(status.nextChangeAt),
    delivery: toIntake(row.deliveryEnabled, status.delivery),
    pickup: toIntake(row.pickupEnabled, status.pickup),
    busy:
      row.extraMinutes === null || row.busyUntil === null
        ? null
        : { extraMinutes: row.extraMinutes, until: row.busyUntil },
    intakeStops: stops.map(({ channel, from, to }) => ({
      channel,
      from: new Date(from),
      to: toDate(to),
    })),
    stoppedItems,
    menu:
      row.menuRevision === null
        ? null
        : {
            revision: row.menuRevision,
            ageSeconds: row.menuAgeSeconds,
            dirtySince: row.dirtySince,
          },
    terminals: { awake, total: terminals },
    openOrders,
    missing: missingItems(toReadinessFacts(row, facts, false)),
  };
}

const toDate = (at: number | null): Date | null => (at === null ? null : new Date(at));

const toIntake = (enabled: boolean, { accepting, reason, opensAt, closesAt }: Acceptance) => ({
  enabled,
  accepting,
  reason,
  until: toDate(accepting ? closesAt : opensAt),
});

const toReadinessFacts = (
  row: Row,
  facts: OrganizationFacts,
  hasOrders: boolean,
): ReadinessFacts => ({
  isConnected: facts.isErpEnabled,
  windows: facts.schedule.windows.length,
  deliveryEnabled: row.deliveryEnabled,
  pickupEnabled: row.pickupEnabled,
  paymentMethods: row.paymentMethods,
  menuRevision: row.menuRevision,
  terminals: row.terminals,
  zones: row.zones,
  hasOrders,
});

/** Reads the checklist of a new restaurant (FUL-93). Problem `not-found`, also if inactive. */
export async function readReadiness(
  { db, env }: OrderingDeps,
  organizationId: number,
): Promise<Readiness> {
  const row = await rows(db).where('organization.id', '=', organizationId).executeTakeFirst();
  const facts = await readFacts(db, [organizationId], {
    since: 'today',
    timeZone: env.SYNC_TIME_ZONE,
  });

  const own = facts.get(organizationId);
  if (row === undefined || own === undefined)
    throw new Problem('not-found', { detail: 'No such organization is served.' });
  const order = await db.db
    .selectFrom('customer_order')
    .select('id')
    .where('organizationId', '=', organizationId)
    .limit(1)
    .executeTakeFirst();

  const ready = toReadinessFacts(row, own, order !== undefined);
  const items = checklist(ready).map((item) => ({
    ...item,
    title: staffText(`readiness.${item.code}`),
  }));

  return { organizationId, isReady: missingItems(ready).length === 0, checklist: items };
}
