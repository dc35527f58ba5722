import { sql, type RawBuilder } from 'kysely';
import type { GiftDay } from '../../contracts/gift-reconciliation.ts';
import { invalidField } from '../../contracts/problem.ts';
import { csvText } from '../../domain/csv.ts';
import type { Database, Sql } from '../database.ts';
import { raiseNotification, resolveNotifications } from '../notifications/raise-notification.ts';
import { readPage, type Page, type Paging } from '../pages.ts';

/** Days as organizations count them, both included, like `2026-11-21`. */
type Period = { from: string; to: string };
export type GiftDaysQuestion = Period & { organizationId?: number | undefined };

type OrderCounts = {
  day: string;
  organizationErpId: string;
  orderId: string;
  atErp: number;
  redeemed: number;
  unauthorized: number;
};

/**
 * What each order with gifts accounts for (rule CMP-55): those that the ERP has shown, and those of ours that have redeemed a right although it has
 * shown no gift in them. A right is redeemed no earlier than on the day of its order; a day more is for zones.
 */
const orderCounts = ({ from, to }: { from: RawBuilder<unknown>; to: RawBuilder<unknown> }) => sql<OrderCounts>`
  select seen.day, seen.organization_erp_id, seen.erp_order_id as order_id,
         (select coalesce(sum(line.quantity), 0) from erp_gift_line line where line.gift_order_id = seen.id)::int as at_erp,
         (select coalesce(sum(quantity), 0) from compensation
           where redeemed_order_id = any (array_append(seen.former_erp_order_ids, seen.erp_order_id) || seen.own_order_id))::int as redeemed,
         (select coalesce(sum(quantity), 0) from unauthorized_gift
           where gift_order_id = seen.id and status <> 'WITHDRAWN')::int as unauthorized
    from erp_gift_order seen where seen.day between ${from} and ${to}
  union all
  select own.day, organization.erp_id, own.id, 0, sum(compensation.quantity)::int, 0
    from compensation
    join customer_order own on own.id = compensation.redeemed_order_id
    join mirror_organization organization on organization.id = own.organization_id
   where compensation.redeemed_at >= ${from} - 1 and own.day between ${from} and ${to}
     and not exists (select from erp_gift_order seen where seen.own_order_id = own.id)
   group by own.id, organization.erp_id`;

const DIFFERS = sql<boolean>`at_erp <> redeemed + unauthorized`;

/** Longest period that is answered at once. */
const MOST_DAYS = 92;

function checkPeriod({ from, to }: Period): void {
  // The format of dates has a year 0, the calendar of the database has none.
  if (Temporal.PlainDate.from(from).year < 1) throw invalidField('from', 'invalid', 'There is no such day.');
  const days = Temporal.PlainDate.from(from).until(to).days;
  if (days < 0) throw invalidField('to', 'invalid', 'The last day is before the first one.');
  if (days >= MOST_DAYS) throw invalidField('to', 'invalid', `The period has more than ${MOST_DAYS} days.`);
}

/** Of several organizations with one uuid the one that is active, else the one that was mirrored last. */
const organizations = ({ db }: Sql) =>
  db
    .selectFrom('mirror_organization')
    .select(['erpId', 'id', 'name'])
    .distinctOn('erpId')
    .orderBy('erpId')
    .orderBy(sql`inactive_at is not null`)
    .orderBy('id', 'desc');

const giftDays = (tx: Sql, { from, to, organizationId }: GiftDaysQuestion) =>
  tx.db
    .selectFrom(
      sql<{
        day: string;
        organizationErpId: string;
        atErp: number;
        redeemed: number;
        unauthorized: number;
        differingOrders: number;
      }>`(select day, organization_erp_id, sum(at_erp)::int as at_erp, sum(redeemed)::int as redeemed, sum(unauthorized)::int as unauthorized,
                 count(*) filter (where ${DIFFERS})::int as differing_orders
            from (${orderCounts({ from: sql`${from}::date`, to: sql`${to}::date` })}) counts group by day, organization_erp_id)`.as(
        'counted',
      ),
    )
    .leftJoin('gift_reconciliation as checked', (join) =>
      join
        .onRef('checked.day', '=', 'counted.day')
        .onRef('checked.organizationErpId', '=', 'counted.organizationErpId'),
    )
    .leftJoin(organizations(tx).as('organization'), 'organization.erpId', 'counted.organizationErpId')
    .select([
      'counted.day as date',
      'organization.id as organizationId',
      'organization.name as organizationName',
      'counted.organizationErpId as organizationErpId',
      'counted.atErp',
      'counted.redeemed',
      'counted.unauthorized',
      'counted.differingOrders',
      'checked.checkedAt',
    ])
    .select(sql<number>`counted.at_erp - counted.redeemed - counted.unauthorized`.as('difference'))
    .$if(organizationId !== undefined, (query) =>
      query.where(
        'counted.organizationErpId',
        'in',
        tx.db.selectFrom('mirror_organization').select('erpId').where('id', '=', organizationId!),
      ),
    )
    .orderBy('counted.day')
    .orderBy('counted.organizationErpId');

/**
 * Per day and organization how many gifts orders at the ERP contain, and what stands for them: rights that are redeemed, and gifts without a right (rule
 * CMP-55). Counted now; `checkedAt` is when the daily comparison last looked. Problems: validation.
 */
export function readGiftDays(from: Sql, question: GiftDaysQuestion, paging: Paging): Promise<Page<GiftDay>> {
  checkPeriod(question);
  return readPage(giftDays(from, question), paging);
}

const COLUMNS = {
  date: 'date',
  organization: 'organizationErpId',
  organization_name: 'organizationName',
  at_erp: 'atErp',
  redeemed: 'redeemed',
  unauthorized: 'unauthorized',
  difference: 'difference',
  differing_orders: 'differingOrders',
  checked_at: 'checkedAt',
} as const satisfies Record<string, keyof GiftDay>;

/** The same days as a sheet (rule CMP-58), all of them. Problems: validation. */
export async function giftDaysSheet(from: Sql, question: GiftDaysQuestion): Promise<string> {
  checkPeriod(question);
  const days: GiftDay[] = await giftDays(from, question).execute();
  const cells = days.map((day) =>
    Object.values(COLUMNS).map((field) => {
      const value = day[field];
      return value instanceof Date ? value.toISOString() : value;
    }),
  );
  return csvText(Object.keys(COLUMNS), cells);
}

/** Days before today that are compared every day: what was late or away yesterday is compared again. */
const DAYS_BACK = 3;

export type CheckedDays = { days: number; differing: number };

type CheckedDay = {
  day: string;
  organizationErpId: string;
  atErp: number;
  redeemed: number;
  unauthorized: number;
  differingOrders: number;
  orderIds: string[];
  /** The last comparison found other numbers, or there was none. */
  isNews: boolean;
};

/**
 * Compares the last days of every organization of a connection that are over by its own clock, and those before them that differ still (rule CMP-56):
 * keeps what was found, tells people of days that differ otherwise than they knew, and closes what adds up now. One statement counts, so no order is seen half. A second call
 * finds the same. `timeZone` is of organizations for which nobody states one.
 */
export function checkGiftDays(
  db: Database,
  { connectionId, timeZone }: { connectionId: number; timeZone: string },
): Promise<CheckedDays> {
  return db.transaction(async (tx) => {
    const { rows } = await sql<CheckedDay>`
      with today as (
        select organization.erp_id, (now() at time zone coalesce(config.time_zone, organization.time_zone, ${timeZone}))::date as day
          from mirror_organization organization left join ordering_config config on config.organization_id = organization.id
         where organization.connection_id = ${connectionId}
           and (organization.inactive_at is null or organization.inactive_at > now() - make_interval(days => ${DAYS_BACK} + 1))),
      wanted as (
        select erp_id as organization_erp_id, day - back as day from today cross join generate_series(1, ${DAYS_BACK}::int) back
         union
        select organization_erp_id, day from gift_reconciliation where connection_id = ${connectionId} and differing_orders > 0),
      counts as (${orderCounts({ from: sql`(select min(day) from wanted)`, to: sql`(select max(day) from wanted)` })}),
      checked as (
        select wanted.day, wanted.organization_erp_id, coalesce(sum(at_erp), 0)::int as at_erp, coalesce(sum(redeemed), 0)::int as redeemed,
               coalesce(sum(unauthorized), 0)::int as unauthorized, count(*) filter (where ${DIFFERS})::int as differing_orders,
               coalesce((array_agg(order_id order by order_id) filter (where ${DIFFERS}))[1:${sql.lit(MOST_ORDERS)}], '{}') as order_ids
          from wanted left join counts using (day, organization_erp_id) group by wanted.day, wanted.organization_erp_id),
      kept as (
        insert into gift_reconciliation as known (day, organization_erp_id, connection_id, at_erp, redeemed, unauthorized, differing_orders, checked_at)
        select day, organization_erp_id, ${connectionId}::bigint, at_erp, redeemed, unauthorized, differing_orders, now() from checked
            on conflict (day, organization_erp_id) do update
           set connection_id = excluded.connection_id, at_erp = excluded.at_erp, redeemed = excluded.redeemed,
               unauthorized = excluded.unauthorized, differing_orders = excluded.differing_orders, checked_at = excluded.checked_at)
      select checked.*, (before.at_erp, before.redeemed, before.unauthorized, before.differing_orders) is distinct from
             (checked.at_erp, checked.redeemed, checked.unauthorized, checked.differing_orders) as is_news
        from checked left join gift_reconciliation before using (day, organization_erp_id) order by day, organization_erp_id`.execute(
      tx.db,
    );
    const differing = rows.filter(({ differingOrders }) => differingOrders > 0);
    for (const { day, organizationErpId, isNews, ...details } of differing) {
      if (!isNews) continue;
      await raiseNotification(tx, {
        kind: 'GIFTS_DIFFER',
        subjectType: GIFT_DAY,
        subjectId: subjectOf({ day, organizationErpId }),
        details: { day, organizationErpId, ...details },
      });
    }
    const even = rows.filter(({ differingOrders }) => differingOrders === 0);
    await resolveNotifications(tx, 'GIFTS_DIFFER', GIFT_DAY, even.map(subjectOf));
    return { days: rows.length, differing: differing.length };
  });
}

/** Orders that a notification names: enough to find the cause. */
const MOST_ORDERS = 20;
const GIFT_DAY = 'gift-day';
const subjectOf = ({ day, organizationErpId }: Pick<CheckedDay, 'day' | 'organizationErpId'>): string =>
  `${day}/${organizationErpId}`;
