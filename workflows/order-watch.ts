import type { OrderWatchInput } from '../modules/ordering/messages/ordering.ts';
import { orderWatchActivities } from './support/activity-sets.ts';

/**
 * What a schedule starts for a connection: asks the ERP what has changed about its orders, and which terminals can take new ones. Both
 * are tried, whatever became of the other.
 */
export async function orderWatch({ connectionId, queues }: OrderWatchInput): Promise<void> {
  const { pollOrders, checkTerminals } = orderWatchActivities(queues);
  const steps = await Promise.allSettled([pollOrders({ connectionId }), checkTerminals({ connectionId })]);
  const failed = steps.find((step) => step.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
