import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import { webhooksDue, type WebhookDeliveryInput } from '../modules/events/messages/webhooks.ts';
import { webhookActivities } from './support/activity-sets.ts';

const ROUNDS_PER_RUN = 500;

/**
 * Delivers the events of one endpoint, with pauses between attempts, until none waits. Signals
 * are hints: each call reads rows. The event relay starts it when something is due.
 */
export async function webhookDelivery(input: WebhookDeliveryInput): Promise<void> {
  const { endpointId, queues, pace, roundsPerRun = ROUNDS_PER_RUN } = input;
  let isDue = false;
  setHandler(webhooksDue, () => {
    isDue = true;
  });
  const { deliverWebhooks } = webhookActivities(queues);

  for (let rounds = 1; ; rounds += 1) {
    isDue = false;
    const { waitMs } = await deliverWebhooks({
      endpointId,
      ...(pace === undefined ? {} : { pace }),
    });
    if (waitMs === null && !isDue) return;

    const isLong = rounds >= roundsPerRun || workflowInfo().continueAsNewSuggested;
    if (isLong && !isDue) await continueAsNew<typeof webhookDelivery>(input);
    if (waitMs !== null && waitMs > 0) await condition(() => isDue, waitMs);
  }
}
