import { cancellationSignal } from '@temporalio/activity';
import {
  deliverWebhooks,
  type DeliverDeps,
} from '../modules/events/deliveries/deliver-webhooks.ts';
import { WEBHOOK_PACE, type WebhookPace } from '../modules/events/rules/webhook-pace.ts';

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** The worker calls this once. */
export function createWebhookActivities(deps: DeliverDeps) {
  return {
    /**
     * Delivers due events to one endpoint. A second call sends unrecorded ones again: receivers
     * identify them by `webhook-id`.
     */
    deliverWebhooks: ({
      endpointId,
      pace = WEBHOOK_PACE,
    }: {
      endpointId: number;
      pace?: WebhookPace;
    }) => deliverWebhooks(deps, endpointId, pace, cancellationSignal()),
  };
}
