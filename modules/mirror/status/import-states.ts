import { sql } from 'kysely';
import type { WithDates } from '../../../kernel/pure/schemas.ts';
import type { ImportStatus, RunningRun } from '../schemas/sync-status.ts';
import { JOBS } from '../rules/jobs.ts';
import { ALERT_AFTER_SECONDS, computeFreshness, type Freshness } from '../rules/freshness.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import { IN_FORCE } from '../pauses/is-paused.ts';
import { LAST_SUCCESS, runHeads } from '../runs/run-record.ts';
import type { SchedulePlan } from '../schedules/schedule-plan.ts';

export type ImportState = WithDates<ImportStatus> & {
  connectionId: number;
  lastRun: WithDates<NonNullable<ImportStatus['lastRun']>> | null;
  pause: WithDates<NonNullable<ImportStatus['pause']>> | null;
};

type ImportRow = Row<'connection', 'id as connectionId'> &
  Row<
    'sync_run',
    'job',
    Omit<ImportState, keyof Freshness | 'lastRun' | 'pause' | 'connectionId' | 'job'> & {
      isImported: boolean;
      dueSince: Date;
      now: Date;
      run:
        | (Row<'sync_run', 'id' | 'status' | 'reason'> & {
            startedAt: string;
            finishedAt: string | null;
          })
        | null;
      pause: (Row<'import_pause', 'id' | 'reason'> & { until: string | null }) | null;
    }
  >;

/** Returns every import with its last runs, pause and freshness. Uses one statement. */
export async function importStates(
  { db }: Sql,
  intervals: SchedulePlan['jobs'],
): Promise<ImportState[]> {
  const { rows } = await sql<ImportRow>`
    with ${IMPORTS}
    select import.connection_id, import.job, import.external_menu_id, import.external_menu_erp_id,
           is_imported, full_due as is_full_due, last.run, coalesce(last.status = 'RUNNING', false) as is_running,
           success.at as last_success_at, nightly.at as last_full_at,
           pause.pause, now() as now, greatest(import.since, ended.at) as due_since
      from import ${LAST_RUN} ${LAST_SUCCESS} ${LAST_FULL} ${PAUSE} ${ENDED_PAUSE}
     order by import.connection_id, import.position, import.external_menu_id`.execute(db);

  return rows.map((row) => toState(row, intervals));
}

/** Imports of connections with a legal entity: MENU once per enabled menu, other jobs once. */
const IMPORTS = sql`
  owned as (
    select connection.id, connection.created_at, importable.id is not null as is_imported
      from connection left join importable_connection importable on importable.id = connection.id
     where connection.legal_entity_id is not null),
  import as (
    select owned.id as connection_id, job, position, null::bigint as external_menu_id, null::text as external_menu_erp_id,
           is_imported, created_at as since, false as full_due
      from owned cross join unnest(${JOBS}::text[]) with ordinality as known (job, position) where job <> 'MENU'
    union all
    select owned.id, 'MENU', array_position(${JOBS}::text[], 'MENU'), menu.external_menu_id, menu.erp_id, is_imported,
           greatest(created_at, menu.due_since), menu.full_due
      from owned join enabled_menu menu on menu.connection_id = owned.id and menu.is_listed)`;

const LAST_RUN = sql`left join lateral (
  select status, jsonb_build_object('id', id, 'status', status, 'reason', reason, 'startedAt', started_at, 'finishedAt', finished_at) as run
    from sync_run run
   where run.connection_id = import.connection_id and run.job = import.job
     and run.external_menu_id is not distinct from import.external_menu_id and run.mode is distinct from 'PLAN'
   order by run.id desc limit 1) last on true`;

const LAST_FULL = sql`left join lateral (
  select finished_at as at from sync_run run
   where import.job = 'MENU' and run.connection_id = import.connection_id and run.job = 'MENU'
     and run.external_menu_id = import.external_menu_id and run.mode = 'FULL' and run.status = 'SUCCESS'
   order by run.id desc limit 1) nightly on true`;

const IS_PAUSE_OF_IMPORT = sql`pause.connection_id = import.connection_id and pause.job = import.job
  and (pause.external_menu_id is null or pause.external_menu_id = import.external_menu_id)`;

const PAUSE = sql`left join lateral (
  select jsonb_build_object('id', id, 'reason', reason, 'until', until) as pause from import_pause pause
   where ${IN_FORCE} and ${IS_PAUSE_OF_IMPORT} order by id desc limit 1) pause on true`;

const ENDED_PAUSE = sql`left join lateral (
  select max(least(ended_at, until)) as at from import_pause pause
   where least(ended_at, until) <= now() and ${IS_PAUSE_OF_IMPORT}) ended on true`;

function toState(
  { run, pause, now, dueSince, isImported, ...row }: ImportRow,
  intervals: SchedulePlan['jobs'],
): ImportState {
  return {
    ...row,
    ...computeFreshness({
      alertAfterSeconds: ALERT_AFTER_SECONDS[row.job],
      hasNightly: row.job === 'MENU',
      now: now.getTime(),
      everyMs: intervals[row.job].everyMs,
      isDue: isImported && pause === null,
      isRunning: row.isRunning,
      dueSince: dueSince.getTime(),
      lastStartedAt: run === null ? null : Date.parse(run.startedAt),
      lastSuccessAt: row.lastSuccessAt?.getTime() ?? null,
      lastFullAt: row.lastFullAt?.getTime() ?? null,
    }),
    lastRun:
      run === null
        ? null
        : {
            ...run,
            startedAt: new Date(run.startedAt),
            finishedAt: run.finishedAt === null ? null : new Date(run.finishedAt),
          },
    pause:
      pause === null
        ? null
        : { ...pause, until: pause.until === null ? null : new Date(pause.until) },
  };
}

/** Only a fault can cause more runs. */
const SHOWN = 200;

export function runningRuns(database: Sql): Promise<RunningRun[]> {
  return runHeads(database)
    .select(sql<number>`extract(epoch from now() - run.started_at)::int`.as('ageSeconds'))
    .where('run.status', '=', 'RUNNING')
    .orderBy('run.id')
    .limit(SHOWN)
    .execute();
}
