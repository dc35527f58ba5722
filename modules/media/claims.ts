import { sql } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';

/**
 * Claims files that are being written and have no row yet, for an hour: longer than any upload
 * takes. `files` are the digests in their keys. The sweep of files without a row skips them. If the
 * sweep is removing them at this moment, throws the problem `busy`, because the file would
 * disappear after it was found.
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

/** Files that no upload writes until the claim is released or expires. */
export type RemovalClaim = { files: ReadonlySet<string>; until: string };

/**
 * Longer than a removal may take (`sweepMedia`), and short enough for uploads of files that a dead
 * process has claimed.
 */
const REMOVAL = sql`interval '5 minutes'`;

/** Claims those of the files that are neither being written nor being removed. */
export async function claimForRemoval(tx: Sql, files: readonly string[]): Promise<RemovalClaim> {
  const { rows: claimed } = await sql<Row<'media_claim', 'files as name', { until: string }>>`
    insert into media_claim (files, purpose, until)
    select name, 'SWEEP', now() + ${REMOVAL} from unnest(${files}::text[]) name order by name
    on conflict (files) do update set purpose = 'SWEEP', until = excluded.until where media_claim.until < now()
    returning files as name, until::text as until`.execute(tx.db);
  return { files: new Set(claimed.map((row) => row.name)), until: claimed[0]?.until ?? 'now' };
}

/** Releases the files. Claims that expired and belong to another process now stay. */
export async function endRemoval({ db }: Sql, { files, until }: RemovalClaim): Promise<void> {
  await db
    .deleteFrom('media_claim')
    .where('files', '=', anyOf([...files], 'text'))
    .where('purpose', '=', 'SWEEP')
    .where('until', '=', sql<Date>`${until}::timestamptz`)
    .execute();
}
