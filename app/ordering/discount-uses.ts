import { sql } from 'kysely';
import { anyOf, type Sql } from '../../db/database.ts';

/**
 * Writes down that an order uses discounts. Of a discount that may be used so many times, or once by a customer, each use has a place
 * that no other order can have: of two orders that race for the last one, one fails on a unique rule and is judged again.
 */
export async function useDiscounts(
  { db }: Sql,
  { orderId, customerId, discountIds }: { orderId: string; customerId: string | null; discountIds: readonly number[] },
): Promise<void> {
  if (discountIds.length === 0) return;
  await db
    .insertInto('discount_use')
    .columns(['discountId', 'orderId', 'customerId', 'ordinal', 'onceFor'])
    .expression((eb) =>
      eb
        .selectFrom('discount')
        .select([
          'discount.id',
          sql<string>`${orderId}::uuid`.as('orderId'),
          sql<string | null>`${customerId}::text`.as('customerId'),
          sql<number | null>`case when discount.total_uses is not null then
            1 + coalesce((select max(used.ordinal) from discount_use used where used.discount_id = discount.id), 0) end`.as(
            'ordinal',
          ),
          sql<
            string | null
          >`case when discount.once_per_customer or discount.first_order_only then ${customerId}::text end`.as(
            'onceFor',
          ),
        ])
        .where('discount.id', '=', anyOf(discountIds)),
    )
    .execute();
}

/** An order that came to nothing has used no discount. */
export async function releaseDiscounts({ db }: Sql, orderId: string): Promise<void> {
  await db.deleteFrom('discount_use').where('orderId', '=', orderId).execute();
}
