import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { phoneDigests } from '../../gifts/clients/clients.ts';
import { ordersOfPhone } from '../orders/orders-of-phone.ts';

/**
 * Lifetimes since the last change (rules ORD-16, ORD-126). Expired carts are invisible even before
 * they are deleted.
 */
export const CART_LIFE = '30 days';
export const UNUSED_CART_LIFE = '2 days';

export const UNUSED_CART = 'cart.customer_id is null and not cart.is_revisited';

export const isAlive = sql<boolean>`cart.updated_at > now() - case when ${sql.raw(UNUSED_CART)}
  then ${sql.lit(UNUSED_CART_LIFE)}::interval else ${sql.lit(CART_LIFE)}::interval end`;

/** True for the owner, or if the object belongs to a guest. */
export const isTheirs = (owner: string | null, customerId: string | null): boolean =>
  owner === null || owner === customerId;

/**
 * Returns access checks. Anyone with the id may use guest objects. Orders from other channels
 * require the verified phone.
 */
export const guestAccess = (db: Sql, secrets: SecretBox) => ({
  mayUseCart: (cartId: string, customerId: string | null) => mayUseCart(db, cartId, customerId),
  mayUseOrder: (orderId: string, customerId: string | null, verifiedPhone: string | null) =>
    mayUseOrder(
      db,
      orderId,
      customerId,
      verifiedPhone === null ? [] : phoneDigests({ secrets }, verifiedPhone),
    ),
});

/** An order's cart id stays valid for repeated requests. The first reuse prolongs a cart's life. */
async function mayUseCart(
  { db }: Sql,
  cartId: string,
  customerId: string | null,
): Promise<boolean> {
  const cart = await db
    .selectFrom('cart')
    .select(['customerId', 'isRevisited'])
    .where('id', '=', cartId)
    .where(isAlive)
    .unionAll(
      db
        .selectFrom('customer_order')
        .select(['customerId', sql<boolean>`true`.as('isRevisited')])
        .where('cartId', '=', cartId),
    )
    .executeTakeFirst();
  if (cart === undefined || !isTheirs(cart.customerId, customerId)) return false;

  if (!cart.isRevisited)
    await db.updateTable('cart').set({ isRevisited: true }).where('id', '=', cartId).execute();

  return true;
}

async function mayUseOrder(
  from: Sql,
  orderId: string,
  customerId: string | null,
  digests: readonly string[],
): Promise<boolean> {
  const order = await from.db
    .selectFrom('customer_order')
    .select('customerId')
    .where('id', '=', orderId)
    .unionAll(
      from.db
        .selectFrom('erp_order')
        .select(sql<string | null>`null`.as('customerId'))
        .where('id', '=', orderId)
        .where('id', 'in', ordersOfPhone(from, digests))
        .where('movedTo', 'is', null),
    )
    .executeTakeFirst();

  return order !== undefined && isTheirs(order.customerId, customerId);
}
