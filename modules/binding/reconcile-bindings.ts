import { incidentWorkflow } from './messages/binding.ts';
import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import { UNSETTLED } from './rules/incident-states.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { TemporalDeps } from '../../kernel/start-workflow.ts';
import { signalIncidents, wakeBindingEvaluation } from './wake-bindings.ts';

type Deps = TemporalDeps & { db: Sql };

/** More are left to the next call. */
const INCIDENTS_PER_CALL = 1_000;

/**
 * Resumes pending work of bindings that has no execution (rule OPS-1): an evaluation when a menu
 * import or the end of a grace window has not been followed by one, and the workflow of every
 * incident that is not closed. Also right after a loss of Temporal's whole database. A second call
 * finds the executions running and the evaluation done.
 */
export async function reconcileBindings(deps: Deps): Promise<{ evaluation: boolean; incidents: number }> {
  const evaluation = await isEvaluationDue(deps);
  if (evaluation) await wakeBindingEvaluation(deps, null);
  const incidentIds = await incidentsWithoutExecution(deps);
  await signalIncidents(deps, incidentIds, 'opened');
  return { evaluation, incidents: incidentIds.length };
}

async function isEvaluationDue({ db }: Deps): Promise<boolean> {
  const { minutes } = (await readSettings(db, 'binding.missing_grace'))['binding.missing_grace'];
  const isDue = sql<boolean>`(select exists (
         select 1 from (select finished_at from sync_run where job = 'MENU' and status = 'SUCCESS' order by id desc limit 100) run
          where run.finished_at > coalesce(last.evaluated_at, '-infinity'))
       or exists (
         select 1 from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
           join mirror_item item on item.id = size.item_id
          where variant.binding_state = 'OK' and coalesce(item.deleted_at, size.deleted_at) <= now() - ${minutes}::double precision * interval '1 minute')
       from (select max(evaluated_at) as evaluated_at from binding_evaluation) last)`;
  const row = await db.db.selectNoFrom(isDue.as('isDue')).executeTakeFirst();
  return row?.isDue === true;
}

/**
 * Finds incidents without a running execution: a false positive only makes a workflow check its row
 * again, because signaling a running one is harmless.
 */
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
