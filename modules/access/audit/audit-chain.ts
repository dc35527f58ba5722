import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';

/** What every chain begins with. */
export const BEGINNING: Buffer = Buffer.alloc(32);

/** The digest of an entry in the chain: of the one before it and of everything that the entry says. */
export function digestOf(before: Buffer, entry: string): Buffer {
  return createHash('sha256').update(before).update(entry).digest();
}

/** Everything that an `audit_entry` says, as the text of which its digest is made; the same in every session. */
export const ENTRY_TEXT: RawBuilder<string> = sql<string>`jsonb_build_array(
  audit_entry.id, (extract(epoch from audit_entry.at) * 1000000)::bigint, actor_type, actor_id, entity_type, entity_id, action, before, after,
  reason, request_id)::text`;

/** An entry becomes visible when its transaction commits: longer after its time than any transaction lasts. */
const LONGEST_TRANSACTION = sql.raw(`interval '1 hour'`);

/** True for an `audit_entry` without a seal, of those that may have become visible since the last seal. */
export const IS_UNSEALED: RawBuilder<boolean> = sql<boolean>`
  audit_entry.at >= coalesce((select last.at from audit_seal join audit_entry last on last.id = audit_seal.entry_id
                               order by position desc limit 1) - ${LONGEST_TRANSACTION}, '-infinity')
  and not exists (select from audit_seal where entry_id = audit_entry.id)`;
