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
    | 'periodicTaskAge'
    | 'securityEvents'
    | `taskQueue${string}`
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

/** Each gauge without labels and the statement that reads it: counts, or ages in seconds, 0 when nothing waits. */
const READS: Readonly<Record<Exclude<Plain, 'notificationOldestUnsent'>, RawBuilder<number>>> = {
  oldestRunningRun: sql`select ${age('started_at')} from sync_run where status = 'RUNNING'`,
  importsPaused: sql`select count(*) from import_pause pause where ${IN_FORCE}`,
  stopListOldestDirty: sql`select ${age('state.dirty_at')} from mirror_stop_list_state state
    join served_organization organization on organization.id = state.organization_id
    join importable_connection connection on connection.id = organization.connection_id
   where not ${STOP_LIST_PAUSED}`,
  outboxPending: sql`select count(*) from outbox where delivered_at is null and parked_at is null`,
  outboxOldest: sql`select ${age('created_at')} from outbox where delivered_at is null and parked_at is null`,
  outboxParked: sql`select count(*) from outbox where delivered_at is null and parked_at is not null`,
  webhooksPending: sql`select count(*) from webhook_event where processed_at is null`,
  webhooksOldest: sql`select ${age('received_at')} from webhook_event where processed_at is null`,
  orderOldestUntaken: sql`select ${age('accepted_at')} from customer_order where state in ('ACCEPTED', 'SENT')`,
  giftOldestReserved: sql`select ${age('reserved_at')} from compensation where status = 'RESERVED'`,
  giftsReturned: sql`select count(*) from compensation_move
   where move = 'RELEASE' and actor_type = 'SYSTEM' and at > now() - interval '1 day'`,
  giftsStopped: sql`select count(distinct reward.id) from reward
    join mirror_stop_list stop on stop.item_erp_id = reward.erp_item_id and stop.balance < ${LEAST_BALANCE}
    join served_organization organization on organization.id = stop.organization_id
   where reward.is_active and (reward.organization_erp_id is null or reward.organization_erp_id = organization.erp_id)
     and exists (select from compensation where compensation.reward_id = reward.id and compensation.status = 'GRANTED')`,
  markerOldestWaiting: sql`select ${age('waits_since')} from marker_clearing
   where state <> 'CLEARED' and held_by is distinct from 'CLIENT_GONE'`,
  giftCandidates: sql`select count(*) from compensation_candidate where status = 'OPEN'`,
  giftCandidateOldest: sql`select ${age('found_at')} from compensation_candidate where status = 'OPEN'`,
  giftHistories: sql`select count(*) from client_history`,
  giftHistoryOldest: sql`select ${age('since')} from client_history`,
  auditOldestUnsealed: sql`select ${age('at')} from audit_entry where ${IS_UNSEALED}`,
  reconciledAgo: sql`select ${age('at')} from mirror_reconciled`,
  giftDaysDiffering: sql`select count(*) from gift_reconciliation
   where differing_orders > 0 and (accepted_fingerprint = fingerprint) is not true`,
  giftsOldestCheck: sql`select ${age('since')} from (${LAST_COMPARISONS}) compared`,
  snapshotsDirty: sql`select count(*) from ${DIRTY_SNAPSHOTS}`,
  snapshotOldestDirty: sql`select ${age('request.dirty_at')} from ${DIRTY_SNAPSHOTS}`,
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

/** All gauges that come from rows, read before any of them is set; throws what the database throws. */
export async function readRows(from: Sql): Promise<(metrics: Metrics, sendsNotifications: boolean) => void> {
  const rowsOf = async <Row>(query: RawBuilder<Row>) => (await query.execute(from.db)).rows;
  const names = Object.keys(READS) as (keyof typeof READS)[];
  const values = from.db.selectNoFrom(names.map((name) => sql<number>`(${READS[name]})`.as(name)));
  const notificationCounts = sql<Notifications>`
    with open as (select * from notification where resolved_at is null), unsent as (select * from open where sent_at is null)
    select (select jsonb_object_agg(kind, count) from (select kind, count(*) from open group by kind) kinds) as open,
           count(*) filter (where send_ended_at is null) as waiting, count(*) filter (where send_ended_at is not null) as given_up,
           ${age('raised_at')} as oldest_unsent from unsent`;
  const openIncidents = sql<Row<'binding_incident', 'severity', { count: number }>>`
    select severity, count(incident.id) as count from unnest(array['CRITICAL', 'INFO']) as severity
      left join binding_incident incident using (severity) where incident.status is distinct from 'CLOSED' group by severity`;
  const openOrders = sql<Row<'customer_order', 'state', { count: number }>>`
    select state, count(*) as count from customer_order where ended_at is null group by state`;
  const pollAges = sql<{ connectionId: number; seconds: number }>`
    select connection.id as "connectionId",
           extract(epoch from now() - coalesce(poll.succeeded_at, connection.created_at))::double precision as seconds
      from importable_connection importable join connection using (id) left join order_poll poll on connection_id = connection.id`;
  // Tasks of a connection have alerts of their own on what they read.
  const taskAges = sql<{ task: string; seconds: number }>`
    select name as task, extract(epoch from now() - coalesce(succeeded_at, created_at))::double precision as seconds
      from periodic_task where name not like '%/%'`;
  const waitingMarkers = from.db
    .selectFrom('marker_clearing')
    .select((eb) => [sql<string>`coalesce(held_by, 'NOTHING')`.as('heldBy'), eb.fn.countAll<number>().as('count')])
    .where('state', '<>', 'CLEARED')
    .groupBy(sql`1`);
  const faultyCards = from.db
    .selectFrom('client_card as card')
    .select((eb) => CARD_FAULTS.map(([fault]) => eb.fn.countAll<number>().filterWhere(FAULTY_CARDS[fault]).as(fault)))
    .where((eb) => eb.or(CARD_FAULTS.map(([fault]) => FAULTY_CARDS[fault])));
  const lastGifts = from.db
    .selectFrom('gift_reconciliation')
    .select(GIFT_COUNTS.map(([column]) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)::int`.as(column)))
    .where('day', '=', (eb) => eb.selectFrom('gift_reconciliation').select((each) => each.fn.max('day').as('day')));
  const securityEvents = sql<Row<'security_event', 'kind', { count: number }>>`
    select kind, count(*) as count from security_event where occurred_at > now() - interval '1 hour' group by kind`;
  const [
    successes,
    connections,
    [counted],
    [notifications],
    incidents,
    orders,
    polls,
    tasks,
    markers,
    [cards],
    [gifts],
    security,
  ] = await Promise.all([
    lastSuccesses(from),
    connectionHealth(from),
    values.execute(),
    rowsOf(notificationCounts),
    rowsOf(openIncidents),
    rowsOf(openOrders),
    rowsOf(pollAges),
    rowsOf(taskAges),
    waitingMarkers.execute(),
    faultyCards.execute(),
    lastGifts.execute(),
    rowsOf(securityEvents),
  ]);
  return (metrics, sendsNotifications) => {
    for (const { job, at } of successes) metrics.erpLastSuccess.set({ job }, at);
    for (const { connectionId, circuits } of connections)
      for (const { group, circuit } of circuits)
        metrics.state.erpCircuit.set({ connection: String(connectionId), group }, CIRCUITS[circuit]);
    for (const name of names) metrics.state[name].set(counted?.[name] ?? 0);
    for (const state of OPEN_STATES)
      metrics.state.ordersOpen.set({ state }, orders.find((each) => each.state === state)?.count ?? 0);
    for (const { connectionId, seconds } of polls)
      metrics.state.orderPollAge.set({ connection: String(connectionId) }, seconds);
    for (const { task, seconds } of tasks) metrics.state.periodicTaskAge.set({ task }, seconds);
    for (const heldBy of WAITING_FOR)
      metrics.state.markersWaiting.set({ held_by: heldBy }, markers.find((each) => each.heldBy === heldBy)?.count ?? 0);
    for (const [column, fault] of CARD_FAULTS) metrics.state.giftCardsFaulty.set({ fault }, cards?.[column] ?? 0);
    for (const [name, count] of GIFT_COUNTS) metrics.state.giftsLastDay.set({ count }, gifts?.[name] ?? 0);
    for (const kind of SECURITY_EVENT_KINDS)
      metrics.state.securityEvents.set({ kind }, security.find((each) => each.kind === kind)?.count ?? 0);
    for (const { severity, count } of incidents) metrics.state.incidentsOpen.set({ severity }, count);
    for (const [kind, count] of Object.entries(notifications?.open ?? {}))
      metrics.state.notificationsOpen.set({ kind }, count);
    metrics.state.notificationsUnsent.set({ state: 'waiting' }, sendsNotifications ? (notifications?.waiting ?? 0) : 0);
    metrics.state.notificationsUnsent.set(
      { state: 'given_up' },
      sendsNotifications ? (notifications?.givenUp ?? 0) : 0,
    );
    metrics.state.notificationOldestUnsent.set(sendsNotifications ? (notifications?.oldestUnsent ?? 0) : 0);
  };
}
