import {
  ordersChanged,
  pausePolls,
  pollingState,
  pollingWorkflow,
  pollNow,
  resumePolls,
} from '../../modules/mirror/messages/polling.ts';
import { upkeepNow, upkeepWorkflow } from '../../modules/mirror/messages/upkeep.ts';
import { pollingStart } from '../../modules/mirror/polling/start-polling.ts';
import { startUpkeep } from '../../modules/mirror/start-upkeep.ts';
import { eventually } from '../support/processes.ts';
import type { TestFixture } from '../support/mirror.ts';
import type { SyncWorker } from '../support/sync-worker.ts';

type Recorder = { fixture: TestFixture; sync: SyncWorker };

/** Histories of loops, which are ended externally. */
export const LOOP_CASES = [
  {
    type: 'polling',
    name: 'polls-and-pauses',
    async act({ fixture, sync }: Recorder): Promise<string> {
      const { input } = pollingStart(sync.product, fixture.connectionId);
      const handle = await sync.temporal.workflow.start(pollingWorkflow.type, {
        workflowId: pollingWorkflow.id(fixture),
        taskQueue: sync.queues.workflows,
        args: [{ ...input, hintPauseMs: 100 }],
      });
      for (const job of ['STOP_LIST', 'MENU', 'ORDERS'] as const)
        await handle.executeUpdate(pollNow, { args: [{ job }] });
      const pause = { job: 'MENU', by: 'the recorder', reason: 'recorded' } as const;
      await handle.executeUpdate(pausePolls, { args: [pause] });
      const before = (await handle.query(pollingState))!.ORDERS.last!.at;
      await handle.signal(ordersChanged);
      await eventually('the orders are polled', async () =>
        (await handle.query(pollingState))!.ORDERS.last!.at > before ? true : undefined,
      );
      await handle.executeUpdate(resumePolls, { args: [{ job: 'MENU', by: 'the recorder' }] });
      await handle.cancel();
      await handle.result().catch(() => undefined);
      return handle.workflowId;
    },
  },
  {
    type: 'upkeep',
    name: 'rounds-and-requests',
    async act({ sync }: Recorder): Promise<string> {
      await startUpkeep(sync.product);
      const handle = sync.temporal.workflow.getHandle(upkeepWorkflow.id({}));
      await eventually('it has run', async () => {
        const { events } = await handle.fetchHistory();
        return events!.some((event) => event.timerStartedEventAttributes != null)
          ? true
          : undefined;
      });
      await handle.executeUpdate(upkeepNow, { args: [{ steps: ['seal-audit'] }] });
      await handle.cancel();
      await handle.result().catch(() => undefined);
      return handle.workflowId;
    },
  },
] as const;
