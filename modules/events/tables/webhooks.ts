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
    /** Empty for all organizations, and events without one. */
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
    /** Matching events up to this id have deliveries. */
    readTo: p.bigint('number'),
    /** The receiver's last 2xx. */
    lastAcceptedAt: p.datetime().nullable(),
    /** Until then, a workflow is delivering. */
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
    /** True for a repetition, in its own lane. */
    isReplay: p.boolean().default(false),
    isPending: p.boolean().default(true),
    attempts: p.json<WebhookAttempt[]>().defaultRaw(`'[]'::jsonb`),
    /** Since the last success, retry or repair of the endpoint. */
    failingSince: p.datetime().nullable(),
    deliveredAt: p.datetime().nullable(),
    /** Time at which the delivery was set aside. */
    failedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** Waiting deliveries of one subject in one lane, sent one after the other. */
export const WebhookQueue = defineEntity({
  name: 'WebhookQueue',
  tableName: 'webhook_queue',
  properties: {
    endpointId: p.bigint('number').primary().autoincrement(false),
    isReplay: p.boolean().primary(),
    subject: p.text().primary(),
    /** True after the first delivery has failed. */
    isFailing: p.boolean().default(false),
    nextAttemptAt: p.datetime().defaultRaw('now()'),
    /** Grows with each addition, so that a queue with a new delivery is not deleted as empty. */
    revision: p.integer().default(1),
  },
});
