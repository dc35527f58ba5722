import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';

export const BEGINNING: Buffer = Buffer.alloc(32);

export function hashEntry(before: Buffer, entry: string): Buffer {
  return createHash('sha256').update(before).update(entry).digest();
}

const COLUMNS = sql.raw(`
  audit_entry.id, (extract(epoch from audit_entry.at) * 1000000)::bigint, actor_type, actor_id, entity_type, entity_id, action, before, after,
  reason, request_id`);

/** Covers every column of an entry; form 1 omits `actor_name` and `reason_id`. */
export const SEAL_FORM = 2;

/** All columns of an entry as text, independent of session settings. */
export const ENTRY_TEXT: RawBuilder<string> = sql<string>`jsonb_build_array(${COLUMNS}, actor_name, reason_id)::text`;

export const SEALED_TEXT: RawBuilder<string> = sql<string>`case audit_seal.form
  when 1 then jsonb_build_array(${COLUMNS})::text else ${ENTRY_TEXT} end`;

/** Upper limit for transactions: entries become visible only when their transaction commits. */
const LONGEST_TRANSACTION = sql.raw(`interval '1 hour'`);

/**
 * SQL condition for entries without a seal. Ignores entries more than an hour older than the last
 * sealed entry.
 */
export const IS_UNSEALED: RawBuilder<boolean> = sql<boolean>`
  audit_entry.at >= coalesce((select last.at from audit_seal join audit_entry last on last.id = audit_seal.entry_id
                               order by position desc limit 1) - ${LONGEST_TRANSACTION}, '-infinity')
  and not exists (select from audit_seal where entry_id = audit_entry.id)`;
