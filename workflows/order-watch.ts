import { condition, continueAsNew, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { ordersChanged, type OrderWatchInput } from '../modules/ordering/messages/ordering.ts';
import { orderWatchActivities } from './support/activity-sets.ts';

/** At most one poll per connection in this time follows from what the ERP announces. */
const HINT_PAUSE_MS = 5_000;

/**
 * Polls the orders of a connection for webhooks (rule ORD-98). An execution that a schedule of an
 * earlier release started polls once and also checks the terminals; workers now do that without
 * Temporal (rule OPS-106).
 */
export async function orderWatch(input: OrderWatchInput): Promise<void> {
  if (input.isHint === true) return followHints(input);
  const { connectionId, queues } = input;
  const { pollOrders, checkTerminals } = orderWatchActivities(queues);
  const steps = await Promise.allSettled([pollOrders({ connectionId }), checkTerminals({ connectionId })]);
  const failed = steps.find((step) => step.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Polls at once, and again after each pause in which there were more hints (rule ORD-98). */
async function followHints(input: OrderWatchInput): Promise<void> {
  const { connectionId, queues, hintPauseMs = HINT_PAUSE_MS } = input;
  const { pollOrders } = orderWatchActivities(queues, 1);
  let hints = 0;
  setHandler(ordersChanged, () => void (hints += 1));
  await condition(() => hints > 0, hintPauseMs);
  for (;;) {
    hints = 0;
    const [polled] = await Promise.allSettled([pollOrders({ connectionId }), sleep(hintPauseMs)]);
    if (hints === 0 && polled.status === 'rejected') throw polled.reason;
    if (hints === 0) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof orderWatch>(input);
  }
}
