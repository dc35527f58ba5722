import {
  bindingEvaluationWorkflow,
  incidentSignal,
  incidentWorkflow,
  menuImported,
  type IncidentChange,
} from './messages/binding.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { inBatches } from '../../kernel/pure/lists.ts';
import { startOrSignal, type TemporalDeps } from '../../kernel/start-workflow.ts';

/** Incidents signalled at once. */
const AT_ONCE = 20;

/**
 * Starts the evaluation of the bindings to the menus of a connection, or signals the one that waits
 * for a grace window. A hint: it reads the rows. `runId` is the import that made it necessary.
 */
export function wakeBindingEvaluation(deps: TemporalDeps, connectionId: number, runId: number | null): Promise<void> {
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

/**
 * Signals to the workflows of these incidents that their rows have changed; starts those that do
 * not run. A hint: they read the rows.
 */
export async function signalIncidents(
  deps: TemporalDeps & { db: Sql },
  incidentIds: readonly number[],
  change: IncidentChange,
): Promise<void> {
  for (const some of inBatches(incidentIds, AT_ONCE)) {
    const dishes = await dishesOf(deps.db, some);
    await Promise.all(
      some.map((incidentId) => signalIncident(deps, { incidentId, dish: dishes.get(incidentId) }, change)),
    );
  }
}

/** Names of the products that these incidents are about. */
async function dishesOf({ db }: Sql, incidentIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('binding_incident as incident')
    .innerJoin('catalog_product as product', 'product.id', 'incident.productId')
    .select(['incident.id', 'product.name'])
    .where('incident.id', '=', anyOf(incidentIds))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function signalIncident(
  deps: TemporalDeps,
  { incidentId, dish }: { incidentId: number; dish: string | undefined },
  change: IncidentChange,
): Promise<void> {
  return startOrSignal(
    deps,
    incidentWorkflow,
    {
      input: { incidentId },
      attributes: searchAttributes({ CarteCapability: 'binding', CarteTrigger: 'EVENT' }),
      memo: { incidentId },
      summary: dish,
    },
    incidentSignal(change),
  );
}
