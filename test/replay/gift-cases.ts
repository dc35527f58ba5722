import type { GiftRedemptionInput, WaitingPace } from '../../modules/gifts/messages/gifts.ts';
import {
  giftState,
  categoryClearWorkflow,
  commentClearWorkflow,
  giftRedemptionWorkflow,
} from '../../modules/gifts/messages/gifts.ts';
import { BLOCK, giftDesk } from '../support/gifts/gift-desk.ts';
import type { TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import type { SyncWorker } from '../support/sync-worker.ts';

export type Recorder = {
  fixture: TestFixture;
  sync: SyncWorker;
  run: (type: string, id: string, input: object) => Promise<string>;
};

export const PACE: Partial<WaitingPace> = { firstMs: 50, longestMs: 100 };

/** Shared by all cases, because the gift's code is unique. */
let opened: ReturnType<typeof giftDesk> | undefined;
export const openDesk = ({ fixture, sync }: Recorder) => (opened ??= giftDesk(fixture, sync));

async function redeemed(recorder: Recorder, comment: string) {
  const desk = await openDesk(recorder);
  const client = await desk.promised('ERP_COMMENT', { comment });
  await client.redeem();
  return { desk, client };
}

export function accompanied(
  { sync }: Recorder,
  right: string,
  orderId: string,
  pace: Partial<WaitingPace> = {},
) {
  const input: GiftRedemptionInput = { compensationId: right, orderId, pace: { ...PACE, ...pace } };
  return sync.temporal.workflow.start('giftRedemption', {
    workflowId: giftRedemptionWorkflow.id({ orderId, compensationId: right }),
    taskQueue: sync.queues.workflows,
    args: [input],
  });
}

/** A gift with a manually started execution and short pauses. */
export async function reserved(
  recorder: Recorder,
  pace: Partial<WaitingPace> = {},
  comment: string = `Орехи ${BLOCK}`,
) {
  const desk = await openDesk(recorder);
  const client = await desk.promised('ERP_COMMENT', { comment });
  const { orderId, start } = await desk.orderedWith(client);
  const handle = await accompanied(recorder, client.right, orderId, pace);
  await eventually('it waits', async () => (await handle.query(giftState)) ?? undefined);
  return { desk, client, orderId, handle, start };
}

type Execution = {
  workflowId: string;
  firstExecutionRunId: string;
  describe(): Promise<{ runId: string }>;
};

/** Waits until an execution continues as new. Returns the run that ended. */
export async function begunAnew(handle: Execution): Promise<{ workflowId: string; runId: string }> {
  await eventually('its history began anew', async () => {
    const { runId } = await handle.describe();
    return runId === handle.firstExecutionRunId ? undefined : true;
  });
  return { workflowId: handle.workflowId, runId: handle.firstExecutionRunId };
}

async function cleared(recorder: Recorder): Promise<string> {
  const { handle, start } = await reserved(recorder);
  const order = await start();
  // Without delivered events, the gift itself clears its marker.
  await handle.result();
  await order.terminate();
  return handle.workflowId;
}

/** Histories of gifts: cleared, blocked and retried, continued as new, returned. */
export const GIFT_CASES: readonly {
  type: string;
  name: string;
  act: (recorder: Recorder) => Promise<string>;
}[] = [
  {
    type: 'commentClear',
    name: 'cleared',
    async act(recorder) {
      const { client } = await redeemed(recorder, `Орехи ${BLOCK}`);
      return recorder.run('commentClear', commentClearWorkflow.id({ clientId: client.clientId }), {
        clientId: client.clientId,
      });
    },
  },
  {
    type: 'commentClear',
    name: 'held-begun-anew-and-woken',
    async act(recorder) {
      const { desk, client } = await redeemed(recorder, `[/COMP] ${BLOCK}`);
      const { clientId } = client;
      const handle = await recorder.sync.temporal.workflow.start('commentClear', {
        workflowId: commentClearWorkflow.id({ clientId }),
        taskQueue: recorder.sync.queues.workflows,
        args: [
          {
            clientId,
            queues: recorder.sync.queues,
            pace: { firstMs: 200, longestMs: 60_000, pausesPerRun: 4 },
          },
        ],
      });
      await begunAnew(handle);
      await desk.edit(client.customerId, { comment: `Орехи ${BLOCK}` });
      await client.wake();
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    type: 'categoryClear',
    name: 'unavailable-and-cleared',
    async act(recorder) {
      const desk = await openDesk(recorder);
      const client = await desk.promised('ERP_CATEGORY', { categoryIds: [desk.dessert] });
      await client.redeem();
      const endpoint = '/api/1/loyalty/erp/customer_category/remove';
      await recorder.fixture.emulator.control('fault', { kind: '500', endpoint, times: 2 });
      return recorder.run(
        'categoryClear',
        categoryClearWorkflow.id({ clientId: client.clientId }),
        {
          clientId: client.clientId,
          pace: PACE,
        },
      );
    },
  },
  {
    type: 'giftRedemption',
    name: 'redeemed-and-cleared',
    act: cleared,
  },
  {
    type: 'giftRedemption',
    name: 'begun-anew-and-returned',
    async act(recorder) {
      const { handle, start } = await reserved(recorder, { pausesPerRun: 3 });
      await begunAnew(handle);
      await recorder.fixture.emulator.control('fault', { kind: 'order-error' });
      await (await start()).result();
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    type: 'order',
    name: 'with-a-gift-refused',
    async act(recorder) {
      const desk = await openDesk(recorder);
      const client = await desk.promised('ERP_COMMENT', { comment: BLOCK });
      const { start } = await desk.orderedWith(client);
      await recorder.fixture.emulator.control('fault', { kind: 'order-error' });
      const handle = await start();
      await handle.result();
      return handle.workflowId;
    },
  },
];
