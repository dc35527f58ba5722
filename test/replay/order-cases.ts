import { orderQueues } from '../../kernel/pure/queues.ts';
import { orderWorkflow } from '../../modules/ordering/messages/ordering.ts';
import type { OrderPace } from '../../modules/ordering/messages/ordering.ts';
import type { OrderState } from '../../modules/ordering/rules/order-states.ts';
import type { TestFixture } from '../support/mirror.ts';
import { orderDesk } from '../support/orders.ts';
import { eventually } from '../support/processes.ts';
import type { SyncWorker } from '../support/sync-worker.ts';

type Recorder = {
  fixture: TestFixture;
  sync: SyncWorker;
  run: (type: string, id: string, input: object) => Promise<string>;
};

const PACE: Partial<OrderPace> = {
  sendMs: 50,
  longestSendMs: 100,
  lookMs: 50,
  longestLookMs: 100,
  followMs: 60_000,
  missingMs: 200,
};

export async function ordered(
  { fixture, sync }: Recorder,
  fields: { sendForMs?: number; paymentMethod?: string } = {},
  pace: Partial<OrderPace> = {},
) {
  const desk = await orderDesk(fixture);
  const id = await desk.accepted({ ...fields, isAnnounced: false });
  const start = () =>
    sync.temporal.workflow.start('order', {
      workflowId: orderWorkflow.id({ orderId: id }),
      taskQueue: sync.queues.workflows,
      args: [{ orderId: id, queues: orderQueues(sync.queues), pace: { ...PACE, ...pace } }],
    });
  const reaches = (state: OrderState) =>
    eventually(`the order is ${state}`, async () =>
      (await desk.row(id)).state === state ? true : undefined,
    );
  return { id, start, reaches };
}

const CREATE = '/api/1/deliveries/create';

async function closed(recorder: Recorder): Promise<string> {
  const { id, start, reaches } = await ordered(recorder);
  const handle = await start();
  await reaches('CONFIRMED');
  for (const status of ['CookingStarted', 'Closed']) {
    await recorder.fixture.emulator.control('delivery-status', { orderId: id, status });
    await handle.signal('erpStatusChanged');
  }
  await handle.result();
  return handle.workflowId;
}

/**
 * Histories of an order: sent and looked up, rejected, sent repeatedly, withdrawn, continued as
 * new.
 */
export const ORDER_CASES: readonly {
  type: string;
  name: string;
  act: (recorder: Recorder) => Promise<string>;
}[] = [
  {
    type: 'order',
    name: 'followed-to-its-end',
    act: closed,
  },
  {
    type: 'order',
    name: 'refused',
    async act(recorder) {
      await recorder.fixture.emulator.control('fault', { kind: 'order-error' });
      const { start } = await ordered(recorder);
      const handle = await start();
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    type: 'order',
    name: 'never-answered',
    async act(recorder) {
      await recorder.fixture.emulator.control('fault', { kind: '500', endpoint: CREATE, times: 9 });
      const { start } = await ordered(recorder, { sendForMs: 400 });
      const handle = await start();
      await handle.result();
      await recorder.fixture.emulator.control('clear-faults');
      return handle.workflowId;
    },
  },
  {
    type: 'order',
    name: 'begun-anew-and-cancelled-too-late',
    async act(recorder) {
      const { id, start, reaches } = await ordered(recorder, {}, { followMs: 20, pausesPerRun: 5 });
      const handle = await start();
      await reaches('CONFIRMED');
      await eventually('its history began anew', async () => {
        const { runId } = await handle.describe();
        return runId === handle.firstExecutionRunId ? undefined : true;
      });
      await handle.signal('cancelRequested', { by: 'STAFF' });
      await recorder.fixture.emulator.control('delivery-status', {
        orderId: id,
        status: 'Cancelled',
      });
      await reaches('CANCELLED');
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    type: 'giftReconciliation',
    name: 'success',
    act: ({ run, fixture }) =>
      run('giftReconciliation', 'gift-reconciliation/1', {
        connectionId: fixture.connectionId,
        timeZone: 'Europe/Moscow',
      }),
  },
];
