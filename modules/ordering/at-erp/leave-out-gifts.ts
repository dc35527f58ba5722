import { anyOf, type Tx } from '../../../platform/db/database.ts';
import { holdRights } from '../../gifts/rights/move-rights.ts';

/**
 * Removes gifts redeemed in another channel (rule CMP-85). Requires a locked order that the ERP
 * certainly does not have. Waits for concurrent redemptions.
 */
export async function leaveOutTakenGifts(
  tx: Tx,
  orderId: string,
  { gifts, at }: { gifts: readonly string[]; at: Date },
): Promise<ReadonlySet<string>> {
  if (gifts.length === 0) return new Set();

  const reserved = new Set((await holdRights(tx, { reservedFor: orderId })).map(({ id }) => id));
  const missingIds = gifts.filter((id) => !reserved.has(id));
  if (missingIds.length > 0)
    await tx.db
      .updateTable('order_line')
      .set({ leftOutAt: at })
      .where('orderId', '=', orderId)
      .where('compensationId', '=', anyOf(missingIds, 'uuid'))
      .where('leftOutAt', 'is', null)
      .execute();

  return new Set(missingIds);
}
