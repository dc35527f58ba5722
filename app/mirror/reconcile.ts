import type { Client } from '@temporalio/client';
import { importWorkflowId } from '../../contracts/ids.ts';
import type { Job, RunMode, RunTrigger } from '../../contracts/jobs.ts';
import type { ImportInput, ImportTimings } from '../../contracts/messages/sync.ts';
import type { Queues } from '../../contracts/queues.ts';
import type { MirrorDeps } from './mirror-deps.ts';
import { STAGE_TABLES } from './menu/stage-rows.ts';
import { pausedCondition } from './pauses/paused-condition.ts';
import { closeRun } from './runs/close-run.ts';
import { startImportWorkflow } from './runs/start-workflow.ts';
import { wakeStopListRefresh } from './wake-stop-list-refresh.ts';

export type ReconcileDeps = Pick<MirrorDeps, 'db' | 'metrics'> & {
  temporal: Client;
  queues: Queues;
  timings: ImportTimings;
};

/** `woken`: refreshes of marked stop-lists that were started or told to look again. */
export type Reconciled = { restarted: number; abandoned: number; started: number; woken: number };

/** A run that was begun longer ago is not taken up again: the schedule has made newer ones meanwhile. */
const RESTART_WITHIN = '30 minutes';
/** What a row asks for is started here only when the usual way has not done it within this time. */
const OVERDUE = '10 minutes';
/** A refresh that was woken with its mark needs a second or two. */
const UNREFRESHED = '30 seconds';

const MENU_PAUSED = pausedCondition({ job: `'MENU'`, connectionId: 'menu.connection_id', externalMenuId: 'menu.id' });
const STOP_LIST_PAUSED = pausedCondition({ job: `'STOP_LIST'`, connectionId: 'connection.id', externalMenuId: 'null' });

type OpenRun = {
  id: number;
  job: Job;
  connectionId: number;
  externalMenuId: number | null;
  mode: RunMode;
  trigger: RunTrigger;
  requestedBy: number | null;
  isRecent: boolean;
  isNewest: boolean;
};

/**
 * Takes up what the rows say must still happen and no execution does (rule OPS-1): after a loss of Temporal's database every
 * RUNNING run is started again under its own id, or closed as ABANDONED when it is old or a newer one of the same import exists.
 * Menus with `full_due` that nobody has taken care of are imported, refreshes of marked stop-lists are woken. Staged rows of ended runs go.
 * A second call finds the executions running and starts nothing.
 */
export async function reconcileImports(deps: ReconcileDeps): Promise<Reconciled> {
  const result: Reconciled = { restarted: 0, abandoned: 0, started: 0, woken: 0 };
  for (const run of await openRuns(deps)) {
    if (await isRunning(deps.temporal, importWorkflowId(run.job, run.connectionId, run.externalMenuId))) {
      // The lock may belong to another run of the same import; only the newest record can be its own.
      if (run.isNewest || (await hasEnded(deps, run.id))) continue;
    } else if (await hasEnded(deps, run.id)) continue;
    if (run.isRecent && run.isNewest) {
      result.restarted += (await startImportAgain(deps, run)) ? 1 : 0;
    } else {
      await closeRun(deps, { runId: run.id, status: 'FAILED', reason: 'ABANDONED' });
      result.abandoned += 1;
    }
  }
  for (const due of await overdue(deps)) {
    const started = await startImportWorkflow(deps, { ...due, trigger: 'EVENT', timings: deps.timings });
    result.started += started ? 1 : 0;
  }
  for (const { connectionId } of await unrefreshed(deps)) {
    await wakeStopListRefresh(deps, connectionId);
    result.woken += 1;
  }
  await sweepStaging(deps);
  return result;
}

async function openRuns({ db }: ReconcileDeps): Promise<OpenRun[]> {
  return db.query<OpenRun>(
    `select id, job, connection_id as "connectionId", external_menu_id as "externalMenuId", mode, trigger,
            requested_by as "requestedBy", started_at > now() - interval '${RESTART_WITHIN}' as "isRecent",
            row_number() over (partition by job, connection_id, external_menu_id order by id desc) = 1 as "isNewest"
       from sync_run where status = 'RUNNING' order by id limit 1000`,
  );
}

/** A run may end between our look at the rows and our look at Temporal. */
async function hasEnded({ db }: ReconcileDeps, runId: number): Promise<boolean> {
  const [row] = await db.query<{ status: string }>('select status from sync_run where id = $1', [runId]);
  return row?.status !== 'RUNNING';
}

async function isRunning(temporal: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await temporal.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return false;
    throw error;
  }
}

async function startImportAgain(deps: ReconcileDeps, run: OpenRun): Promise<boolean> {
  return startImportWorkflow(deps, {
    runId: run.id,
    timings: deps.timings,
    job: run.job,
    connectionId: run.connectionId,
    trigger: run.trigger,
    ...(run.externalMenuId === null ? {} : { externalMenuId: run.externalMenuId, mode: run.mode }),
    ...(run.requestedBy === null ? {} : { requestedBy: run.requestedBy }),
  });
}

/** Imports that a row asks for and that no run has touched for a while; connections that are disabled have no say. */
async function overdue({ db }: ReconcileDeps): Promise<Pick<ImportInput, 'job' | 'connectionId' | 'externalMenuId'>[]> {
  const rows = await db.query<{ job: Job; connectionId: number; externalMenuId: number | null }>(
    `select wanted.job, wanted.connection_id as "connectionId", wanted.external_menu_id as "externalMenuId"
       from (
         select 'MENU' as job, menu.connection_id, menu.id as external_menu_id from mirror_external_menu menu
           join external_menu_setting setting on setting.external_menu_id = menu.id and setting.is_enabled
          where menu.full_due and menu.inactive_at is null and not ${MENU_PAUSED}) wanted
       join connection on connection.id = wanted.connection_id and connection.status = 'ACTIVE'
      where not exists (
        select 1 from sync_run run
         where run.connection_id = wanted.connection_id and run.job = wanted.job
           and run.external_menu_id is not distinct from wanted.external_menu_id
           and run.started_at > now() - interval '${OVERDUE}')`,
  );
  return rows.map(({ externalMenuId, ...row }) => (externalMenuId === null ? row : { ...row, externalMenuId }));
}

/** Connections that may be imported and have stop-lists whose mark nobody has taken care of. */
async function unrefreshed({ db }: ReconcileDeps): Promise<{ connectionId: number }[]> {
  return db.query<{ connectionId: number }>(
    `select distinct connection.id as "connectionId" from mirror_stop_list_state state
       join mirror_organization organization on organization.id = state.organization_id and organization.inactive_at is null
       join connection on connection.id = organization.connection_id and connection.status = 'ACTIVE'
       join legal_entity owner on owner.id = connection.legal_entity_id and owner.is_active
       join franchisee on franchisee.id = owner.franchisee_id and franchisee.is_active
      where state.dirty_at < now() - interval '${UNREFRESHED}' and not ${STOP_LIST_PAUSED} order by connection.id`,
  );
}

/** Rows that a late attempt staged after its run had ended. */
async function sweepStaging({ db }: ReconcileDeps): Promise<void> {
  for (const table of STAGE_TABLES)
    await db.query(
      `delete from ${table} where run_id in (
         select distinct stage.run_id from ${table} stage left join sync_run run on run.id = stage.run_id and run.status = 'RUNNING'
          where run.id is null)`,
    );
}
