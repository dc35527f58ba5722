import type { AuditEntity } from '../../contracts/audit.ts';
import type { Sql } from '../../db/database.ts';
import type { Actor } from '../actor.ts';

export type AuditRecord = {
  entityType: AuditEntity;
  entityId: number | string;
  action: string;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  reason?: string;
};

const SECRET_FIELD = /password|secret|token|apiLogin|phone|email|fullName/i;

/** Appends one audit row in the caller's transaction. Secret and personal fields are masked here, once for everybody. */
export function recordAudit(tx: Sql, actor: Actor, record: AuditRecord): Promise<void> {
  return recordAudits(tx, actor, [record]);
}

/** Like {@link recordAudit} for many rows in one statement. */
export async function recordAudits(tx: Sql, actor: Actor, records: readonly AuditRecord[]): Promise<void> {
  if (records.length === 0) return;
  await tx.query(
    `insert into audit_entry (actor_type, actor_id, entity_type, entity_id, action, before, after, reason, request_id)
     select $1, $2, row.*, $9
       from unnest($3::text[], $4::text[], $5::text[], $6::jsonb[], $7::jsonb[], $8::text[]) as row`,
    [
      actor.type,
      actor.type === 'USER' ? actor.userId : null,
      records.map((record) => record.entityType),
      records.map((record) => String(record.entityId)),
      records.map((record) => record.action),
      records.map((record) => maskFields(record.before)),
      records.map((record) => maskFields(record.after)),
      records.map((record) => record.reason ?? (actor.type === 'SYSTEM' ? actor.name : null)),
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
