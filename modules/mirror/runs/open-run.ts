import { sql } from 'kysely';
import type { ImportInput } from '../messages/sync.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { isPaused } from '../pauses/is-paused.ts';
import { connectionForImport } from '../../connections/connection-view.ts';

/** Reserves a run id. An unused id leaves a gap. */
export async function drawRunId({ db }: Sql): Promise<number> {
  const { id } = await db
    .selectNoFrom(sql<number>`nextval('sync_run_id_seq')`.as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

export type RunStart = Omit<ImportInput, 'queues'> & {
  workflowId: string;
  workflowRunId?: string;
  /** Age in ms of a run that is recorded at its end. */
  beganMs?: number;
};

/** Inserts the record of a run once per id and execution. */
export async function insertRun(
  { db }: Sql,
  run: RunStart,
): Promise<{ runId: number; isNew: boolean }> {
  const inserted = await db
    .insertInto('sync_run')
    .values({
      id: run.runId ?? sql<number>`nextval('sync_run_id_seq')`,
      job: run.job,
      connectionId: run.connectionId,
      externalMenuId: run.externalMenuId ?? null,
      organizationId: run.organizationId ?? null,
      mode: run.job === 'MENU' ? (run.mode ?? 'INCREMENTAL') : 'FULL',
      trigger: run.trigger,
      status: 'RUNNING',
      requestedBy: run.requestedBy ?? null,
      workflowId: run.workflowId,
      workflowRunId: run.workflowRunId ?? null,
      startedAt: sql<Date>`now() - ${run.beganMs ?? 0}::float8 * interval '1 millisecond'`,
      revisionFrom: (menu) =>
        menu
          .selectFrom('mirror_external_menu')
          .select('revision')
          .where('id', '=', run.externalMenuId ?? null),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted !== undefined) return { runId: inserted.id, isNew: true };

  const { id } = await db
    .selectFrom('sync_run')
    .select('id')
    .where((record) =>
      run.runId === undefined
        ? record.and({ workflowId: run.workflowId, workflowRunId: run.workflowRunId ?? null })
        : record('id', '=', run.runId),
    )
    .executeTakeFirstOrThrow();

  return { runId: id, isNew: false };
}

/**
 * Inserts the record of a run, and for a manual run the audit entry, once: by API or workflow,
 * whichever is first (MIR-60).
 */
export function recordRun(db: Database, run: RunStart): Promise<number> {
  return db.transaction((tx) => recordRunIn(tx, run));
}

/** {@link recordRun} in the caller's transaction. */
export async function recordRunIn(tx: Tx, run: RunStart): Promise<number> {
  const { runId, isNew } = await insertRun(tx, run);
  const {
    job,
    connectionId,
    externalMenuId = null,
    mode = 'FULL',
    trigger,
    requestedBy,
    requestId = null,
  } = run;

  if (isNew && trigger === 'MANUAL' && requestedBy !== undefined)
    await recordAudit(
      tx,
      { type: 'USER', userId: requestedBy, requestId },
      {
        entityType: 'sync-run',
        entityId: runId,
        action: 'start',
        after: { job, connectionId, externalMenuId, mode },
      },
    );

  return runId;
}

/**
 * Opens a run. Returns null, or the reason to skip it (MIR-38). Manual runs ignore pauses.
 * Idempotent.
 */
export async function openRun(
  db: Database,
  run: RunStart,
): Promise<{ runId: number; skip: string | null }> {
  const runId = await recordRun(db, run);
  const { skip } = await connectionForImport(db, run.connectionId);
  if (skip !== null || run.trigger === 'MANUAL') return { runId, skip };
  return { runId, skip: (await isPaused(db, run)) ? 'PAUSED' : null };
}
