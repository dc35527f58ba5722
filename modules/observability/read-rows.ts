import { SECURITY_EVENT_KINDS } from '../access/schemas/security-events.ts';
import { sql, type RawBuilder } from 'kysely';
import { FAULTY_CARDS } from '../gifts/gift-alerts.ts';
import { HELD_BY } from '../gifts/rules/markers.ts';
import { LAST_COMPARISONS } from '../ordering/check-gift-days.ts';
import { FINAL_STATES, ORDER_PATH } from '../ordering/rules/order-states.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { IS_UNSEALED } from '../access/audit/audit-chain.ts';
import { IN_FORCE, pausedCondition } from '../mirror/pauses/is-paused.ts';
import { connectionHealth } from '../connections/connection-health.ts';
import { LEAST_BALANCE } from '../mirror/rules/values.ts';
import { lastSuccesses } from '../mirror/runs/last-successes.ts';

type StateGauges = Metrics['state'];
type Plain = {
  [K in keyof StateGauges]: K extends
    | 'erpCircuit'
    | 'giftCardsFaulty'
    | 'giftsLastDay'
    | 'incidentsOpen'
    | 'markersWaiting'
    | 'notificationsOpen'
    | 'notificationsUnsent'
    | 'orderPollAge'
    | 'ordersOpen'
    | 'securityEvents'
    | `taskQueue${string}`
    | 'groupUp'
    | 'retentionOverdue'
    | 'up'
    ? never
    : K;
}[keyof StateGauges];

const age = (time: string) =>
  sql<number>`coalesce(extract(epoch from now() - min(${sql.ref(time)})), 0)::double precision`;

const STOP_LIST_PAUSED = pausedCondition({
  job: sql`'STOP_LIST'`,
  connectionId: sql.ref('organization.connection_id'),
  externalMenuId: sql`null`,
});

/** Menus of served organizations that do not show the tables. */
const DIRTY_SNAPSHOTS = sql`snapshot_request request
  join served_organization organization on organization.id = request.organization_id
  where request.dirty_seq > request.built_seq`;

type PlainGroup = 'imports' | 'events' | 'orders' | 'gifts' | 'markers' | 'comparisons' | 'menus' | 'security';

/**
 * Each gauge without labels with its group and the statement that reads it: a count, or an age in
 * seconds, 0 when nothing waits.
 */
const READS: Readonly<
  Record<Exclude<Plain, 'notificationOldestUnsent'>, readonly [group: PlainGroup, read: RawBuilder<number>]>
> = {
  oldestRunningRun: ['imports', sql`select ${age('started_at')} from sync_run where status = 'RUNNING'`],
  importsPaused: ['imports', sql`select count(*) from import_pause pause where ${IN_FORCE}`],
  stopListOldestDirty: [
    'imports',
    sql`select ${age('state.dirty_at')} from mirror_stop_list_state state
    join served_organization organization on organization.id = state.organization_id
    join importable_connection connection on connection.id = organization.connection_id
   where not ${STOP_LIST_PAUSED}`,
  ],
  reconciledAgo: ['imports', sql`select ${age('at')} from mirror_reconciled`],
  outboxPending: ['events', sql`select count(*) from outbox where delivered_at is null and parked_at is null`],
  outboxOldest: [
    'events',
    sql`select ${age('created_at')} from outbox where delivered_at is null and parked_at is null`,
  ],
  outboxParked: ['events', sql`select count(*) from outbox where delivered_at is null and parked_at is not null`],
  webhooksPending: ['events', sql`select count(*) from webhook_event where processed_at is null`],
  webhooksOldest: ['events', sql`select ${age('received_at')} from webhook_event where processed_at is null`],
  orderOldestUntaken: [
    'orders',
    sql`select ${age('accepted_at')} from customer_order where state in ('ACCEPTED', 'SENT')`,
  ],
  giftOldestReserved: ['gifts', sql`select ${age('reserved_at')} from compensation where status = 'RESERVED'`],
  giftsReturned: [
    'gifts',
    sql`select count(*) from compensation_move
   where move = 'RELEASE' and actor_type = 'SYSTEM' and at > now() - interval '1 day'`,
  ],
  giftsStopped: [
    'gifts',
    sql`select count(distinct reward.id) from reward
    join mirror_stop_list stop on stop.item_erp_id = reward.erp_item_id and stop.balance < ${LEAST_BALANCE}
    join served_organization organization on organization.id = stop.organization_id
   where reward.is_active and (reward.organization_erp_id is null or reward.organization_erp_id = organization.erp_id)
     and exists (select from compensation where compensation.reward_id = reward.id and compensation.status = 'GRANTED')`,
  ],
  giftCandidates: ['gifts', sql`select count(*) from compensation_candidate where status = 'OPEN'`],
  giftCandidateOldest: ['gifts', sql`select ${age('found_at')} from compensation_candidate where status = 'OPEN'`],
  giftHistories: ['gifts', sql`select count(*) from client_history`],
  giftHistoryOldest: ['gifts', sql`select ${age('since')} from client_history`],
  markerOldestWaiting: [
    'markers',
    sql`select ${age('waits_since')} from marker_clearing
   where state <> 'CLEARED' and held_by is distinct from 'CLIENT_GONE'`,
  ],
  giftDaysDiffering: [
    'comparisons',
    sql`select count(*) from gift_reconciliation
   where differing_orders > 0 and (accepted_fingerprint = fingerprint) is not true`,
  ],
  giftsOldestCheck: ['comparisons', sql`select ${age('since')} from (${LAST_COMPARISONS}) compared`],
  snapshotsDirty: ['menus', sql`select count(*) from ${DIRTY_SNAPSHOTS}`],
  snapshotOldestDirty: ['menus', sql`select ${age('request.dirty_at')} from ${DIRTY_SNAPSHOTS}`],
  auditOldestUnsealed: ['security', sql`select ${age('at')} from audit_entry where ${IS_UNSEALED}`],
};

const OPEN_STATES = ORDER_PATH.filter((state) => !FINAL_STATES.has(state));

/** Why markers wait; NOTHING keeps one that was not tried yet. */
const WAITING_FOR = [...Object.keys(HELD_BY), 'NOTHING'];

const CARD_FAULTS = [
  ['damaged', 'DAMAGED'],
  ['unknown', 'UNKNOWN'],
  ['withoutReward', 'WITHOUT_REWARD'],
] as const;

const CIRCUITS = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 } as const;

type Notifications = {
  open: Record<string, number> | null;
  waiting: number;
  givenUp: number;
  oldestUnsent: number;
};

const GIFT_COUNTS = [
  ['atErp', 'at_erp'],
  ['redeemed', 'redeemed'],
  ['unauthorized', 'unauthorized'],
] as const;

/** Sets the gauges of a group to what was read. */
type Apply = (metrics: Metrics, sendsNotifications: boolean) => void;
export type Read = (from: Sql) => Promise<Apply>;

const rowsOf = async <Row>({ db }: Sql, query: RawBuilder<Row>) => (await query.execute(db)).rows;

/** Reads the gauges of `READS` that belong to a group, with one statement. */
const plain =
  (group: PlainGroup): Read =>
  async ({ db }) => {
    const names = (Object.keys(READS) as (keyof typeof READS)[]).filter((name) => READS[name][0] === group);
    const [values] = await db.selectNoFrom(names.map((name) => sql<number>`(${READS[name][1]})`.as(name))).execute();
    return ({ state }) => {
      for (const name of names) state[name].set(values?.[name] ?? 0);
    };
  };

const together =
  (...reads: readonly Read[]): Read =>
  async (from) => {
    const applies = await Promise.all(reads.map((read) => read(from)));
    return (...what) => applies.forEach((apply) => apply(...what));
  };

const imports: Read = async (from) => {
  const successes = await lastSuccesses(from);
  return ({ erpLastSuccess }) => {
    for (const { job, at } of successes) erpLastSuccess.set({ job }, at);
  };
};

const connections: Read = async (from) => {
  const [health, polls] = await Promise.all([
    connectionHealth(from),
    rowsOf(
      from,
      sql<{ connectionId: number; seconds: number }>`
        select connection.id as "connectionId",
               extract(epoch from now() - coalesce(poll.succeeded_at, connection.created_at))::double precision as seconds
          from importable_connection importable join connection using (id) left join order_poll poll on connection_id = connection.id`,
    ),
  ]);
  return ({ state }) => {
    for (const { connectionId, circuits } of health)
      for (const { group, circuit } of circuits)
        state.erpCircuit.set({ connection: String(connectionId), group }, CIRCUITS[circuit]);
    for (const { connectionId, seconds } of polls)
      state.orderPollAge.set({ connection: String(connectionId) }, seconds);
  };
};

const openOrders: Read = async (from) => {
  const orders = await rowsOf(
    from,
    sql<Row<'customer_order', 'state', { count: number }>>`
      select state, count(*) as count from customer_order where ended_at is null group by state`,
  );
  return (metrics) => {
    for (const state of OPEN_STATES)
      metrics.state.ordersOpen.set({ state }, orders.find((each) => each.state === state)?.count ?? 0);
  };
};

const waitingMarkers: Read = async ({ db }) => {
  const [markers, [cards]] = await Promise.all([
    db
      .selectFrom('marker_clearing')
      .select((eb) => [sql<string>`coalesce(held_by, 'NOTHING')`.as('heldBy'), eb.fn.countAll<number>().as('count')])
      .where('state', '<>', 'CLEARED')
      .groupBy(sql`1`)
      .execute(),
    db
      .selectFrom('client_card as card')
      .select((eb) => CARD_FAULTS.map(([fault]) => eb.fn.countAll<number>().filterWhere(FAULTY_CARDS[fault]).as(fault)))
      .where((eb) => eb.or(CARD_FAULTS.map(([fault]) => FAULTY_CARDS[fault])))
      .execute(),
  ]);
  return ({ state }) => {
    for (const heldBy of WAITING_FOR)
      state.markersWaiting.set({ held_by: heldBy }, markers.find((each) => each.heldBy === heldBy)?.count ?? 0);
    for (const [column, fault] of CARD_FAULTS) state.giftCardsFaulty.set({ fault }, cards?.[column] ?? 0);
  };
};

const lastGifts: Read = async ({ db }) => {
  const [gifts] = await db
    .selectFrom('gift_reconciliation')
    .select(GIFT_COUNTS.map(([column]) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)::int`.as(column)))
    .where('day', '=', (eb) => eb.selectFrom('gift_reconciliation').select((each) => each.fn.max('day').as('day')))
    .execute();
  return ({ state }) => {
    for (const [name, count] of GIFT_COUNTS) state.giftsLastDay.set({ count }, gifts?.[name] ?? 0);
  };
};

const securityEvents: Read = async (from) => {
  const security = await rowsOf(
    from,
    sql<Row<'security_event', 'kind', { count: number }>>`
      select kind, count(*) as count from security_event where occurred_at > now() - interval '1 hour' group by kind`,
  );
  return ({ state }) => {
    for (const kind of SECURITY_EVENT_KINDS)
      state.securityEvents.set({ kind }, security.find((each) => each.kind === kind)?.count ?? 0);
  };
};

const openIncidents: Read = async (from) => {
  const incidents = await rowsOf(
    from,
    sql<Row<'binding_incident', 'severity', { count: number }>>`
      select severity, count(incident.id) as count from unnest(array['CRITICAL', 'INFO']) as severity
        left join binding_incident incident using (severity) where incident.status is distinct from 'CLOSED' group by severity`,
  );
  return ({ state }) => {
    for (const { severity, count } of incidents) state.incidentsOpen.set({ severity }, count);
  };
};

const notifications: Read = async (from) => {
  const [counts] = await rowsOf(
    from,
    sql<Notifications>`
      with open as (select * from notification where resolved_at is null), unsent as (select * from open where sent_at is null)
      select (select jsonb_object_agg(kind, count) from (select kind, count(*) from open group by kind) kinds) as open,
             count(*) filter (where send_ended_at is null) as waiting, count(*) filter (where send_ended_at is not null) as given_up,
             ${age('raised_at')} as oldest_unsent from unsent`,
  );
  return ({ state }, sendsNotifications) => {
    const { open, waiting = 0, givenUp = 0, oldestUnsent = 0 } = counts ?? {};
    for (const [kind, count] of Object.entries(open ?? {})) state.notificationsOpen.set({ kind }, count);
    state.notificationsUnsent.set({ state: 'waiting' }, sendsNotifications ? waiting : 0);
    state.notificationsUnsent.set({ state: 'given_up' }, sendsNotifications ? givenUp : 0);
    state.notificationOldestUnsent.set(sendsNotifications ? oldestUnsent : 0);
  };
};

/** Reads for how many seconds outdated rows of each table have been kept. */
export type Overdue = (from: Sql) => Promise<readonly { table: string; seconds: number }[]>;

/** The group of the gauges of retention. */
export const overdueRows =
  (readOverdue: Overdue): Read =>
  async (from) => {
    const rows = await readOverdue(from);
    return ({ state }) => {
      for (const { table, seconds } of rows) state.retentionOverdue.set({ table }, seconds);
    };
  };

/** The groups of gauges that come from rows. Each is read in a transaction of its own (OPS-79). */
export const ROW_GROUPS = {
  imports: together(plain('imports'), imports),
  connections,
  events: plain('events'),
  orders: together(plain('orders'), openOrders),
  gifts: plain('gifts'),
  markers: together(plain('markers'), waitingMarkers),
  comparisons: together(plain('comparisons'), lastGifts),
  menus: plain('menus'),
  incidents: openIncidents,
  notifications,
  security: together(plain('security'), securityEvents),
} satisfies Readonly<Record<string, Read>>;
