import { sql } from 'kysely';
import { advisory } from '../../../platform/db/locks.ts';
import type { Log } from '../../../platform/log.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { BEGINNING, ENTRY_TEXT, hashEntry, IS_UNSEALED, SEAL_FORM } from './audit-chain.ts';

type Deps = { db: Database; log: Log };

const BATCH = 1_000;
/** The next call continues. */
const BATCHES_PER_CALL = 20;

/** `position` is the number of sealed entries. `digest` is hexadecimal. */
export type AuditSeal = { position: number; digest: string };

/**
 * Adds new entries to the digest chain and logs the last digest, so that the log reveals later
 * changes (rule ACC-22). Idempotent and serialized.
 */
export async function sealAudit(deps: Deps): Promise<{ sealed: number }> {
  let sealed = 0;

  for (let batch = 0; batch < BATCHES_PER_CALL; batch += 1) {
    const { entries, end } = await deps.db.transaction(sealBatch);
    sealed += entries;
    if (end !== null) deps.log.info({ ...end }, 'audit sealed');
    if (entries < BATCH) break;
  }

  return { sealed };
}

async function sealBatch(tx: Tx): Promise<{ entries: number; end: AuditSeal | null }> {
  await advisory.auditSeal(tx);
  const entries = await tx.db
    .selectFrom('audit_entry')
    .select(['id', ENTRY_TEXT.as('text')])
    .where(IS_UNSEALED)
    .orderBy('id')
    .limit(BATCH)
    .execute();
  if (entries.length === 0) return { entries: 0, end: null };

  const last = await tx.db
    .selectFrom('audit_seal')
    .select(['position', 'digest'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();

  let { position, digest } = last ?? { position: 0, digest: BEGINNING };
  const seals = entries.map(({ id, text }) => {
    position += 1;
    digest = hashEntry(digest, text);
    return { position, entryId: id, digest };
  });

  await sql`
    insert into audit_seal (position, entry_id, digest, form)
    select seal.*, ${SEAL_FORM}::smallint from unnest(${seals.map((seal) => seal.position)}::bigint[], ${seals.map((seal) => seal.entryId)}::bigint[],
                         ${seals.map((seal) => seal.digest)}::bytea[]) as seal`.execute(tx.db);

  return { entries: entries.length, end: { position, digest: digest.toString('hex') } };
}
