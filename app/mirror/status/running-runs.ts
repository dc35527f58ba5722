import type { RunningRun } from '../../../contracts/observability.ts';
import type { Sql } from '../../database.ts';

/** More than this run only when something is wrong; the oldest say what. */
const SHOWN = 200;

/** Runs at work, oldest first. */
export function runningRuns(sql: Sql): Promise<RunningRun[]> {
  return sql.query<RunningRun>(
    `select run.id, run.job, run.connection_id as "connectionId", menu.erp_id as "externalMenuId", run.mode, run.trigger,
            run.started_at as "startedAt", extract(epoch from now() - run.started_at)::int as "ageSeconds"
       from sync_run run left join mirror_external_menu menu on menu.id = run.external_menu_id
      where run.status = 'RUNNING' order by run.id limit ${SHOWN}`,
  );
}
