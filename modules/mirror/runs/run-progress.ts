import type { Client } from '@temporalio/client';
import { importProgress } from '../messages/sync.ts';
import type { RunDetail, RunProgress } from '../schemas/mirror.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import { queryWorkflow } from '../../../kernel/query-workflow.ts';
import { getRun } from './list-runs.ts';

export type ProgressDeps = { db: Database; temporal: Client; log: Log };

/** Limit for Temporal and its worker. */
const LIMIT_MS = 1_000;

/** Returns a run. Progress is null if unavailable within a second (OPS-33). Problem `not-found`. */
export async function getRunWithProgress(deps: ProgressDeps, id: number): Promise<RunDetail> {
  const run = await getRun(deps.db, id);
  return { ...run, progress: run.status === 'RUNNING' ? await readProgress(deps, id) : null };
}

async function readProgress(
  { db, temporal, log }: ProgressDeps,
  id: number,
): Promise<RunProgress | null> {
  const run = await db.db
    .selectFrom('sync_run')
    .select(['workflowId', 'workflowRunId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (run?.workflowId == null) return null;

  try {
    const { workflowId, workflowRunId } = run;
    return await queryWorkflow(temporal, { workflowId, workflowRunId }, importProgress, LIMIT_MS);
  } catch (error) {
    // Temporal or its worker is unavailable, or the execution has ended.
    log.debug({ err: error, runId: id }, 'the progress of the import could not be read');
    return null;
  }
}
