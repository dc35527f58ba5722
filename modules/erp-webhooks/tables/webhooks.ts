import { defineEntity, p } from '@mikro-orm/core';
import type { HandledWebhook } from '../schemas/webhooks.ts';

export const WebhookEvent = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    eventKey: p.text(),
    eventType: p.text().$type<HandledWebhook>(),
    organizationErpId: p.uuid().nullable(),
    raw: p.json<unknown>(),
    receivedAt: p.datetime().defaultRaw('now()'),
    processedAt: p.datetime().nullable(),
    outcome: p.text().nullable(),
  },
});
