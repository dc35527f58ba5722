import { sql } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';

/**
 * Says that files are being written that no row refers to yet, for an hour: longer than any upload
 * lives. `files` are names of what is written together, each the digest in its keys. Whoever
 * removes files without a row leaves them alone; one that is removing them at this moment is the
 * problem `busy`, because the file would be gone after it was found in place.
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

/** Files that nobody writes until the claim is lifted or ends. */
export type RemovalClaim = { files: ReadonlySet<string>; until: string };

/**
 * Longer than a removal may take (`sweepMedia`), and short enough for whoever uploads what a dead
 * process has claimed.
 */
const REMOVAL = sql`interval '5 minutes'`;

/** Claims those of the files that nobody is writing and nobody else is removing. */
export async function claimForRemoval(tx: Sql, files: readonly string[]): Promise<RemovalClaim> {
  const { rows: claimed } = await sql<Row<'media_claim', 'files as name', { until: string }>>`
    insert into media_claim (files, purpose, until)
    select name, 'SWEEP', now() + ${REMOVAL} from unnest(${files}::text[]) name order by name
    on conflict (files) do update set purpose = 'SWEEP', until = excluded.until where media_claim.until < now()
    returning files as name, until::text as until`.execute(tx.db);
  return { files: new Set(claimed.map((each) => each.name)), until: claimed[0]?.until ?? 'now' };
}

/** Lets the files be written again. Claims that ended meanwhile and are another's now stay. */
export async function endRemoval({ db }: Sql, { files, until }: RemovalClaim): Promise<void> {
  await db
    .deleteFrom('media_claim')
    .where('files', '=', anyOf([...files], 'text'))
    .where('purpose', '=', 'SWEEP')
    .where('until', '=', sql<Date>`${until}::timestamptz`)
    .execute();
}
