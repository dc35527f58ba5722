import { defineEntity, p } from '@mikro-orm/core';
import type { AuditEntity } from '../schemas/audit.ts';

/** The fields of an entity that a change has touched. */
type Fields = Record<string, unknown>;

export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    at: p.datetime().defaultRaw('now()'),
    actorType: p.text().$type<'USER' | 'SYSTEM'>(),
    actorId: p.bigint('number').nullable(),
    entityType: p.text().$type<AuditEntity>(),
    entityId: p.text(),
    action: p.text(),
    before: p.json<Fields>().nullable(),
    after: p.json<Fields>().nullable(),
    reason: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});

/** A place in the chain of digests over the audit. */
export const AuditSeal = defineEntity({
  name: 'AuditSeal',
  tableName: 'audit_seal',
  properties: {
    position: p.bigint('number').primary().autoincrement(false),
    entryId: p.bigint('number'),
    /** Of the entry and of the digest before it. */
    digest: p.blob().$type<Buffer>(),
    sealedAt: p.datetime().defaultRaw('now()'),
  },
});
