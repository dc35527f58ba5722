import { importLock, type ImportInput, type ImportTimings } from './messages/sync.ts';
import { sql } from 'kysely';
import type { Client } from '@temporalio/client';
import type { Job, RunMode, RunTrigger } from './rules/jobs.ts';
import type { Queues } from '../../kernel/pure/queues.ts';
import { isExecutionRunning } from '../../platform/executions.ts';
import type { MirrorDeps } from './runs/fenced-import.ts';
import { STAGE_TABLES } from './menu/stage-rows.ts';
import { pausedCondition } from './pauses/is-paused.ts';
import { closeRun } from './runs/close-run.ts';
import { startImportWorkflow } from './runs/start-import.ts';
import { wakeStopListRefresh } from './wake-stop-list-refresh.ts';

export type ReconcileDeps = Pick<MirrorDeps, 'db' | 'metrics'> & {
  temporal: Client;
  queues: Queues;
  timings: ImportTimings;
};

export type Reconciled = { restarted: number; abandoned: number; started: number; woken: number };

/** Older runs are not resumed, because the schedule has started newer ones. */
const RESTART_WITHIN = '30 minutes';
/** Age at which work counts as lost. */
const OVERDUE = '10 minutes';
/** Normally, a refresh starts within two seconds of its flag. */
const UNREFRESHED = '30 seconds';

const MENU_PAUSED = pausedCondition({
  job: sql`'MENU'`,
  connectionId: sql.ref('menu.connection_id'),
  externalMenuId: sql.ref('menu.external_menu_id'),
});

const STOP_LIST_PAUSED = pausedCondition({
  job: sql`'STOP_LIST'`,
  connectionId: sql.ref('organization.connection_id'),
  externalMenuId: sql`null`,
});

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
 * Resumes work without an execution (OPS-1), for example after a loss of Temporal's database. Old
 * or superseded runs are closed as ABANDONED. Idempotent.
 */
export async function reconcileImports(deps: ReconcileDeps): Promise<Reconciled> {
  const result: Reconciled = { restarted: 0, abandoned: 0, started: 0, woken: 0 };

  for (const run of await openRuns(deps)) {
    if (
      await isExecutionRunning(
        deps.temporal,
        importLock({
          job: run.job,
          connectionId: run.connectionId,
          externalMenuId: run.externalMenuId,
        }),
      )
    ) {
      // The lock may belong to another run of this import. Only the newest record can have it.
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
    const started = await startImportWorkflow(deps, {
      ...due,
      trigger: 'EVENT',
      timings: deps.timings,
    });

    result.started += started ? 1 : 0;
  }

  for (const { connectionId } of await unrefreshed(deps)) {
    await wakeStopListRefresh(deps, connectionId);
    result.woken += 1;
  }

  await sweepStaging(deps);

  return result;
}

function openRuns({ db }: ReconcileDeps): Promise<OpenRun[]> {
  return db.db
    .selectFrom('sync_run')
    .select([
      'id',
      'job',
      'connectionId',
      'externalMenuId',
      (eb) => eb.ref('mode').$notNull().as('mode'),
      'trigger',
      'requestedBy',
      sql<boolean>`started_at > now() - ${RESTART_WITHIN}::interval`.as('isRecent'),
      sql<boolean>`row_number() over (partition by job, connection_id, external_menu_id order by id desc) = 1`.as(
        'isNewest',
      ),
    ])
    .where('status', '=', 'RUNNING')
    .orderBy('id')
    .limit(1000)
    .execute();
}

/** Returns true if the run ended between the read of the rows and the query to Temporal. */
async function hasEnded({ db }: ReconcileDeps, runId: number): Promise<boolean> {
  const row = await db.db
    .selectFrom('sync_run')
    .select('status')
    .where('id', '=', runId)
    .executeTakeFirst();

  return row?.status !== 'RUNNING';
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

/**
 * Excludes connections that may not be imported: they would end a run without a call every ten
 * minutes.
 */
async function overdue({
  db,
}: ReconcileDeps): Promise<Pick<ImportInput, 'job' | 'connectionId' | 'externalMenuId'>[]> {
  const menus = await db.db
    .selectFrom('live_menu as menu')
    .select(['menu.connectionId', 'menu.externalMenuId'])
    .where('menu.isImportable', '=', true)
    .where('menu.fullDue', '=', true)
    .where((eb) => eb.not(MENU_PAUSED))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('sync_run as run')
            .select('run.id')
            .whereRef('run.connectionId', '=', 'menu.connectionId')
            .where('run.job', '=', 'MENU')
            .whereRef('run.externalMenuId', '=', 'menu.externalMenuId')
            .where('run.startedAt', '>', sql<Date>`now() - ${OVERDUE}::interval`),
        ),
      ),
    )
    .execute();

  return menus.map((menu) => ({ job: 'MENU' as const, ...menu }));
}

function unrefreshed({ db }: ReconcileDeps): Promise<{ connectionId: number }[]> {
  return db.db
    .selectFrom('mirror_stop_list_state as state')
    .innerJoin('served_organization as organization', 'organization.id', 'state.organizationId')
    .innerJoin('importable_connection as connection', 'connection.id', 'organization.connectionId')
    .select('organization.connectionId')
    .distinct()
    .where('state.dirtyAt', '<', sql<Date>`now() - ${UNREFRESHED}::interval`)
    .where((eb) => eb.not(STOP_LIST_PAUSED))
    .orderBy('organization.connectionId')
    .execute();
}

/** Deletes rows that a late attempt staged after the end of its run. */
async function sweepStaging({ db }: ReconcileDeps): Promise<void> {
  for (const name of STAGE_TABLES) {
    const table = sql.table(name);
    await sql`
      delete from ${table} where run_id in (
        select distinct stage.run_id from ${table} stage left join sync_run run on run.id = stage.run_id and run.status = 'RUNNING'
         where run.id is null)`.execute(db.db);
  }
}
