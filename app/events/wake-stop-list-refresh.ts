import { workflowIds } from '../../contracts/ids.ts';
import { STOP_LISTS_MARKED, type StopListRefreshInput } from '../../contracts/messages/sync.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import type { EventDeps } from './event-deps.ts';

/** Starts the refresh of a connection's marked stop-lists or wakes the one at work. A hint: what decides is `dirty_at` of the rows. */
export async function wakeStopListRefresh(
  { temporal, queues, timings }: Pick<EventDeps, 'temporal' | 'queues' | 'timings'>,
  connectionId: number,
): Promise<void> {
  const input: StopListRefreshInput = { connectionId, timings };
  await temporal.workflow.signalWithStart('stopListRefresh', {
    workflowId: workflowIds.stopListRefresh(connectionId),
    taskQueue: queues.workflows,
    args: [input],
    signal: STOP_LISTS_MARKED,
    typedSearchAttributes: searchAttributes({
      CarteCapability: 'mirror',
      CarteRunKind: 'STOP_LIST',
      CarteTrigger: 'WEBHOOK',
    }),
  });
}
