import type { Sql } from './database.ts';
import { deleteOldRevisions } from './snapshot/delete-old-revisions.ts';

/** What is deleted when nobody needs it any more (decision 10). Audit rows and runs are kept. */
const RULES = [
  { table: 'idempotency_key', isOver: `created_at < now() - interval '24 hours'` },
  { table: 'outbox', isOver: `delivered_at < now() - interval '7 days'` },
  // As long as a repeated event must be recognized; one that is not processed stays.
  { table: 'webhook_event', isOver: `processed_at is not null and received_at < now() - interval '7 days'` },
  { table: 'access_session', isOver: `expires_at < now() - interval '30 days'` },
] as const;

/** More are left to the next call, so that one call stays short. */
const ROWS_PER_CALL = 10_000;

/** Deletes rows whose time is over and returns how many of each table. A second call finds what the first has left. */
export async function deleteOutdated(sql: Sql): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const { table, isOver } of RULES) {
    const [count] = await sql.query<{ rows: number }>(
      `with gone as (
         delete from ${table} where ctid in (select ctid from ${table} where ${isOver} limit $1) and ${isOver} returning 1)
       select count(*) as rows from gone`,
      [ROWS_PER_CALL],
    );
    deleted[table] = count?.rows ?? 0;
  }
  deleted['snapshot_revision'] = await deleteOldRevisions(sql, ROWS_PER_CALL);
  return deleted;
}
