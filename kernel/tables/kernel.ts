import { p, defineEntity } from '@mikro-orm/core';

/** Columns of editable rows: times, and the version that a PATCH must send (HTTP-5). */
export const edited = {
  createdAt: p
    .datetime()
    .onCreate(() => new Date())
    .defaultRaw('now()'),
  updatedAt: p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date())
    .defaultRaw('now()'),
  version: p.integer().version().default(1),
};

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

export const RunningProcess = defineEntity({
  name: 'RunningProcess',
  tableName: 'running_process',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    keyIds: p.array().$type<string[]>().columnType('text[]'),
    /** Null for API processes and for earlier releases. */
    polledVersions: p.array().$type<string[]>().columnType('text[]').nullable(),
    startedAt: p.datetime().defaultRaw('now()'),
    seenAt: p.datetime().defaultRaw('now()'),
  },
});

/** Counts of events per key and window. Unlogged: a crash of PostgreSQL resets them. */
export const WindowCount = defineEntity({
  name: 'WindowCount',
  tableName: 'window_count',
  properties: {
    key: p.text().primary(),
    times: p.integer(),
    endsAt: p.datetime(),
  },
});
