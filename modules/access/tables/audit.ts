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
    /** The process that acts for the product; null for a user. */
    actorName: p.text().nullable(),
    entityType: p.text().$type<AuditEntity>(),
    entityId: p.text(),
    action: p.text(),
    before: p.json<Fields>().nullable(),
    after: p.json<Fields>().nullable(),
    /** The code of a process, or words about things. */
    reason: p.text().nullable(),
    /** Texts of staff about persons, in `personal_data` until they are erased. */
    reasonId: p.uuid().nullable(),
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
    /**
     * The parts of the entry that it covers: 1 is everything without `actor_name` and `reason_id`.
     */
    form: p.smallint().default(1),
    sealedAt: p.datetime().defaultRaw('now()'),
  },
});
