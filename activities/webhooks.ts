import { cancellationSignal } from '@temporalio/activity';
import {
  deliverWebhooks,
  type DeliverDeps,
} from '../modules/events/deliveries/deliver-webhooks.ts';
import { WEBHOOK_PACE, type WebhookPace } from '../modules/events/rules/webhook-pace.ts';

/** Activities of webhooks to integrations. */
export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** The activities bound to their dependencies; the worker calls this once. */
export function createWebhookActivities(deps: DeliverDeps) {
  return {
    /**
     * Delivers due events to one endpoint. A second call sends those that the first has not
     * recorded: receivers identify a repetition by `webhook-id`.
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
