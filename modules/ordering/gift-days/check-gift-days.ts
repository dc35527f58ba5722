import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { GiftAlerts } from '../../gifts/reconciliation/gift-alerts.ts';
import { raiseNotification, resolveNotifications } from '../../notifications/raise-notification.ts';
import { DIFFERS, FINGERPRINT, orderCounts } from './count-gifts.ts';

/** Orders may arrive or disappear late. */
const DAYS_BACK = 3;
const MOST_ORDERS = 20;
const GIFT_DAY = 'gift-day';

/**
 * For each active connection, the time of its last reconciliation, or of its first right if it was
 * never reconciled.
 */
export const LAST_COMPARISONS = sql`
  select connection.id as connection_id,
         coalesce(
           (select max(checked_at) from gift_reconciliation where connection_id = connection.id),
           (select min(granted_at) from compensation join compensation_client client on client.id = client_id
             where client.connection_id = connection.id)) as since
    from connection where status = 'ACTIVE'`;

/** Rule CMP-110. */
export const COMPARISON_ALERTS = {
  GIFTS_NOT_COMPARED: {
    cases: sql`select connection_id, since, connection_id::text as id from (${LAST_COMPARISONS}) compared
      where since < now() - interval '30 hours'`,
  },
} as const satisfies GiftAlerts;

/** `differing` does not include accepted days. */
export type CheckedDays = { days: number; differing: number; accepted: number };

type CheckedDay = Row<
  'gift_reconciliation',
  'day' | 'organizationErpId' | 'atErp' | 'redeemed' | 'unauthorized' | 'differingOrders',
  {
    orderIds: string[];
    isAccepted: boolean;
    /** True if the differing orders have changed. */
    isNews: boolean;
  }
>;

/**
 * Reconciles the last days and earlier days that differ, and notifies staff (rules CMP-56, CMP-71).
 * One statement counts, so that no order is counted partially. Idempotent. `timeZone` is the
 * default.
 */
export function checkGiftDays(
  db: Database,
  { connectionId, timeZone }: { connectionId: number; timeZone: string },
): Promise<CheckedDays> {
  return db.transaction(async (tx) => {
    const { rows } = await sql<CheckedDay>`
      with wanted as (${lastDays(connectionId, timeZone)} union ${differingDays(connectionId)}),
      counts as (${orderCounts({
        first: sql`(select min(day) from wanted)`,
        has: (day, organizationErpId) =>
          sql`(${day}, ${organizationErpId}) in (select day, organization_erp_id from wanted)`,
      })}),
      checked as (
        select wanted.day, wanted.organization_erp_id, coalesce(sum(at_erp), 0)::int as at_erp, coalesce(sum(redeemed), 0)::int as redeemed,
               coalesce(sum(unauthorized), 0)::int as unauthorized, count(*) filter (where ${DIFFERS})::int as differing_orders,
               coalesce((array_agg(order_id order by order_id) filter (where ${DIFFERS}))[1:${sql.lit(MOST_ORDERS)}], '{}') as order_ids,
               ${FINGERPRINT} as fingerprint
          from wanted left join counts using (day, organization_erp_id) group by wanted.day, wanted.organization_erp_id),
      kept as (
        insert into gift_reconciliation as known
               (day, organization_erp_id, connection_id, at_erp, redeemed, unauthorized, differing_orders, fingerprint, checked_at)
        select day, organization_erp_id, ${connectionId}::bigint, at_erp, redeemed, unauthorized, differing_orders, fingerprint, now() from checked
            on conflict (day, organization_erp_id) do update
           set connection_id = excluded.connection_id, at_erp = excluded.at_erp, redeemed = excluded.redeemed, unauthorized = excluded.unauthorized,
               differing_orders = excluded.differing_orders, fingerprint = excluded.fingerprint, checked_at = excluded.checked_at)
      select checked.*, before.fingerprint is distinct from checked.fingerprint as is_news,
             coalesce(before.accepted_fingerprint = checked.fingerprint, false) as is_accepted
        from checked left join gift_reconciliation before using (day, organization_erp_id) order by day, organization_erp_id`.execute(
      tx.db,
    );

    const [open, closed] = [rows.filter(isOpen), rows.filter((day) => !isOpen(day))];

    for (const row of open.filter(({ isNews }) => isNews)) {
      const { day, organizationErpId, atErp, redeemed, unauthorized, differingOrders, orderIds } =
        row;
      await raiseNotification(tx, {
        kind: 'GIFTS_DIFFER',
        subjectType: GIFT_DAY,
        subjectId: toSubject(row),
        details: {
          day,
          organizationErpId,
          atErp,
          redeemed,
          unauthorized,
          differingOrders,
          orderIds,
        },
      });
    }

    await resolveGiftDays(tx, closed);

    return {
      days: rows.length,
      differing: open.length,
      accepted: closed.filter((day) => day.isAccepted).length,
    };
  });
}

const isOpen = ({ differingOrders, isAccepted }: CheckedDay): boolean =>
  differingOrders > 0 && !isAccepted;

const lastDays = (connectionId: number, timeZone: string): RawBuilder<unknown> => sql`
  select erp_id as organization_erp_id, day - back as day
    from (select organization.erp_id, (now() at time zone coalesce(config.time_zone, organization.time_zone, ${timeZone}))::date as day
            from mirror_organization organization left join ordering_config config on config.organization_id = organization.id
           where organization.connection_id = ${connectionId}
             and (organization.inactive_at is null or organization.inactive_at > now() - make_interval(days => ${DAYS_BACK} + 1))) today
   cross join generate_series(1, ${DAYS_BACK}::int) back`;

/** Days with a difference that is not accepted, and accepted days with newer ERP reports. */
const differingDays = (connectionId: number): RawBuilder<unknown> => sql`
  select known.organization_erp_id, known.day
    from gift_reconciliation known
   where known.connection_id = ${connectionId} and known.differing_orders > 0 and (known.accepted_fingerprint = known.fingerprint) is not true
   union
  select known.organization_erp_id, known.day
    from gift_reconciliation known
   where known.connection_id = ${connectionId} and known.accepted_fingerprint is not null
     and exists (select from erp_gift_order seen
                  where seen.day = known.day and seen.organization_erp_id = known.organization_erp_id and seen.seen_at > known.checked_at)`;

type DayKey = Pick<CheckedDay, 'day' | 'organizationErpId'>;

export const resolveGiftDays = (
  tx: Parameters<typeof resolveNotifications>[0],
  days: readonly DayKey[],
) => resolveNotifications(tx, 'GIFTS_DIFFER', GIFT_DAY, days.map(toSubject));

const toSubject = ({ day, organizationErpId }: DayKey): string => `${day}/${organizationErpId}`;
