import { defineEntity, p } from '@mikro-orm/core';

export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    at: p.datetime().defaultRaw('now()'),
    actorType: p.text(),
    actorId: p.bigint('number').nullable(),
    entityType: p.text(),
    entityId: p.text(),
    action: p.text(),
    before: p.json<unknown>().nullable(),
    after: p.json<unknown>().nullable(),
    reason: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
