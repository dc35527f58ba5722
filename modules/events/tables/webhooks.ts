import { defineEntity, p } from '@mikro-orm/core';
import type { WebhookAttempt } from '../schemas/webhooks.ts';

export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    url: p.text(),
    /** Empty means all types. */
    types: p.array().columnType('text[]').defaultRaw(`'{}'::text[]`),
    /** Empty means all events, with or without an organization. */
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
    /** Last 2xx response. */
    lastAcceptedAt: p.datetime().nullable(),
    /** End of the lease of the workflow that delivers. */
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
    /** Repetitions have a lane of their own. */
    isReplay: p.boolean().default(false),
    isPending: p.boolean().default(true),
    attempts: p.json<WebhookAttempt[]>().defaultRaw(`'[]'::jsonb`),
    /** First failure since the last success, retry or repair of the endpoint. */
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
