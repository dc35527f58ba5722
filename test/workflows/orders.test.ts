import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { lookAtOrder } from '../../modules/ordering/look-at-order.ts';
import { orderQueues } from '../../kernel/pure/queues.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import { createErpStreets } from '../../modules/delivery/addresses/erp-streets.ts';
import { freshErpChoices } from '../../modules/delivery/erp-choices.ts';
import { clientOf } from '../../modules/gifts/clients.ts';
import { moveRights } from '../../modules/gifts/move-rights.ts';
import { importTerminals } from '../../modules/mirror/import-terminals.ts';
import { followOrder } from '../../modules/ordering/follow-order.ts';
import { getOrder } from '../../modules/ordering/order-view.ts';
import { tellNotConfigured } from '../../modules/ordering/not-configured.ts';
import { findOrder, holdOrder, moveOrder, noteOrder } from '../../modules/ordering/order-row.ts';
import { readOrderToSend } from '../../modules/ordering/order-to-send.ts';
import { organizationsOf, pollOrders, readLastOrders } from '../../modules/ordering/poll-orders.ts';
import { reconcileOrders } from '../../modules/ordering/reconcile-orders.ts';
import { knownTerminals, isTerminalAlive } from '../../modules/ordering/terminal-alive.ts';
import { getStaffOrder } from '../../modules/ordering/staff-orders.ts';
import { sendOrder } from '../../modules/ordering/send-order.ts';
import { withdrawOrder } from '../../modules/ordering/withdraw-order.ts';
import { receiveWebhook } from '../../modules/webhooks/receive-webhook.ts';
import { orderState, type OrderPace, orderWorkflow } from '../../modules/ordering/messages/ordering.ts';
import { advisory } from '../../platform/db/locks.ts';
import type { OrderState } from '../../modules/ordering/rules/order-states.ts';
import { testSecrets } from '../support/connection.ts';
import type { ErpClient } from '../../erp/client.ts';
import { ErpFailure } from '../../erp/failure.ts';
import { canaryIn } from '../support/erp-orders.ts';
import { menuRows } from '../support/menu-rows.ts';
import { importBasics, mirrorWorld, type TestWorld } from '../support/mirror.ts';
import { orderDesk } from '../support/orders.ts';
import { outcomeIn, wordIn } from '../support/outcome-in.ts';
import { eventually } from '../support/processes.ts';
import { holdLock, holdTable, sessionsWait } from '../support/races.ts';
import { GRANTER, grantTo, storedRights } from '../support/rights.ts';
import { withShiftedClock } from '../support/shifted-clock.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import {
  addRow,
  ago,
  countRows,
  databaseNow,
  deleteRows,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../support/rows.ts';
import type { ErpPaymentChoice } from '../../modules/delivery/rules/erp-names.ts';

let world: TestWorld;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
let desk: Awaited<ReturnType<typeof orderDesk>>;
let menuId: number;

beforeAll(async () => {
  world = await mirrorWorld();
  sync = await syncWorker(world);
  menuId = await importBasics(world);
  await updateRows(world.db, 'outbox', { deliveredAt: databaseNow() });
  desk = await orderDesk(world);
  await world.emulator.control('delivery-settings', { settleMs: 20, cookMs: 0 });
  workers = await sync.start();
});
afterAll(async () => {
  await workers?.stop();
  await sync?.close();
  await world?.close();
});
/** Ends what the ERP was told to do wrong, and what that has made us careful about: neither is measured in a test's milliseconds. */
async function erpIsBack(): Promise<void> {
  await world.emulator.control('clear-faults');
  await deleteRows(world.db, 'erp_circuit');
  await deleteRows(world.db, 'erp_hold');
}
afterEach(async () => {
  await erpIsBack();
  // A fresh poll would follow the orders of the next test.
  await updateRows(world.db, 'order_revision', { polledAt: ago('3 minutes') });
});
const orderDeps = () => ({
  ...world.deps,
  metrics: world.metrics,
  secrets: testSecrets,
  erpStreets: createErpStreets(world.deps.erp),
});

/** The product's process in milliseconds. */
const PACE: OrderPace = {
  sendMs: 50,
  longestSendMs: 200,
  lookMs: 30,
  longestLookMs: 100,
  followMs: 60_000,
  longestFollowMs: 60_000,
  stuckMs: 60_000,
  missingMs: 300,
  pausesPerRun: 1_000,
};

/** Starts the workflow of an order with short pauses. */
const run = (orderId: string, pace: Partial<OrderPace> = {}) =>
  sync.temporal.workflow.start('order', {
    workflowId: orderWorkflow.id({ orderId }),
    taskQueue: sync.queues.workflows,
    args: [{ orderId, queues: orderQueues(sync.queues), pace: { ...PACE, ...pace } }],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
const reaches = (orderId: string, state: OrderState) =>
  eventually(`the order is ${state}`, async () => {
    const row = await desk.row(orderId);
    return row.state === state ? row : undefined;
  });
/** Gives an order a status at the ERP, of which nobody tells. */
const status = (orderId: string, to: string) => world.emulator.control('delivery-status', { orderId, status: to });
/** Tells the workflow of an order that something has happened to it. */
const tell = (orderId: string) =>
  sync.temporal.workflow.getHandle(orderWorkflow.id({ orderId })).signal('erpStatusChanged');

const fault = (kind: string, more: object = {}) => world.emulator.control('fault', { kind, ...more });
const CREATE = '/api/1/deliveries/create';
const BY_ID = '/api/1/deliveries/by_id';
const notes = (kind: string, subject: string) =>
  world.db.db
    .selectFrom('notification')
    .where('kind', '=', kind)
    .where('subjectId', '=', subject)
    .select((row) => ['details', row('resolvedAt', 'is', null).as('open')])
    .execute();
/** An order that only the test's own workflow accompanies, with short pauses. */
async function ordered(fields: Parameters<typeof desk.accepted>[0] = {}, pace: Partial<OrderPace> = {}) {
  const id = await desk.accepted({ ...fields, isAnnounced: false });
  return { id, handle: await run(id, pace) };
}

describe('an accepted order', () => {
  test('[OPS-35] is found in Temporal by how it has ended', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    const before = await outcomeIn(sync.temporal, handle.workflowId);
    await status(id, 'Closed');
    await tell(id);
    await handle.result();
    await fault('order-error');
    const refused = await ordered();
    await refused.handle.result();

    expect([before, await outcomeIn(sync.temporal, handle.workflowId)]).toEqual([undefined, 'CLOSED']);
    expect(await outcomeIn(sync.temporal, refused.handle.workflowId)).toMatch(/^FAILED [A-Z_]+$/);
  });

  test('[OPS-109, OPS-111] shows its number and restaurant in Temporal and is found by the number', async () => {
    const id = await desk.accepted();
    const { number } = await desk.row(id);
    const { name: restaurant } = await selectRow(world.db, 'mirror_organization', ['name'], {
      id: desk.organization.id,
    });
    const found = await eventually('the execution is listed by its number', async () => {
      for await (const listed of sync.temporal.workflow.list({ query: `CarteOrderNumber = '${number}'` }))
        return listed;
      return undefined;
    });
    const description = await sync.temporal.workflow.getHandle(found.workflowId).describe();

    expect(found.workflowId).toBe(orderWorkflow.id({ orderId: id }));
    expect(await description.staticSummary()).toBe(`Order ${number}, ${restaurant}`);
    expect(found.memo).toMatchObject({ orderId: id, orderNumber: number, restaurant });
    await sync.temporal.workflow.getHandle(found.workflowId).terminate();
  });

  test('[OPS-109] keeps its number and memo when its history begins anew', async () => {
    const id = await desk.accepted({ isAnnounced: false });
    const handle = await sync.temporal.workflow.start('order', {
      workflowId: orderWorkflow.id({ orderId: id }),
      taskQueue: sync.queues.workflows,
      args: [{ orderId: id, queues: orderQueues(sync.queues), pace: { ...PACE, followMs: 20, pausesPerRun: 3 } }],
      typedSearchAttributes: searchAttributes({ CarteOrderNumber: '12345' }),
      memo: { orderNumber: '12345' },
    });
    const anew = await eventually('its history began anew', async () => {
      const { runId, memo } = await handle.describe();
      return runId === handle.firstExecutionRunId ? undefined : { memo };
    });

    expect(anew.memo).toEqual({ orderNumber: '12345' });
    expect(await wordIn(sync.temporal, handle.workflowId, 'CarteOrderNumber')).toBe('12345');
    await sync.temporal.workflow.getHandle(handle.workflowId).terminate();
  });

  test('[ORD-108] is sent by a worker whose clock is ahead of the deadline', async () => {
    const id = await desk.accepted({ isAnnounced: false });
    const standing = await withShiftedClock(16 * 60_000, () => sendOrder(orderDeps(), id));

    expect(standing.stage).not.toBe('ENDED');
    expect(await desk.atErp(id)).toHaveLength(1);
    expect(await desk.states(id)).toContain('SENT');
  });

  test('[ORD-108] is given up by a worker whose clock is behind the deadline', async () => {
    const id = await desk.accepted({ isAnnounced: false, sendForMs: -1_000 });
    const patience = { stuckMs: PACE.stuckMs, missingMs: PACE.missingMs };
    const deps = { ...orderDeps(), ...sync.upkeep, env: sync.env };

    expect(await withShiftedClock(-16 * 60_000, () => lookAtOrder(deps, id, patience))).toMatchObject({
      stage: 'ENDED',
      problem: 'DEADLINE_PASSED',
    });
  });

  test('[OPS-110] returns its last state, and the reason when it came to nothing', async () => {
    const closed = await ordered();
    await reaches(closed.id, 'CONFIRMED');
    await status(closed.id, 'Closed');
    await tell(closed.id);
    const canceled = await ordered();
    await reaches(canceled.id, 'CONFIRMED');
    await status(canceled.id, 'Cancelled');
    await tell(canceled.id);

    expect(await closed.handle.result()).toEqual({ state: 'CLOSED', problem: null });
    expect(await canceled.handle.result()).toEqual({ state: 'CANCELLED', problem: expect.any(String) });
    expect(await outcomeIn(sync.temporal, canceled.handle.workflowId)).toMatch(/^CANCELLED/);
  });

  test('[ORD-50] goes to the ERP under its own id and follows it until it is closed', async () => {
    const id = await desk.accepted();
    await reaches(id, 'CONFIRMED');
    const handle = await run(id);
    const [sent] = await desk.atErp(id);
    for (const to of ['CookingStarted', 'OnWay', 'Delivered', 'Closed']) {
      await status(id, to);
      await tell(id);
    }
    await handle.result();

    expect(sent).toMatchObject({ id, creationStatus: 'Success' });
    expect(await desk.row(id)).toMatchObject({ state: 'CLOSED', problem: null, erpOrderId: id, unansweredSince: null });
    expect(await desk.states(id)).toEqual(expect.arrayContaining(['ACCEPTED', 'SENT', 'CONFIRMED', 'CLOSED']));
    expect(await handle.query(orderState)).toMatchObject({ stage: 'ENDED', state: 'CLOSED' });
    expect(await desk.atErp(id)).toHaveLength(1);
  });
});

test('[WHK-8] webhooks, repeated and in any order, bring an order to where the ERP has it', async () => {
  const { id, handle } = await ordered();
  const other = randomUUID();
  await reaches(id, 'CONFIRMED');
  const told = (orderId: string, statusName: string, timestamp: number) => ({
    eventType: 'DeliveryOrderUpdate',
    eventTime: '2031-02-03 08:15:02.117',
    organizationId: desk.organizationId,
    correlationId: randomUUID(),
    eventInfo: {
      id: orderId,
      organizationId: desk.organizationId,
      timestamp,
      creationStatus: 'Success',
      order: { status: statusName },
    },
  });
  const now = Date.now();
  // What the events say is not true yet or not any more: only what the ERP answers counts.
  await status(id, 'CookingStarted');
  const early = told(id, 'Closed', now + 9_000);
  await receiveWebhook(world, [early, early, told(other, 'OnWay', now)], { connectionId: null });
  await reaches(id, 'COOKING');
  await status(id, 'OnWay');
  await receiveWebhook(world, [told(id, 'Cancelled', now + 1), told(id, 'Unconfirmed', now - 5)], {
    connectionId: null,
  });
  await reaches(id, 'ON_THE_WAY');
  await status(id, 'Closed');
  await receiveWebhook(world, [told(id, 'Closed', now + 20_000)], { connectionId: null });
  await handle.result();
  const outcomes = await eventually('every event has ended', async () => {
    const rows = await selectRows(world.db, 'webhook_event', ['outcome'], {}, { orderBy: 'id' });
    return rows.every((row) => row.outcome !== null) ? rows.map((row) => row.outcome) : undefined;
  });

  expect(await desk.states(id)).toEqual(['ACCEPTED', 'SENT', 'CONFIRMED', 'COOKING', 'ON_THE_WAY', 'CLOSED']);
  expect(Object.groupBy(outcomes, (each) => each ?? '')).toMatchObject({
    ASKED: { length: 4 },
    NOT_OURS: { length: 1 },
  });
});

describe('an order that the ERP refuses', () => {
  test('[ORD-53] at once has failed, and people see both sides without anything of the guest', async () => {
    await fault('order-error', { code: 'ProductNotFound' });
    const { id, handle } = await ordered();
    await handle.result();
    const [note] = await notes('ORDER_DIVERGENCE', id);

    expect(await desk.row(id)).toMatchObject({
      state: 'FAILED',
      problem: 'REJECTED_BY_ERP',
      erpError: 'ProductNotFound',
    });
    expect(note).toMatchObject({
      open: true,
      details: { ours: { state: 'FAILED' }, erp: { orderId: id, error: 'ProductNotFound' } },
    });
    expect(canaryIn(JSON.stringify(note))).toEqual([]);
  });

  test('[ORD-53] later has failed as well', async () => {
    await fault('order-error-later', { code: 'Common' });
    const { id, handle } = await ordered();
    await handle.result();

    expect(await desk.states(id)).toEqual(['ACCEPTED', 'SENT', 'FAILED']);
    expect(await desk.row(id)).toMatchObject({ problem: 'REJECTED_BY_ERP', erpError: 'Common', erpOrderId: id });
    expect(await notes('ORDER_DIVERGENCE', id)).toHaveLength(1);
  });
});

describe('a call without an answer', () => {
  test('[ORD-51] after which the ERP has the order: it is sent again and is there once', async () => {
    await fault('no-answer', { endpoint: CREATE, delayMs: 50 });
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await status(id, 'Closed');
    await tell(id);
    await handle.result();

    expect(await desk.atErp(id)).toHaveLength(1);
    expect(await desk.row(id)).toMatchObject({ state: 'CLOSED', problem: null });
  });

  test('[ORD-51] after which the time to send is over: the order is looked up, and found late', async () => {
    await fault('no-answer', { endpoint: CREATE, delayMs: 50 });
    await fault('500', { endpoint: '/api/1/deliveries/by_id', times: 2 });
    const { id, handle } = await ordered({ sendForMs: 800 }, { sendMs: 1_000, longestSendMs: 1_000 });
    await reaches(id, 'CONFIRMED');
    await status(id, 'Closed');
    await tell(id);
    await handle.result();

    expect((await desk.row(id)).state).toBe('CLOSED');
  });

  test('[ORD-51] after which the ERP does not have it: it fails only when it has been missing for a while', async () => {
    // Few calls: more would open the circuit.
    await fault('502-html', { endpoint: CREATE, times: 9 });
    const { id, handle } = await ordered({ sendForMs: 800 }, { sendMs: 400, longestSendMs: 400, missingMs: 1_500 });
    const unsure = await eventually('it is missing', async () => {
      const row = await desk.row(id);
      return row.missingSince === null ? undefined : row;
    });
    await handle.result();
    const [note] = await notes('ORDER_NOT_SENT', id);

    expect(unsure).toMatchObject({ state: 'SENT', problem: 'OUTCOME_UNKNOWN' });
    expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'DEADLINE_PASSED' });
    expect(note).toMatchObject({ open: true, details: { heldUpBy: 'OUTCOME_UNKNOWN' } });
    expect(await desk.atErp(id)).toEqual([]);
  });
});

describe('an ERP that is away', () => {
  test('[ERP-26] with its loyalty part only leaves every order confirmed while carts are read', async () => {
    await fault('500', { endpoint: '/api/1/loyalty/erp/customer/info', times: 1_000 });
    const isOver = new AbortController();
    const kinds = new Set<string>();
    const guests = Array.from({ length: 4 }, async () => {
      while (!isOver.signal.aborted) {
        const { connectionId } = world;
        const read = world.deps.erp.customerInfo(connectionId, desk.organizationId, { phone: '+79990001122' });
        kinds.add(
          await read.then(
            () => 'read',
            ({ kind }: ErpFailure) => kind,
          ),
        );
        await delay(5);
      }
    });
    await eventually('the circuit of loyalty is open', async () => (kinds.has('CIRCUIT_OPEN') ? true : undefined));
    const orders = await Promise.all(Array.from({ length: 12 }, () => ordered()));
    for (const { id } of orders) await reaches(id, 'CONFIRMED');
    isOver.abort();
    await Promise.all(guests);

    expect([...kinds].toSorted()).toEqual(['CIRCUIT_OPEN', 'SERVER']);
    await Promise.all(orders.map(({ handle }) => handle.terminate()));
  });

  test('[ORD-50] for less than the time to send only delays the order', async () => {
    await fault('429', { endpoint: CREATE, times: 2, retryAfter: 0 });
    const { id } = await ordered();
    const held = await eventually('it is held up', async () => {
      const row = await desk.row(id);
      return row.problem === null ? undefined : row;
    });
    const confirmed = await reaches(id, 'CONFIRMED');

    expect(held).toMatchObject({ state: 'SENT', problem: 'ERP_UNAVAILABLE', unansweredSince: null });
    expect(confirmed.problem).toBeNull();
  });

  /** A minute of the product's fifteen in which an order is sent. */
  const MINUTE = 150;
  const pace = { sendMs: 2 * MINUTE, longestSendMs: 4 * MINUTE, lookMs: 2 * MINUTE, longestLookMs: 10 * MINUTE };
  const problemOf = (id: string, problem: string) =>
    eventually(`the order says ${problem}`, async () => ((await desk.row(id)).problem === problem ? true : undefined));
  /** What guests, staff and operators of Temporal read of an order at this moment. */
  async function shown({ id, handle }: Awaited<ReturnType<typeof ordered>>) {
    const { status: state, message, cancellable } = await getOrder(world.db, id);
    const staff = await getStaffOrder({ db: world.db, secrets: testSecrets }, id, true);
    const { currentDetails } = await handle.query<{ currentDetails?: string }, []>('__temporal_workflow_metadata');
    return { state, message, cancellable, problem: staff.problem, details: currentDetails };
  }
  /** The row says it first; the workflow learns of it with the end of the activity. */
  const shownOnceTold = (sent: Awaited<ReturnType<typeof ordered>>) =>
    eventually('Temporal says it, too', async () => {
      const now = await shown(sent);
      return now.details ? now : undefined;
    });
  const HELD_UP = {
    state: 'SENT',
    problem: 'ERP_UNAVAILABLE',
    message: 'Связь с рестораном прервалась, мы продолжаем передавать заказ.',
    cancellable: true,
    details: expect.stringContaining('The ERP does not have the order yet'),
  };

  test.each([1, 10])('[ORD-59] for %i minutes holds an order up, and it goes on by itself', async (minutes) => {
    await fault('429', { endpoint: CREATE, times: 99, retryAfter: 0 });
    // A busy machine must not reach the end of the time to send: that is another test's subject.
    const sent = await ordered({ sendForMs: 60_000 }, pace);
    await problemOf(sent.id, 'ERP_UNAVAILABLE');
    const meanwhile = await shownOnceTold(sent);
    await delay(minutes * MINUTE);
    await erpIsBack();
    await tell(sent.id);
    await reaches(sent.id, 'CONFIRMED');

    expect(meanwhile).toMatchObject(HELD_UP);
    expect(await shown(sent)).toMatchObject({ problem: null, message: 'Ресторан принял заказ.', cancellable: false });
  });

  test('[ORD-59] for 60 minutes fails an order after 15, because the ERP was certainly told nothing', async () => {
    await fault('429', { endpoint: CREATE, times: 99, retryAfter: 0 });
    const sent = await ordered({ sendForMs: 15 * MINUTE }, pace);
    await problemOf(sent.id, 'ERP_UNAVAILABLE');
    const meanwhile = await shownOnceTold(sent);
    await sent.handle.result();

    expect(meanwhile).toMatchObject(HELD_UP);
    expect(await shown(sent)).toMatchObject({
      state: 'FAILED',
      problem: 'DEADLINE_PASSED',
      message: 'Не удалось передать заказ ресторану вовремя, поэтому мы его отменили.',
      cancellable: false,
      details: expect.stringContaining('The order has ended.'),
    });
    expect(await notes('ORDER_NOT_SENT', sent.id)).toMatchObject([{ open: true }]);
  });

  test('[ORD-59] for 60 minutes does not fail an order that it may have: that is looked up until the ERP says so', async () => {
    await fault('no-answer', { endpoint: CREATE, delayMs: 20 });
    await fault('500', { endpoint: CREATE, times: 99 });
    await fault('500', { endpoint: BY_ID, times: 99 });
    const sent = await ordered(
      { sendForMs: 15 * MINUTE },
      { ...pace, sendMs: 10 * MINUTE, longestSendMs: 10 * MINUTE },
    );
    await problemOf(sent.id, 'OUTCOME_UNKNOWN');
    const before = await shown(sent);
    const after = await eventually('its time to be sent is over', async () => {
      const found = await shown(sent);
      return found.details?.includes('may have it') === true ? found : undefined;
    });
    await erpIsBack();
    await tell(sent.id);
    await reaches(sent.id, 'CONFIRMED');
    const told = { state: 'SENT', message: 'Уточняем у ресторана, получил ли он заказ.', cancellable: false };

    expect(before).toMatchObject(told);
    expect(after).toMatchObject(told);
    expect(await desk.atErp(sent.id)).toHaveLength(1);
  });

  test('[ORD-59] and asks to wait for longer than an order may be sent: the order does not wait past its time', async () => {
    await fault('429', { endpoint: CREATE, retryAfter: 600 });
    const { id, handle } = await ordered({ sendForMs: 500 });
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'DEADLINE_PASSED' });
  });

  test('[ORD-51] for longer ends the order at once: it is certain that the ERP was told nothing', async () => {
    await fault('429', { endpoint: CREATE, times: 50, retryAfter: 0 });
    const { id, handle } = await ordered({ sendForMs: 300 }, { missingMs: 600_000 });
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'DEADLINE_PASSED' });
    expect(await notes('ORDER_NOT_SENT', id)).toHaveLength(1);
  });
});

test('[ORD-52] an order that its restaurant does not take is told to people, and goes on when it does', async () => {
  await fault('order-stuck');
  const { id } = await ordered({}, { stuckMs: 100 });
  const stuck = await eventually('it is stuck', async () => {
    const row = await desk.row(id);
    return row.problem === 'STUCK_IN_PROGRESS' ? row : undefined;
  });
  const told = await notes('ORDER_STUCK', id);
  await world.emulator.control('settle-delivery', { orderId: id });
  const taken = await reaches(id, 'CONFIRMED');

  expect(stuck).toMatchObject({ state: 'SENT', erpOrderId: id });
  expect(told).toMatchObject([{ open: true }]);
  expect(taken.problem).toBeNull();
  expect(await notes('ORDER_STUCK', id)).toMatchObject([{ open: false }]);
});

describe('the terminal of a restaurant', () => {
  const terminal = (switches: object) =>
    world.emulator.control('terminal', { terminalGroupId: desk.terminalGroupId, ...switches });
  afterEach(async () => {
    await terminal({ alive: true, slowMs: 0 });
    await world.emulator.control('delivery-settings', { settleMs: 20, frontTimeoutMs: null });
  });

  test('[ORD-59] that is slow takes its orders later', async () => {
    await terminal({ slowMs: 300 });
    const { id } = await ordered();
    await eventually('the ERP has it', async () => (await desk.row(id)).erpOrderId ?? undefined);
    const waiting = await desk.row(id);
    await reaches(id, 'CONFIRMED');

    expect(waiting).toMatchObject({ state: 'SENT', problem: null });
  });

  test.each([
    ['slower than the ERP waits', { slowMs: 400 }],
    ['off, which nobody knew when the order was accepted', { alive: false }],
  ])('[ORD-59] that is %s refuses the order, and people are told', async (_what, switches) => {
    await world.emulator.control('delivery-settings', { frontTimeoutMs: 100 });
    await terminal(switches);
    const { id, handle } = await ordered();
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'REJECTED_BY_ERP', erpError: 'Common' });
    expect(await notes('ORDER_DIVERGENCE', id)).toMatchObject([
      { open: true, details: { erp: { creation: 'ERROR' } } },
    ]);
  });
});

describe('an order that the ERP never ends', () => {
  const longAgo = (id: string) =>
    world.db.query(`update customer_order set due_at = now() - interval '3 days' - interval '1 second' where id = $1`, [
      id,
    ]);

  test('[ORD-58] is closed here days after its time, as far as it has come, and people are told', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await status(id, 'OnWay');
    await longAgo(id);
    await tell(id);
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'CLOSED', problem: 'NEVER_ENDED' });
    expect(await desk.states(id)).toEqual(['ACCEPTED', 'SENT', 'CONFIRMED', 'ON_THE_WAY', 'CLOSED']);
    expect(await notes('ORDER_NEVER_ENDED', id)).toMatchObject([
      { open: true, details: { ours: { state: 'ON_THE_WAY' }, erp: { status: 'OnWay', isAnswering: true } } },
    ]);
  });

  test('[ORD-100] is one of many in one notification of its connection if it was delivered', async () => {
    const orders = [await ordered(), await ordered()];
    for (const { id, handle } of orders) {
      await reaches(id, 'CONFIRMED');
      await status(id, 'Delivered');
      await longAgo(id);
      await tell(id);
      await handle.result();
    }
    const found = await selectRows(world.db, 'notification', ['subjectType', 'subjectId', 'repeated'], {
      kind: 'ORDER_NEVER_ENDED',
      subjectType: 'connection',
    });

    expect(found).toEqual([{ subjectType: 'connection', subjectId: String(world.connectionId), repeated: 1 }]);
    expect(await notes('ORDER_NEVER_ENDED', orders[0]!.id)).toEqual([]);
    for (const { id } of orders) expect(await desk.row(id)).toMatchObject({ state: 'CLOSED', problem: 'NEVER_ENDED' });
  });

  test('[ORD-58] and that no restaurant ever took has failed, also when the ERP does not answer any more', async () => {
    await fault('order-stuck');
    const { id, handle } = await ordered();
    await eventually('the ERP has it', async () => (await desk.row(id)).erpOrderId ?? undefined);
    await longAgo(id);
    await fault('500', { endpoint: BY_ID, times: 1 });
    await tell(id);
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'NEVER_ENDED', unansweredSince: null });
    expect(await notes('ORDER_NEVER_ENDED', id)).toHaveLength(1);
  });

  test('[ORD-58] is ended by the last word of the ERP, when it has one', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await status(id, 'Cancelled');
    await longAgo(id);
    await tell(id);
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'CANCELLED', problem: 'CANCELLED_BY_RESTAURANT' });
    expect(await notes('ORDER_NEVER_ENDED', id)).toEqual([]);
  });
});

test('[ORD-44, ORD-78] an order whose guest is not known any more is never sent without them', async () => {
  const id = await desk.accepted({ isAnnounced: false, sendForMs: 600 });
  await deleteRows(world.db, 'personal_data', {
    id: world.db.db.selectFrom('customer_order').where('id', '=', id).select('personalDataId').$asScalar(),
  });
  const handle = await run(id);
  await handle.result();

  expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'DEADLINE_PASSED', sentAt: null });
  expect(await notes('ORDERS_NOT_CONFIGURED', String(world.connectionId))).toContainEqual(
    expect.objectContaining({ details: expect.objectContaining({ missing: 'PERSONAL_DATA' }) }),
  );
  expect(await desk.atErp(id)).toEqual([]);
  // No order waits any more; the next test begins without what was told.
  expect(await notes('ORDERS_NOT_CONFIGURED', String(world.connectionId))).toMatchObject([{ open: false }]);
  await deleteRows(world.db, 'notification', { kind: 'ORDERS_NOT_CONFIGURED' });
});

test('[ORD-52] an order that is moved is followed under its new id', async () => {
  const { id, handle } = await ordered();
  await reaches(id, 'CONFIRMED');
  await world.emulator.control('move-delivery', { orderId: id, terminalGroupId: desk.otherTerminalGroupId });
  await tell(id);
  const moved = await eventually('it is moved', async () => {
    const row = await desk.row(id);
    return row.erpOrderId === id ? undefined : row;
  });
  await status(moved.erpOrderId!, 'Closed');
  await tell(id);
  await handle.result();

  expect(moved.erpOrganizationErpId).toBe(desk.otherOrganizationId);
  expect(await desk.row(id)).toMatchObject({ state: 'CLOSED', problem: null });
  expect(await desk.states(id)).not.toContain('CANCELLED');
});

test('[ORD-54, ORD-78] an order of which nothing says how it is paid waits for that and is told to people', async () => {
  const { id } = await ordered({ paymentMethod: 'SBP' });
  const held = await eventually('it is held up', async () => {
    const row = await desk.row(id);
    return row.problem === null ? undefined : row;
  });
  const [note] = await eventually('people are told', async () => {
    const found = await notes('ORDERS_NOT_CONFIGURED', String(world.connectionId));
    return found.length > 0 ? found : undefined;
  });
  await updateRows(
    world.db,
    'customer_order',
    { paymentMethod: 'CARD_COURIER', discountKopecks: 100, totalKopecks: plus('totalKopecks', -100) },
    { id },
  );
  await reaches(id, 'CONFIRMED');
  const [sent] = await desk.atErp(id);

  expect(held).toMatchObject({ state: 'ACCEPTED', problem: 'NOT_CONFIGURED', sentAt: null });
  expect(note).toMatchObject({ open: true, details: { missing: 'PAYMENT_TYPE' } });
  expect(sent!.order!.sum).toBe((await desk.row(id)).totalKopecks / 100);
  expect(await notes('ORDERS_NOT_CONFIGURED', String(world.connectionId))).toMatchObject([{ open: false }]);
});

describe('what people are told of orders that cannot be named', () => {
  const waits = (id: string) =>
    world.db.transaction(async (tx) => {
      const row = await holdOrder(tx, id);
      await tellNotConfigured(tx, row, 'PAYMENT_TYPE');
      await noteOrder(tx, row, { problem: 'NOT_CONFIGURED' });
    });
  const ends = (id: string) =>
    world.db.transaction(async (tx) => {
      await moveOrder(world, tx, await holdOrder(tx, id), 'CANCELLED', 'STAFF', { problem: 'CANCELLED_BY_STAFF' });
    });
  const isOpen = async () =>
    (await notes('ORDERS_NOT_CONFIGURED', String(world.connectionId))).some(({ open }) => open);
  const two = () => Promise.all([1, 2].map(() => desk.accepted({ isAnnounced: false })));

  /** The second transaction has come as far as it can while the first one has done its part and is open. */
  const beside = (second: Promise<unknown>) => Promise.race([second, sessionsWait(world.db, 1)]);

  test('[ORD-78] ends although the last two that wait end at the same moment', async () => {
    const [first, second] = await two();
    await waits(first!);
    await waits(second!);
    let other: Promise<unknown> = Promise.resolve();
    await world.db.transaction(async (tx) => {
      await moveOrder(world, tx, await holdOrder(tx, first!), 'CANCELLED', 'STAFF', { problem: 'CANCELLED_BY_STAFF' });
      other = ends(second!);
      await beside(other);
    });
    await other;

    expect(await isOpen()).toBe(false);
  });

  test('[ORD-78] stays while an order begins to wait at the moment in which the last other one ends', async () => {
    const [first, second] = await two();
    await waits(first!);
    let other: Promise<unknown> = Promise.resolve();
    await world.db.transaction(async (tx) => {
      const row = await holdOrder(tx, second!);
      await tellNotConfigured(tx, row, 'PAYMENT_TYPE');
      other = ends(first!);
      await beside(other);
      await noteOrder(tx, row, { problem: 'NOT_CONFIGURED' });
    });
    await other;

    expect(await isOpen()).toBe(true);
    await ends(second!);
    expect(await isOpen()).toBe(false);
  });
});

test('[ORD-93] sends a dish of a modifier scheme as a compound, which the ERP refuses as a product', async () => {
  const { compound: dish } = desk;
  const price = Math.round(dish.price! * 100);
  const rows = menuRows(world.db);
  const asProduct = await ordered({ dish, price });
  const refused = await reaches(asProduct.id, 'FAILED');
  const item = await rows.item({ erp_id: dish.productId, order_item_type: 'Compound' });
  await rows.size(item.id, { erp_size_id: dish.sizeId ?? '' });
  const { id } = await ordered({ dish, price });
  const taken = await reaches(id, 'CONFIRMED');
  const [atErp] = await desk.atErp(id);

  expect(refused).toMatchObject({ state: 'FAILED', problem: 'REJECTED_BY_ERP' });
  expect(atErp!.order!.sum).toBe(taken.totalKopecks / 100);
  expect(atErp!.order!.items).toMatchObject([
    { type: 'Compound', amount: 2, primaryComponent: { product: { id: dish.productId }, price: dish.price } },
  ]);
});

test('[ORD-65, ORD-77] a delivery fee is an item of the order where the ERP sells one for it, so that the sum there is ours', async () => {
  const fee = desk.sold.find(({ sizeId, productId }) => sizeId === null && productId !== desk.sold[0]!.productId)!;
  const feeKopecks = Math.round(fee.price! * 100);
  const rows = menuRows(world.db);
  const item = await rows.item({ erp_id: fee.productId });
  const sizeId = await rows.size(item.id);
  await rows.offer(menuId, { itemId: item.id, sizeId }, { [desk.organization.id]: feeKopecks });
  await addRow(world.db, 'service_role', { role: 'DELIVERY_FEE', erpItemId: fee.productId });
  const atErp = async (deliveryFeeKopecks: number) => {
    const { id } = await ordered({ deliveryFeeKopecks });
    const { totalKopecks } = await reaches(id, 'CONFIRMED');
    return { total: totalKopecks / 100, sum: (await desk.atErp(id))[0]!.order!.sum };
  };
  const asItem = await atErp(feeKopecks);
  const menuNamed = async (deliveryFeeKopecks: number) => {
    const choices = await freshErpChoices(world.deps, world.connectionId);
    const orderId = await desk.accepted({ isAnnounced: false, deliveryFeeKopecks });
    const erpStreets = createErpStreets(world.deps.erp);
    const order = await readOrderToSend({ db: world.db, secrets: testSecrets, erpStreets }, orderId, choices);
    await deleteRows(world.db, 'customer_order', { id: orderId });
    return 'missing' in order ? undefined : order.externalMenuId;
  };
  const dish = await rows.item({ erp_id: desk.sold[0]!.productId });
  const dishSizeId = await rows.size(dish.id, { erp_size_id: desk.sold[0]!.sizeId ?? '' });
  await rows.offer(menuId, { itemId: dish.id, sizeId: dishSizeId }, { [desk.organization.id]: 10_000 });
  const ofOneMenu = await menuNamed(feeKopecks);
  await updateRows(
    world.db,
    'mirror_price',
    { externalMenuId: await rows.externalMenu(world.connectionId) },
    { itemSizeId: sizeId },
  );
  const ofTwoMenus = [await menuNamed(0), await menuNamed(feeKopecks)];
  // The ERP itself sells both from one menu, in whose price category the dish has its price.
  await updateRows(world.db, 'mirror_price', { externalMenuId: menuId }, { itemSizeId: sizeId });
  await deleteRows(world.db, 'mirror_price', { itemSizeId: dishSizeId });
  const told = () => notes('DELIVERY_FEE_IN_WORDS', String(world.connectionId));
  const untold = await told();
  const inWords = await atErp(feeKopecks + 100);
  const [first] = await told();
  await atErp(feeKopecks);
  const [stillUnfit] = await told();
  // Nobody asks for the other fee any more.
  await updateRows(world.db, 'customer_order', { acceptedAt: ago('2 days') }, { deliveryFeeKopecks: feeKopecks + 100 });
  await atErp(feeKopecks);
  const [fits] = await told();
  await atErp(feeKopecks + 100);
  const unfitAgain = (await told()).filter(({ open }) => open);
  await deleteRows(world.db, 'service_role');
  await atErp(feeKopecks + 100);
  const inWordsOnPurpose = (await told()).filter(({ open }) => open);

  expect(asItem.sum).toBe(asItem.total);
  expect(inWords.sum).toBe(inWords.total - (feeKopecks + 100) / 100);
  expect([ofOneMenu, ...ofTwoMenus]).toEqual(['9001', '9001', null]);
  expect(untold).toEqual([]);
  expect(first).toMatchObject({
    open: true,
    details: { deliveryFee: feeKopecks / 100 + 1, itemPrices: [feeKopecks / 100] },
  });
  expect([stillUnfit!.open, fits!.open]).toEqual([true, false]);
  expect([unfitAgain.length, inWordsOnPurpose.length]).toEqual([1, 0]);
});

test('[FUL-45] what orders may name is asked for again after an hour, and soon while an organization is in none of it', async () => {
  const { connectionId, db, deps } = world;
  const isAsked = async (minutes: number, paymentTypes: readonly ErpPaymentChoice[]) => {
    await updateRows(db, 'erp_choices', { readAt: ago(`${minutes} minutes`), paymentTypes }, { connectionId });
    await freshErpChoices(deps, connectionId);
    const row = await db.db
      .selectFrom('erp_choices')
      .where('connectionId', '=', connectionId)
      .select((row) => row('readAt', '>', ago('1 minute')).as('isNew'))
      .executeTakeFirstOrThrow();
    return row.isNew;
  };
  await freshErpChoices(deps, connectionId);
  const complete = await selectRow(db, 'erp_choices', ['paymentTypes']);

  expect(await isAsked(30, complete.paymentTypes)).toBe(false);
  expect(await isAsked(3, [])).toBe(true);
  expect(await isAsked(1.5, [])).toBe(false);
  expect(await isAsked(61, complete.paymentTypes)).toBe(true);
});

test.each(['payment_types', 'discounts'] as const)(
  '[MIR-57] an answer without a single entry of %s is believed when the last one is two hours old, and not before',
  async (name) => {
    const { connectionId, db, deps, emulator } = world;
    const list = name === 'discounts' ? 'discounts' : 'paymentTypes';
    const column = name === 'discounts' ? 'discountTypes' : 'paymentTypes';
    const endpoint = `/api/1/${name}`;
    const countAfter = async (minutes: number) => {
      await updateRows(db, 'erp_choices', { readAt: ago(`${minutes} minutes`) }, { connectionId });
      await freshErpChoices(deps, connectionId);
      const choices = await selectRow(db, 'erp_choices', ['discountTypes', 'paymentTypes'], { connectionId });
      return choices[column].length;
    };
    await freshErpChoices(deps, connectionId);
    const before = await countAfter(61);
    await emulator.control('answer', { endpoint, body: { [list]: [] } });
    const counts = [await countAfter(61), await countAfter(119), await countAfter(121)];
    await emulator.control('answer', { endpoint });

    expect(before).toBeGreaterThan(0);
    expect(counts).toEqual([before, before, 0]);
    expect(await countAfter(61)).toBe(before);
  },
);

test('[MIR-57] entries that no order can name are none: an answer with nothing else is as empty', async () => {
  const { connectionId, db, deps, emulator } = world;
  const { organizationId } = desk;
  const elsewhere = { id: randomUUID(), organizationId: randomUUID() };
  const cash = { id: randomUUID(), name: 'Cash', code: 'CASH', paymentTypeKind: 'Cash' };
  const discount = { id: randomUUID(), name: 'Any', percent: 0, sum: 0, mode: 'FlexibleSum', isManual: true };
  const answers: [string, object][] = [
    ['payment_types', { paymentTypes: [{ ...cash, terminalGroups: [] }] }],
    ['payment_types', { paymentTypes: [{ ...cash, terminalGroups: [elsewhere] }] }],
    [
      'payment_types',
      { paymentTypes: [{ ...cash, paymentTypeKind: 'External', terminalGroups: [{ ...elsewhere, organizationId }] }] },
    ],
    ['discounts', { discounts: [{ organizationId: elsewhere.organizationId, items: [discount] }] }],
  ];
  const storedAfter = async (minutes: number) => {
    await updateRows(db, 'erp_choices', { readAt: ago(`${minutes} minutes`) }, { connectionId });
    await freshErpChoices(deps, connectionId);
    const [row] = await db.query<{ types: string }>(
      'select payment_types::text || discount_types::text as types from erp_choices where connection_id = $1',
      [connectionId],
    );
    return row!.types;
  };
  await freshErpChoices(deps, connectionId);
  const before = await storedAfter(61);

  for (const [name, body] of answers) {
    const endpoint = `/api/1/${name}`;
    await emulator.control('answer', { endpoint, body });
    const kept = await storedAfter(61);
    const believed = await storedAfter(121);
    await emulator.control('answer', { endpoint });

    expect(kept).toBe(before);
    expect(believed).not.toBe(before);
    expect(await storedAfter(61)).toBe(before);
  }
});

test('[FUL-47] an order is created in the call center where there is one, and followed there', async () => {
  const { productId, sizeId } = desk.sold[0]!;
  const { sizes } = await world.emulator.control<{ sizes: typeof desk.sold }>(
    `truth?menuId=9001&organizationId=${desk.otherOrganizationId}`,
  );
  const there = sizes.find((each) => each.productId === productId && each.sizeId === sizeId)!;
  const setting = 'call_center_organization';
  await addRow(world.db, 'setting', { key: setting, value: desk.otherOrganizationId.toUpperCase() });
  const { id, handle } = await ordered({ price: Math.round(there.price! * 100) });
  await reaches(id, 'CONFIRMED');
  await deleteRows(world.db, 'setting', { key: setting });
  const [sent] = await desk.atErp(id);
  await status(id, 'Closed');
  await tell(id);
  await handle.result();

  expect(sent!.organizationId).toBe(desk.otherOrganizationId);
  expect(await desk.row(id)).toMatchObject({
    state: 'CLOSED',
    organizationId: desk.organization.id,
    erpOrganizationErpId: desk.otherOrganizationId,
  });
});

test('[ORD-68] a street that the ERP knows is named by its id', async () => {
  const streets = await createErpStreets(world.deps.erp).of({
    id: desk.organization.id,
    erpId: desk.organizationId,
    connectionId: world.connectionId,
  });
  const { id: streetId, city, street } = streets![0]!;
  const { id } = await ordered({ place: { city, street: street.toUpperCase() } });
  await reaches(id, 'CONFIRMED');
  const [sent] = await desk.atErp(id);

  expect(sent!.order!.deliveryPoint!.address.street).toMatchObject({ id: streetId });
});

describe('a wish to cancel', () => {
  test('withdraws an order of which the ERP was told nothing', async () => {
    const { id, handle } = await ordered({ paymentMethod: 'SBP' });
    await handle.signal('cancelRequested', { by: 'STAFF' });
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'CANCELLED', problem: 'CANCELLED_BY_STAFF' });
    expect(await desk.atErp(id)).toEqual([]);
  });

  test('[ORD-50] comes too late when the ERP has it', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await handle.signal('cancelRequested', { by: 'CUSTOMER' });
    await status(id, 'Cancelled');
    await tell(id);
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'CANCELLED', problem: 'CANCELLED_BY_RESTAURANT' });
  });
});

test('[ORD-55] open orders whose workflows were lost with the whole of Temporal are taken up by the reconciler, however many there are', async () => {
  const { id: accompanied } = await ordered();
  const lost = await Promise.all([1, 2, 3].map(() => desk.accepted({ isAnnounced: false })));
  await updateRows(world.db, 'customer_order', { acceptedAt: ago('1 minute') }, { endedAt: null });
  const { started } = await reconcileOrders(sync.upkeep, 2);
  for (const id of [accompanied, ...lost]) await reaches(id, 'CONFIRMED');

  expect(started).toBeGreaterThanOrEqual(3);
  expect(await reconcileOrders(sync.upkeep, 2)).toEqual({ started: 0 });
});

test('[ORD-50] an order that is withdrawn while it is sent is one of the two', async () => {
  const deps = orderDeps();
  const withdrawn = await desk.accepted({ isAnnounced: false });
  // Both stop behind their decision, at the line of the history that they write next.
  const held = await holdTable(world.db, 'order_move');
  const withdrawing = withdrawOrder(deps, withdrawn, { by: 'CUSTOMER' });
  await held.waits(1);
  const sending = sendOrder(deps, withdrawn);
  await held.waits(2);
  await held.release();
  await Promise.all([withdrawing, sending]);

  expect(await desk.states(withdrawn)).toEqual(['ACCEPTED', 'CANCELLED']);
  expect(await desk.row(withdrawn)).toMatchObject({ state: 'CANCELLED', problem: 'WITHDRAWN' });
  expect(await desk.atErp(withdrawn)).toEqual([]);
});

describe('[CMP-85] a gift in an order that waits to be sent', () => {
  let rewardId: number;
  let clientId: string;
  beforeAll(async () => {
    const gift = { code: 'waiting', name: 'Тарт', erp_item_id: desk.gift.productId };
    rewardId = await menuRows(world.db).insert('reward', gift);
    clientId = await world.db.transaction((tx) =>
      clientOf(tx, { secrets: testSecrets }, { connectionId: world.connectionId, erpCustomerId: randomUUID() }),
    );
  });
  afterAll(() => updateRows(world.db, 'reward', { isActive: false }, { id: rewardId }));
  async function withGift() {
    const right = await grantTo(world.db, { clientId, rewardId });
    return { right, id: await desk.accepted({ gift: right, isAnnounced: false }) };
  }
  /** An operator's order redeems a right; the transaction ends with `until`. */
  const takenElsewhere = (right: string, until?: Promise<void>) =>
    world.db.transaction(async (tx) => {
      const moved = await moveRights(
        tx,
        GRANTER,
        { ids: [right] },
        { move: 'IMPORT', orderId: randomUUID(), at: new Date() },
      );
      expect(moved.refused).toEqual([]);
      await until;
    });
  /** Whether the ERP has the gift in it, and what its guest reads. */
  async function comesWithGift(id: string) {
    const [atErp] = await desk.atErp(id);
    const [gift] = (await getOrder(world.db, id)).gifts;
    return {
      atErp: atErp!.order!.items.some(({ product }) => product.id === desk.gift.productId),
      leftOut: gift!.leftOut,
    };
  }

  test('comes along, and is left out when an order made elsewhere has brought it meanwhile', async () => {
    const [kept, taken] = [await withGift(), await withGift()];
    await takenElsewhere(taken.right);
    for (const { id } of [kept, taken]) await sendOrder(orderDeps(), id);
    for (const { id } of [kept, taken]) await settled(id);

    expect(await comesWithGift(kept.id)).toEqual({ atErp: true, leftOut: false });
    expect(await comesWithGift(taken.id)).toEqual({ atErp: false, leftOut: true });
  });

  test('is left out also when it is brought at this moment', async () => {
    const { right, id } = await withGift();
    const over = Promise.withResolvers<void>();
    const taking = takenElsewhere(right, over.promise);
    await eventually('the right is held', async () => ((await isHeld(right)) ? true : undefined));
    const sending = sendOrder(orderDeps(), id);
    await sessionsWait(world.db, 1);
    over.resolve();
    await Promise.all([taking, sending]);
    await settled(id);

    expect(await comesWithGift(id)).toEqual({ atErp: false, leftOut: true });
  });

  test('is told again as it was to an ERP that may have the order already', async () => {
    const { right, id } = await withGift();
    await updateRows(
      world.db,
      'customer_order',
      { state: 'SENT', sentAt: databaseNow(), unansweredSince: databaseNow() },
      { id },
    );
    await takenElsewhere(right);
    await sendOrder(orderDeps(), id);
    await settled(id);

    expect(await comesWithGift(id)).toEqual({ atErp: true, leftOut: false });
  });

  const settled = (id: string) =>
    eventually('the ERP has made the order', async () => ((await desk.atErp(id))[0]?.order ? true : undefined));
  const isHeld = async (right: string) =>
    (
      await world.db.db
        .selectFrom('compensation')
        .where('id', '=', right)
        .select('id')
        .forUpdate()
        .skipLocked()
        .execute()
    ).length === 0;
});

describe('the watch of a connection', () => {
  const watch = () =>
    sync.temporal.workflow.execute('orderWatch', {
      workflowId: `order-watch/${randomUUID()}`,
      taskQueue: sync.queues.workflows,
      args: [{ connectionId: world.connectionId, queues: sync.queues }],
    });
  const calls = async (endpoint: string) =>
    (await world.emulator.control<{ calls: unknown[] }>(`calls?endpoint=${endpoint}`)).calls.length;

  test('[ORD-57] brings orders to what has changed at the ERP, although nobody tells of it', async () => {
    const [followed, closed] = [await ordered(), await ordered()];
    for (const { id } of [followed, closed]) await reaches(id, 'CONFIRMED');
    await watch();
    await status(followed.id, 'OnWay');
    await status(closed.id, 'Closed');
    await watch();
    await closed.handle.result();

    expect((await desk.row(followed.id)).state).toBe('ON_THE_WAY');
    expect((await desk.row(closed.id)).state).toBe('CLOSED');
  });

  const BY_DATE = '/api/1/deliveries/by_delivery_date_and_phone';
  const pollDeps = () => ({
    ...orderDeps(),
    temporal: sync.temporal,
    queues: sync.queues,
    env: { SYNC_TIME_ZONE: 'UTC' },
  });
  const BY_REVISION = '/api/1/deliveries/by_revision';
  const hint = (orderId: string, timestamp: number) => ({
    eventType: 'DeliveryOrderUpdate',
    eventTime: '2031-02-03 08:15:02.117',
    organizationId: desk.organizationId,
    correlationId: randomUUID(),
    eventInfo: {
      id: orderId,
      organizationId: desk.organizationId,
      timestamp,
      creationStatus: 'Success',
      order: { status: 'OnWay' },
    },
  });

  test('[ORD-98] many webhooks about orders cause one poll in 5 seconds and no check of terminals', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await watch();
    const alive = '/api/1/terminal_groups/is_alive';
    const before = [await calls(BY_REVISION), await calls(alive), await calls(BY_ID)];
    await receiveWebhook(world, [hint(id, 1)], { connectionId: null });
    await eventually('it is polled at once', async () => ((await calls(BY_REVISION)) > before[0]! ? true : undefined));
    await status(id, 'OnWay');
    for (let at = 2; at < 20; at += 1) {
      await receiveWebhook(world, [hint(id, at), hint(id, at + 100)], { connectionId: null });
      await delay(20);
    }
    await reaches(id, 'ON_THE_WAY');
    await eventually('hints have ended', async () => {
      const { count } = await sync.temporal.workflow.count(
        `WorkflowId = "order-watch/${world.connectionId}" and ExecutionStatus = "Running"`,
      );
      return count === 0 ? true : undefined;
    });
    const after = [await calls(BY_REVISION), await calls(alive), await calls(BY_ID)];
    await status(id, 'Closed');
    await watch();
    await handle.result();
    const ended = await calls(BY_REVISION);
    await receiveWebhook(world, [hint(id, 300)], { connectionId: null });
    const outcome = await eventually('the late event has ended', async () => {
      const rows = await selectRows(world.db, 'webhook_event', ['outcome'], {}, { orderBy: 'id' });
      return rows.at(-1)?.outcome ?? undefined;
    });

    expect(after.map((count, index) => count - before[index]!)).toEqual([2, 0, 0]);
    expect(outcome).toBe('ENDED');
    expect(await calls(BY_REVISION)).toBe(ended);
  });

  test('[ORD-99] following orders costs no call while their connection is polled', async () => {
    const { id, handle } = await ordered({}, { followMs: 20 });
    await reaches(id, 'CONFIRMED');
    await watch();
    const looks = async () =>
      ((await handle.fetchHistory()).events ?? []).filter((event) => event.timerFiredEventAttributes != null).length;
    const [before, from] = [await calls(BY_ID), await looks()];
    await eventually('it was followed for a while', async () => ((await looks()) > from + 5 ? true : undefined));
    const after = await calls(BY_ID);
    await status(id, 'Closed');
    await watch();
    await handle.result();

    expect(after).toBe(before);
    expect((await desk.row(id)).state).toBe('CLOSED');
  });

  test('[ORD-99] orders of a connection that is not polled are read together, each once per pause', async () => {
    const orders = await Promise.all(Array.from({ length: 6 }, () => ordered({}, { followMs: 1_000 })));
    for (const { id } of orders) await reaches(id, 'CONFIRMED');
    await delay(1_500);
    const [before, begun] = [await calls(BY_ID), performance.now()];
    await delay(3_000);
    const made = (await calls(BY_ID)) - before;
    const pauses = Math.ceil((performance.now() - begun) / 900) + 1;
    for (const { id } of orders) await status(id, 'Closed');
    await Promise.all(orders.map(({ handle }) => handle.result()));

    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThanOrEqual(pauses);
    expect((await desk.row(orders[5]!.id)).state).toBe('CLOSED');
  });

  test('[ORD-99] an order that another look holds is left to it', async () => {
    const [held, mine] = [await ordered(), await ordered()];
    for (const { id } of [held, mine]) await reaches(id, 'CONFIRMED');
    const read: string[] = [];
    const erp: ErpClient = {
      ...world.deps.erp,
      deliveriesById: async (_connection, _organization, ids) => {
        read.push(...ids);
        return { orders: [], unreadable: 0 };
      },
    };
    const lock = await holdLock(world.db, async (tx) => void (await holdOrder(tx, held.id)));
    const row = await findOrder(world.db, mine.id);
    const ended = await Promise.race([
      followOrder({ ...pollDeps(), erp }, row, { followMs: 0, isHinted: false }).then(() => true),
      delay(3_000, false),
    ]);
    await lock.release();
    for (const { handle } of [held, mine]) await handle.terminate();

    expect(ended).toBe(true);
    expect(read).toContain(mine.id);
    expect(read).not.toContain(held.id);
  });

  test('[ORD-99] a delivered order is followed at growing intervals', async () => {
    const { id, handle } = await ordered({}, { followMs: 100, longestFollowMs: 800 });
    await reaches(id, 'CONFIRMED');
    await status(id, 'Delivered');
    await reaches(id, 'DELIVERED');
    const pauses = await eventually('it was followed', async () => {
      const { events } = await handle.fetchHistory();
      const all = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
        timer == null
          ? []
          : Number(timer.startToFireTimeout?.seconds ?? 0) * 1_000 + Number(timer.startToFireTimeout?.nanos ?? 0) / 1e6,
      );
      return all.filter((ms) => ms === 800).length >= 2 ? all.slice(all.indexOf(200)) : undefined;
    });
    await status(id, 'Closed');
    await handle.result();

    expect(pauses.slice(0, 4)).toEqual([200, 400, 800, 800]);
  });

  const defaults = { revisions: 'clock', revisionLifeMs: 3 * 3_600_000, mostOrders: null };

  test('[ORD-102] costs one call while the revision stands still and is too old, and misses no later change', async () => {
    const { id } = await ordered();
    await reaches(id, 'CONFIRMED');
    await world.emulator.control('delivery-settings', { revisions: 'changes' });
    await watch();
    await world.emulator.control('delivery-settings', { revisionLifeMs: 0 });
    const costs: number[] = [];
    const all = async () => (await calls(BY_REVISION)) + (await calls(BY_DATE)) + (await calls(BY_ID));
    for (let poll = 0; poll < 4; poll += 1) {
      const before = await all();
      await watch();
      costs.push((await all()) - before);
    }
    const fresh = await selectRow(world.db, 'order_revision', ['polledAt'], { connectionId: world.connectionId });
    await status(id, 'CookingStarted');
    await watch();
    await world.emulator.control('delivery-settings', defaults);

    expect(costs).toEqual([2, 1, 1, 1]);
    expect(Date.now() - fresh.polledAt.getTime()).toBeLessThan(60_000);
    expect((await desk.row(id)).state).toBe('COOKING');
  });

  test('[ORD-101] reads orders by date although the ERP refuses a day of all restaurants', async () => {
    const { db, connectionId } = world;
    await addRow(db, 'reward', { code: 'narrow', name: 'Тарт', erpItemId: randomUUID() });
    await watch();
    const organizationIds = await organizationsOf(db, connectionId);
    const put = async (organizationId: string) => {
      const order = { organizationId, phone: '+79990004411', items: [{ productId: randomUUID() }] };
      return (await world.emulator.control<{ orderInfo: { id: string } }>('put-delivery', order)).orderInfo.id;
    };
    const ids = [await put(organizationIds[0]!), await put(organizationIds[1]!)];
    const now = Temporal.Now.plainDateTimeISO('UTC');
    const search = { organizationIds, phone: null, from: now.subtract({ hours: 12 }), to: now.add({ hours: 12 }) };
    const { orders } = await world.deps.erp.deliveriesByPhone(connectionId, search);
    await world.emulator.control('delivery-settings', { mostOrders: orders.length - 1 });
    await updateRows(db, 'order_revision', { revision: plus('revision', -4 * 3_600_000) });
    await watch();
    await world.emulator.control('delivery-settings', defaults);

    expect(await countRows(db, 'erp_order', { id: ids })).toBe(2);
    await updateRows(db, 'reward', { isActive: false }, { code: 'narrow' });
  });

  test('[ORD-101] goes on where a poll that failed has stopped', async () => {
    const { db, connectionId } = world;
    await addRow(db, 'reward', { code: 'resumed', name: 'Тарт', erpItemId: randomUUID() });
    await watch();
    const old = { revision: plus('revision', -4 * 3_600_000), polledAt: ago('3 days') };
    await updateRows(db, 'order_revision', old, { connectionId });
    const days: string[] = [];
    let isAway = true;
    const erp: ErpClient = {
      ...world.deps.erp,
      deliveriesByPhone: async (connection, search, options) => {
        if (search.rowsCount === undefined) {
          if (isAway && days.length === 3) throw new ErpFailure('SERVER', { endpoint: BY_DATE, status: 500 });
          days.push(search.from!.toPlainDate().toString());
        }
        return world.deps.erp.deliveriesByPhone(connection, search, options);
      },
    };
    const failed = await pollOrders({ ...pollDeps(), erp }, connectionId).catch((error: ErpFailure) => error.kind);
    const stopped = await selectRow(db, 'order_poll', ['catchUpTo', 'catchUpRevision'], { connectionId });
    isAway = false;
    await pollOrders({ ...pollDeps(), erp }, connectionId);

    expect(failed).toBe('SERVER');
    expect(stopped).toEqual({ catchUpTo: expect.any(Date), catchUpRevision: expect.any(Number) });
    expect(days).toEqual([...new Set(days)].toSorted());
    expect(days).toHaveLength(7);
    expect(await selectRow(db, 'order_poll', ['catchUpTo', 'catchUpRevision'], { connectionId })).toEqual({
      catchUpTo: null,
      catchUpRevision: null,
    });
    await updateRows(db, 'reward', { isActive: false }, { code: 'resumed' });
  });

  test('[ORD-57] begins anew when its revision is too old for the ERP, and misses nothing', async () => {
    const { id } = await ordered();
    await reaches(id, 'CONFIRMED');
    await watch();
    await updateRows(world.db, 'order_revision', { revision: plus('revision', -4 * 3_600_000) });
    await status(id, 'CookingStarted');
    await watch();
    const begun = (await desk.row(id)).state;
    await status(id, 'OnWay');
    await watch();

    expect(begun).toBe('COOKING');
    expect((await desk.row(id)).state).toBe('ON_THE_WAY');
  });

  test('[ORD-53] tells people when the ERP contradicts an order that has ended, with both sides', async () => {
    const [closed, failed] = [await ordered(), await ordered()];
    for (const { id } of [closed, failed]) await reaches(id, 'CONFIRMED');
    await watch();
    await status(closed.id, 'Closed');
    await tell(closed.id);
    await closed.handle.result();
    // As if every look had missed it.
    await failed.handle.terminate();
    await updateRows(
      world.db,
      'customer_order',
      { state: 'FAILED', problem: 'DEADLINE_PASSED', endedAt: databaseNow(), erpOrderId: null, erpTimestamp: null },
      { id: failed.id },
    );
    await status(closed.id, 'Cancelled');
    await status(failed.id, 'Delivered');
    await watch();

    expect(await notes('ORDER_DIVERGENCE', closed.id)).toMatchObject([
      { open: true, details: { ours: { state: 'CLOSED' }, erp: { status: 'Cancelled' } } },
    ]);
    expect(await notes('ORDER_DIVERGENCE', failed.id)).toMatchObject([
      { open: true, details: { ours: { state: 'FAILED', problem: 'DEADLINE_PASSED' }, erp: { status: 'Delivered' } } },
    ]);
    expect([(await desk.row(closed.id)).state, (await desk.row(failed.id)).state]).toEqual(['CLOSED', 'FAILED']);
  });

  test('[CMP-46] sees gifts in orders that operators make, told by a webhook, by nobody, or while it was away for hours', async () => {
    const { db } = world;
    const itemId = randomUUID();
    const phone = '+79990004455';
    const { id: rewardId } = await addRow(db, 'reward', { code: 'watched', name: 'Тарт', erpItemId: itemId });
    const keys = { connectionId: world.connectionId, phone };
    const clientId = await db.transaction((tx) => clientOf(tx, { secrets: testSecrets }, keys));
    const rights: string[] = [];
    for (const at of [1, 2, 3]) rights.push(await grantTo(db, { clientId, rewardId, at: new Date(at) }));
    const statuses = async () => (await storedRights(db, rights)).filter((each) => each.status === 'REDEEMED').length;
    const operatorOrder = () =>
      world.emulator.control<{ orderInfo: { id: string } }>('put-delivery', {
        organizationId: desk.organizationId,
        phone: '8 999 000-44-55',
        items: [{ productId: itemId }],
      });
    await watch();

    const { orderInfo } = await operatorOrder();
    await receiveWebhook(
      { db, metrics: world.metrics },
      [
        {
          eventType: 'DeliveryOrderUpdate',
          eventTime: '2026-11-22 10:00:00.000',
          organizationId: desk.organizationId,
          correlationId: randomUUID(),
          eventInfo: { id: orderInfo.id, timestamp: 1, creationStatus: 'Success' },
        },
      ],
      { connectionId: null },
    );
    await eventually('the webhook has the gift looked for', async () => ((await statuses()) === 1 ? true : undefined));

    await operatorOrder();
    await watch();
    expect(await statuses()).toBe(2);

    await operatorOrder();
    await updateRows(db, 'order_revision', {
      revision: plus('revision', -4 * 3_600_000),
      polledAt: plus('polledAt', '-4 hours'),
    });
    await watch();
    expect(await statuses()).toBe(3);
    expect(await countRows(db, 'unauthorized_gift')).toBe(0);
    await updateRows(db, 'reward', { isActive: false });
  });

  test('[CMP-102] sees gifts in the orders of today when it reads a connection for the first time', async () => {
    const { db } = world;
    const itemId = randomUUID();
    const phone = '+79990004477';
    const { id: rewardId } = await addRow(db, 'reward', { code: 'first', name: 'Тарт', erpItemId: itemId });
    const keys = { connectionId: world.connectionId, phone };
    const clientId = await db.transaction((tx) => clientOf(tx, { secrets: testSecrets }, keys));
    const right = await grantTo(db, { clientId, rewardId });
    await world.emulator.control('put-delivery', {
      organizationId: desk.organizationId,
      phone,
      items: [{ productId: itemId }],
    });
    await deleteRows(db, 'order_revision');
    await watch();

    expect(await storedRights(db, [right])).toMatchObject([{ status: 'REDEEMED' }]);
    await updateRows(db, 'reward', { isActive: false }, { id: rewardId });
  });

  describe('beside others who read the same orders', () => {
    const itemId = randomUUID();
    const phone = '+79990004466';
    let rewardId: number;
    beforeAll(async () => {
      rewardId = await menuRows(world.db).insert('reward', { code: 'beside', name: 'Тарт', erp_item_id: itemId });
      await watch();
    });
    afterAll(() => updateRows(world.db, 'reward', { isActive: false }, { id: rewardId }));
    /** An operator's order with one gift to which nobody has a right. */
    async function withGift(): Promise<string> {
      const order = { organizationId: desk.organizationId, phone, items: [{ productId: itemId }] };
      return (await world.emulator.control<{ orderInfo: { id: string } }>('put-delivery', order)).orderInfo.id;
    }
    const takeOut = (orderId: string) =>
      world.emulator.control('edit-delivery', { orderId, productId: itemId, amount: 0 });
    const stopAtOrder = (id: string) => holdLock(world.db, (tx) => advisory.giftOrder(tx, world.connectionId, id));
    const unitsOf = async (id: string) =>
      (
        await world.db.db
          .selectFrom('erp_gift_order as o')
          .innerJoin('erp_gift_line as line', 'line.giftOrderId', 'o.id')
          .innerJoin('unauthorized_gift as gift', 'gift.giftOrderId', 'o.id')
          .where('o.erpOrderId', '=', id)
          .select(['line.quantity', 'gift.status as unauthorized'])
          .execute()
      )[0];
    const TAKEN_OUT = { quantity: 0, unauthorized: 'WITHDRAWN' };

    /** A look that has read everything when `others` are at work, and saves that only when they have ended. */
    async function lookAround(others: () => Promise<unknown>): Promise<void> {
      const stopped = await stopAtOrder(await withGift());
      const look = watch();
      // The others wait, too.
      await stopped.waits(2);
      await others();
      await stopped.release();
      await look;
    }

    test('[CMP-95] hears that a gift was taken out, although a slower look wrote the older state after it', async () => {
      const order = await withGift();
      const stopped = await stopAtOrder(order);
      const slow = watch();
      await stopped.waits(1);
      await takeOut(order);
      await lookAround(() => Promise.all([stopped.release(), slow]));
      const older = await unitsOf(order);
      await watch();

      expect(older).toEqual({ quantity: 1, unauthorized: 'OPEN' });
      expect(await unitsOf(order)).toEqual(TAKEN_OUT);
    });

    test('[CMP-95] hears of it also when both end at the same moment', async () => {
      const order = await withGift();
      const stopped = await holdLock(world.db, (tx) => advisory.orderRevision(tx, world.connectionId));
      const slow = watch();
      await stopped.waits(1);
      const written = await unitsOf(order);
      await takeOut(order);
      const quick = watch();
      await stopped.waits(2);
      await stopped.release();
      await Promise.all([slow, quick]);
      await watch();

      // Nobody may save in between what was read, and miss what is written here.
      expect(written).toBeUndefined();
      expect(await unitsOf(order)).toEqual(TAKEN_OUT);
    });

    test('[CMP-95] hears of it also when the older state was read by date, two looks ago', async () => {
      const order = await withGift();
      const stopped = await stopAtOrder(order);
      const byDate = readLastOrders(
        { ...orderDeps(), temporal: sync.temporal, queues: sync.queues, env: { SYNC_TIME_ZONE: 'UTC' } },
        world.connectionId,
      );
      await stopped.waits(1);
      await takeOut(order);
      await watch();
      await lookAround(() => Promise.all([stopped.release(), byDate]));
      await watch();

      expect(await unitsOf(order)).toEqual(TAKEN_OUT);
    });
  });

  describe('that was away for longer than orders are told by date', () => {
    const HISTORY = '/api/1/deliveries/history/by_delivery_date_and_phone';
    const itemId = randomUUID();
    let rewardId: number;
    beforeAll(async () => {
      rewardId = await menuRows(world.db).insert('reward', { code: 'missed', name: 'Тарт', erp_item_id: itemId });
    });
    afterAll(() => updateRows(world.db, 'reward', { isActive: false }, { id: rewardId }));
    let phones = 79_990_200_000;
    /** A client with a right, and an operator's order with its gift of twenty days ago. */
    async function promised(): Promise<{ right: string; orderId: string }> {
      const phone = `+${(phones += 1)}`;
      const clientId = await world.db.transaction((tx) =>
        clientOf(tx, { secrets: testSecrets }, { connectionId: world.connectionId, phone }),
      );
      const right = await grantTo(world.db, { clientId, rewardId });
      const order = { organizationId: desk.organizationId, phone, items: [{ productId: itemId }], daysAgo: 20 };
      const { orderInfo } = await world.emulator.control<{ orderInfo: { id: string } }>('put-delivery', order);
      return { right, orderId: orderInfo.id };
    }
    /** The last poll was 25 days ago, and the ERP has forgotten its revision. */
    const away = () =>
      updateRows(world.db, 'order_revision', {
        revision: plus('revision', -4 * 3_600_000),
        polledAt: plus('polledAt', '-25 days'),
      });
    const missed = async () => await countRows(world.db, 'client_history');

    test('[CMP-68] reads the history of whoever has something to lose, by phone, and redeems it once', async () => {
      await watch();
      const { right, orderId } = await promised();
      await away();
      await watch();
      const [redeemed] = await storedRights(world.db, [right]);
      await away();
      await watch();

      expect(redeemed).toMatchObject({ status: 'REDEEMED', redeemedOrderId: orderId });
      expect(await storedRights(world.db, [right])).toEqual([redeemed]);
      expect(await missed()).toBe(0);
      const [order] = await world.db.query<{ days: number }>(
        `select now()::date - day as days from erp_gift_order where erp_order_id = $1`,
        [orderId],
      );
      expect(Math.abs(order!.days - 20)).toBeLessThanOrEqual(1);
    });

    test('[CMP-68] goes on where it was when the ERP does not answer, and asks no more about a phone that it refuses', async () => {
      await watch();
      const [first, second] = [await promised(), await promised()];
      await away();
      await world.emulator.control('fault', { kind: '500', endpoint: HISTORY, times: 1 });
      await watch();
      const left = await missed();
      await watch();
      const redeemed = await storedRights(world.db, [first.right, second.right]);

      const { right } = await promised();
      await away();
      await world.emulator.control('fault', { kind: '400-loyalty', endpoint: HISTORY, times: 1 });
      await watch();

      expect(left).toBe(2);
      expect(redeemed.map(({ status }) => status)).toEqual(['REDEEMED', 'REDEEMED']);
      expect(await storedRights(world.db, [right])).toMatchObject([{ status: 'GRANTED' }]);
      expect(await missed()).toBe(0);
    });
  });

  test('[ORD-57] asks the ERP nothing where no order can have changed', async () => {
    await updateRows(world.db, 'customer_order', { sentAt: null, acceptedAt: databaseNow() });
    const before = await calls('/api/1/deliveries/by_revision');
    await watch();

    expect(await calls('/api/1/deliveries/by_revision')).toBe(before);
  });

  test('[ORD-94] stores the orders of everybody, each poll bringing them to what they are now', async () => {
    await world.db.query(
      'insert into ordering_config (organization_id, delivery_enabled) values ($1, true) on conflict do nothing',
      [desk.organization.id],
    );
    await watch();
    const { productId } = desk.sold[0]!;
    const items = [{ productId, amount: 2, price: 100 }];
    const orderId = randomUUID();
    await world.emulator.control('put-delivery', {
      orderId,
      organizationId: desk.organizationId,
      phone: '+79991112233',
      items,
    });
    await watch();
    const first = await selectRow(world.db, 'erp_order', ['state', 'lines', 'totalKopecks'], { id: orderId });
    await status(orderId, 'Cancelled');
    await watch();
    const last = await selectRow(world.db, 'erp_order', ['state', 'moves'], { id: orderId });

    expect(first).toMatchObject({
      state: 'CONFIRMED',
      totalKopecks: 20_000,
      lines: [{ itemId: productId, quantity: 2 }],
    });
    expect(last).toMatchObject({ state: 'CANCELLED', moves: [{ state: 'CONFIRMED' }, { state: 'CANCELLED' }] });
  });

  test('[ORD-56] tells which terminals can take orders; an old answer tells nothing', async () => {
    const { organization, terminalGroupId } = desk;
    const alive = async (group: string | null = terminalGroupId) =>
      isTerminalAlive(await knownTerminals(world.db, sql.val(organization.id)).execute(), group);
    const unknown = await alive();
    const runId = await world.open('TERMINALS');
    await importTerminals(world.deps, { runId, connectionId: world.connectionId });
    await world.db.query(
      'insert into ordering_config (organization_id, delivery_enabled) values ($1, true) on conflict do nothing',
      [organization.id],
    );
    await watch();
    const known = [await alive(), await alive(null)];
    await world.emulator.control('terminal', { terminalGroupId, alive: false });
    await watch();
    const off = await alive();
    await world.emulator.control('terminal', { terminalGroupId, alive: true });
    await watch();
    const endpoint = '/api/1/terminal_groups/is_alive';
    await world.emulator.control('answer', { endpoint, body: { isAliveStatus: [] } });
    await watch();
    const unsaid = await alive();
    await world.emulator.control('answer', { endpoint });
    await updateRows(world.db, 'terminal_alive', { checkedAt: ago('4 minutes') });

    expect({ unknown, known, off, unsaid, old: await alive() }).toEqual({
      unknown: null,
      known: [true, true],
      off: false,
      unsaid: true,
      old: null,
    });
  });

  test('[ORD-24] keeps a sleeping terminal closed after its answer is too old, and lets a woken one take orders', async () => {
    const { organization, terminalGroupId } = desk;
    const alive = async (group: string | null = terminalGroupId) =>
      isTerminalAlive(await knownTerminals(world.db, sql.val(organization.id)).execute(), group);
    const fallAsleep = (synchronizedAt: ReturnType<typeof ago>) =>
      updateRows(
        world.db,
        'mirror_terminal_group',
        { isAsleep: true, synchronizedAt },
        { organizationId: organization.id },
      );
    await watch();
    await fallAsleep(databaseNow());
    const contradicted = await alive();
    await updateRows(world.db, 'terminal_alive', { checkedAt: ago('4 minutes') });
    const old = [await alive(), await alive(null)];
    await watch();
    const asked = await alive();
    await fallAsleep(ago('6 minutes'));
    await watch();
    const woken = await eventually('the list is read again', async () => ((await alive()) === true ? true : undefined));

    expect({ contradicted, old, asked, woken }).toEqual({
      contradicted: false,
      old: [false, false],
      asked: false,
      woken: true,
    });
  });

  test.each([
    ['one group answers', [true, false], null, true],
    ['no group answers', [false, false], null, false],
    ['one does not answer and another is unknown', [false, null], null, null],
    ['the group of the zone does not answer', [false, true], 'g0', false],
    ['the group of the zone is unknown', [null, false], 'g0', null],
    ['nothing is listed', [], null, null],
  ] as const)('[ORD-24] blocks orders only when it is known that nobody answers: %s', (_, answers, group, expected) => {
    const known = answers.map((isAlive, at) => ({ terminalGroupErpId: `g${at}`, isAlive }));
    expect(isTerminalAlive(known, group)).toBe(expected);
  });
});

describe('the daily comparison of gifts', () => {
  const compare = () =>
    sync.temporal.workflow.execute('giftReconciliation', {
      workflowId: `gift-reconciliation/${randomUUID()}`,
      taskQueue: sync.queues.workflows,
      args: [{ connectionId: world.connectionId, timeZone: 'Europe/Moscow', queues: sync.queues }],
    });
  const itemId = randomUUID();
  let rewardId: number;
  beforeAll(async () => {
    rewardId = await menuRows(world.db).insert('reward', { code: 'compared', name: 'Тарт', erp_item_id: itemId });
  });
  afterAll(() => updateRows(world.db, 'reward', { isActive: false }, { id: rewardId }));

  test('[CMP-56] reads orders again of which nobody has told, redeems what they contain, and finds that the days add up', async () => {
    const phone = '+79990005566';
    const clientId = await world.db.transaction((tx) =>
      clientOf(tx, { secrets: testSecrets }, { connectionId: world.connectionId, phone }),
    );
    const right = await grantTo(world.db, { clientId, rewardId });
    const order = { organizationId: desk.organizationId, phone, items: [{ productId: itemId }] };
    await world.emulator.control('put-delivery', order);
    await world.emulator.control('put-delivery', order);

    const first = await compare();
    expect(first.differing).toBe(0);
    expect(first.orders).toBeGreaterThanOrEqual(2);
    expect(first.days).toBeGreaterThanOrEqual(3);
    expect(await storedRights(world.db, [right])).toMatchObject([{ status: 'REDEEMED', version: 1 }]);
    const unauthorized = await selectRows(world.db, 'unauthorized_gift', ['quantity', 'status'], { rewardId });
    expect(unauthorized).toEqual([{ quantity: 1, status: 'OPEN' }]);

    expect(await compare()).toEqual(first);
    expect(await storedRights(world.db, [right])).toMatchObject([{ status: 'REDEEMED', version: 1 }]);
  });
});
