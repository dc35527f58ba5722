import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { WebhookQueues } from '../../../kernel/pure/queues.ts';
import type { WebhookPace } from '../rules/webhook-pace.ts';

/** By default `WEBHOOK_PACE`. */
export type WebhookDeliveryInput = {
  endpointId: number;
  queues: WebhookQueues;
  pace?: WebhookPace;
  roundsPerRun?: number;
};

/** Delivers the events of one endpoint. */
export const webhookDeliveryWorkflow = defineWorkflow<WebhookDeliveryInput>()({
  type: 'webhookDelivery',
  versioning: 'AUTO_UPGRADE',
  id: ({ endpointId }: { endpointId: number }) => `webhook-endpoint/${endpointId}`,
});

/** New deliveries may be due. */
export const webhooksDue = defineSignal('webhooksDue');
