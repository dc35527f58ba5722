import type { Job } from '../../../contracts/jobs.ts';
import type { Sql } from '../../../db/database.ts';
import { NOT_ASKED } from './not-asked.ts';

/** Imports that a connection has besides one MENU for each of its menus. */
const CONNECTION_JOBS: readonly Job[] = ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'STOP_LIST'];

/**
 * For each job the oldest last success over all imports of it that are due, as Unix time in seconds (rule OPS-6): the
 * imports of active connections with an active owner and of their listed, enabled menus, without those that an operator has
 * paused. A plan imports nothing and does not count. SKIPPED is a success when the ERP was asked or there was nothing to ask for. An import that never succeeded counts from the
 * moment it became due (its connection's creation, its menu's discovery or switching on, the end of a pause), so a connection that
 * never worked is as visible as one that stopped. A job without a due import is absent.
 */
export async function lastSuccesses(sql: Sql): Promise<{ job: Job; at: number }[]> {
  return sql.query<{ job: Job; at: number }>(
    `with active as (
       select connection.id, connection.created_at from connection
         join legal_entity entity on entity.id = connection.legal_entity_id and entity.is_active
         join franchisee owner on owner.id = entity.franchisee_id and owner.is_active
        where connection.status = 'ACTIVE'),
     due as (
       select active.id as connection_id, job, null::bigint as external_menu_id, active.created_at as since
         from active cross join unnest($1::text[]) as job
       union all
       select active.id, 'MENU', menu.id, greatest(active.created_at, setting.due_since)
         from active
         join mirror_external_menu menu on menu.connection_id = active.id and menu.inactive_at is null
         join external_menu_setting setting on setting.external_menu_id = menu.id and setting.is_enabled)
     select due.job, min(extract(epoch from greatest(due.since, success.at, pause.ended_at)))::double precision as at
       from due
       left join lateral (
         select finished_at as at from sync_run run
          where run.connection_id = due.connection_id and run.job = due.job
            and run.external_menu_id is not distinct from due.external_menu_id and run.status in ('SUCCESS', 'SKIPPED')
            and (run.reason is null or run.reason <> all ($2::text[])) and run.mode is distinct from 'PLAN'
          order by run.id desc limit 1) success on true
       left join lateral (
         select max(least(ended_at, until)) as ended_at, count(*) filter (where ended_at is null and (until is null or until > now())) > 0 as is_open
           from import_pause
          where connection_id = due.connection_id and job = due.job
            and (external_menu_id is null or external_menu_id = due.external_menu_id)) pause on true
      where not coalesce(pause.is_open, false)
      group by due.job`,
    [CONNECTION_JOBS, NOT_ASKED],
  );
}
