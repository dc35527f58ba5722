import { stopListRefreshWorkflow, stopListsMarked, type ImportTimings } from './messages/sync.ts';
import { activityQueues } from '../../kernel/pure/queues.ts';
import { searchAttributes } from '../../platform/pure/search-attributes.ts';
import { startOrSignal, type TemporalDeps } from '../../kernel/start-workflow.ts';

/** Starts or signals the refresh. A hint: `dirty_at` of the rows decides. */
export function wakeStopListRefresh(
  deps: TemporalDeps & { timings: ImportTimings },
  connectionId: number,
): Promise<void> {
  return startOrSignal(
    deps,
    stopListRefreshWorkflow,
    {
      input: { connectionId, timings: deps.timings, queues: activityQueues(deps.queues) },
      attributes: searchAttributes({
        CarteCapability: 'mirror',
        CarteConnectionId: connectionId,
        CarteRunKind: 'STOP_LIST',
        CarteTrigger: 'WEBHOOK',
      }),
      memo: { connectionId },
    },
    stopListsMarked,
  );
}
