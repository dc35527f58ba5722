import type { CheckedGifts, GiftReconciliationInput } from '../modules/ordering/messages/gift-reconciliation.ts';
import { giftReconciliationActivities } from './support/activity-sets.ts';

/**
 * Runs once a day for a connection, started by a schedule: reads the orders of the last days at the
 * ERP again, then compares the gifts in them with the rights to them. Nothing is compared before
 * the ERP has answered.
 */
export async function giftReconciliation({
  connectionId,
  timeZone,
  queues,
}: GiftReconciliationInput): Promise<CheckedGifts> {
  const { readLastOrders, compareGifts } = giftReconciliationActivities(queues);
  const { gifts } = await readLastOrders({ connectionId });
  return { orders: gifts, ...(await compareGifts({ connectionId, timeZone })) };
}
