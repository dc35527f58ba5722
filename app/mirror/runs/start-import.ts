import type { Client } from '@temporalio/client';
import { IMPORT_WORKFLOWS, importWorkflowId } from '../../../contracts/ids.ts';
import type { Job, RunMode } from '../../../contracts/jobs.ts';
import type { ImportInput } from '../../../contracts/messages/sync.ts';
import { invalidField, isProblem, Problem } from '../../../contracts/problem.ts';
import type { Queues } from '../../../contracts/queues.ts';
import { searchAttributes } from '../../../contracts/search-attributes.ts';
import type { Database, Sql } from '../../../db/database.ts';
import { isAlreadyStarted, isTemporalUnavailable } from '../../../platform/temporal.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { getConnection } from '../../connections/connection-view.ts';
import { importTimings, type TimingEnv } from '../import-timings.ts';
import { drawRunId, insertRun } from './open-run.ts';

export type StartDeps = { db: Database; temporal: Client; queues: Queues; env: TimingEnv };

/** `scope`: the ERP's external menu id for MENU (with `connectionId` when two accounts share it), else our connection id. */
export type StartImport = {
  job: Job;
  scope: string;
  mode?: RunMode | undefined;
  connectionId?: number | undefined;
};

const DEADLINE_MS = 5_000;

/**
 * Starts an import by hand and returns its run id; the run record exists when this returns. Temporal's workflow id is the lock
 * that schedules use as well (spec 2, Limits, Locks).
 * Problems: already-running when that import runs, validation for an unknown or ambiguous scope, unavailable without Temporal.
 */
export async function startImport(deps: StartDeps, actor: Actor, request: StartImport): Promise<{ runId: number }> {
  const { db, temporal, queues } = deps;
  const target = await resolveScope(db, request);
  const runId = await drawRunId(db);
  const workflowId = importWorkflowId(request.job, target.connectionId, target.externalMenuId);
  const input: ImportInput = {
    runId,
    job: request.job,
    connectionId: target.connectionId,
    trigger: 'MANUAL',
    ...(target.externalMenuId === null ? {} : { externalMenuId: target.externalMenuId }),
    ...(request.job === 'MENU' ? { mode: request.mode ?? 'INCREMENTAL' } : {}),
    ...(actor.type === 'USER' ? { requestedBy: actor.userId } : {}),
    timings: importTimings(deps.env),
  };
  try {
    await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      temporal.workflow.start(IMPORT_WORKFLOWS[request.job], {
        workflowId,
        taskQueue: queues.workflows,
        args: [input],
        workflowIdConflictPolicy: 'FAIL',
        typedSearchAttributes: searchAttributes({
          CarteCapability: 'mirror',
          CarteRunKind: request.job,
          CarteTrigger: 'MANUAL',
        }),
      }),
    );
  } catch (error) {
    if (isAlreadyStarted(error)) throw new Problem('already-running');
    if (isTemporalUnavailable(error)) throw new Problem('unavailable', { headers: { 'Retry-After': '5' } });
    throw error;
  }
  // The workflow writes the same record; whoever is first wins, and the caller can read it at once.
  await db.transaction(async (tx) => {
    await insertRun(tx, { ...input, runId, workflowId });
    await recordAudit(tx, actor, {
      entityType: 'sync-run',
      entityId: runId,
      action: 'start',
      after: { job: request.job, scope: request.scope, mode: input.mode ?? 'FULL' },
    });
  });
  return { runId };
}

type Target = { connectionId: number; externalMenuId: number | null };

async function resolveScope(sql: Sql, request: StartImport): Promise<Target> {
  if (request.mode === 'INCREMENTAL' && request.job !== 'MENU')
    throw invalidField('mode', 'not-supported', 'Only MENU can be imported incrementally');
  if (request.job !== 'MENU') return { connectionId: await connectionOf(sql, request.scope), externalMenuId: null };
  const menus = await sql.query<{ id: number; connectionId: number }>(
    `select menu.id, menu.connection_id as "connectionId" from mirror_external_menu menu
       join connection on connection.id = menu.connection_id and connection.legal_entity_id is not null
      where menu.erp_id = $1 and ($2::bigint is null or menu.connection_id = $2)`,
    [request.scope, request.connectionId ?? null],
  );
  const [menu] = menus;
  if (menu === undefined) throw invalidField('scope', 'not-found', 'No such external menu');
  if (menus.length > 1)
    throw invalidField('connectionId', 'required', 'Several connections have this external menu: name one');
  return { connectionId: menu.connectionId, externalMenuId: menu.id };
}

async function connectionOf(sql: Sql, scope: string): Promise<number> {
  const id = Number(scope);
  if (!/^\d{1,15}$/.test(scope))
    throw invalidField('scope', 'invalid', 'The scope of this job is the id of a connection');
  try {
    return (await getConnection(sql, id)).id;
  } catch (error) {
    if (isProblem(error) && error.kind === 'not-found') throw invalidField('scope', 'not-found', 'No such connection');
    throw error;
  }
}
