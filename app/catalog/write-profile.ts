import { Problem } from '../../contracts/problem.ts';
import type { Tx } from '../database.ts';

/** A row that exists only once staff have said something: its version is 0 before. */
type ProfileRow = {
  table: string;
  key: string;
  keyColumn: string;
  version: number;
  columns: Readonly<Record<string, unknown>>;
};

/**
 * Writes a profile when its version is still the one the caller has seen: check and claim in one statement, so of two edits one
 * learns that it was late. Problem `version-conflict` with `currentVersion`.
 */
export async function writeProfile(tx: Tx, { table, key, keyColumn, version, columns }: ProfileRow): Promise<void> {
  const names = Object.keys(columns);
  const rows = await tx.query(
    `insert into ${table} as old (${[keyColumn, ...names].join(', ')})
     select $1, ${names.map((_, at) => `$${at + 3}`).join(', ')}
      where $2::int = 0 or exists (select 1 from ${table} where ${keyColumn} = $1)
     on conflict (${keyColumn}) do update
       set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}, updated_at = now(), version = old.version + 1
      where old.version = $2
     returning 1`,
    [key, version, ...Object.values(columns)],
  );
  if (rows.length > 0) return;
  const [stored] = await tx.query<{ version: number }>(`select version from ${table} where ${keyColumn} = $1`, [key]);
  throw new Problem('version-conflict', { extra: { currentVersion: stored?.version ?? 0 } });
}
