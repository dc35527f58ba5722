import { SNAPSHOT_DIRTIED, type SnapshotRebuildInput } from '../../contracts/messages/snapshot.ts';
import { workflowIds } from '../../contracts/ids.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import type { EventDeps } from './event-deps.ts';

/** Starts the rebuild of one menu or joins the one that waits. A hint: what decides is `dirty_seq` of the row. */
export async function wakeSnapshotRebuild(
  deps: Pick<EventDeps, 'temporal' | 'queues' | 'debounce'>,
  organizationId: number,
): Promise<void> {
  const input: SnapshotRebuildInput = { organizationId, ...deps.debounce };
  await deps.temporal.workflow.signalWithStart('snapshotRebuild', {
    workflowId: workflowIds.snapshotRebuild(organizationId),
    taskQueue: deps.queues.workflows,
    args: [input],
    signal: SNAPSHOT_DIRTIED,
    typedSearchAttributes: searchAttributes({
      CarteCapability: 'snapshot',
      CarteOrganizationId: String(organizationId),
    }),
  });
}
