import type { Client } from '@temporalio/client';
import { moveRights } from '../../modules/gifts/rights/move-rights.ts';
import {
  CLEARINGS,
  categoryClearWorkflow,
  commentClearWorkflow,
  giftRedemptionWorkflow,
  giftSettled,
  type WaitingPace,
} from '../../modules/gifts/messages/gifts.ts';
import { aConnection } from '../support/connection.ts';
import { BLOCK } from '../support/gifts/gift-desk.ts';
import { menuRows } from '../support/menu-rows.ts';
import { eventually } from '../support/processes.ts';
import { GRANTER, grantTo } from '../support/rights.ts';
import { accompanied, begunAnew, openDesk, PACE, reserved, type Recorder } from './gift-cases.ts';
import { countRows, deleteRows, not, selectRow, selectRows, updateRows } from '../support/rows.ts';

/** The execution whose history is stored: the last run, or a named run. */
type Kept = string | { workflowId: string; runId: string };
type Branch = { type: string; name: string; act: (recorder: Recorder) => Promise<Kept> };

const CARD = '/api/1/loyalty/erp/customer/info';
const REMOVE = '/api/1/loyalty/erp/customer_category/remove';
const ZONE = 'Europe/Kaliningrad';

const redeemAll = ({ fixture }: Recorder, ids: readonly string[], orderId = crypto.randomUUID()) =>
  fixture.db.transaction((tx) =>
    moveRights(tx, GRANTER, { ids }, { move: 'IMPORT', orderId, at: new Date() }),
  );

function clearing(
  { sync }: Recorder,
  { type, id }: typeof commentClearWorkflow | typeof categoryClearWorkflow,
  clientId: string,
  pace: Partial<WaitingPace> = {},
): ReturnType<Client['workflow']['start']> {
  return sync.temporal.workflow.start(type, {
    workflowId: id({ clientId }),
    taskQueue: sync.queues.workflows,
    args: [{ clientId, queues: sync.queues, pace: { ...PACE, ...pace } }],
  });
}

/** A gift whose marker cannot be removed until its execution has continued as new. */
async function heldGift(recorder: Recorder) {
  const { desk, client, orderId, handle } = await reserved(
    recorder,
    { pausesPerRun: 5 },
    `[/COMP] ${BLOCK}`,
  );
  await recorder.fixture.db.transaction((tx) =>
    moveRights(tx, GRANTER, { reservedFor: orderId }, { move: 'REDEEM', orderId, at: new Date() }),
  );
  await handle.signal(giftSettled);
  const first = await begunAnew(handle);
  await desk.edit(client.customerId, { comment: `Орехи ${BLOCK}` });
  await client.wake();
  await handle.result();
  return first;
}

/** A comment whose execution continues as new while no block can be removed. */
async function heldComment(recorder: Recorder) {
  const desk = await openDesk(recorder);
  const client = await desk.promised('ERP_COMMENT', { comment: `[/COMP] ${BLOCK}` });
  await client.redeem();
  const handle = await clearing(recorder, commentClearWorkflow, client.clientId, {
    pausesPerRun: 3,
  });
  const first = await begunAnew(handle);
  await desk.edit(client.customerId, { comment: BLOCK });
  await client.wake();
  await handle.result();
  return first;
}

/** A category that the ERP does not remove. */
async function heldCategory(recorder: Recorder) {
  const desk = await openDesk(recorder);
  const client = await desk.promised('ERP_CATEGORY', { categoryIds: [desk.dessert] });
  await client.redeem();
  await recorder.fixture.emulator.control('fault', { kind: '500', endpoint: REMOVE, times: 1_000 });
  const handle = await clearing(recorder, categoryClearWorkflow, client.clientId, {
    pausesPerRun: 3,
  });
  const first = await begunAnew(handle);
  await recorder.fixture.emulator.control('clear-faults');
  await deleteRows(recorder.fixture.db, 'erp_circuit');
  await client.wake();
  await handle.result();
  return first;
}

const atWork = (handle: { fetchHistory(): Promise<{ events?: readonly object[] | null }> }) =>
  eventually('it is at work', async () => {
    const { events } = await handle.fetchHistory();
    return events?.some((event) => 'activityTaskScheduledEventAttributes' in event) === true
      ? true
      : undefined;
  });

const slowCards = ({ fixture }: Recorder) =>
  fixture.emulator.control('fault', { kind: 'slow', endpoint: CARD, times: 100, delayMs: 400 });

async function twoBlocks(recorder: Recorder) {
  const desk = await openDesk(recorder);
  const client = await desk.promised('ERP_COMMENT', { comment: `А ${BLOCK} Б ${BLOCK}` }, 2);
  await redeemAll(recorder, client.rights);
  const handle = await clearing(recorder, commentClearWorkflow, client.clientId);
  await handle.result();
  return handle.workflowId;
}

/**
 * The removal of one category is rejected. The other category does not wait, and in the end both
 * are removed.
 */
async function refusedOnce(recorder: Recorder) {
  const desk = await openDesk(recorder);
  const client = await desk.promised('ERP_CATEGORY', { categoryIds: [desk.dessert, desk.roll] }, 2);
  await client.redeemAll();
  await recorder.fixture.emulator.control('fault', {
    kind: '400-loyalty',
    endpoint: REMOVE,
    times: 1,
  });
  const handle = await clearing(recorder, categoryClearWorkflow, client.clientId);
  await handle.result();
  return handle.workflowId;
}

async function hinted(recorder: Recorder, source: keyof typeof CLEARINGS) {
  const desk = await openDesk(recorder);
  const client = await (source === 'ERP_COMMENT'
    ? desk.promised('ERP_COMMENT', { comment: BLOCK })
    : desk.promised('ERP_CATEGORY', { categoryIds: [desk.dessert] }));
  await client.redeem();
  await slowCards(recorder);
  const handle = await clearing(recorder, CLEARINGS[source], client.clientId);
  await atWork(handle);
  await client.wake();
  await handle.result();
  await recorder.fixture.emulator.control('clear-faults');
  return handle.workflowId;
}

/** A hint retries without a pause while the marker cannot be removed. */
async function hintedWhileHeld(recorder: Recorder) {
  const desk = await openDesk(recorder);
  const client = await desk.promised('ERP_COMMENT', { comment: `[/COMP] ${BLOCK}` });
  await client.redeem();
  await slowCards(recorder);
  const handle = await clearing(recorder, commentClearWorkflow, client.clientId);
  await atWork(handle);
  await client.wake();
  await client.isHeld('DAMAGED');
  await desk.edit(client.customerId, { comment: BLOCK });
  await handle.result();
  await recorder.fixture.emulator.control('clear-faults');
  return handle.workflowId;
}

/** The gift receives the outcome of its order during a read, and reads again without a pause. */
async function toldDuringALook(recorder: Recorder) {
  const { db } = recorder.fixture;
  const desk = await openDesk(recorder);
  const client = await desk.promised('ERP_COMMENT', { comment: BLOCK });
  const { orderId } = await desk.orderedWith(client);
  const handle = await db.transaction(async (tx) => {
    await tx.query('lock table compensation in access exclusive mode');
    const started = await accompanied(recorder, client.right, orderId);
    await atWork(started);
    await started.signal(giftSettled);
    await moveRights(
      tx,
      GRANTER,
      { reservedFor: orderId },
      { move: 'REDEEM', orderId, at: new Date() },
    );
    return started;
  });
  await handle.result();
  return handle.workflowId;
}

/**
 * An order that is stuck at the ERP until its execution has continued as new, then made and closed.
 */
async function stuckOrder(recorder: Recorder) {
  const { emulator } = recorder.fixture;
  const desk = await openDesk(recorder);
  const client = await desk.promised('ERP_COMMENT', { comment: BLOCK });
  const { orderId, start } = await desk.orderedWith(client);
  await emulator.control('fault', { kind: 'order-stuck' });
  const handle = await start({ pausesPerRun: 4 });
  const first = await begunAnew(handle);
  await emulator.control('settle-delivery', { orderId });
  await closed(recorder, orderId, handle);
  return first;
}

async function closed(
  { fixture }: Recorder,
  orderId: string,
  handle: { signal(name: string): Promise<void>; result(): Promise<unknown> },
): Promise<void> {
  await eventually('the order is confirmed', async () => {
    const [row] = await selectRows(fixture.db, 'customer_order', ['state'], { id: orderId });
    return row?.state === 'CONFIRMED' ? true : undefined;
  });
  await fixture.emulator.control('delivery-status', { orderId, status: 'Closed' });
  await handle.signal('erpStatusChanged');
  await handle.result();
}

/**
 * The remaining branches: first and later runs, hints, waiting times, gifts that cannot have a
 * workflow.
 */
export const GIFT_BRANCHES: readonly Branch[] = [
  {
    type: 'giftRedemption',
    name: 'taken-elsewhere',
    async act(recorder) {
      const { client, handle } = await reserved(recorder);
      await client.redeem();
      await handle.signal(giftSettled);
      await handle.result();
      return handle.workflowId;
    },
  },
  {
    type: 'giftRedemption',
    name: 'without-a-marker',
    async act(recorder) {
      const { db } = recorder.fixture;
      const desk = await openDesk(recorder);
      const { clientId, right: marked } = await desk.promised('ERP_COMMENT', { comment: BLOCK });
      const reward = await selectRow(db, 'compensation', ['rewardId as id'], { id: marked });
      const right = await grantTo(db, { clientId, rewardId: reward.id });
      const { orderId } = await desk.orderedWith({ right });
      await db.transaction((tx) =>
        moveRights(
          tx,
          GRANTER,
          { reservedFor: orderId },
          { move: 'REDEEM', orderId, at: new Date() },
        ),
      );
      const input = { compensationId: right, orderId, pace: PACE };
      return recorder.run(
        'giftRedemption',
        giftRedemptionWorkflow.id({ orderId, compensationId: right }),
        input,
      );
    },
  },
  { type: 'giftRedemption', name: 'held-and-begins-anew', act: heldGift },
  {
    type: 'giftRedemption',
    name: 'begun-anew-and-cleared',
    act: async (recorder) => (await heldGift(recorder)).workflowId,
  },
  {
    type: 'giftRedemption',
    name: 'reserved-and-begins-anew',
    async act(recorder) {
      const { handle } = await reserved(recorder, { pausesPerRun: 3 });
      const first = await begunAnew(handle);
      await handle.terminate();
      return first;
    },
  },
  { type: 'giftRedemption', name: 'told-during-a-look', act: toldDuringALook },
  { type: 'commentClear', name: 'two-blocks', act: twoBlocks },
  { type: 'commentClear', name: 'a-hint', act: (recorder) => hinted(recorder, 'ERP_COMMENT') },
  { type: 'commentClear', name: 'a-hint-while-held', act: hintedWhileHeld },
  { type: 'commentClear', name: 'held-and-begins-anew', act: heldComment },
  {
    type: 'commentClear',
    name: 'asked-to-wait',
    async act(recorder) {
      const { emulator, db } = recorder.fixture;
      const desk = await openDesk(recorder);
      const client = await desk.promised('ERP_COMMENT', { comment: BLOCK });
      await client.redeem();
      await emulator.control('fault', { kind: '429', endpoint: CARD, times: 5, retryAfter: 2 });
      const handle = await clearing(recorder, commentClearWorkflow, client.clientId);
      await client.isHeld('ERP_UNAVAILABLE');
      await emulator.control('clear-faults');
      await handle.result();
      await deleteRows(db, 'erp_hold');
      return handle.workflowId;
    },
  },
  { type: 'categoryClear', name: 'refused-and-not-waited-for', act: refusedOnce },
  { type: 'categoryClear', name: 'a-hint', act: (recorder) => hinted(recorder, 'ERP_CATEGORY') },
  { type: 'categoryClear', name: 'held-and-begins-anew', act: heldCategory },
  {
    type: 'categoryClear',
    name: 'begun-anew-and-woken',
    act: async (recorder) => (await heldCategory(recorder)).workflowId,
  },
  {
    type: 'order',
    name: 'with-a-gift-confirmed-and-closed',
    async act(recorder) {
      const desk = await openDesk(recorder);
      const client = await desk.promised('ERP_COMMENT', { comment: `Орехи ${BLOCK}` });
      const { orderId, start } = await desk.orderedWith(client);
      const handle = await start();
      await closed(recorder, orderId, handle);
      return handle.workflowId;
    },
  },
  { type: 'order', name: 'with-a-gift-begins-anew', act: stuckOrder },
  {
    type: 'order',
    name: 'with-a-gift-begun-anew',
    act: async (recorder) => (await stuckOrder(recorder)).workflowId,
  },
  {
    type: 'order',
    name: 'with-a-gift-that-nobody-accompanies',
    async act(recorder) {
      // The gift already has an execution, so the order starts none, and the execution ends with
      // the order.
      const { orderId, handle, start } = await reserved(recorder);
      await recorder.fixture.emulator.control('fault', { kind: 'order-stuck' });
      const order = await start();
      await eventually('the ERP has the order', async () =>
        (await countRows(recorder.fixture.db, 'customer_order', {
          id: orderId,
          erpOrderId: not(null),
        })) === 1
          ? true
          : undefined,
      );
      await handle.terminate();
      await recorder.fixture.emulator.control('settle-delivery', { orderId });
      await closed(recorder, orderId, order);
      return order.workflowId;
    },
  },
  {
    type: 'giftReconciliation',
    name: 'with-gifts',
    async act(recorder) {
      const { emulator, db, connectionId } = recorder.fixture;
      const desk = await openDesk(recorder);
      const client = await desk.promised('ERP_COMMENT', { comment: BLOCK });
      const reward = await db.db
        .selectFrom('reward as r')
        .innerJoin('compensation as c', 'c.rewardId', 'r.id')
        .where('c.id', '=', client.right)
        .select('r.erpItemId as productId')
        .executeTakeFirstOrThrow();
      for (const customerId of [client.customerId, undefined])
        await emulator.control('put-delivery', {
          organizationId: desk.desk.organizationId,
          items: [{ productId: reward.productId, amount: 1, price: 0 }],
          ...(customerId === undefined ? {} : { customerId }),
        });
      return recorder.run('giftReconciliation', 'gift-reconciliation/with-gifts', {
        connectionId,
        timeZone: ZONE,
      });
    },
  },
  {
    type: 'giftReconciliation',
    name: 'refused-credential',
    async act(recorder) {
      const { db } = recorder.fixture;
      const { id } = await aConnection(db, 'no-such-login');
      await menuRows(db).organization(id);
      const input = { connectionId: id, timeZone: ZONE };
      const execution = await recorder.run(
        'giftReconciliation',
        'gift-reconciliation/refused',
        input,
      );
      await updateRows(db, 'connection', { status: 'DISABLED' }, { id });
      return execution;
    },
  },
];
