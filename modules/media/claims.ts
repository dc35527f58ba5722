import { sql } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';

/**
 * Reserves files of an upload, which have no row yet, for an hour. Problem `busy` if one of them is
 * being removed.
 */
export async function claimForWriting(tx: Sql, files: readonly string[]): Promise<void> {
  const { rows: claimed } = await sql`
    insert into media_claim (files, purpose, until)
    select name, 'WRITE', now() + interval '1 hour' from unnest(${files}::text[]) name order by name
    on conflict (files) do update set purpose = 'WRITE', until = excluded.until
      where media_claim.purpose = 'WRITE' or media_claim.until < now()
    returning 1`.execute(tx.db);
  if (claimed.length < files.length) throw new Problem('busy', { headers: { 'Retry-After': '2' } });
}

/** Until the reservation ends, no upload writes these files. */
export type RemovalClaim = { files: ReadonlySet<string>; until: string };

/** Longer than a removal by `sweepMedia`, but short for uploads after a crash. */
const REMOVAL = sql`interval '5 minutes'`;

export async function claimForRemoval(tx: Sql, files: readonly string[]): Promise<RemovalClaim> {
  const { rows: claimed } = await sql<Row<'media_claim', 'files as name', { until: string }>>`
    insert into media_claim (files, purpose, until)
    select name, 'SWEEP', now() + ${REMOVAL} from unnest(${files}::text[]) name order by name
    on conflict (files) do update set purpose = 'SWEEP', until = excluded.until where media_claim.until < now()
    returning files as name, until::text as until`.execute(tx.db);

  return { files: new Set(claimed.map((row) => row.name)), until: claimed[0]?.until ?? 'now' };
}

/** Releases files, except those that another process has reserved meanwhile. */
export async function endRemoval({ db }: Sql, { files, until }: RemovalClaim): Promise<void> {
  await db
    .deleteFrom('media_claim')
    .where('files', '=', anyOf([...files], 'text'))
    .where('purpose', '=', 'SWEEP')
    .where('until', '=', sql<Date>`${until}::timestamptz`)
    .execute();
}
