import type {
  CheckedGifts,
  GiftReconciliationInput,
} from '../modules/ordering/messages/gift-reconciliation.ts';
import { giftReconciliationActivities } from './support/activity-sets.ts';

/**
 * Reads the ERP orders of the last days, then compares their gifts with the rights. Scheduled
 * daily.
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
