import type { ObservedShrink } from '../../../contracts/mirror.ts';
import { importWorkflowId } from '../../../contracts/ids.ts';
import type { ImportInput } from '../../../contracts/messages/sync.ts';
import { Problem } from '../../../contracts/problem.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../database.ts';
import { importTimings } from '../import-timings.ts';
import { closeRun } from './close-run.ts';
import { drawRunId, insertRun } from './open-run.ts';
import { startUnlessRunning, type StartDeps } from './start-import.ts';

type AcceptDeps = StartDeps & { metrics: Metrics };

/** How long an acceptance may wait for its import: long enough for the nightly one, should the first attempt fail. */
const VALID_FOR = '24 hours';

type RefusedRun = { connectionId: number; externalMenuId: number; shrink: ObservedShrink };

/**
 * Accepts what a run was refused for and starts the full import of that menu at once (rule MIR-13). The acceptance holds for
 * this menu, for the share of items that was observed, for 24 hours and for one import. Acceptance, audit and the record of the new
 * run commit together and before the start: after a crash in between the reconciler starts the run.
 * Problems: not-found; invalid-transition when the run was not refused for its shrink or a later full import has succeeded;
 * already-running, and then nothing is accepted; unavailable likewise.
 */
export async function acceptShrink(
  deps: AcceptDeps,
  actor: Actor,
  request: { refusedRunId: number; reason: string },
): Promise<{ runId: number }> {
  const input = await deps.db.transaction((tx) => accept(deps, tx, actor, request));
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
  const running = await tx.query(
    `select 1 from sync_run where job = 'MENU' and external_menu_id = $1 and status = 'RUNNING' limit 1`,
    [externalMenuId],
  );
  if (running.length > 0) throw new Problem('already-running');

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
  await insertRun(tx, { ...input, workflowId: importWorkflowId('MENU', connectionId, externalMenuId) });
  await tx.query(
    `update sync_shrink_acceptance set ended_at = now(), ended_run_id = $2, outcome = 'SUPERSEDED'
      where external_menu_id = $1 and ended_at is null`,
    [externalMenuId, runId],
  );
  await tx.query(
    `insert into sync_shrink_acceptance (external_menu_id, refused_run_id, run_id, percent, vanished, before, reason, accepted_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + interval '${VALID_FOR}')`,
    [
      externalMenuId,
      refusedRunId,
      runId,
      shrink.percent,
      shrink.vanished,
      shrink.before,
      reason,
      input.requestedBy ?? null,
    ],
  );
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
  const [run] = await tx.query<Omit<RefusedRun, 'shrink'> & { reason: string | null; shrink: ObservedShrink | null }>(
    `select connection_id as "connectionId", external_menu_id as "externalMenuId", reason, result -> 'shrink' as shrink
       from sync_run where id = $1`,
    [id],
  );
  if (run === undefined) throw new Problem('not-found', { detail: 'No such run' });
  const { connectionId, externalMenuId, reason, shrink } = run;
  if (reason !== 'SUSPICIOUS_SHRINK' || shrink === null)
    throw new Problem('invalid-transition', { detail: 'This run was not refused for the items that vanished' });
  await tx.query('select from external_menu_setting where external_menu_id = $1 for update', [externalMenuId]);
  const later = await tx.query(
    `select 1 from sync_run where job = 'MENU' and external_menu_id = $1 and id > $2 and mode = 'FULL' and status = 'SUCCESS' limit 1`,
    [externalMenuId, id],
  );
  if (later.length > 0)
    throw new Problem('invalid-transition', {
      detail: 'A later full import has succeeded: there is nothing to accept',
    });
  return { connectionId, externalMenuId, shrink };
}

/** Takes the acceptance back when its import could not be started, so that the refusal leaves nothing half done. */
async function withdraw(
  deps: AcceptDeps,
  actor: Actor,
  { runId, externalMenuId }: Omit<ImportInput, 'queues'> & { runId: number },
) {
  await deps.db.transaction(async (tx) => {
    await tx.query(
      `update sync_shrink_acceptance set ended_at = now(), ended_run_id = $1, outcome = 'WITHDRAWN'
        where run_id = $1 and ended_at is null`,
      [runId],
    );
    await recordAudit(tx, actor, {
      entityType: 'sync-run',
      entityId: runId,
      action: 'withdraw-shrink-acceptance',
      after: { externalMenuId },
    });
  });
  await closeRun(deps, { runId, status: 'FAILED', reason: 'NOT_STARTED' });
}
