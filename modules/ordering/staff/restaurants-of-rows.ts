import type { Restaurants, RowRestaurants } from '../../../kernel/scope.ts';
import type { Sql } from '../../../platform/db/database.ts';

/** Restaurants of the rows in a request, for callers with limited restaurants (rule ACC-61). */

/** Returns the restaurant of an order of any channel. */
export async function restaurantsOfOrder({ db }: Sql, id: string): Promise<Restaurants> {
  const order = await db
    .selectFrom('customer_order')
    .select('organizationId')
    .where('id', '=', id)
    .unionAll(db.selectFrom('erp_order').select('organizationId').where('id', '=', id))
    .executeTakeFirst();
  return order === undefined ? undefined : [order.organizationId];
}

/** Returns the restaurants of a discount. */
export async function restaurantsOfDiscount({ db }: Sql, id: number): Promise<Restaurants> {
  const discount = db.selectFrom('discount').select('organizationIds').where('id', '=', id);
  return (await discount.executeTakeFirst())?.organizationIds;
}

/** Returns the restaurants of a promo code's present and next discount. */
export async function restaurantsOfPromocode(
  from: Sql,
  id: number,
  nextDiscountId?: number,
): Promise<RowRestaurants> {
  const promocode = await from.db
    .selectFrom('promocode')
    .select('discountId')
    .where('id', '=', id)
    .executeTakeFirst();
  if (promocode === undefined) return undefined;
  const current = await restaurantsOfDiscount(from, promocode.discountId);
  if (nextDiscountId === undefined) return current;
  return { each: [current, await restaurantsOfDiscount(from, nextDiscountId)] };
}
