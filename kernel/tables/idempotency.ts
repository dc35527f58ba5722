import { defineEntity, p } from '@mikro-orm/core';

export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    scope: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.text(),
    status: p.integer(),
    body: p.json<unknown>().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
