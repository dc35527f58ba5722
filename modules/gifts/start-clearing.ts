import { CLEARINGS, markerWaits, resolveUpdate, type MarkerClearInput } from './messages/gifts.ts';
import { activityQueues } from '../../kernel/pure/queues.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import {
  startOrSignal,
  startOrUpdate,
  startWorkflow,
  type TemporalDeps,
  type WorkflowStart,
} from '../../kernel/start-workflow.ts';
import type { ClientMarkers } from './clear-markers.ts';

/** Starts the clearing of a client's markers, or does nothing if it is running. */
export function startClearing(deps: TemporalDeps, markers: ClientMarkers): Promise<void> {
  return startWorkflow(deps, CLEARINGS[markers.source], startOf(deps, markers), 'USE_EXISTING');
}

/** The same, but makes a running one check immediately. A hint: the rows decide. */
export function wakeClearing(deps: TemporalDeps, markers: ClientMarkers): Promise<void> {
  return startOrSignal(deps, CLEARINGS[markers.source], startOf(deps, markers), markerWaits);
}

/**
 * Decides about a conflict by the update of the clearing of its client, and starts the clearing if
 * it is not running (rule CMP-120): a conflict has no workflow of its own. Throws
 * WorkflowUpdateFailedError if the update is refused.
 */
export function resolveByUpdate(deps: TemporalDeps, markers: ClientMarkers, resolution: unknown): Promise<unknown> {
  const update = { update: resolveUpdate.name, input: resolution };
  return startOrUpdate(deps, CLEARINGS[markers.source], startOf(deps, markers), update);
}

function startOf({ queues }: TemporalDeps, { clientId }: ClientMarkers): WorkflowStart<MarkerClearInput> {
  return {
    input: { clientId, queues: activityQueues(queues) },
    attributes: searchAttributes({ CarteCapability: 'compensation', CarteTrigger: 'EVENT' }),
    memo: { clientId },
  };
}
