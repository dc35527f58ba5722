import type { Client } from '@temporalio/client';
import { sql } from 'kysely';
import type { Actor } from '../../../kernel/actor.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { Problem } from '../../../kernel/problem.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { hasSqlState } from '../../../platform/db/retry-conflicts.ts';
import {
  cancelExecution,
  endExecution,
  runningExecution,
  type FoundExecution,
} from '../../../platform/executions.ts';
import { isTemporalUnavailable } from '../../../platform/temporal.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import type { RunDetail } from '../schemas/mirror.ts';
import { withdrawAcceptance } from './accept-shrink.ts';
import { closeRunIn, measureRun, type Closed } from './close-run.ts';
import type { MirrorDeps } from './fenced-import.ts';
import { getRun } from './list-runs.ts';
import { APPLIED } from './run-fence.ts';

export type CancelDeps = Pick<MirrorDeps, 'db' | 'metrics'> & { temporal: Client };

/** Then the execution is terminated. */
const ENDING_MS = 5_000;

/** Does not wait for an import that is writing, which locks its run for seconds. */
const WAIT_FOR_RUN = sql`set local lock_timeout = '2s'`;

/**
 * Cancels a running import (MIR-99). The run ends as FAILED with reason CANCELLED. Problems:
 * not-found; validation; invalid-transition if the run has ended or is writing; unavailable without
 * Temporal, which leaves the run unchanged.
 */
export async function cancelRun(
  deps: CancelDeps,
  actor: Actor,
  request: { id: number; reason: string },
  idempotency: Idempotency | null = null,
): Promise<RunDetail> {
  const { reason } = requiredTexts({ reason: request.reason }, { reason: 500 }, 'words');
  const { id } = request;
  const canceled: { closed?: Closed | undefined; execution?: FoundExecution | undefined } = {};

  try {
    await deps.db.transaction((tx) =>
      once(tx, idempotency, async () => {
        await holdRunning(tx, id);
        canceled.execution = await findExecution(deps, tx, id);
        canceled.closed = await closeRunIn(tx, {
          runId: id,
          status: 'FAILED',
          reason: 'CANCELLED',
          detail: reason,
          ...(actor.type === 'USER' ? { canceledBy: actor.userId } : {}),
        });

        await withdrawAcceptance(tx, id);
        await recordAudit(tx, actor, {
          entityType: 'sync-run',
          entityId: id,
          action: 'cancel',
          reason,
        });

        if (canceled.execution !== undefined)
          await cancelExecution(deps.temporal, canceled.execution);

        return { id };
      }),
    );

    if (canceled.closed !== undefined) measureRun(deps.metrics, canceled.closed);
    if (canceled.execution !== undefined)
      await endExecution(deps.temporal, canceled.execution, {
        limitMs: ENDING_MS,
        reason: `Canceled: ${reason}`,
      });
  } catch (error) {
    if (isTemporalUnavailable(error))
      throw new Problem('unavailable', { headers: { 'Retry-After': '5' } });
    throw error;
  }

  return { ...(await getRun(deps.db, id)), progress: null };
}

async function holdRunning(tx: Tx, id: number): Promise<void> {
  await WAIT_FOR_RUN.execute(tx.db);
  const run = await tx.db
    .selectFrom('sync_run')
    .select(['status', 'reason', APPLIED.as('applied')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw hasSqlState(error, LOCKED) ? isWriting() : error;
    });

  await sql`set local lock_timeout = 0`.execute(tx.db);
  if (run === undefined) throw new Problem('not-found', { detail: 'No such run' });
  const { status, reason } = run;
  if (status !== 'RUNNING')
    throw new Problem('invalid-transition', {
      detail: `The run has ended as ${status}${reason === null ? '' : ` (${reason})`}.`,
    });

  if (run.applied !== null) throw isWriting();
}

const LOCKED = new Set(['55P03']);

const isWriting = () =>
  new Problem('invalid-transition', {
    detail: 'The run is writing its data and ends by itself within two minutes.',
  });

/** Returns undefined if the lock is free or belongs to another run. */
async function findExecution(
  { temporal }: CancelDeps,
  tx: Tx,
  id: number,
): Promise<FoundExecution | undefined> {
  const { workflowId, workflowRunId } = await tx.db
    .selectFrom('sync_run')
    .select(['workflowId', 'workflowRunId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (workflowId === null) return undefined;

  const execution = await runningExecution(temporal, workflowId);
  const isOwn = execution?.workflowRunId === workflowRunId || execution?.memo['runId'] === id;

  return isOwn ? execution : undefined;
}
