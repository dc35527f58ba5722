import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { phoneDigests } from '../../gifts/clients/clients.ts';
import { ordersOfPhone } from '../orders/orders-of-phone.ts';

/**
 * Lifetime of a cart after its last change (rule ORD-16), and of a guest's cart that was not used
 * again (rule ORD-126). An older cart does not exist for callers, even if it is not deleted yet.
 */
export const CART_LIFE = '30 days';
export const UNUSED_CART_LIFE = '2 days';

/** A condition of statements: the cart is a guest's and was not used again. */
export const UNUSED_CART = 'cart.customer_id is null and not cart.is_revisited';

/** A condition of statements: the cart still lives. */
export const isAlive = sql<boolean>`cart.updated_at > now() - case when ${sql.raw(UNUSED_CART)}
  then ${sql.lit(UNUSED_CART_LIFE)}::interval else ${sql.lit(CART_LIFE)}::interval end`;

/** Returns whether a caller may use an object of this customer, or of a guest. */
export const isTheirs = (owner: string | null, customerId: string | null): boolean =>
  owner === null || owner === customerId;

/**
 * Returns the access condition for carts and orders of this database: those without a customer are
 * open to every caller, the others only to their customer. An order from another channel belongs to
 * the customer with its verified phone.
 */
export const guestAccess = (db: Sql, secrets: SecretBox) => ({
  mayUseCart: (cartId: string, customerId: string | null) => mayUseCart(db, cartId, customerId),
  mayUseOrder: (orderId: string, customerId: string | null, verifiedPhone: string | null) =>
    mayUseOrder(db, orderId, customerId, verifiedPhone === null ? [] : phoneDigests({ secrets }, verifiedPhone)),
});

/**
 * A cart that has become an order can be named still: a repeated request finds the order by it. The
 * first use of a cart is recorded, because the cart then lives longer.
 */
async function mayUseCart({ db }: Sql, cartId: string, customerId: string | null): Promise<boolean> {
  const found = await db
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
  if (found === undefined || !isTheirs(found.customerId, customerId)) return false;
  if (!found.isRevisited) await db.updateTable('cart').set({ isRevisited: true }).where('id', '=', cartId).execute();
  return true;
}

async function mayUseOrder(
  from: Sql,
  orderId: string,
  customerId: string | null,
  digests: readonly string[],
): Promise<boolean> {
  const found = await from.db
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
  return found !== undefined && isTheirs(found.customerId, customerId);
}
