import type { Restaurants, RowRestaurants } from '../../../kernel/scope.ts';
import type { Sql } from '../../../platform/db/database.ts';

/** Restaurants of a request's rows, for callers with limited restaurants (rule ACC-61). */

/** Accepts an order of any channel. */
export async function restaurantsOfOrder({ db }: Sql, id: string): Promise<Restaurants> {
  const order = await db
    .selectFrom('customer_order')
    .select('organizationId')
    .where('id', '=', id)
    .unionAll(db.selectFrom('erp_order').select('organizationId').where('id', '=', id))
    .executeTakeFirst();

  return order === undefined ? undefined : [order.organizationId];
}

export async function restaurantsOfDiscount({ db }: Sql, id: number): Promise<Restaurants> {
  const discount = db.selectFrom('discount').select('organizationIds').where('id', '=', id);
  return (await discount.executeTakeFirst())?.organizationIds;
}

/** Includes the current and the new discount of the promo code. */
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
