import { defineEntity, p } from '@mikro-orm/core';
import type { AuditEntity } from '../../contracts/audit.ts';

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
