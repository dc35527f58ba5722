import { sql, type RawBuilder } from 'kysely';
import { forgetClients } from './gifts/clients/forget-clients.ts';
import { DECISION_LIFE, forgetFormerDecisions } from './ordering/staff/former-decisions.ts';
import { forgetErpOrders } from './ordering/at-erp/save-erp-orders.ts';
import type { Sql } from '../platform/db/database.ts';
import { NOT_ASKED as NOT_ASKED_REASONS } from './mirror/runs/run-record.ts';
import { CART_LIFE, UNUSED_CART, UNUSED_CART_LIFE } from './ordering/cart/cart-access.ts';
import { readSettings } from './settings/read-settings.ts';
import { deleteOldRevisions } from './menus/snapshot/revisions.ts';
import { forgetRetiredMedia } from './menus/snapshot/kept-media.ts';

/** A newer run of the same import; plans do not count. */
const LATER = `newer.connection_id = sync_run.connection_id and newer.job = sync_run.job
  and newer.external_menu_id is not distinct from sync_run.external_menu_id and newer.id > sync_run.id
  and newer.mode is distinct from 'PLAN'`;
/** Reasons of runs that ended before an ERP request. */
const NOT_ASKED = `(${NOT_ASKED_REASONS.map((reason) => `'${reason}'`).join(', ')})`;

/**
 * Retention periods (decision 10): rows are deleted `kept` after `since`, if `when` is true. Other
 * tables, such as the audit, are kept permanently; menu revisions have their own setting.
 * `setting`: days that replace `kept`.
 */
export const LIFE_TIMES: readonly {
  table: string;
  since: string;
  kept: string;
  setting?: 'order_personal_days';
  when?: string;
  /** True if no column stores when the row became outdated. */
  isUntimed?: true;
}[] = [
  { table: 'geocoder_answer', since: 'expires_at', kept: '0 seconds' },
  { table: 'idempotency_key', since: 'created_at', kept: '24 hours' },
  { table: 'outbox', since: 'delivered_at', kept: '7 days' },
  // Kept as long as repetitions must be recognized; unprocessed events stay.
  {
    table: 'webhook_event',
    since: 'received_at',
    kept: '7 days',
    when: 'processed_at is not null',
  },
  { table: 'access_sign_on', since: 'expires_at', kept: '1 hour' },
  { table: 'access_session', since: 'expires_at', kept: '30 days' },
  { table: 'access_api_key_secret', since: 'valid_until', kept: '90 days' },
  { table: 'security_event', since: 'occurred_at', kept: '90 days' },
  {
    table: 'sync_run',
    since: 'started_at',
    kept: '30 days',
    // The last run, the last success and the last full success of an import are kept for gauges,
    // alerts and /sync/status.
    when: `status <> 'RUNNING' and (mode is not distinct from 'PLAN' or (
      exists (select 1 from sync_run newer where ${LATER})
      and (status = 'FAILED' or reason in ${NOT_ASKED} or exists (
        select 1 from sync_run newer where ${LATER} and newer.status in ('SUCCESS', 'SKIPPED')
           and (newer.reason is null or newer.reason not in ${NOT_ASKED})))
      and (mode is distinct from 'FULL' or status <> 'SUCCESS' or exists (
        select 1 from sync_run newer where ${LATER} and newer.mode = 'FULL' and newer.status = 'SUCCESS'))))`,
  },
  { table: 'public_event', since: 'occurred_at', kept: '28 days' },
  { table: 'webhook_delivery', since: 'created_at', kept: '28 days' },
  { table: 'notification', since: 'resolved_at', kept: '90 days' },
  // Expired reservations have no effect.
  { table: 'media_claim', since: 'until', kept: '1 day' },
  { table: 'cart', since: 'updated_at', kept: CART_LIFE },
  { table: 'cart', since: 'updated_at', kept: UNUSED_CART_LIFE, when: UNUSED_CART },
  // Addresses are deleted with their cart; nothing refers to their texts then.
  {
    table: 'personal_data',
    since: 'created_at',
    kept: '0 seconds',
    when: `purpose = 'ADDRESS' and not exists (select 1 from delivery_address where personal_data_id = personal_data.id)`,
    isUntimed: true,
  },
  { table: 'running_process', since: 'seen_at', kept: '1 day' },
  { table: 'window_count', since: 'ends_at', kept: '1 hour' },
  // Past hours are not requested; a stop without an end is still active.
  { table: 'schedule_exception', since: 'coalesce(ends_at, date + 1)', kept: '90 days' },
  {
    table: 'personal_data',
    since: 'created_at',
    kept: '365 days',
    setting: 'order_personal_days',
    when: `purpose = 'ORDER' and not exists (
      select 1 from customer_order where personal_data_id = personal_data.id and ended_at is null)`,
  },
  // Excerpts of operators' comments are kept as long as the guest's data of an order.
  {
    table: 'personal_data',
    since: 'created_at',
    kept: '365 days',
    setting: 'order_personal_days',
    when: `purpose = 'COMMENT'`,
  },
  // Texts of staff about a person are kept as long as guests' data.
  {
    table: 'personal_data',
    since: 'created_at',
    kept: '365 days',
    setting: 'order_personal_days',
    when: `purpose = 'REASON'`,
  },
  // Order limits count the last 24 hours, and open orders until they end (ORD-121).
  {
    table: 'order_claim',
    since: 'claimed_at',
    kept: '1 day',
    when: `not exists (select 1 from customer_order where id = order_claim.order_id and ended_at is null)`,
  },
  { table: 'order_attempt', since: 'begun_at', kept: '90 days' },
  // `forgetFormerDecisions` applies this period to decisions in order rows.
  { table: 'order_decision', since: 'decided_at', kept: DECISION_LIFE },
  // Separate, because a cart may outlive its quotes.
  { table: 'order_quote', since: 'valid_until', kept: '1 day' },
  { table: 'import_pause', since: 'least(ended_at, until)', kept: '90 days' },
];

/** `forgetErpOrders` erases the guests. */
const ERP_ORDERS: LifeTime = {
  table: 'erp_order',
  since: 'placed_at',
  kept: '365 days',
  setting: 'order_personal_days',
  when: '(phone_digest is not null or erp_customer_id is not null)',
};

/** Limits the length of a call. */
const ROWS_PER_CALL = 10_000;

/**
 * Deletes at most `limit` outdated rows of each table and returns their number. Concurrent calls
 * delete different rows. A failure does not stop other tables (OPS-80).
 * @throws AggregateError naming the tables that failed
 */
export async function deleteOutdated(
  from: Sql,
  limit = ROWS_PER_CALL,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  const failures: Error[] = [];
  const attempt = async (table: string, remove: () => Promise<number>): Promise<void> => {
    try {
      deleted[table] = (deleted[table] ?? 0) + (await remove());
    } catch (cause) {
      failures.push(new Error(`Outdated rows of ${table} could not be deleted`, { cause }));
    }
  };

  const days = await readSettings(from, 'order_personal_days');

  for (const lifeTime of LIFE_TIMES)
    await attempt(lifeTime.table, () =>
      deleteExpired(from, lifeTime, {
        days: days[lifeTime.setting ?? 'order_personal_days'],
        limit,
      }),
    );

  await attempt('erp_order', () => forgetErpOrders(from, days.order_personal_days, limit));
  await attempt('customer_order', () => forgetFormerDecisions(from, limit));
  await attempt('compensation_client', () => forgetClients(from, days.order_personal_days, limit));
  await attempt('snapshot_revision', () => deleteOldRevisions(from, limit));
  await attempt('media_retired', () => forgetRetiredMedia(from, limit));
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));

  return deleted;
}

type LifeTime = (typeof LIFE_TIMES)[number];

const formatLifetime = ({ kept, setting }: LifeTime, days: number): string =>
  setting === undefined ? kept : `${days} days`;

const isOverdue = (lifeTime: LifeTime, days: number): RawBuilder<boolean> => {
  const { since, when } = lifeTime;
  const condition = when === undefined ? '' : ` and ${when}`;
  return sql.raw(`${since} < now() - interval '${formatLifetime(lifeTime, days)}'${condition}`);
};

/**
 * Returns for each table the seconds since its oldest outdated row should have been deleted, or 0
 * (OPS-82). Omits addresses without a cart, because no column stores when they lost it.
 */
export async function readOverdue(from: Sql): Promise<{ table: string; seconds: number }[]> {
  const { order_personal_days: days } = await readSettings(from, 'order_personal_days');
  const timed: readonly LifeTime[] = [
    ...LIFE_TIMES.filter(({ isUntimed }) => isUntimed !== true),
    ERP_ORDERS,
  ];

  const entry = timed.map(
    (lifeTime) => sql`
      select ${lifeTime.table}::text as "table", coalesce(extract(epoch from now() - interval '${sql.raw(formatLifetime(lifeTime, days))}' - (
        select ${sql.raw(lifeTime.since)} from ${sql.table(lifeTime.table)} where ${isOverdue(lifeTime, days)}
         order by ${sql.raw(lifeTime.since)} limit 1)), 0)::double precision as seconds`,
  );

  const { rows } = await sql<{ table: string; seconds: number }>`
    select "table", max(seconds) as seconds from (${sql.join(entry, sql` union all `)}) overdue group by "table"`.execute(
    from.db,
  );

  return rows;
}

async function deleteExpired(
  { db }: Sql,
  lifeTime: LifeTime,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const { table } = lifeTime;
  const isOver = isOverdue(lifeTime, days);
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)}
     where ctid in (select ctid from ${sql.table(table)} where ${isOver} limit ${limit}) and ${isOver}`.execute(
    db,
  );

  return Number(numAffectedRows);
}
