import { defineEntity, p } from '@mikro-orm/core';
import type { AuditEntity } from '../schemas/audit.ts';

type Fields = Record<string, unknown>;

export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    at: p.datetime().defaultRaw('now()'),
    actorType: p.text().$type<'USER' | 'SYSTEM'>(),
    actorId: p.bigint('number').nullable(),
    /** Null for a user. */
    actorName: p.text().nullable(),
    entityType: p.text().$type<AuditEntity>(),
    entityId: p.text(),
    action: p.text(),
    before: p.json<Fields>().nullable(),
    after: p.json<Fields>().nullable(),
    /** The code of a process, or a text without personal data. */
    reason: p.text().nullable(),
    /** Id of a staff text in `personal_data`, until erased. */
    reasonId: p.uuid().nullable(),
    requestId: p.text().nullable(),
  },
});

export const AuditSeal = defineEntity({
  name: 'AuditSeal',
  tableName: 'audit_seal',
  properties: {
    position: p.bigint('number').primary().autoincrement(false),
    entryId: p.bigint('number'),
    /** Digest of the entry and the previous digest. */
    digest: p.blob().$type<Buffer>(),
    /** Form 1 excludes `actor_name` and `reason_id`. */
    form: p.smallint().default(1),
    sealedAt: p.datetime().defaultRaw('now()'),
  },
});
