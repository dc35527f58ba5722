import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import { BEGINNING, hashEntry, SEALED_TEXT } from './audit-chain.ts';
import type { AuditSeal } from './seal-audit.ts';

const BATCH = 5_000;

/**
 * `CHANGED`: an entry changed after sealing. `MISSING`: a seal or its entry is missing. `UNSEALED`:
 * an entry older than an hour has no seal. `SHORTER`: the chain ends before the expected position.
 * `OTHER`: the digest at that position differs.
 */
export type AuditFault = {
  what: 'CHANGED' | 'MISSING' | 'UNSEALED' | 'SHORTER' | 'OTHER';
  position: number;
  entryId: number | null;
};

/**
 * Returns the end of the digest chain and the first fault (rule ACC-22). `expected` is a seal
 * copied from elsewhere, such as the log.
 */
export async function verifyAudit(
  from: Sql,
  expected: AuditSeal | null = null,
): Promise<{ end: AuditSeal; fault: AuditFault | null }> {
  let position = 0;
  let digest: Buffer = BEGINNING;
  const faultAt = (what: AuditFault['what'], entryId: number | null = null) => ({
    end: { position, digest: digest.toString('hex') },
    fault: { what, position: position + 1, entryId },
  });

  for (;;) {
    const seals = await from.db
      .selectFrom('audit_seal')
      .leftJoin('audit_entry', 'audit_entry.id', 'audit_seal.entryId')
      .select(['position', 'entryId', 'digest', 'audit_entry.id as id', SEALED_TEXT.as('text')])
      .where('position', '>', position)
      .orderBy('position')
      .limit(BATCH)
      .execute();

    for (const seal of seals) {
      if (seal.position !== position + 1 || seal.id === null)
        return faultAt('MISSING', seal.entryId);
      const next = hashEntry(digest, seal.text);
      if (!next.equals(seal.digest)) return faultAt('CHANGED', seal.entryId);
      position += 1;
      digest = next;
      if (expected?.position === position && expected.digest !== digest.toString('hex'))
        return faultAt('OTHER', seal.entryId);
    }

    if (seals.length < BATCH) break;
  }

  if (expected !== null && expected.position > position) return faultAt('SHORTER');
  const unsealed = await from.db
    .selectFrom('audit_entry')
    .select('id')
    .where('at', '<', sql<Date>`now() - interval '1 hour'`)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('audit_seal').whereRef('entryId', '=', 'audit_entry.id'))),
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (unsealed !== undefined) return faultAt('UNSEALED', unsealed.id);

  return { end: { position, digest: digest.toString('hex') }, fault: null };
}
