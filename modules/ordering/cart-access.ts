import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { phoneDigests } from '../gifts/clients.ts';
import { ordersOfPhone } from './orders-of-phone.ts';

/**
 * Lifetime of a cart after its last change, for customers (rule ORD-16) and for guests who have not
 * signed in (rule ORD-126). An older cart does not exist for callers, even if it is not deleted
 * yet.
 */
export const CART_LIFE = '30 days';
export const GUEST_CART_LIFE = '2 days';

/** A condition of statements: the cart still lives. */
export const isAlive = sql<boolean>`cart.updated_at > now() - case when cart.customer_id is null
  then ${sql.lit(GUEST_CART_LIFE)}::interval else ${sql.lit(CART_LIFE)}::interval end`;

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

/** A cart that has become an order can be named still: a repeated request finds the order by it. */
async function mayUseCart({ db }: Sql, cartId: string, customerId: string | null): Promise<boolean> {
  const found = await db
    .selectFrom('cart')
    .select('customerId')
    .where('id', '=', cartId)
    .where(isAlive)
    .unionAll(db.selectFrom('customer_order').select('customerId').where('cartId', '=', cartId))
    .executeTakeFirst();
  return found !== undefined && isTheirs(found.customerId, customerId);
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
