import { workflowIds } from '../../kernel/pure/ids.ts';
import { markerWaits } from './messages/gifts.ts';
import { activityQueues } from '../../kernel/pure/queues.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import type { MarkerSource } from './rules/words.ts';
import { startOrSignal, startWorkflow, type TemporalDeps, type WorkflowStart } from '../../kernel/start-workflow.ts';
import type { ClientMarkers } from './clear-markers.ts';

/** Who takes markers of each kind away. */
export const CLEARINGS = { ERP_COMMENT: 'commentClear', ERP_CATEGORY: 'categoryClear' } as const satisfies Record<
  MarkerSource,
  string
>;

/** The execution that takes markers of one kind away from one client. */
export const clearingId = ({ clientId, source }: ClientMarkers): string => workflowIds[CLEARINGS[source]](clientId);

/** Starts the clearing of a client's markers, or leaves the one that is at work to its pause. */
export function startClearing(deps: TemporalDeps, markers: ClientMarkers): Promise<void> {
  return startWorkflow(deps, CLEARINGS[markers.source], startOf(deps, markers), 'USE_EXISTING');
}

/** The same, and the one that is at work looks at once. A hint: the rows decide. */
export function wakeClearing(deps: TemporalDeps, markers: ClientMarkers): Promise<void> {
  return startOrSignal(deps, CLEARINGS[markers.source], startOf(deps, markers), markerWaits);
}

function startOf({ queues }: TemporalDeps, markers: ClientMarkers): WorkflowStart<'commentClear' | 'categoryClear'> {
  return {
    workflowId: clearingId(markers),
    args: [{ clientId: markers.clientId, queues: activityQueues(queues) }],
    attributes: searchAttributes({ CarteCapability: 'compensation', CarteTrigger: 'EVENT' }),
    memo: { clientId: markers.clientId },
  };
}
