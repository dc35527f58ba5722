import { SNAPSHOT_PIN_CHANGED, type SnapshotPinInput } from '../../contracts/messages/snapshot.ts';
import { workflowIds } from '../../contracts/ids.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import type { EventDeps } from './event-deps.ts';

/** Starts the clock of one restaurant's pin or lets it look again. A hint: what decides is the row of the pin. */
export async function watchPin(deps: Pick<EventDeps, 'temporal' | 'queues'>, organizationId: number): Promise<void> {
  const input: SnapshotPinInput = { organizationId };
  await deps.temporal.workflow.signalWithStart('snapshotPin', {
    workflowId: workflowIds.snapshotPin(organizationId),
    taskQueue: deps.queues.workflows,
    args: [input],
    signal: SNAPSHOT_PIN_CHANGED,
    typedSearchAttributes: searchAttributes({
      CarteCapability: 'snapshot',
      CarteOrganizationId: String(organizationId),
    }),
  });
}
