import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';

/** The start value of every chain. */
export const BEGINNING: Buffer = Buffer.alloc(32);

/** The digest of an entry in the chain: of the previous digest and all values of the entry. */
export function digestOf(before: Buffer, entry: string): Buffer {
  return createHash('sha256').update(before).update(entry).digest();
}

const COLUMNS = sql.raw(`
  audit_entry.id, (extract(epoch from audit_entry.at) * 1000000)::bigint, actor_type, actor_id, entity_type, entity_id, action, before, after,
  reason, request_id`);

/** The form of new seals, which cover every column of an entry. */
export const SEAL_FORM = 2;

/**
 * All columns of an `audit_entry` as the text of which its digest is made; the same in every
 * session.
 */
export const ENTRY_TEXT: RawBuilder<string> = sql<string>`jsonb_build_array(${COLUMNS}, actor_name, reason_id)::text`;

/**
 * The text that an existing `audit_seal` covers. Form 1 is that of releases without the columns
 * `actor_name` and `reason_id`.
 */
export const SEALED_TEXT: RawBuilder<string> = sql<string>`case audit_seal.form
  when 1 then jsonb_build_array(${COLUMNS})::text else ${ENTRY_TEXT} end`;

/**
 * An entry becomes visible when its transaction commits: longer after its time than any transaction
 * lasts.
 */
const LONGEST_TRANSACTION = sql.raw(`interval '1 hour'`);

/**
 * True for an `audit_entry` without a seal, of those that may have become visible since the last
 * seal.
 */
export const IS_UNSEALED: RawBuilder<boolean> = sql<boolean>`
  audit_entry.at >= coalesce((select last.at from audit_seal join audit_entry last on last.id = audit_seal.entry_id
                               order by position desc limit 1) - ${LONGEST_TRANSACTION}, '-infinity')
  and not exists (select from audit_seal where entry_id = audit_entry.id)`;
