import type { Sql } from '../../db/database.ts';
import type { Actor } from '../actor.ts';

export type AuditRecord = {
  entityType: string;
  entityId: number | string;
  action: string;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  reason?: string;
};

const SECRET_FIELD = /password|secret|token|apiLogin|phone|email/i;

/** Appends one audit row in the caller's transaction. Secret and personal fields are masked here, once for everybody. */
export async function recordAudit(tx: Sql, actor: Actor, record: AuditRecord): Promise<void> {
  await tx.query(
    `insert into audit_entry (actor_type, actor_id, entity_type, entity_id, action, before, after, reason, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      actor.type,
      actor.type === 'USER' ? actor.userId : null,
      record.entityType,
      String(record.entityId),
      record.action,
      maskFields(record.before),
      maskFields(record.after),
      record.reason ?? (actor.type === 'SYSTEM' ? actor.name : null),
      actor.requestId,
    ],
  );
}

function maskFields(fields: Record<string, unknown> | null | undefined): string | null {
  if (fields === null || fields === undefined) return null;
  return JSON.stringify(fields, (key, value: unknown) =>
    SECRET_FIELD.test(key) && value !== null ? '[masked]' : value,
  );
}
