import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { orderQueues } from '../../kernel/pure/queues.ts';
import { searchAttributes } from '../../platform/pure/search-attributes.ts';
import { lookAtOrder } from '../../modules/ordering/at-erp/look-at-order.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { createErpStreets } from '../../modules/delivery/addresses/erp-streets.ts';
import { freshErpChoices } from '../../modules/delivery/configuration/erp-choices.ts';
import { ensureClient } from '../../modules/gifts/clients/clients.ts';
import { moveRights } from '../../modules/gifts/rights/move-rights.ts';
import { getOrder } from '../../modules/ordering/orders/order-view.ts';
import { tellNotConfigured } from '../../modules/ordering/orders/not-configured.ts';
import { listAttempts } from '../../modules/ordering/at-erp/order-attempts.ts';
import { moveOrder, noteOrder } from '../../modules/ordering/orders/move-order.ts';
import { holdOrder } from '../../modules/ordering/orders/order-row.ts';
import { readOrderToSend } from '../../modules/ordering/at-erp/order-to-send.ts';
import { getStaffOrder } from '../../modules/ordering/staff/staff-orders.ts';
import { sendOrder } from '../../modules/ordering/at-erp/send-order.ts';
import { withdrawOrder } from '../../modules/ordering/orders/withdraw-order.ts';
import { orderState, orderWorkflow } from '../../modules/ordering/messages/ordering.ts';
import { testSecrets } from '../support/connection.ts';
import type { ErpCreation } from '../../erp/endpoints/deliveries-create.ts';
import type { ErpClient } from '../../erp/client.ts';
import type { ErpFailure } from '../../erp/failure.ts';
import { canaryIn } from '../support/erp-orders.ts';
import { menuRows } from '../support/menu-rows.ts';
import { longTest, wholeInSoak } from '../support/repetitions.ts';
import { outcomeIn, wordIn } from '../support/workflow-outcomes.ts';
import { eventually } from '../support/processes.ts';
import { holdLock, holdTable, sessionsWait } from '../support/races.ts';
import { GRANTER, grantTo } from '../support/rights.ts';
import { withShiftedClock } from '../support/shifted-clock.ts';
import {
  addRow,
  ago,
  databaseNow,
  deleteRows,
  plus,
  selectRow,
  updateRows,
} from '../support/rows.ts';
import type { ErpPaymentChoice } from '../../modules/delivery/rules/erp-names.ts';
import { orderFixture, PACE, type OrderFixture } from '../support/order-fixture.ts';

let orders: OrderFixture;
let fixture: OrderFixture['fixture'];
let sync: OrderFixture['sync'];
let desk: OrderFixture['desk'];
let menuId: OrderFixture['menuId'];
let run: OrderFixture['run'];
let reaches: OrderFixture['reaches'];
let status: OrderFixture['status'];
let tell: OrderFixture['tell'];
let fault: OrderFixture['fault'];
let notes: OrderFixture['notes'];
let orderNotes: OrderFixture['orderNotes'];
let ordered: OrderFixture['ordered'];
let orderDeps: OrderFixture['orderDeps'];
let erpIsBack: OrderFixture['erpIsBack'];
beforeAll(async () => {
  orders = await orderFixture();
  ({
    fixture,
    sync,
    desk,
    menuId,
    run,
    reaches,
    status,
    tell,
    fault,
    notes,
    orderNotes,
    ordered,
    orderDeps,
    erpIsBack,
  } = orders);
});
afterEach(() => orders.reset());
afterAll(() => orders?.close());

const CREATE = '/api/1/deliveries/create';
const BY_ID = '/api/1/deliveries/by_id';

describe('an accepted order', () => {
  test('[OPS-35] appears in Temporal by its outcome', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    const before = await outcomeIn(sync.temporal, handle.workflowId);
    await status(id, 'Closed');
    await tell(id);
    await handle.result();
    await fault('order-error');
    const refused = await ordered();
    await refused.handle.result();

    expect([before, await outcomeIn(sync.temporal, handle.workflowId)]).toEqual([
      undefined,
      'CLOSED',
    ]);
    expect(await outcomeIn(sync.temporal, refused.handle.workflowId)).toMatch(/^FAILED [A-Z_]+$/);
  });

  test('[OPS-109, OPS-111] shows its number and restaurant in Temporal and can be found by the number', async () => {
    const id = await desk.accepted();
    const { number } = await desk.row(id);
    const { name: restaurant } = await selectRow(fixture.db, 'mirror_organization', ['name'], {
      id: desk.organization.id,
    });
    const found = await eventually('the execution is listed by its number', async () => {
      for await (const listed of sync.temporal.workflow.list({
        query: `CarteOrderNumber = '${number}'`,
      }))
        return listed;
      return undefined;
    });
    const description = await sync.temporal.workflow.getHandle(found.workflowId).describe();

    expect(found.workflowId).toBe(orderWorkflow.id({ orderId: id }));
    expect(await description.staticSummary()).toBe(`Order ${number}, ${restaurant}`);
    expect(found.memo).toMatchObject({ orderId: id, orderNumber: number, restaurant });
    await sync.temporal.workflow.getHandle(found.workflowId).terminate();
  });

  longTest('[OPS-109] keeps its number and memo when it continues as new', async () => {
    const id = await desk.accepted({ isAnnounced: false });
    const handle = await sync.temporal.workflow.start('order', {
      workflowId: orderWorkflow.id({ orderId: id }),
      taskQueue: sync.queues.workflows,
      args: [
        {
          orderId: id,
          queues: orderQueues(sync.queues),
          pace: { ...PACE, followMs: 20, pausesPerRun: 3 },
        },
      ],
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

  test('[ORD-108] reaches the ERP through a worker whose clock is ahead of the deadline', async () => {
    const id = await desk.accepted({ isAnnounced: false });
    const standing = await withShiftedClock(16 * 60_000, () => sendOrder(orderDeps(), id));

    expect(standing.stage).not.toBe('ENDED');
    expect(await desk.atErp(id)).toHaveLength(1);
    expect(await desk.states(id)).toContain('SENT');
  });

  test('[ORD-108] fails in a worker whose clock is behind the deadline', async () => {
    const id = await desk.accepted({ isAnnounced: false, sendForMs: -1_000 });
    const patience = { stuckMs: PACE.stuckMs, missingMs: PACE.missingMs };
    const deps = { ...orderDeps(), ...sync.upkeep, env: sync.env };

    expect(
      await withShiftedClock(-16 * 60_000, () => lookAtOrder(deps, id, patience)),
    ).toMatchObject({
      stage: 'ENDED',
      problem: 'DEADLINE_PASSED',
    });
  });

  test('[ORD-172] records each call to the ERP with its answer in words', async () => {
    const id = await desk.accepted({ isAnnounced: false });
    const answering = (answer: ErpCreation): ErpClient => ({
      ...fixture.deps.erp,
      createDelivery: async () => answer,
    });
    await sendOrder(
      {
        ...orderDeps(),
        erp: answering({
          outcome: 'NOT_SENT',
          kind: 'RATE_LIMITED',
          retryable: true,
          retryAfterMs: 0,
        }),
      },
      id,
    );
    await sendOrder(
      { ...orderDeps(), erp: answering({ outcome: 'UNKNOWN', kind: 'TIMEOUT', status: null }) },
      id,
    );
    const dying = () => {
      throw new Error('the process ends');
    };
    await expect(sendOrder({ ...orderDeps(), failpoint: dying }, id)).rejects.toThrow(
      'the process ends',
    );
    await sendOrder(
      {
        ...orderDeps(),
        erp: answering({ outcome: 'REFUSED', code: 'NoDish', status: 400, correlationId: null }),
      },
      id,
    );
    const { items } = await listAttempts(fixture.db, id, { page: 1, size: 50 });

    expect(
      items.map(({ outcome, kind, code, answer }) => ({ outcome, kind, code, answer })),
    ).toEqual([
      {
        outcome: 'NOT_SENT',
        kind: 'RATE_LIMITED',
        code: null,
        answer: 'The ERP did not process the order. It allows no further requests now.',
      },
      {
        outcome: 'UNKNOWN',
        kind: 'TIMEOUT',
        code: null,
        answer: 'It is unknown whether the ERP has the order. It did not answer in time.',
      },
      {
        outcome: null,
        kind: null,
        code: null,
        answer: expect.stringContaining('No answer is recorded'),
      },
      {
        outcome: 'REFUSED',
        kind: null,
        code: 'NoDish',
        answer: 'The ERP rejected the order with the code NoDish.',
      },
    ]);
    const taken = await desk.accepted({ isAnnounced: false });
    await sendOrder(orderDeps(), taken);
    expect((await listAttempts(fixture.db, taken, { page: 1, size: 50 })).items).toMatchObject([
      { outcome: 'TAKEN', kind: null, code: null, answer: 'The ERP has accepted the order.' },
    ]);
    expect(items.every(({ endedAt, outcome }) => (endedAt === null) === (outcome === null))).toBe(
      true,
    );
    await expect(
      listAttempts(fixture.db, randomUUID(), { page: 1, size: 1 }),
    ).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  test('[OPS-110] returns its last state, and the reason if it was not fulfilled', async () => {
    const closed = await ordered();
    await reaches(closed.id, 'CONFIRMED');
    await status(closed.id, 'Closed');
    await tell(closed.id);
    const canceled = await ordered();
    await reaches(canceled.id, 'CONFIRMED');
    await status(canceled.id, 'Cancelled');
    await tell(canceled.id);

    expect(await closed.handle.result()).toEqual({ state: 'CLOSED', problem: null });
    expect(await canceled.handle.result()).toEqual({
      state: 'CANCELLED',
      problem: expect.any(String),
    });
    expect(await outcomeIn(sync.temporal, canceled.handle.workflowId)).toMatch(/^CANCELLED/);
  });

  test('[ORD-50] reaches the ERP under its own id and is tracked until it is closed', async () => {
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
    expect(await desk.row(id)).toMatchObject({
      state: 'CLOSED',
      problem: null,
      erpOrderId: id,
      unansweredSince: null,
    });
    expect(await desk.states(id)).toEqual(
      expect.arrayContaining(['ACCEPTED', 'SENT', 'CONFIRMED', 'CLOSED']),
    );
    expect(await handle.query(orderState)).toMatchObject({ stage: 'ENDED', state: 'CLOSED' });
    expect(await desk.atErp(id)).toHaveLength(1);
  });
});

describe('an order that the ERP rejects', () => {
  test('[ORD-53] fails immediately, and staff see both states without data of the guest', async () => {
    await fault('order-error', { code: 'ProductNotFound' });
    const { id, handle } = await ordered();
    await handle.result();
    const [note] = await orderNotes('ORDER_DIVERGENCE', id);

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

  test('[ORD-53] fails when the rejection comes later', async () => {
    await fault('order-error-later', { code: 'Common' });
    const { id, handle } = await ordered();
    await handle.result();

    expect(await desk.states(id)).toEqual(['ACCEPTED', 'SENT', 'FAILED']);
    expect(await desk.row(id)).toMatchObject({
      problem: 'REJECTED_BY_ERP',
      erpError: 'Common',
      erpOrderId: id,
    });
    expect(await orderNotes('ORDER_DIVERGENCE', id)).toHaveLength(1);
  });
});

describe('a call without an answer', () => {
  test('[ORD-51] repeats, and the ERP creates the order only once', async () => {
    await fault('no-answer', { endpoint: CREATE, delayMs: 50 });
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await status(id, 'Closed');
    await tell(id);
    await handle.result();

    expect(await desk.atErp(id)).toHaveLength(1);
    expect(await desk.row(id)).toMatchObject({ state: 'CLOSED', problem: null });
  });

  longTest(
    '[ORD-51] leads to queries after the sending deadline, which find the order late',
    async () => {
      await fault('no-answer', { endpoint: CREATE, delayMs: 50 });
      await fault('500', { endpoint: '/api/1/deliveries/by_id', times: 2 });
      const { id, handle } = await ordered(
        { sendForMs: 800 },
        { sendMs: 1_000, longestSendMs: 1_000 },
      );
      await reaches(id, 'CONFIRMED');
      await status(id, 'Closed');
      await tell(id);
      await handle.result();

      expect((await desk.row(id)).state).toBe('CLOSED');
    },
  );

  test('[ORD-51] fails an order only after the ERP has lacked it for a while', async () => {
    // Few calls, so that the circuit stays closed.
    await fault('502-html', { endpoint: CREATE, times: 9 });
    const { id, handle } = await ordered(
      { sendForMs: 800 },
      { sendMs: 400, longestSendMs: 400, missingMs: 1_500 },
    );
    const unsure = await eventually('it is missing', async () => {
      const row = await desk.row(id);
      return row.missingSince === null ? undefined : row;
    });
    await handle.result();
    const [note] = await orderNotes('ORDER_NOT_SENT', id);

    expect(unsure).toMatchObject({ state: 'SENT', problem: 'OUTCOME_UNKNOWN' });
    expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'DEADLINE_PASSED' });
    expect(note).toMatchObject({ open: true, details: { heldUpBy: 'OUTCOME_UNKNOWN' } });
    expect(await desk.atErp(id)).toEqual([]);
  });
});

describe('an unavailable ERP', () => {
  test('[ERP-26] confirms orders while only its loyalty endpoints are unavailable', async () => {
    await fault('500', { endpoint: '/api/1/loyalty/erp/customer/info', times: 1_000 });
    const isOver = new AbortController();
    const kinds = new Set<string>();
    const guests = Array.from({ length: 4 }, async () => {
      while (!isOver.signal.aborted) {
        const { connectionId } = fixture;
        const read = fixture.deps.erp.customerInfo(connectionId, desk.organizationId, {
          phone: '+79990001122',
        });
        kinds.add(
          await read.then(
            () => 'read',
            ({ kind }: ErpFailure) => kind,
          ),
        );
        await delay(5);
      }
    });
    await eventually('the circuit of loyalty is open', async () =>
      kinds.has('CIRCUIT_OPEN') ? true : undefined,
    );
    const orders = await Promise.all(Array.from({ length: 12 }, () => ordered()));
    for (const { id } of orders) await reaches(id, 'CONFIRMED');
    isOver.abort();
    await Promise.all(guests);

    expect([...kinds].toSorted()).toEqual(['CIRCUIT_OPEN', 'SERVER']);
    await Promise.all(orders.map(({ handle }) => handle.terminate()));
  });

  test('[ORD-50] only delays the order if the outage is shorter than the sending deadline', async () => {
    await fault('429', { endpoint: CREATE, times: 2, retryAfter: 0 });
    const { id } = await ordered();
    const held = await eventually('it is held up', async () => {
      const row = await desk.row(id);
      return row.problem === null ? undefined : row;
    });
    const confirmed = await reaches(id, 'CONFIRMED');

    expect(held).toMatchObject({
      state: 'SENT',
      problem: 'ERP_UNAVAILABLE',
      unansweredSince: null,
    });
    expect(confirmed.problem).toBeNull();
  });

  /** Duration for each of the 15 minutes in which the product sends an order. */
  const MINUTE = 150;
  const pace = {
    sendMs: 2 * MINUTE,
    longestSendMs: 4 * MINUTE,
    lookMs: 2 * MINUTE,
    longestLookMs: 10 * MINUTE,
  };
  const awaitProblem = (id: string, problem: string) =>
    eventually(`the order says ${problem}`, async () =>
      (await desk.row(id)).problem === problem ? true : undefined,
    );
  async function shown({ id, handle }: Awaited<ReturnType<typeof ordered>>) {
    const { status: state, message, cancellable } = await getOrder(fixture.db, id);
    const staff = await getStaffOrder({ db: fixture.db, secrets: testSecrets }, id, true);
    const { currentDetails } = await handle.query<{ currentDetails?: string }, []>(
      '__temporal_workflow_metadata',
    );
    return { state, message, cancellable, problem: staff.problem, details: currentDetails };
  }
  /** The row changes first, the workflow when its activity ends. */
  const shownOnceTold = (sent: Awaited<ReturnType<typeof ordered>>) =>
    eventually('Temporal shows it, too', async () => {
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

  test.each(wholeInSoak([1, 10], [1]))(
    '[ORD-59] delays an order for %i minutes, after which it continues automatically',
    async (minutes) => {
      await fault('429', { endpoint: CREATE, times: 99, retryAfter: 0 });
      // A busy machine must not reach the sending deadline, which another test covers.
      const sent = await ordered({ sendForMs: 60_000 }, pace);
      await awaitProblem(sent.id, 'ERP_UNAVAILABLE');
      const meanwhile = await shownOnceTold(sent);
      await delay(minutes * MINUTE);
      await erpIsBack();
      await tell(sent.id);
      await reaches(sent.id, 'CONFIRMED');

      expect(meanwhile).toMatchObject(HELD_UP);
      expect(await shown(sent)).toMatchObject({
        problem: null,
        message: 'Ресторан принял заказ.',
        cancellable: false,
      });
    },
  );

  test('[ORD-59] fails an order after 15 of 60 minutes, because it was certainly not sent', async () => {
    await fault('429', { endpoint: CREATE, times: 99, retryAfter: 0 });
    const sent = await ordered({ sendForMs: 15 * MINUTE }, pace);
    await awaitProblem(sent.id, 'ERP_UNAVAILABLE');
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
    expect(await orderNotes('ORDER_NOT_SENT', sent.id)).toMatchObject([{ open: true }]);
  });

  test('[ORD-59] keeps an order that the ERP may have, and queries it until the ERP answers', async () => {
    await fault('no-answer', { endpoint: CREATE, delayMs: 20 });
    await fault('500', { endpoint: CREATE, times: 99 });
    await fault('500', { endpoint: BY_ID, times: 99 });
    const sent = await ordered(
      { sendForMs: 15 * MINUTE },
      { ...pace, sendMs: 10 * MINUTE, longestSendMs: 10 * MINUTE },
    );
    await awaitProblem(sent.id, 'OUTCOME_UNKNOWN');
    const before = await shown(sent);
    const after = await eventually('its deadline is over', async () => {
      const found = await shown(sent);
      return found.details?.includes('may have it') === true ? found : undefined;
    });
    await erpIsBack();
    await tell(sent.id);
    await reaches(sent.id, 'CONFIRMED');
    const told = {
      state: 'SENT',
      message: 'Уточняем у ресторана, получил ли он заказ.',
      cancellable: false,
    };

    expect(before).toMatchObject(told);
    expect(after).toMatchObject(told);
    expect(await desk.atErp(sent.id)).toHaveLength(1);
  });

  longTest(
    '[ORD-59] never delays an order beyond its deadline, even if the ERP requests a longer pause',
    async () => {
      await fault('429', { endpoint: CREATE, retryAfter: 600 });
      const { id, handle } = await ordered({ sendForMs: 500 });
      await handle.result();

      expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'DEADLINE_PASSED' });
    },
  );

  test('[ORD-59] ignores a pause that would end after the deadline', async () => {
    const id = await desk.accepted({ sendForMs: 2_000, isAnnounced: false });
    const erp: ErpClient = {
      ...fixture.deps.erp,
      createDelivery: async () => {
        const { sendUntil } = await desk.row(id);
        await eventually('its time is over', async () =>
          Date.now() > sendUntil.getTime() ? true : undefined,
        );
        return {
          outcome: 'NOT_SENT',
          kind: 'RATE_LIMITED',
          retryable: true,
          retryAfterMs: 600_000,
        };
      },
    };
    const standing = await sendOrder({ ...orderDeps(), erp }, id);

    expect(standing).toMatchObject({ stage: 'AWAITED', retryAfterMs: 0 });
  });

  test('[ORD-51] fails the order at its deadline, because it was certainly not sent', async () => {
    await fault('429', { endpoint: CREATE, times: 50, retryAfter: 0 });
    const { id, handle } = await ordered({ sendForMs: 300 }, { missingMs: 600_000 });
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'DEADLINE_PASSED' });
    expect(await orderNotes('ORDER_NOT_SENT', id)).toHaveLength(1);
  });
});

describe('the terminal of a restaurant', () => {
  const terminal = (switches: object) =>
    fixture.emulator.control('terminal', { terminalGroupId: desk.terminalGroupId, ...switches });
  afterEach(async () => {
    await terminal({ alive: true, slowMs: 0 });
    await fixture.emulator.control('delivery-settings', { settleMs: 20, frontTimeoutMs: null });
  });

  test('[ORD-59] a slow terminal takes its orders late', async () => {
    await terminal({ slowMs: 300 });
    const { id } = await ordered();
    await eventually('the ERP has it', async () => (await desk.row(id)).erpOrderId ?? undefined);
    const waiting = await desk.row(id);
    await reaches(id, 'CONFIRMED');

    expect(waiting).toMatchObject({ state: 'SENT', problem: null });
  });

  test.each([
    ['slower than the ERP waits', { slowMs: 400 }],
    ['off without notice when the order was accepted', { alive: false }],
  ])(
    '[ORD-59] a terminal that is %s rejects the order, and staff are notified',
    async (_what, switches) => {
      await fixture.emulator.control('delivery-settings', { frontTimeoutMs: 100 });
      await terminal(switches);
      const { id, handle } = await ordered();
      await handle.result();

      expect(await desk.row(id)).toMatchObject({
        state: 'FAILED',
        problem: 'REJECTED_BY_ERP',
        erpError: 'Common',
      });
      expect(await orderNotes('ORDER_DIVERGENCE', id)).toMatchObject([
        { open: true, details: { erp: { creation: 'ERROR' } } },
      ]);
    },
  );
});

test('[ORD-44, ORD-78] an order is never sent after the data of its guest was erased', async () => {
  const id = await desk.accepted({ isAnnounced: false, sendForMs: 600 });
  await deleteRows(fixture.db, 'personal_data', {
    id: fixture.db.db
      .selectFrom('customer_order')
      .where('id', '=', id)
      .select('personalDataId')
      .$asScalar(),
  });
  const handle = await run(id);
  await handle.result();

  expect(await desk.row(id)).toMatchObject({
    state: 'FAILED',
    problem: 'DEADLINE_PASSED',
    sentAt: null,
  });
  expect(await notes('ORDERS_NOT_CONFIGURED', String(fixture.connectionId))).toContainEqual(
    expect.objectContaining({ details: expect.objectContaining({ missing: 'PERSONAL_DATA' }) }),
  );
  expect(await desk.atErp(id)).toEqual([]);
  // No order waits, so the next test starts without the notification.
  expect(await notes('ORDERS_NOT_CONFIGURED', String(fixture.connectionId))).toMatchObject([
    { open: false },
  ]);
  await deleteRows(fixture.db, 'notification', { kind: 'ORDERS_NOT_CONFIGURED' });
});

test('[ORD-54, ORD-78] an order without a payment type waits for one, and staff are notified', async () => {
  const { id } = await ordered({ paymentMethod: 'SBP' });
  const held = await eventually('it is held up', async () => {
    const row = await desk.row(id);
    return row.problem === null ? undefined : row;
  });
  const [note] = await eventually('people are told', async () => {
    const found = await notes('ORDERS_NOT_CONFIGURED', String(fixture.connectionId));
    return found.length > 0 ? found : undefined;
  });
  await updateRows(
    fixture.db,
    'customer_order',
    {
      paymentMethod: 'CARD_COURIER',
      discountKopecks: 100,
      totalKopecks: plus('totalKopecks', -100),
    },
    { id },
  );
  await reaches(id, 'CONFIRMED');
  const [sent] = await desk.atErp(id);

  expect(held).toMatchObject({ state: 'ACCEPTED', problem: 'NOT_CONFIGURED', sentAt: null });
  expect(note).toMatchObject({ open: true, details: { missing: 'PAYMENT_TYPE' } });
  expect(sent!.order!.sum).toBe((await desk.row(id)).totalKopecks / 100);
  expect(await notes('ORDERS_NOT_CONFIGURED', String(fixture.connectionId))).toMatchObject([
    { open: false },
  ]);
});

describe('the notification about orders without a payment type', () => {
  const waits = (id: string) =>
    fixture.db.transaction(async (tx) => {
      const row = await holdOrder(tx, id);
      await tellNotConfigured(tx, row, 'PAYMENT_TYPE');
      await noteOrder(tx, row, { problem: 'NOT_CONFIGURED' });
    });
  const ends = (id: string) =>
    fixture.db.transaction(async (tx) => {
      await moveOrder(fixture, tx, await holdOrder(tx, id), 'CANCELLED', 'STAFF', {
        problem: 'CANCELLED_BY_STAFF',
      });
    });
  const isOpen = async () =>
    (await notes('ORDERS_NOT_CONFIGURED', String(fixture.connectionId))).some(({ open }) => open);
  const two = () => Promise.all([1, 2].map(() => desk.accepted({ isAnnounced: false })));

  /** Runs the second transaction as far as possible while the first is open. */
  const beside = (second: Promise<unknown>) => Promise.race([second, sessionsWait(fixture.db, 1)]);

  test('[ORD-78] closes when the last two waiting orders end at the same moment', async () => {
    const [first, second] = await two();
    await waits(first!);
    await waits(second!);
    let other: Promise<unknown> = Promise.resolve();
    await fixture.db.transaction(async (tx) => {
      await moveOrder(fixture, tx, await holdOrder(tx, first!), 'CANCELLED', 'STAFF', {
        problem: 'CANCELLED_BY_STAFF',
      });
      other = ends(second!);
      await beside(other);
    });
    await other;

    expect(await isOpen()).toBe(false);
  });

  test('[ORD-78] remains open if an order begins to wait while the last other one ends', async () => {
    const [first, second] = await two();
    await waits(first!);
    let other: Promise<unknown> = Promise.resolve();
    await fixture.db.transaction(async (tx) => {
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

test('[ORD-93] a dish of a modifier scheme is sent as a compound, because the ERP rejects it as a product', async () => {
  const { compound: dish } = desk;
  const price = Math.round(dish.price! * 100);
  const rows = menuRows(fixture.db);
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
    {
      type: 'Compound',
      amount: 2,
      primaryComponent: { product: { id: dish.productId }, price: dish.price },
    },
  ]);
});

test('[ORD-65, ORD-77] a delivery fee is an order item if the ERP sells one at its price', async () => {
  const fee = desk.sold.find(
    ({ sizeId, productId }) => sizeId === null && productId !== desk.sold[0]!.productId,
  )!;
  const feeKopecks = Math.round(fee.price! * 100);
  const rows = menuRows(fixture.db);
  const item = await rows.item({ erp_id: fee.productId });
  const sizeId = await rows.size(item.id);
  await rows.offer(menuId, { itemId: item.id, sizeId }, { [desk.organization.id]: feeKopecks });
  await addRow(fixture.db, 'service_role', { role: 'DELIVERY_FEE', erpItemId: fee.productId });
  const atErp = async (deliveryFeeKopecks: number) => {
    const { id } = await ordered({ deliveryFeeKopecks });
    const { totalKopecks } = await reaches(id, 'CONFIRMED');
    return { total: totalKopecks / 100, sum: (await desk.atErp(id))[0]!.order!.sum };
  };
  const asItem = await atErp(feeKopecks);
  const menuNamed = async (deliveryFeeKopecks: number) => {
    const choices = await freshErpChoices(fixture.deps, fixture.connectionId);
    const orderId = await desk.accepted({ isAnnounced: false, deliveryFeeKopecks });
    const erpStreets = createErpStreets(fixture.deps.erp);
    const order = await readOrderToSend(
      { db: fixture.db, secrets: testSecrets, erpStreets },
      orderId,
      choices,
    );
    await deleteRows(fixture.db, 'customer_order', { id: orderId });
    return 'missing' in order ? undefined : order.externalMenuId;
  };
  const dish = await rows.item({ erp_id: desk.sold[0]!.productId });
  const dishSizeId = await rows.size(dish.id, { erp_size_id: desk.sold[0]!.sizeId ?? '' });
  await rows.offer(
    menuId,
    { itemId: dish.id, sizeId: dishSizeId },
    { [desk.organization.id]: 10_000 },
  );
  const ofOneMenu = await menuNamed(feeKopecks);
  await updateRows(
    fixture.db,
    'mirror_price',
    { externalMenuId: await rows.externalMenu(fixture.connectionId) },
    { itemSizeId: sizeId },
  );
  const ofTwoMenus = [await menuNamed(0), await menuNamed(feeKopecks)];
  // The ERP sells both fees from one menu, with its price category.
  await updateRows(fixture.db, 'mirror_price', { externalMenuId: menuId }, { itemSizeId: sizeId });
  await deleteRows(fixture.db, 'mirror_price', { itemSizeId: dishSizeId });
  const told = () => notes('DELIVERY_FEE_IN_WORDS', String(fixture.connectionId));
  const untold = await told();
  const inWords = await atErp(feeKopecks + 100);
  const [first] = await told();
  await atErp(feeKopecks);
  const [stillUnfit] = await told();
  // No recent order has the other fee.
  await updateRows(
    fixture.db,
    'customer_order',
    { acceptedAt: ago('2 days') },
    { deliveryFeeKopecks: feeKopecks + 100 },
  );
  await atErp(feeKopecks);
  const [fits] = await told();
  await atErp(feeKopecks + 100);
  const unfitAgain = (await told()).filter(({ open }) => open);
  await deleteRows(fixture.db, 'service_role');
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

test('[FUL-45] dictionaries are refreshed hourly, or sooner if an organization is missing', async () => {
  const { connectionId, db, deps } = fixture;
  const isAsked = async (minutes: number, paymentTypes: readonly ErpPaymentChoice[]) => {
    await updateRows(
      db,
      'erp_choices',
      { readAt: ago(`${minutes} minutes`), paymentTypes },
      { connectionId },
    );
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
  '[MIR-57] an empty answer for %s replaces the last answer only if that is two hours old',
  async (name) => {
    const { connectionId, db, deps, emulator } = fixture;
    const list = name === 'discounts' ? 'discounts' : 'paymentTypes';
    const column = name === 'discounts' ? 'discountTypes' : 'paymentTypes';
    const endpoint = `/api/1/${name}`;
    const countAfter = async (minutes: number) => {
      await updateRows(db, 'erp_choices', { readAt: ago(`${minutes} minutes`) }, { connectionId });
      await freshErpChoices(deps, connectionId);
      const choices = await selectRow(db, 'erp_choices', ['discountTypes', 'paymentTypes'], {
        connectionId,
      });
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

test('[MIR-57] an answer with only unusable entries counts as empty', async () => {
  const { connectionId, db, deps, emulator } = fixture;
  const { organizationId } = desk;
  const elsewhere = { id: randomUUID(), organizationId: randomUUID() };
  const cash = { id: randomUUID(), name: 'Cash', code: 'CASH', paymentTypeKind: 'Cash' };
  const discount = {
    id: randomUUID(),
    name: 'Any',
    percent: 0,
    sum: 0,
    mode: 'FlexibleSum',
    isManual: true,
  };
  const answers: [string, object][] = [
    ['payment_types', { paymentTypes: [{ ...cash, terminalGroups: [] }] }],
    ['payment_types', { paymentTypes: [{ ...cash, terminalGroups: [elsewhere] }] }],
    [
      'payment_types',
      {
        paymentTypes: [
          {
            ...cash,
            paymentTypeKind: 'External',
            terminalGroups: [{ ...elsewhere, organizationId }],
          },
        ],
      },
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

test('[FUL-47] an order is created and tracked in the call center if the account has one', async () => {
  const { productId, sizeId } = desk.sold[0]!;
  const { sizes } = await fixture.emulator.control<{ sizes: typeof desk.sold }>(
    `truth?menuId=9001&organizationId=${desk.otherOrganizationId}`,
  );
  const there = sizes.find((size) => size.productId === productId && size.sizeId === sizeId)!;
  const setting = 'call_center_organization';
  await addRow(fixture.db, 'setting', {
    key: setting,
    value: desk.otherOrganizationId.toUpperCase(),
  });
  const { id, handle } = await ordered({ price: Math.round(there.price! * 100) });
  await reaches(id, 'CONFIRMED');
  await deleteRows(fixture.db, 'setting', { key: setting });
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

test('[ORD-68] a street from the dictionary of the ERP is sent by its id', async () => {
  const streets = await createErpStreets(fixture.deps.erp).of({
    id: desk.organization.id,
    erpId: desk.organizationId,
    connectionId: fixture.connectionId,
  });
  const { id: streetId, city, street } = streets![0]!;
  const { id } = await ordered({ place: { city, street: street.toUpperCase() } });
  await reaches(id, 'CONFIRMED');
  const [sent] = await desk.atErp(id);

  expect(sent!.order!.deliveryPoint!.address.street).toMatchObject({ id: streetId });
});

describe('a cancellation by the guest', () => {
  test('withdraws an order that was not yet sent to the ERP', async () => {
    const { id, handle } = await ordered({ paymentMethod: 'SBP' });
    await handle.signal('cancelRequested', { by: 'STAFF' });
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'CANCELLED', problem: 'CANCELLED_BY_STAFF' });
    expect(await desk.atErp(id)).toEqual([]);
  });

  test('[ORD-50] changes nothing once the ERP has the order', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await handle.signal('cancelRequested', { by: 'CUSTOMER' });
    await status(id, 'Cancelled');
    await tell(id);
    await handle.result();

    expect(await desk.row(id)).toMatchObject({
      state: 'CANCELLED',
      problem: 'CANCELLED_BY_RESTAURANT',
    });
  });
});

test('[ORD-118] an order is not sent if intake closes before the call starts', async () => {
  const id = await desk.accepted({ isAnnounced: false });
  const closing = await holdLock(fixture.db, async (tx) => {
    await tx.query('lock table restoration in exclusive mode');
    await addRow(tx, 'restoration', { restoredTo: new Date() });
  });
  const sending = sendOrder(orderDeps(), id);
  await Promise.race([closing.waits(1), sending]);
  await closing.release();
  const { stage } = await sending;
  await deleteRows(fixture.db, 'restoration');

  expect(stage).toBe('TO_SEND');
  expect(await desk.atErp(id)).toEqual([]);
});

test('[ORD-50] an order withdrawn during its sending ends either withdrawn or sent', async () => {
  const deps = orderDeps();
  const withdrawn = await desk.accepted({ isAnnounced: false });
  // Both transactions stop after their decision, at the history entry.
  const held = await holdTable(fixture.db, 'order_move');
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
    rewardId = await menuRows(fixture.db).insert('reward', gift);
    clientId = await fixture.db.transaction((tx) =>
      ensureClient(
        tx,
        { secrets: testSecrets },
        { connectionId: fixture.connectionId, erpCustomerId: randomUUID() },
      ),
    );
  });
  afterAll(() => updateRows(fixture.db, 'reward', { isActive: false }, { id: rewardId }));
  async function withGift() {
    const right = await grantTo(fixture.db, { clientId, rewardId });
    return { right, id: await desk.accepted({ gift: right, isAnnounced: false }) };
  }
  /** An operator's order redeems a right in a transaction that ends with `until`. */
  const takenElsewhere = (right: string, until?: Promise<void>) =>
    fixture.db.transaction(async (tx) => {
      const moved = await moveRights(
        tx,
        GRANTER,
        { ids: [right] },
        { move: 'IMPORT', orderId: randomUUID(), at: new Date() },
      );
      expect(moved.refused).toEqual([]);
      await until;
    });
  async function comesWithGift(id: string) {
    const [atErp] = await desk.atErp(id);
    const [gift] = (await getOrder(fixture.db, id)).gifts;
    return {
      atErp: atErp!.order!.items.some(({ product }) => product.id === desk.gift.productId),
      leftOut: gift!.leftOut,
    };
  }

  test('reaches the ERP, or is omitted if an order from another channel has redeemed it meanwhile', async () => {
    const [kept, taken] = [await withGift(), await withGift()];
    await takenElsewhere(taken.right);
    for (const { id } of [kept, taken]) await sendOrder(orderDeps(), id);
    for (const { id } of [kept, taken]) await settled(id);

    expect(await comesWithGift(kept.id)).toEqual({ atErp: true, leftOut: false });
    expect(await comesWithGift(taken.id)).toEqual({ atErp: false, leftOut: true });
  });

  test('drops out if another channel redeems it at the same moment', async () => {
    const { right, id } = await withGift();
    const over = Promise.withResolvers<void>();
    const taking = takenElsewhere(right, over.promise);
    await eventually('the right is held', async () => ((await isHeld(right)) ? true : undefined));
    const sending = sendOrder(orderDeps(), id);
    await sessionsWait(fixture.db, 1);
    over.resolve();
    await Promise.all([taking, sending]);
    await settled(id);

    expect(await comesWithGift(id)).toEqual({ atErp: false, leftOut: true });
  });

  test('remains in a repeated call to an ERP that may already have the order', async () => {
    const { right, id } = await withGift();
    await updateRows(
      fixture.db,
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
    eventually('the ERP has made the order', async () =>
      (await desk.atErp(id))[0]?.order ? true : undefined,
    );
  const isHeld = async (right: string) =>
    (
      await fixture.db.db
        .selectFrom('compensation')
        .where('id', '=', right)
        .select('id')
        .forUpdate()
        .skipLocked()
        .execute()
    ).length === 0;
});
