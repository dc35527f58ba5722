import { defineEntity, p } from '@mikro-orm/core';
import type { WebhookAttempt } from '../schemas/webhooks.ts';

export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    url: p.text(),
    /** Empty for all types. */
    types: p.array().columnType('text[]').defaultRaw(`'{}'::text[]`),
    /** Empty for all organizations and for events without one. */
    organizationIds: p
      .array((id) => Number(id))
      .columnType('bigint[]')
      .defaultRaw(`'{}'::bigint[]`),
    description: p.text().nullable(),
    isEnabled: p.boolean().default(true),
    disabledReason: p.text().nullable(),
    secretEncrypted: p.text(),
    formerSecretEncrypted: p.text().nullable(),
    formerSecretUntil: p.datetime().nullable(),
    /** Deliveries exist for the matching events up to this id. */
    readTo: p.bigint('number'),
    /**
     * True while as many deliveries wait as one endpoint may have; later events wait in the list of
     * events.
     */
    isFull: p.boolean().default(false),
    /** Until then a workflow is delivering. */
    workedUntil: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p
      .datetime()
      .defaultRaw('now()')
      .onUpdate(() => new Date()),
    version: p.integer().version().default(1),
  },
});

export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    endpointId: p.bigint('number'),
    eventId: p.bigint('number'),
    subject: p.text(),
    isPending: p.boolean().default(true),
    attempts: p.json<WebhookAttempt[]>().defaultRaw(`'[]'::jsonb`),
    nextAttemptAt: p.datetime().defaultRaw('now()'),
    /** The first failed attempt since the last success, retry or repair of the endpoint. */
    failingSince: p.datetime().nullable(),
    deliveredAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
