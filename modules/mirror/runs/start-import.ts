import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { NewRun } from '../schemas/mirror.ts';
import {
  executionLimitMs,
  IMPORT_WORKFLOWS,
  idsOfImport,
  importLock,
  type ImportInput,
} from '../messages/sync.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { activityQueues, type Queues } from '../../../kernel/pure/queues.ts';
import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { startWorkflow, type TemporalDeps } from '../../../kernel/start-workflow.ts';
import { isAlreadyStarted, isTemporalUnavailable } from '../../../platform/temporal.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { importTimings, type TimingEnv } from '../env.ts';
import { resolveScope } from './import-scope.ts';
import { drawRunId, recordRunIn } from './open-run.ts';

export type StartDeps = { db: Database; temporal: Client; queues: Queues; env: TimingEnv };

/** Waits for the lock of a run that has just ended, so that callers do not get a 409. */
const ENDING_MS = 2_000;
const ENDING_POLL_MS = 50;

/**
 * Starts a manual import and records it before returning. The workflow id is the lock that
 * schedules share (MIR-35). Problems: already-running, validation (scope), unavailable without
 * Temporal.
 */
export function startImport(
  deps: StartDeps,
  actor: Actor,
  request: NewRun,
  idempotency: Idempotency | null = null,
): Promise<{ runId: number }> {
  return deps.db.transaction((tx) =>
    once(tx, idempotency, () => startInTransaction(tx, deps, actor, request)),
  );
}

async function startInTransaction(
  tx: Tx,
  deps: StartDeps,
  actor: Actor,
  request: NewRun,
): Promise<{ runId: number }> {
  const { job, mode } = request;
  if (mode !== undefined && mode !== 'FULL' && job !== 'MENU')
    throw invalidField(
      'mode',
      'not_supported',
      'Only MENU can be imported incrementally or planned',
    );

  if (request.organizationId !== undefined && mode !== 'PLAN')
    throw invalidField(
      'organizationId',
      'not_supported',
      'Only a plan can be limited to a restaurant',
    );

  const target = await resolveScope(tx, request);
  const input: Omit<ImportInput, 'queues'> & { runId: number } = {
    runId: await drawRunId(tx),
    job,
    ...target,
    trigger: 'MANUAL',
    ...(job === 'MENU' ? { mode: mode ?? 'INCREMENTAL' } : {}),
    ...(actor.type === 'USER'
      ? { requestedBy: actor.userId, ...(actor.requestId && { requestId: actor.requestId }) }
      : {}),
    timings: importTimings(deps.env),
  };

  await startUnlessRunning(deps, input);
  // If this process stops here, the workflow writes the same record.
  const workflowId = importLock({ job, ...target });

  return { runId: await recordRunIn(tx, { ...input, workflowId }) };
}

/**
 * Starts the workflow of a run, waiting shortly for one that is ending. Problems: already-running,
 * unavailable without Temporal.
 */
export async function startUnlessRunning(
  deps: StartDeps,
  input: Omit<ImportInput, 'queues'> & { runId: number },
): Promise<void> {
  const deadline = Date.now() + ENDING_MS;
  try {
    while (!(await startImportWorkflow(deps, input))) {
      if (Date.now() > deadline || (await hasOpenRun(deps.db, input)))
        throw new Problem('already-running');
      await delay(ENDING_POLL_MS);
    }
  } catch (error) {
    if (isTemporalUnavailable(error))
      throw new Problem('unavailable', { headers: { 'Retry-After': '5' } });
    throw error;
  }
}

/** Returns false if the lock is taken. Rethrows other Temporal errors. */
export async function startImportWorkflow(
  deps: TemporalDeps,
  input: Omit<ImportInput, 'queues'>,
): Promise<boolean> {
  try {
    await startWorkflow(
      deps,
      IMPORT_WORKFLOWS[input.job],
      {
        input: { ...input, queues: activityQueues(deps.queues) },
        attributes: searchAttributes({
          CarteCapability: 'mirror',
          CarteConnectionId: input.connectionId,
          CarteRunKind: input.job,
          CarteTrigger: input.trigger,
        }),
        memo: idsOfImport(input),
        limitMs: executionLimitMs(input),
      },
      'FAIL',
    );

    return true;
  } catch (error) {
    if (isAlreadyStarted(error)) return false;
    throw error;
  }
}

async function hasOpenRun(
  db: Database,
  { runId, job, connectionId, externalMenuId }: Omit<ImportInput, 'queues'> & { runId: number },
): Promise<boolean> {
  const open = await db.db
    .selectFrom('sync_run')
    .select('id')
    .where('status', '=', 'RUNNING')
    .where('job', '=', job)
    .where('connectionId', '=', connectionId)
    .where('externalMenuId', 'is not distinct from', externalMenuId ?? null)
    .where('id', '<>', runId)
    .limit(1)
    .executeTakeFirst();

  return open !== undefined;
}
