import {
  bindingEvaluationWorkflow,
  incidentSignal,
  incidentWorkflow,
  menuImported,
  type IncidentChange,
  type IncidentInput,
} from './messages/binding.ts';
import { searchAttributes } from '../../platform/pure/search-attributes.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { Problem } from '../../kernel/problem.ts';
import { inBatches } from '../../kernel/pure/lists.ts';
import {
  startOrSignal,
  startOrUpdate,
  type TemporalDeps,
  type UpdateRequest,
  type WorkflowStart,
} from '../../kernel/start-workflow.ts';

/** Concurrent signals. */
const AT_ONCE = 20;

/** Starts or signals the evaluation, which reads the rows. `runId` is the import that caused it. */
export function wakeBindingEvaluation(
  deps: TemporalDeps,
  connectionId: number,
  runId: number | null,
): Promise<void> {
  return startOrSignal(
    deps,
    bindingEvaluationWorkflow,
    {
      input: { connectionId },
      attributes: searchAttributes({
        CarteCapability: 'binding',
        CarteConnectionId: connectionId,
        CarteTrigger: 'EVENT',
      }),
      memo: { connectionId },
    },
    menuImported,
    runId,
  );
}

/** Signals or starts the workflows of incidents, which read the rows. */
export async function signalIncidents(
  deps: TemporalDeps & { db: Sql },
  incidentIds: readonly number[],
  change: IncidentChange,
): Promise<void> {
  for (const some of inBatches(incidentIds, AT_ONCE)) {
    const dishes = await readDishNames(deps.db, some);
    await Promise.all(
      some.map((incidentId) =>
        startOrSignal(
          deps,
          incidentWorkflow,
          buildStart(incidentId, dishes.get(incidentId)),
          incidentSignal(change),
        ),
      ),
    );
  }
}

async function readDishNames(
  { db }: Sql,
  incidentIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('binding_incident as incident')
    .innerJoin('catalog_product as product', 'product.id', 'incident.productId')
    .select(['incident.id', 'product.name'])
    .where('incident.id', '=', anyOf(incidentIds))
    .execute();

  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Starts the workflow if necessary. Problem `not-found`. Throws WorkflowUpdateFailedError if the
 * update is rejected.
 */
export async function updateIncident(
  deps: TemporalDeps & { db: Sql },
  incidentId: number,
  request: UpdateRequest,
): Promise<unknown> {
  const dish = (await readDishNames(deps.db, [incidentId])).get(incidentId);
  if (dish === undefined) throw new Problem('not-found', { detail: 'No such incident.' });
  return startOrUpdate(deps, incidentWorkflow, buildStart(incidentId, dish), request);
}

const buildStart = (
  incidentId: number,
  dish: string | undefined,
): WorkflowStart<IncidentInput> => ({
  input: { incidentId },
  attributes: searchAttributes({ CarteCapability: 'binding', CarteTrigger: 'EVENT' }),
  memo: { incidentId },
  summary: dish,
});
