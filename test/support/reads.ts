import { sql } from 'kysely';
import type { Database, Tx } from './text-database.ts';

export type Reads = { sequential: number; rows: number };

/**
 * Counts the reads of `work` per table: sequential scans, rows and index entries. Rolls back all
 * writes.
 */
export async function countReads(
  db: Database,
  tables: readonly string[],
  work: (tx: Tx) => Promise<unknown>,
): Promise<Record<string, Reads>> {
  const found: Record<string, Reads> = {};
  const undone = new Error('undone');
  await db
    .transaction(async (tx) => {
      // Parallel workers count their reads separately.
      await sql`set local max_parallel_workers_per_gather = 0`.execute(tx.db);
      // A session reports its counts once a second, so counts of earlier transactions may remain.
      const before = new Map((await readCounts(tx, tables)).map((count) => [count.name, count]));
      await work(tx);
      for (const { name, sequential, rows } of await readCounts(tx, tables))
        found[name] = {
          sequential: sequential - (before.get(name)?.sequential ?? 0),
          rows: rows - (before.get(name)?.rows ?? 0),
        };
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return found;
}

const readCounts = (tx: Tx, tables: readonly string[]) =>
  tx.query<Reads & { name: string }>(
    `select relname as name, seq_scan::int as sequential, (seq_tup_read + idx_tup_fetch + (
              select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0) from pg_index where indrelid = relid))::int as rows
       from pg_stat_xact_user_tables where relname = any ($1)`,
    [tables],
  );
