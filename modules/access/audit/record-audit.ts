import { sql } from 'kysely';
import type { AuditEntity } from '../schemas/audit.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Actor } from '../../../kernel/actor.ts';

export type AuditRecord = {
  entityType: AuditEntity;
  entityId: number | string;
  action: string;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  /** The code of a process, or a text without personal data. */
  reason?: string;
  /** A text that staff wrote about a person; see `keepReason`. */
  reasonId?: string | null;
};

const SECRET_FIELD = /password|secret|token|apiLogin|phone|email|fullName/i;

/** Appends an audit entry in the caller's transaction. Masks secret and personal fields. */
export function recordAudit(tx: Sql, actor: Actor, record: AuditRecord): Promise<void> {
  return recordAudits(tx, actor, [record]);
}

export async function recordAudits(
  tx: Sql,
  actor: Actor,
  records: readonly AuditRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const userId = actor.type === 'USER' ? actor.userId : null;
  const name = actor.type === 'SYSTEM' ? actor.name : null;
  await sql`insert into audit_entry (actor_type, actor_id, actor_name, entity_type, entity_id, action, before, after, reason, reason_id,
        request_id)
    select ${actor.type}, ${userId}::bigint, ${name}, change.*, ${actor.requestId}
      from unnest(${records.map((record) => record.entityType)}::text[],
                  ${records.map((record) => String(record.entityId))}::text[],
                  ${records.map((record) => record.action)}::text[],
                  ${records.map((record) => maskFields(record.before))}::jsonb[],
                  ${records.map((record) => maskFields(record.after, record.before))}::jsonb[],
                  ${records.map((record) => record.reason ?? null)}::text[],
                  ${records.map((record) => record.reasonId ?? null)}::uuid[]) as change`.execute(
    tx.db,
  );
}

type Fields = Record<string, unknown> | null | undefined;

/** Masks values, but a change stays visible (rule ACC-25). */
function maskFields(fields: Fields, before: Fields = null): string | null {
  if (fields === null || fields === undefined) return null;
  return JSON.stringify(fields, function (this: unknown, key, value: unknown) {
    if (!SECRET_FIELD.test(key) || value === null) return value;
    const isOther =
      this === fields &&
      before != null &&
      key in before &&
      JSON.stringify(before[key]) !== JSON.stringify(value);

    return isOther ? '[masked, changed]' : '[masked]';
  });
}
