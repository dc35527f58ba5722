import type { ImportInput } from '../../../contracts/messages/sync.ts';
import type { Database, Sql } from '../../../db/database.ts';
import { isPaused } from '../pauses/is-paused.ts';
import { connectionForImport } from '../../connections/connection-for-import.ts';

/** Draws the id of a run; a number that is drawn and not used only leaves a gap. */
export async function drawRunId(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ id: number }>(`select nextval('sync_run_id_seq') as id`);
  if (row === undefined) throw new Error('the sequence of run ids gave nothing');
  return row.id;
}

export type RunStart = ImportInput & { runId: number; workflowId: string };

/** Writes the record of a run that begins; a record that exists stays as it is, so a second call is harmless. */
export async function insertRun(sql: Sql, run: RunStart): Promise<void> {
  await sql.query(
    `insert into sync_run (id, job, connection_id, external_menu_id, mode, trigger, status, requested_by, workflow_id, revision_from)
     values ($1, $2, $3, $4, $5, $6, 'RUNNING', $7, $8, (select revision from mirror_external_menu where id = $4))
     on conflict (id) do nothing`,
    [
      run.runId,
      run.job,
      run.connectionId,
      run.externalMenuId ?? null,
      run.job === 'MENU' ? (run.mode ?? 'INCREMENTAL') : 'FULL',
      run.trigger,
      run.requestedBy ?? null,
      run.workflowId,
    ],
  );
}

/**
 * Opens a run and says why it must end at once, null when it may go on: a connection that is disabled or whose owner is not
 * active is skipped without a call to the ERP (rule MIR-38), and so is a paused import unless somebody started it by hand.
 * A second call finds the record and asks again.
 */
export async function openRun(db: Database, run: RunStart): Promise<{ skip: string | null }> {
  await insertRun(db, run);
  const { skip } = await connectionForImport(db, run.connectionId);
  if (skip !== null || run.trigger === 'MANUAL') return { skip };
  return { skip: (await isPaused(db, run)) ? 'PAUSED' : null };
}
