import { Type } from 'typebox';
import { receiveWebhook } from '../../modules/erp-webhooks/receive-webhook.ts';
import { WebhookReceipt } from '../../modules/erp-webhooks/schemas/webhooks.ts';
import { defineRoute } from '../http/route.ts';
import { Strict } from '../../kernel/pure/schemas.ts';

/**
 * The response confirms that events and their consequences are stored (rule WHK-2). The schema
 * does not validate elements, because the ERP adds types and fields without a new version.
 */
export const erpWebhookRoute = defineRoute({
  api: 'webhooks',
  method: 'POST',
  path: '/erp',
  operationId: 'receiveErpWebhook',
  summary: 'Receive events of the ERP',
  description:
    'The body is an array of at most 1,000 events, which may be empty. New events of known types are stored before the answer; the imports ' +
    'that they trigger follow it. Other events are only counted, and so are those about a restaurant whose connection does not match the secret.',
  tags: ['Webhooks'],
  permission: 'webhook-secret',
  query: Strict({
    token: Type.Optional(
      Type.String({ description: 'The secret, when it cannot be sent in the header.' }),
    ),
  }),
  bodyLimit: 1_048_576,
  body: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
  responses: { 200: WebhookReceipt },
  handler: async ({ body, actor }, deps) => ({
    status: 200,
    body: await receiveWebhook(deps, body, actor),
  }),
});
