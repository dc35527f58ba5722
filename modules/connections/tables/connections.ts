import { defineEntity, p } from '@mikro-orm/core';
import { edited } from '../../../kernel/tables/kernel.ts';

/** An ERP account. `apiLoginEncrypted` never leaves this module. */
export const Connection = defineEntity({
  name: 'Connection',
  tableName: 'connection',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    legalEntityId: p.bigint('number').nullable(),
    name: p.text(),
    apiLoginEncrypted: p.text().hidden(),
    status: p.text().$type<'ACTIVE' | 'DISABLED'>().default('ACTIVE'),
    ...edited,
  },
});

export const ErpCircuit = defineEntity({
  name: 'ErpCircuit',
  tableName: 'erp_circuit',
  properties: {
    connectionId: p.bigint('number').primary().autoincrement(false),
    endpointGroup: p.text().primary(),
    openedAt: p.datetime().nullable(),
    openUntil: p.datetime().nullable(),
    probeUntil: p.datetime().nullable(),
    openedTimes: p.bigint('number').default(0),
  },
});

export const ErpHold = defineEntity({
  name: 'ErpHold',
  tableName: 'erp_hold',
  properties: {
    connectionId: p.bigint('number').primary().autoincrement(false),
    endpoint: p.text().primary(),
    until: p.datetime(),
  },
});

export const ErpRateLimit = defineEntity({
  name: 'ErpRateLimit',
  tableName: 'erp_rate_limit',
  properties: {
    key: p.string().primary(),
    points: p.integer().default(0),
    expire: p.bigint('number').nullable(),
  },
});

export const ErpRefusal = defineEntity({
  name: 'ErpRefusal',
  tableName: 'erp_refusal',
  properties: {
    connectionId: p.bigint('number').primary().autoincrement(false),
    endpoint: p.text().primary(),
    generation: p.bigint('number'),
    refusedAt: p.datetime().defaultRaw('now()'),
    status: p.smallint().$type<401 | 403>().default(401),
  },
});

export const ErpToken = defineEntity({
  name: 'ErpToken',
  tableName: 'erp_token',
  properties: {
    connectionId: p.bigint('number').primary().autoincrement(false),
    tokenEncrypted: p.text().nullable(),
    generation: p.bigint('number').default(0),
    obtainedAt: p.datetime().nullable(),
    expiresAt: p.datetime().nullable(),
    leaseOwner: p.text().nullable(),
    leaseUntil: p.datetime().nullable(),
    refusedAt: p.datetime().nullable(),
  },
});

/** Only the digest is stored. */
export const WebhookSecret = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    connectionId: p.bigint('number'),
    digest: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    createdByUserId: p.bigint('number').nullable(),
    retiredAt: p.datetime().nullable(),
  },
});
