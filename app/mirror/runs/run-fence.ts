import type { Sql, Tx } from '../../../db/database.ts';
import type { RunStatus } from '../../../contracts/jobs.ts';
import { connectionForImport } from '../../connections/connection-for-import.ts';
import { ImportRefused } from '../import-refused.ts';

/** What a run has already committed; a repeated activity gets it back instead of working twice. */
export type Fence<Applied> = { state: 'OPEN' } | { state: 'APPLIED'; applied: Applied } | { state: 'CLOSED' };

/**
 * Locks the run row and says whether this run may still write (rule MIR-6): a timed-out activity that comes too
 * late finds its run closed or applied. Serializes all imports of the connection until the transaction ends.
 * Throws ImportRefused when the connection was disabled, or its owner became inactive, while the run was fetching.
 */
export async function enterRun<Applied>(tx: Tx, run: { runId: number; connectionId: number }): Promise<Fence<Applied>> {
  await tx.query(`set local statement_timeout = '170s'`);
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('mirror/connection/' || $1::bigint, 0))`, [
    run.connectionId,
  ]);
  const [row] = await tx.query<{ status: RunStatus; applied: Applied | null }>(
    `select status, result -> 'applied' as applied from sync_run where id = $1 for update`,
    [run.runId],
  );
  if (row !== undefined && row.applied !== null) return { state: 'APPLIED', applied: row.applied };
  if (row?.status !== 'RUNNING') return { state: 'CLOSED' };
  const { skip } = await connectionForImport(tx, run.connectionId);
  if (skip !== null) throw new ImportRefused(skip, 'The connection may not be imported any more; nothing was written');
  return { state: 'OPEN' };
}

/** Stores what the run has written, in the transaction that writes it. */
export async function storeApplied(tx: Tx, runId: number, applied: object): Promise<void> {
  await tx.query(`update sync_run set result = result || jsonb_build_object('applied', $2::jsonb) where id = $1`, [
    runId,
    JSON.stringify(applied),
  ]);
}

/** What a run has committed before, for callers that want to save themselves a call to the ERP; null when nothing. */
export async function appliedBefore<Applied>(sql: Sql, runId: number): Promise<Applied | null> {
  const [row] = await sql.query<{ applied: Applied | null }>(
    `select result -> 'applied' as applied from sync_run where id = $1`,
    [runId],
  );
  return row?.applied ?? null;
}
