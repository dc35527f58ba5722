import { incidentWorkflow } from './messages/binding.ts';
import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { UNSETTLED } from './rules/incident-states.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { TemporalDeps } from '../../kernel/start-workflow.ts';
import { signalIncidents, wakeBindingEvaluation } from './wake-bindings.ts';

type Deps = TemporalDeps & { db: Sql };

/** The next call continues. */
const INCIDENTS_PER_CALL = 1_000;

/**
 * Starts missing evaluations and incident workflows, even after a loss of Temporal's database
 * (OPS-1). Idempotent.
 */
export async function reconcileBindings(
  deps: Deps,
): Promise<{ evaluations: number; incidents: number }> {
  const connectionIds = await connectionsToEvaluate(deps);
  for (const connectionId of connectionIds) await wakeBindingEvaluation(deps, connectionId, null);
  const incidentIds = await incidentsWithoutExecution(deps);
  await signalIncidents(deps, incidentIds, 'opened');
  return { evaluations: connectionIds.length, incidents: incidentIds.length };
}

/**
 * Connections with an import since their last evaluation, or with an expired grace period. An item
 * without a menu is evaluated with any connection.
 */
async function connectionsToEvaluate({ db }: Deps): Promise<number[]> {
  const { minutes } = (await readSettings(db, 'binding.missing_grace'))['binding.missing_grace'];
  const { rows } = await sql<Row<'sync_run', 'connectionId'>>`
    ${IMPORTED_SINCE} union ${graceExpired(minutes)} order by 1`.execute(db.db);

  return rows.map((row) => row.connectionId);
}

const IMPORTED_SINCE = sql`
  select connection.id as connection_id
    from connection left join binding_evaluation last on true
    cross join lateral (
      select max(finished_at) as finished_at from (
        select finished_at from sync_run
         where connection_id = connection.id and job = 'MENU' and status = 'SUCCESS' order by id desc limit 100) latest) run
   where run.finished_at > coalesce(
           greatest((last.connections ->> connection.id::text)::timestamptz, last.evaluated_at), '-infinity')`;

const graceExpired = (minutes: number) => sql`
  select coalesce(menu.connection_id, (select min(id) from connection))
    from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
    join mirror_item item on item.id = size.item_id
    left join lateral jsonb_array_elements(variant.last_seen_snapshot -> 'externalMenuIds') seen (id) on true
    left join mirror_external_menu menu on menu.id = seen.id::bigint
   where variant.binding_state = 'OK'
     and coalesce(item.deleted_at, size.deleted_at) <= now() - ${minutes}::double precision * interval '1 minute'`;

/** A false positive is harmless, because the workflow checks its row. */
async function incidentsWithoutExecution({ db, temporal }: Deps): Promise<number[]> {
  const unsettled = await db.db
    .selectFrom('binding_incident')
    .select('id')
    .where('status', 'in', UNSETTLED)
    .orderBy('id')
    .execute();
  if (unsettled.length === 0) return [];

  const running = new Set<string>();
  const query = `WorkflowType = 'incident' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of temporal.workflow.list({ query })) running.add(workflowId);

  return unsettled
    .map((row) => row.id)
    .filter((id) => !running.has(incidentWorkflow.id({ incidentId: id })))
    .slice(0, INCIDENTS_PER_CALL);
}
