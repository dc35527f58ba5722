import type { Sql } from '../../../platform/db/database.ts';
import { redeemRights, releaseRights } from '../rights/move-rights.ts';
import {
  giftsAfterCreation,
  giftsAfterMove,
  redeemedGiftsAfter,
  type OrderMove,
} from '../rules/after-order.ts';
import { returnGifts, takeBackReturnedGifts, type ReturningOrder } from './return-gifts.ts';

/**
 * Redeems, returns or keeps reserved gifts; see `rules/after-order.ts`. Requires the transaction
 * that moves the order.
 */
export async function redeemOrReturnGifts(
  tx: Sql,
  orderId: string,
  move: OrderMove,
): Promise<void> {
  const decision = giftsAfterMove(move);
  if (decision === 'REDEEM') await redeemRights(tx, orderId);
  if (decision === 'RETURN') await releaseRights(tx, orderId, move.to);
}

export async function redeemGiftsOfCreated(
  tx: Sql,
  order: { id: string; state: string },
): Promise<void> {
  if (giftsAfterCreation(order.state) === 'REDEEM') await redeemRights(tx, order.id);
}

/**
 * Returns redeemed gifts, or takes returned gifts back; see `rules/after-order.ts`. Requires the
 * transaction that changes the order. Idempotent.
 */
export async function settleRedeemedGifts(
  tx: Sql,
  order: ReturningOrder,
  states: { wasCanceled: boolean; isCanceled: boolean },
): Promise<void> {
  const decision = redeemedGiftsAfter(states);
  if (decision === 'RETURN') await returnGifts(tx, order);
  if (decision === 'TAKE_BACK') await takeBackReturnedGifts(tx, order);
}
