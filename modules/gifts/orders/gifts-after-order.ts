import type { Sql } from '../../../platform/db/database.ts';
import { redeemRights, releaseRights } from '../rights/move-rights.ts';
import { giftsAfterCreation, giftsAfterMove, type OrderMove } from '../rules/after-order.ts';

/**
 * Redeems or returns the gifts that an order has reserved, or keeps them reserved, as
 * `rules/after-order.ts` decides. Call it in the transaction that moves the order.
 */
export async function redeemOrReturnGifts(tx: Sql, orderId: string, move: OrderMove): Promise<void> {
  const decision = giftsAfterMove(move);
  if (decision === 'REDEEM') await redeemRights(tx, orderId);
  if (decision === 'RETURN') await releaseRights(tx, orderId, move.to);
}

/**
 * Redeems the gifts of an order that the ERP has created, even if nothing else about the order
 * changes.
 */
export async function redeemGiftsOfCreated(tx: Sql, order: { id: string; state: string }): Promise<void> {
  if (giftsAfterCreation(order.state) === 'REDEEM') await redeemRights(tx, order.id);
}
