import { anyOf, type Tx } from '../../../platform/db/database.ts';
import { holdRights } from '../../gifts/rights/move-rights.ts';

/**
 * Removes gifts from an order that it has no longer reserved, because an order from another channel
 * contained them, and returns their rights (rule CMP-85). For an order that the caller has locked
 * and that the ERP certainly does not have. Waits for concurrent redemptions of its rights.
 */
export async function leaveOutTakenGifts(tx: Tx, orderId: string, at: Date): Promise<ReadonlySet<string>> {
  const gifts = await tx.db
    .selectFrom('order_line')
    .select('compensationId')
    .where('orderId', '=', orderId)
    .where('compensationId', 'is not', null)
    .where('leftOutAt', 'is', null)
    .execute();
  if (gifts.length === 0) return new Set();
  const reserved = new Set((await holdRights(tx, { reservedFor: orderId })).map(({ id }) => id));
  const taken = gifts.flatMap(({ compensationId: id }) => (id === null || reserved.has(id) ? [] : [id]));
  if (taken.length > 0)
    await tx.db
      .updateTable('order_line')
      .set({ leftOutAt: at })
      .where('orderId', '=', orderId)
      .where('compensationId', '=', anyOf(taken, 'uuid'))
      .execute();
  return new Set(taken);
}
