import { sql } from 'kysely';
import type { Job } from '../rules/jobs.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import { IN_FORCE } from '../pauses/is-paused.ts';
import { LAST_SUCCESS } from './run-record.ts';

/** MENU has one import per menu. */
const CONNECTION_JOBS: readonly Job[] = [
  'ORGANIZATIONS',
  'TERMINALS',
  'MENU_LIST',
  'STOP_LIST',
  'ZONES',
];

/**
 * Returns for each job the oldest last success of all due imports, in Unix seconds (OPS-6). SKIPPED
 * counts if the ERP was called or there was nothing to request. An import without a success counts
 * from the time it became due, so that a connection that never worked is visible.
 */
export async function lastSuccesses({ db }: Sql): Promise<{ job: Job; at: number }[]> {
  const { rows } = await sql<Row<'sync_run', 'job', { at: number }>>`
    with import as (${DUE_IMPORTS})
    select import.job, min(extract(epoch from greatest(import.since, success.at, pause.ended_at)))::double precision as at
      from import ${LAST_SUCCESS} ${PAUSES}
     where not coalesce(pause.is_open, false)
     group by import.job`.execute(db);

  return rows;
}

const DUE_IMPORTS = sql`
  select importable.id as connection_id, job, null::bigint as external_menu_id, importable.created_at as since
    from importable_connection importable cross join unnest(${CONNECTION_JOBS}::text[]) as job
  union all
  select importable.id, 'MENU', menu.external_menu_id, greatest(importable.created_at, menu.due_since)
    from importable_connection importable join live_menu menu on menu.connection_id = importable.id`;

const PAUSES = sql`left join lateral (
  select max(least(ended_at, until)) as ended_at, count(*) filter (where ${IN_FORCE}) > 0 as is_open
    from import_pause pause
   where connection_id = import.connection_id and job = import.job
     and (external_menu_id is null or external_menu_id = import.external_menu_id)) pause on true`;
