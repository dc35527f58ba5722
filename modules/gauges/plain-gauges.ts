import { sql, type RawBuilder } from 'kysely';
import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/db/database.ts';
import { IS_UNSEALED } from '../access/audit/audit-chain.ts';
import { LAST_COMPARISONS } from '../ordering/gift-days/check-gift-days.ts';
import { IN_FORCE, pausedCondition } from '../mirror/pauses/is-paused.ts';
import { LEAST_BALANCE } from '../mirror/rules/values.ts';

type Apply = (metrics: Metrics, sendsNotifications: boolean) => void;
export type Read = (from: Sql) => Promise<Apply>;

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
    | 'ordersRecent'
    | 'securityEvents'
    | `taskQueue${string}`
    | 'groupUp'
    | 'retentionOverdue'
    | 'up'
    ? never
    : K;
}[keyof StateGauges];

/** Seconds since the earliest time; 0 if there is none. */
export const age = (time: string) =>
  sql<number>`coalesce(extract(epoch from now() - min(${sql.ref(time)})), 0)::double precision`;

const STOP_LIST_PAUSED = pausedCondition({
  job: sql`'STOP_LIST'`,
  connectionId: sql.ref('organization.connection_id'),
  externalMenuId: sql`null`,
});

/** Outdated menus of served organizations. */
const DIRTY_SNAPSHOTS = sql`snapshot_request request
  join served_organization organization on organization.id = request.organization_id
  where request.dirty_seq > request.built_seq`;

type PlainGroup =
  | 'imports'
  | 'events'
  | 'orders'
  | 'gifts'
  | 'markers'
  | 'comparisons'
  | 'menus'
  | 'security';

/** Gauges without labels: counts, or ages in seconds (0 if nothing waits). */
const READS: Readonly<
  Record<
    Exclude<Plain, 'notificationOldestUnsent'>,
    readonly [group: PlainGroup, read: RawBuilder<number>]
  >
> = {
  oldestRunningRun: [
    'imports',
    sql`select ${age('started_at')} from sync_run where status = 'RUNNING'`,
  ],
  importsPaused: ['imports', sql`select count(*) from import_pause pause where ${IN_FORCE}`],
  stopListOldestDirty: [
    'imports',
    sql`select ${age('state.dirty_at')} from mirror_stop_list_state state
    join served_organization organization on organization.id = state.organization_id
    join importable_connection connection on connection.id = organization.connection_id
   where not ${STOP_LIST_PAUSED}`,
  ],
  reconciledAgo: ['imports', sql`select ${age('at')} from mirror_reconciled`],
  outboxPending: [
    'events',
    sql`select count(*) from outbox where delivered_at is null and parked_at is null`,
  ],
  outboxOldest: [
    'events',
    sql`select ${age('created_at')} from outbox where delivered_at is null and parked_at is null`,
  ],
  outboxParked: [
    'events',
    sql`select count(*) from outbox where delivered_at is null and parked_at is not null`,
  ],
  webhooksPending: ['events', sql`select count(*) from webhook_event where processed_at is null`],
  webhooksOldest: [
    'events',
    sql`select ${age('received_at')} from webhook_event where processed_at is null`,
  ],
  orderOldestUntaken: [
    'orders',
    sql`select ${age('accepted_at')} from customer_order where state in ('ACCEPTED', 'SENT')`,
  ],
  giftOldestReserved: [
    'gifts',
    sql`select ${age('reserved_at')} from compensation where status = 'RESERVED'`,
  ],
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
  giftCandidateOldest: [
    'gifts',
    sql`select ${age('found_at')} from compensation_candidate where status = 'OPEN'`,
  ],
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
  giftsOldestCheck: [
    'comparisons',
    sql`select ${age('since')} from (${LAST_COMPARISONS}) compared`,
  ],
  cartBytes: ['orders', sql`select pg_total_relation_size('cart')`],
  snapshotsDirty: ['menus', sql`select count(*) from ${DIRTY_SNAPSHOTS}`],
  snapshotOldestDirty: ['menus', sql`select ${age('request.dirty_at')} from ${DIRTY_SNAPSHOTS}`],
  auditOldestUnsealed: ['security', sql`select ${age('at')} from audit_entry where ${IS_UNSEALED}`],
};

export const plain =
  (group: PlainGroup): Read =>
  async ({ db }) => {
    const names = (Object.keys(READS) as (keyof typeof READS)[]).filter(
      (name) => READS[name][0] === group,
    );
    const [values] = await db
      .selectNoFrom(names.map((name) => sql<number>`(${READS[name][1]})`.as(name)))
      .execute();

    return ({ state }) => {
      for (const name of names) state[name].set(values?.[name] ?? 0);
    };
  };
