import { defineEntity, p } from '@mikro-orm/core';

export const Outbox = defineEntity({
  name: 'Outbox',
  tableName: 'outbox',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    event: p.text(),
    payload: p.json<unknown>(),
    createdAt: p.datetime().defaultRaw('now()'),
    deliveredAt: p.datetime().nullable(),
    attempts: p.integer().default(0),
    lastError: p.text().nullable(),
    nextAttemptAt: p.datetime().defaultRaw('now()'),
    parkedAt: p.datetime().nullable(),
    requestId: p.text().nullable(),
    traceparent: p.text().nullable(),
  },
});
