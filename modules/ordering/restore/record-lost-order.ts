import { anyOf, type Database } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { applyErpFact } from '../at-erp/apply-erp-fact.ts';
import { holdOrder, type MoveDeps } from '../orders/order-row.ts';
import { buildErpOrder } from '../at-erp/save-erp-orders.ts';
import { insertOrder } from './insert-lost-order.ts';
import { closeCarts, findCarts } from './lost-carts.ts';
import { reserveAgain, useAgain } from './lost-gifts.ts';
import type { Lost, Unrecovered } from './lost-order.ts';

type Deps = MoveDeps & { db: Database; secrets: SecretBox; env: { SYNC_TIME_ZONE: string } };

/**
 * Records a lost order with gifts and discounts, and closes its carts (rules ORD-113 to ORD-115,
 * CMP-115). Idempotent. NOT_OURS: the order belongs to another installation.
 */
export async function recordLostOrder(
  deps: Deps,
  lost: Lost,
): Promise<'RECORDED' | 'NO_RESTAURANT' | 'NOT_OURS'> {
  const { orderId, fact, witness, connectionId, restoredTo } = lost;
  const read = await buildErpOrder(deps, connectionId, fact);
  if (read === null) return 'NO_RESTAURANT';
  if (witness === null && read.placedAt < lost.placedFrom) return 'NOT_OURS';
  const { organizationId: erpOrganizationId, ...stored } = read;
  const organizationId = witness?.organizationId ?? erpOrganizationId;
  await deps.db.transaction(async (tx) => {
    const existing = await tx.db
      .selectFrom('customer_order')
      .select('id')
      .where('id', '=', orderId)
      .executeTakeFirst();
    if (existing !== undefined) return;

    const unrecovered = new Set<Unrecovered>();
    const carts = await findCarts(tx, { organizationId, witness, stored, restoredTo });
    if (carts.length === 0) unrecovered.add('CART_UNKNOWN');
    else if (witness?.cartId == null) unrecovered.add('CART_BY_LINES');
    const cart = witness?.cartId == null && carts.length > 1 ? null : (carts[0] ?? null);
    await insertOrder(tx, deps, { ...lost, organizationId, stored, cart });
    await closeCarts(tx, carts);
    const rightsTaken = await reserveAgain(tx, lost, stored.placedAt, unrecovered);
    const discountUses = await useAgain(tx, lost, { cart, stored }, unrecovered);
    await applyErpFact(deps, tx, await holdOrder(tx, orderId), fact);
    // A concurrent poll may have stored the order.
    await tx.db
      .deleteFrom('erp_order')
      .where('id', '=', anyOf([orderId, fact.id], 'uuid'))
      .execute();

    await tx.db
      .insertInto('restored_order')
      .values({
        orderId,
        restoredTo,
        cartsClosed: carts.length,
        rightsTaken,
        discountUses,
        unrecovered: [...unrecovered],
      })
      .execute();
  });

  return 'RECORDED';
}
