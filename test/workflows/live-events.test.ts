import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { orderQueues } from '../../kernel/pure/queues.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import { createLog } from '../../platform/log.ts';
import { startRelays } from '../../workers/relays.ts';
import { SLOTS } from '../../workers/roles.ts';
import { giftReconciliationWorkflow } from '../../modules/ordering/messages/gift-reconciliation.ts';
import { orderWorkflow } from '../../modules/ordering/messages/ordering.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { orderDesk } from '../support/orders.ts';
import { eventually } from '../support/processes.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { countRows, databaseNow, updateRows } from '../support/rows.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
/** The gate of every media sweep, for slow work. */
let gate: PromiseWithResolvers<void>;
let begun: number;
let polls: number;

beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  await importBasics(fixture);
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
  begun = 0;
  polls = 0;
  gate = Promise.withResolvers();
  const slow = async () => {
    begun += 1;
    await gate.promise;
    return { next: null };
  };
  const slowPoll = async () => {
    polls += 1;
    await gate.promise;
    return { outcome: 'CHANGES', orders: 0, gifts: 0, histories: 0 };
  };
  workers = await sync.start(
    {
      workflows: { sweepMedia: slow },
      order: { readLastOrders: slowPoll, compareGifts: async () => ({}) },
    },
    { delivers: false },
  );
});
afterAll(async () => {
  gate?.resolve();
  await workers?.stop();
  await sync?.close();
  await fixture?.close();
});

test('[OPS-42] events are delivered while slow work occupies every workflow slot', async () => {
  const executions = await Promise.all(
    Array.from({ length: SLOTS.workflows }, (_, index) =>
      sync.temporal.workflow.start('mediaSweep', {
        workflowId: `slow-${index}`,
        taskQueue: sync.queues.workflows,
        args: [],
      }),
    ),
  );
  await eventually('every slot is taken', async () =>
    begun === SLOTS.workflows ? true : undefined,
  );
  await appendOutbox(fixture.db, 'CatalogChanged', { organizationIds: [1], reason: 'stop-list' });
  const left = async () => await countRows(fixture.db, 'outbox', { deliveredAt: null });
  const before = await left();

  const log = createLog({ service: 'test', level: 'silent' });
  const relays = startRelays(
    { ...sync.product, log, env: { ...sync.env, OUTBOX_SWEEP_EVERY: 100 } },
    'all',
  );
  await eventually('they are delivered', async () => ((await left()) === 0 ? true : undefined));
  const after = await left();
  await relays.stop();
  const taken = begun;
  gate.resolve();
  await Promise.all(executions.map((execution) => execution.result()));

  expect([before, after, taken]).toEqual([1, 0, SLOTS.workflows]);
});

test('[ERP-25] a new order is sent while readings of orders take every slot of their queue', async () => {
  gate = Promise.withResolvers();
  const desk = await orderDesk(fixture);
  const queues = orderQueues(sync.queues);
  const watches = await Promise.all(
    Array.from({ length: SLOTS.order }, (_, index) =>
      sync.temporal.workflow.start(giftReconciliationWorkflow.type, {
        workflowId: `slow-reading-${index}`,
        taskQueue: sync.queues.workflows,
        args: [{ connectionId: fixture.connectionId, timeZone: 'Europe/Moscow', queues }],
      }),
    ),
  );
  await eventually('every slot is taken', async () => (polls === SLOTS.order ? true : undefined));
  const orderId = await desk.accepted({ isAnnounced: false });
  const order = await sync.temporal.workflow.start(orderWorkflow.type, {
    workflowId: orderWorkflow.id({ orderId }),
    taskQueue: sync.queues.workflows,
    args: [{ orderId, queues }],
  });
  const atErp = await eventually('the ERP has the order', async () => {
    const found = await desk.atErp(orderId);
    return found.length === 0 ? undefined : found;
  });
  const taken = polls;
  gate.resolve();
  await Promise.all(watches.map((watch) => watch.result()));
  await order.terminate();

  expect(atErp).toHaveLength(1);
  expect(taken).toBe(SLOTS.order);
});
