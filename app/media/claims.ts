import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../database.ts';

/**
 * Says that files are being written that no row refers to yet, for an hour: longer than any upload lives. `files` are names
 * of what is written together, each the digest in its keys. Whoever removes files without a row leaves them alone; one that is removing them at this moment
 * is the problem `busy`, because the file would be gone after it was found in place.
 */
export async function claimForWriting(sql: Sql, files: readonly string[]): Promise<void> {
  const claimed = await sql.query(
    `insert into media_claim (files, purpose, until)
     select name, 'WRITE', now() + interval '1 hour' from unnest($1::text[]) name order by name
     on conflict (files) do update set purpose = 'WRITE', until = excluded.until
       where media_claim.purpose = 'WRITE' or media_claim.until < now()
     returning 1`,
    [files],
  );
  if (claimed.length < files.length) throw new Problem('busy', { headers: { 'Retry-After': '2' } });
}
