import { importLock, type ImportInput } from '../messages/sync.ts';
import { sql } from 'kysely';
import type { ObservedShrink } from '../schemas/mirror.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { importTimings } from '../env.ts';
import { closeRun } from './close-run.ts';
import { drawRunId, insertRun } from './open-run.ts';
import { startUnlessRunning, type StartDeps } from './start-import.ts';

type AcceptDeps = StartDeps & { metrics: Metrics };

/**
 * The validity of an acceptance that waits for its import: long enough for the nightly one, should
 * the first attempt fail.
 */
const VALID_FOR = '24 hours';

type RefusedRun = { connectionId: number; externalMenuId: number; shrink: ObservedShrink };

/**
 * Accepts what a run was rejected for and starts the full import of that menu at once (rule
 * MIR-13). The acceptance is valid for this menu, for the share of items that was observed, for 24
 * hours and for one import. Acceptance, audit and the record of the new run commit together and
 * before the start: after a crash in between the reconciler starts the run. A repeated
 * Idempotency-Key returns the same run and starts nothing. Problems: not-found; invalid-transition
 * when the run was not rejected for its shrink or a later full import has succeeded;
 * already-running, and then nothing is accepted; unavailable, with the same effect.
 */
export async function acceptShrink(
  deps: AcceptDeps,
  actor: Actor,
  request: { refusedRunId: number; reason: string },
  idempotency: Idempotency | null = null,
): Promise<{ runId: number }> {
  const input = await deps.db.transaction((tx) => once(tx, idempotency, () => accept(deps, tx, actor, request)));
  if (idempotency?.isReplayed === true) return { runId: input.runId };
  try {
    await startUnlessRunning(deps, input);
  } catch (error) {
    await withdraw(deps, actor, input);
    throw error;
  }
  return { runId: input.runId };
}

async function accept(
  deps: AcceptDeps,
  tx: Tx,
  actor: Actor,
  { refusedRunId, reason }: { refusedRunId: number; reason: string },
): Promise<Omit<ImportInput, 'queues'> & { runId: number }> {
  const { connectionId, externalMenuId, shrink } = await refusedRun(tx, refusedRunId);
  const running = await tx.db
    .selectFrom('sync_run')
    .select('id')
    .where('job', '=', 'MENU')
    .where('externalMenuId', '=', externalMenuId)
    .where('status', '=', 'RUNNING')
    .limit(1)
    .executeTakeFirst();
  if (running !== undefined) throw new Problem('already-running');

  const runId = await drawRunId(tx);
  const input: Omit<ImportInput, 'queues'> & { runId: number } = {
    runId,
    job: 'MENU',
    connectionId,
    externalMenuId,
    mode: 'FULL',
    trigger: 'MANUAL',
    ...(actor.type === 'USER' ? { requestedBy: actor.userId } : {}),
    timings: importTimings(deps.env),
  };
  await insertRun(tx, { ...input, workflowId: importLock({ job: 'MENU', connectionId, externalMenuId }) });
  await tx.db
    .updateTable('sync_shrink_acceptance')
    .set({ endedAt: sql`now()`, endedRunId: runId, outcome: 'SUPERSEDED' })
    .where('externalMenuId', '=', externalMenuId)
    .where('endedAt', 'is', null)
    .execute();
  await tx.db
    .insertInto('sync_shrink_acceptance')
    .values({
      externalMenuId,
      refusedRunId,
      runId,
      percent: shrink.percent,
      vanished: shrink.vanished,
      before: shrink.before,
      reason,
      acceptedBy: input.requestedBy ?? null,
      expiresAt: sql<Date>`now() + ${VALID_FOR}::interval`,
    })
    .execute();
  await recordAudit(tx, actor, {
    entityType: 'sync-run',
    entityId: refusedRunId,
    action: 'accept-shrink',
    after: { runId, externalMenuId, ...shrink },
    reason,
  });
  return input;
}

/** Locks the settings of the menu: acceptances of one menu come one after the other. */
async function refusedRun(tx: Tx, id: number): Promise<RefusedRun> {
  const run = await tx.db
    .selectFrom('sync_run')
    .select(['connectionId', 'externalMenuId', 'status', sql<ObservedShrink | null>`result -> 'shrink'`.as('shrink')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (run === undefined) throw new Problem('not-found', { detail: 'No such run' });
  const { connectionId, externalMenuId, status, shrink } = run;
  // The record of a run has a shrink if the run was rejected for it, or if it has held back rows.
  if (status === 'RUNNING' || shrink === null || externalMenuId === null)
    throw new Problem('invalid-transition', {
      detail: 'The run was neither rejected because of a shrink nor held back',
    });
  await tx.db
    .selectFrom('external_menu_setting')
    .select('externalMenuId')
    .where('externalMenuId', '=', externalMenuId)
    .forUpdate()
    .execute();
  const later = await tx.db
    .selectFrom('sync_run')
    .select('id')
    .where('job', '=', 'MENU')
    .where('externalMenuId', '=', externalMenuId)
    .where('id', '>', id)
    .where('mode', '=', 'FULL')
    .where('status', '=', 'SUCCESS')
    .limit(1)
    .executeTakeFirst();
  if (later !== undefined)
    throw new Problem('invalid-transition', {
      detail: 'A later full import has succeeded: there is nothing to accept',
    });
  return { connectionId, externalMenuId, shrink };
}

/**
 * Takes the acceptance back when its import could not be started, so that the rejection leaves
 * nothing half done.
 */
async function withdraw(
  deps: AcceptDeps,
  actor: Actor,
  { runId, externalMenuId }: Omit<ImportInput, 'queues'> & { runId: number },
) {
  await deps.db.transaction(async (tx) => {
    await tx.db
      .updateTable('sync_shrink_acceptance')
      .set({ endedAt: sql`now()`, endedRunId: runId, outcome: 'WITHDRAWN' })
      .where('runId', '=', runId)
      .where('endedAt', 'is', null)
      .execute();
    await recordAudit(tx, actor, {
      entityType: 'sync-run',
      entityId: runId,
      action: 'withdraw-shrink-acceptance',
      after: { externalMenuId },
    });
  });
  await closeRun(deps, { runId, status: 'FAILED', reason: 'NOT_STARTED' });
}
