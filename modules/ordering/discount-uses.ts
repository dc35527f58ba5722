import { sql } from 'kysely';
import { anyOf, type Sql, type Statements } from '../../platform/db/database.ts';
import type { OfferedDiscount } from './rules/cart-facts.ts';

/** Free places among which an order chooses one by chance, so that orders that come at once seldom choose the same (decision 73). */
const CHOICE = 200;

/** What of a discount bounds how often it may be used. */
type Limits = Pick<OfferedDiscount, 'id' | 'totalUses' | 'oncePerCustomer' | 'firstOrderOnly'>;

/**
 * Those of some discounts that anybody may use at any time as often as they like: nothing is to be found out about them when an order uses
 * them. One that is not among the facts any more is none of these.
 */
export function unlimitedAmong(discountIds: readonly number[], facts: readonly Limits[]): Set<number> {
  return new Set(
    facts
      .filter((each) => each.totalUses === null && !each.oncePerCustomer && !each.firstOrderOnly)
      .map((each) => each.id)
      .filter((id) => discountIds.includes(id)),
  );
}

/** The part of a statement that writes down that an order uses discounts without a limit. */
export const unlimitedUses = (
  db: Statements,
  {
    orderId,
    customerId,
    discountIds,
  }: { orderId: string; customerId: string | null; discountIds: ReadonlySet<number> },
) =>
  db
    .insertInto('discount_use')
    .columns(['discountId', 'orderId', 'customerId'])
    .expression((eb) =>
      eb
        .selectFrom('discount')
        .select([
          'id',
          sql<string>`${orderId}::uuid`.as('order'),
          sql<string | null>`${customerId}::text`.as('customer'),
        ])
        .where('id', '=', anyOf([...discountIds])),
    );

/**
 * Writes down that an order uses discounts; false when one of them is used up, or was given to this customer before, also when it has ended
 * since (rule ORD-88). Of a discount that may be used so many times, or once by a customer, each use has a place that no other order can
 * have: of two orders that race for the last one, one fails on a unique rule and is judged again. Uses of a discount without a limit are
 * not counted: there is one for every order.
 */
export async function useDiscounts(
  { db }: Sql,
  { orderId, customerId, discountIds }: { orderId: string; customerId: string | null; discountIds: readonly number[] },
): Promise<boolean> {
  if (discountIds.length === 0) return true;
  const { rows } = await sql<{ isUsedUp: boolean }>`
    with wanted as (
      select discount.id, discount.total_uses,
             case when discount.once_per_customer or discount.first_order_only then ${customerId}::text end as once_for,
             case when discount.total_uses is not null then (
               select count(*) from discount_use used where used.discount_id = discount.id) end as uses
        from discount where discount.id = ${anyOf(discountIds)}),
    free as (
      select * from wanted
       where (total_uses is null or uses < total_uses)
         and not exists (select 1 from discount_use own where own.discount_id = wanted.id and own.once_for = wanted.once_for)),
    taken as (
      insert into discount_use (discount_id, order_id, customer_id, ordinal, once_for)
      select id, ${orderId}::uuid, ${customerId}, case when total_uses is not null then (
               select place from (
                 select place from (select generate_series(1, least(free.total_uses, free.uses + ${CHOICE})) as place) every
                  where not exists (select 1 from discount_use used where used.discount_id = free.id and used.ordinal = place)
                  limit least(free.total_uses - free.uses, ${CHOICE})) open
                order by random() limit 1) end, once_for
        from free
      returning discount_id)
    select (select count(*) from wanted) > (select count(*) from taken) as is_used_up`.execute(db);
  return rows[0]?.isUsedUp !== true;
}

/** An order that came to nothing has used no discount. */
export async function releaseDiscounts({ db }: Sql, orderId: string): Promise<void> {
  await db.deleteFrom('discount_use').where('orderId', '=', orderId).execute();
}
