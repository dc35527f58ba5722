import { incidentSignal, menuImported, type IncidentChange } from '../../contracts/messages/binding.ts';
import { workflowIds } from '../../contracts/ids.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import { inBatches } from '../../domain/batches.ts';
import { startOrSignal, type TemporalDeps } from '../../platform/start-workflow.ts';

/** Incidents signalled at once. */
const AT_ONCE = 20;

/**
 * Starts the evaluation of bindings, or has the one that waits for a grace window look now. A hint: it reads every variant. `runId`
 * is the import that made it necessary.
 */
export function wakeBindingEvaluation(deps: TemporalDeps, runId: number | null): Promise<void> {
  return startOrSignal(
    deps,
    'bindingEvaluation',
    {
      workflowId: workflowIds.bindingEvaluation(),
      args: [{}],
      attributes: searchAttributes({ CarteCapability: 'binding', CarteTrigger: 'EVENT' }),
    },
    menuImported,
    runId,
  );
}

/** Tells the workflows of these incidents that their rows have changed; starts those that do not run. A hint: they read the rows. */
export async function signalIncidents(
  deps: TemporalDeps,
  incidentIds: readonly number[],
  change: IncidentChange,
): Promise<void> {
  for (const some of inBatches(incidentIds, AT_ONCE))
    await Promise.all(some.map((incidentId) => signalIncident(deps, incidentId, change)));
}

function signalIncident(deps: TemporalDeps, incidentId: number, change: IncidentChange): Promise<void> {
  return startOrSignal(
    deps,
    'incident',
    {
      workflowId: workflowIds.incident(incidentId),
      args: [{ incidentId }],
      attributes: searchAttributes({ CarteCapability: 'binding', CarteTrigger: 'EVENT' }),
    },
    incidentSignal(change),
  );
}
