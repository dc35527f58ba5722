import { CLEARINGS, markerWaits, type MarkerClearInput } from '../messages/gifts.ts';
import { activityQueues } from '../../../kernel/pure/queues.ts';
import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import {
  startOrSignal,
  startOrUpdate,
  startWorkflow,
  type TemporalDeps,
  type UpdateRequest,
  type WorkflowStart,
} from '../../../kernel/start-workflow.ts';
import type { ClientMarkers } from './clear-markers.ts';

export function startClearing(deps: TemporalDeps, markers: ClientMarkers): Promise<void> {
  return startWorkflow(deps, CLEARINGS[markers.source], buildStart(deps, markers), 'USE_EXISTING');
}

export function wakeClearing(deps: TemporalDeps, markers: ClientMarkers): Promise<void> {
  return startOrSignal(deps, CLEARINGS[markers.source], buildStart(deps, markers), markerWaits);
}

/** Starts the workflow if necessary (rule CMP-120). Throws WorkflowUpdateFailedError. */
export function updateClearing(
  deps: TemporalDeps,
  markers: ClientMarkers,
  request: UpdateRequest,
): Promise<unknown> {
  return startOrUpdate(deps, CLEARINGS[markers.source], buildStart(deps, markers), request);
}

function buildStart(
  { queues }: TemporalDeps,
  { clientId }: ClientMarkers,
): WorkflowStart<MarkerClearInput> {
  return {
    input: { clientId, queues: activityQueues(queues) },
    attributes: searchAttributes({ CarteCapability: 'compensation', CarteTrigger: 'EVENT' }),
    memo: { clientId },
  };
}
