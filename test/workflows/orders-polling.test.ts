import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { ensureClient } from '../../modules/gifts/clients/clients.ts';
import { importTerminals } from '../../modules/mirror/import-terminals.ts';
import { jointRequests } from '../../modules/ordering/polling/ask-together.ts';
import { pollingState, pollingWorkflow } from '../../modules/mirror/messages/polling.ts';
import { pollOrders, readLastOrders } from '../../modules/ordering/polling/poll-orders.ts';
import { readMissed } from '../../modules/ordering/polling/read-missed.ts';
import { readMissedHistories } from '../../modules/ordering/polling/read-histories.ts';
import { createLog } from '../../platform/log.ts';
import { followOrder } from '../../modules/ordering/at-erp/follow-order.ts';
import { noteMissedHistory } from '../../modules/gifts/clients/missed-history.ts';
import { findOrder } from '../../modules/ordering/orders/order-row.ts';
import { endRefusal, saveRevision } from '../../modules/ordering/at-erp/order-revision.ts';
import {
  polledOrganizations,
  readRefusedFrom,
  type PolledOrganization,
} from '../../modules/ordering/at-erp/polled-organizations.ts';
import { ordersAtErp } from '../../modules/ordering/restore/lost-orders.ts';
import { pollRefused } from '../../modules/ordering/polling/poll-refused.ts';
import {
  checkTerminals,
  knownTerminals,
  isTerminalAlive,
} from '../../modules/ordering/cart/terminal-alive.ts';
import { receiveWebhook } from '../../modules/erp-webhooks/receive-webhook.ts';
import { reportingTo, type Progress } from '../../platform/progress.ts';
import { advisory } from '../../platform/db/locks.ts';
import { testSecrets } from '../support/connection.ts';
import type { ErpClient } from '../../erp/client.ts';
import { ErpFailure } from '../../erp/failure.ts';
import { menuRows } from '../support/menu-rows.ts';
import { eventually } from '../support/processes.ts';
import { holdLock } from '../support/races.ts';
import { longTest } from '../support/repetitions.ts';
import { grantTo, storedRights } from '../support/rights.ts';
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
import { orderFixture, type OrderFixture } from '../support/order-fixture.ts';

let orders: OrderFixture;
let fixture: OrderFixture['fixture'];
let sync: OrderFixture['sync'];
let desk: OrderFixture['desk'];
let reaches: OrderFixture['reaches'];
let status: OrderFixture['status'];
let notes: OrderFixture['notes'];
let orderNotes: OrderFixture['orderNotes'];
let ordered: OrderFixture['ordered'];
let watch: OrderFixture['watch'];
let calls: OrderFixture['calls'];
let pollDeps: OrderFixture['pollDeps'];
let orderDeps: OrderFixture['orderDeps'];
beforeAll(async () => {
  orders = await orderFixture();
  ({
    fixture,
    sync,
    desk,
    reaches,
    status,
    notes,
    orderNotes,
    ordered,
    watch,
    calls,
    pollDeps,
    orderDeps,
  } = orders);
});
afterEach(() => orders.reset());
afterAll(() => orders?.close());

const BY_ID = '/api/1/deliveries/by_id';
const BY_DATE = '/api/1/deliveries/by_delivery_date_and_phone';
const BY_REVISION = '/api/1/deliveries/by_revision';

describe('the watch of a connection', () => {
  test('[ORD-57] updates orders from changes at the ERP without webhooks', async () => {
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

  test('[ORD-165] an order that a poll has ended is not read again by its workflow', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await watch();
    const before = await calls(BY_ID);
    await status(id, 'Closed');
    await watch();
    const result = await handle.result();
    const { events } = await handle.fetchHistory();
    const reads = (events ?? []).filter(
      ({ activityTaskScheduledEventAttributes: task }) =>
        task?.activityType?.name === 'lookAtOrder',
    );

    expect(result).toEqual({ state: 'CLOSED', problem: null });
    expect(await calls(BY_ID)).toBe(before);
    expect(reads).toHaveLength(1);
  });

  test('[ORD-165] a signal with an unknown state makes the workflow read the order', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await status(id, 'Closed');
    for (const told of [
      { stage: 'WHATEVER', state: 'CLOSED' },
      { stage: 'AT_RESTAURANT' },
      { stage: 'toString' },
      7,
    ])
      await handle.signal('erpStatusChanged', told);

    expect(await handle.result()).toEqual({ state: 'CLOSED', problem: null });
  });

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

  test('[ORD-98] many order webhooks cause one poll in 5 seconds and no terminal check', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await watch();
    const alive = '/api/1/terminal_groups/is_alive';
    const before = [await calls(BY_REVISION), await calls(alive), await calls(BY_ID)];
    await receiveWebhook(fixture, [hint(id, 1)], { connectionId: null });
    await eventually('it is polled at once', async () =>
      (await calls(BY_REVISION)) > before[0]! ? true : undefined,
    );
    await status(id, 'OnWay');
    for (let at = 2; at < 20; at += 1) {
      await receiveWebhook(fixture, [hint(id, at), hint(id, at + 100)], { connectionId: null });
      await delay(20);
    }
    await reaches(id, 'ON_THE_WAY');
    await eventually('hints have ended', async () => {
      const handle = sync.temporal.workflow.getHandle(pollingWorkflow.id(fixture));
      const { dueAt } = (await handle.query(pollingState))!.ORDERS;
      return dueAt! > Date.now() + 60_000 ? true : undefined;
    });
    const after = [await calls(BY_REVISION), await calls(alive), await calls(BY_ID)];
    const loop = await sync.temporal.workflow.getHandle(pollingWorkflow.id(fixture)).fetchHistory();
    const signals = (loop.events ?? []).filter(
      ({ workflowExecutionSignaledEventAttributes: signal }) =>
        signal?.signalName === 'ordersChanged',
    );
    await status(id, 'Closed');
    await watch();
    await handle.result();
    const ended = await calls(BY_REVISION);
    await receiveWebhook(fixture, [hint(id, 300)], { connectionId: null });
    const outcome = await eventually('the late event has ended', async () => {
      const rows = await selectRows(
        fixture.db,
        'webhook_event',
        ['outcome'],
        {},
        { orderBy: 'id' },
      );
      return rows.at(-1)?.outcome ?? undefined;
    });

    expect(after.map((count, index) => count - before[index]!)).toEqual([2, 0, 0]);
    // Webhooks that wait for the same poll send one signal.
    expect(signals.length).toBeLessThanOrEqual(2);
    expect(outcome).toBe('ENDED');
    expect(await calls(BY_REVISION)).toBe(ended);
  });

  const defaults = { revisions: 'clock', revisionLifeMs: 3 * 3_600_000, mostOrders: null };

  test('[ORD-102] makes one call while an expired revision is unchanged, and misses no later change', async () => {
    const { id } = await ordered();
    await reaches(id, 'CONFIRMED');
    await fixture.emulator.control('delivery-settings', { revisions: 'changes' });
    await watch();
    await fixture.emulator.control('delivery-settings', { revisionLifeMs: 0 });
    const costs: number[] = [];
    const begunAt = Date.now();
    const all = async () =>
      (await calls(BY_REVISION)) + (await calls(BY_DATE)) + (await calls(BY_ID));
    for (let poll = 0; poll < 4; poll += 1) {
      const before = await all();
      await watch();
      costs.push((await all()) - before);
    }
    const fresh = await selectRow(fixture.db, 'order_revision', ['polledAt'], {
      connectionId: fixture.connectionId,
    });
    await status(id, 'CookingStarted');
    await watch();
    await fixture.emulator.control('delivery-settings', defaults);

    expect(costs).toEqual([2, 1, 1, 1]);
    expect(fresh.polledAt.getTime()).toBeGreaterThanOrEqual(begunAt);
    expect((await desk.row(id)).state).toBe('COOKING');
  });

  test('[ORD-101] reads orders by date even if the ERP rejects a day of all restaurants', async () => {
    const { db, connectionId } = fixture;
    await addRow(db, 'reward', { code: 'narrow', name: 'Тарт', erpItemId: randomUUID() });
    await watch();
    const { together } = await polledOrganizations(db, connectionId);
    const organizationIds = together.map(({ erpId }) => erpId);
    const put = async (organizationId: string) => {
      const order = { organizationId, phone: '+79990004411', items: [{ productId: randomUUID() }] };
      return (await fixture.emulator.control<{ orderInfo: { id: string } }>('put-delivery', order))
        .orderInfo.id;
    };
    const ids = [await put(organizationIds[0]!), await put(organizationIds[1]!)];
    const now = Temporal.Now.plainDateTimeISO('UTC');
    const search = {
      organizationIds,
      phone: null,
      from: now.subtract({ hours: 12 }),
      to: now.add({ hours: 12 }),
    };
    const { orders } = await fixture.deps.erp.deliveriesByPhone(connectionId, search);
    await fixture.emulator.control('delivery-settings', { mostOrders: orders.length - 1 });
    await updateRows(db, 'order_revision', { revision: plus('revision', -4 * 3_600_000) });
    await watch();
    await fixture.emulator.control('delivery-settings', defaults);

    expect(await countRows(db, 'erp_order', { id: ids })).toBe(2);
    await updateRows(db, 'reward', { isActive: false }, { code: 'narrow' });
  });

  test('[ORD-149] reads own orders before and while others are read by date', async () => {
    const { db, connectionId } = fixture;
    await addRow(db, 'reward', { code: 'storm', name: 'Тарт', erpItemId: randomUUID() });
    const { id } = await ordered();
    await reaches(id, 'CONFIRMED');
    await watch();
    for (let foreign = 0; foreign < 3; foreign += 1)
      await fixture.emulator.control('put-delivery', {
        organizationId: desk.organizationId,
        phone: '+79990004412',
        items: [{ productId: randomUUID() }],
      });
    await status(id, 'CookingStarted');
    // Makes both lists too long: the list of changes, and the orders of a restaurant in an hour.
    await fixture.emulator.control('delivery-settings', { mostOrders: 1 });
    const poll = () => pollOrders(pollDeps(), connectionId).catch(({ code }: ErpFailure) => code);

    expect(await poll()).toBe('TOO_MANY_DATA_REQUESTED');
    expect((await desk.row(id)).state).toBe('COOKING');

    await status(id, 'OnWay');
    expect(await poll()).toBe('TOO_MANY_DATA_REQUESTED');
    expect((await desk.row(id)).state).toBe('ON_THE_WAY');
    await fixture.emulator.control('delivery-settings', defaults);
    await updateRows(db, 'reward', { isActive: false }, { code: 'storm' });
  });

  test('[ORD-149] rereads own orders during a long reading by date, even if one reading fails', async () => {
    const { connectionId } = fixture;
    const { id } = await ordered();
    await reaches(id, 'CONFIRMED');
    const sequence: string[] = [];
    const erp: ErpClient = {
      ...fixture.deps.erp,
      deliveriesById: async (...request) => {
        sequence.push('ID');
        if (sequence.length === 1) throw new ErpFailure('SERVER', { endpoint: BY_ID, status: 500 });
        return fixture.deps.erp.deliveriesById(...request);
      },
      deliveriesByPhone: async (...request) => {
        sequence.push('DATE');
        return fixture.deps.erp.deliveriesByPhone(...request);
      },
    };
    const { together } = await polledOrganizations(fixture.db, connectionId);
    const joint = jointRequests(
      together.map(({ erpId }) => erpId),
      async () => undefined,
      undefined,
    );
    const poll = { connectionId, readsAll: true, search: {} };
    const missed = {
      saved: null,
      since: new Date(Date.now() - 60_000),
      from: null,
      done: async () => undefined,
    };

    await readMissed({ ...pollDeps(), erp }, poll, joint, { ...missed, ownEveryMs: 0 }, undefined);
    const often = sequence.splice(0);
    await readMissed({ ...pollDeps(), erp }, poll, joint, missed, undefined);

    expect(often).toEqual(['ID', 'DATE', 'ID', 'DATE', 'ID', 'DATE', 'ID', 'DATE', 'ID']);
    expect(sequence).toEqual(['ID', 'DATE', 'DATE', 'DATE', 'DATE', 'ID']);
  });

  test('[ORD-101] resumes at the position of a failed poll', async () => {
    const { db, connectionId } = fixture;
    await addRow(db, 'reward', { code: 'resumed', name: 'Тарт', erpItemId: randomUUID() });
    await watch();
    const old = { revision: plus('revision', -4 * 3_600_000), polledAt: ago('3 days') };
    await updateRows(db, 'order_revision', old, { connectionId });
    const days: string[] = [];
    let isAway = true;
    const erp: ErpClient = {
      ...fixture.deps.erp,
      deliveriesByPhone: async (connection, search, options) => {
        if (search.rowsCount === undefined) {
          if (isAway && days.length === 3)
            throw new ErpFailure('SERVER', { endpoint: BY_DATE, status: 500 });
          days.push(search.from!.toPlainDate().toString());
        }
        return fixture.deps.erp.deliveriesByPhone(connection, search, options);
      },
    };
    const failed = await pollOrders({ ...pollDeps(), erp }, connectionId).catch(
      (error: ErpFailure) => error.kind,
    );
    const stopped = await selectRow(db, 'order_poll', ['catchUpTo', 'catchUpRevision'], {
      connectionId,
    });
    isAway = false;
    await pollOrders({ ...pollDeps(), erp }, connectionId);

    expect(failed).toBe('SERVER');
    expect(stopped).toEqual({ catchUpTo: expect.any(Date), catchUpRevision: expect.any(Number) });
    expect(days).toEqual([...new Set(days)].toSorted());
    expect(days).toHaveLength(7);
    expect(
      await selectRow(db, 'order_poll', ['catchUpTo', 'catchUpRevision'], { connectionId }),
    ).toEqual({
      catchUpTo: null,
      catchUpRevision: null,
    });
    await updateRows(db, 'reward', { isActive: false }, { code: 'resumed' });
  });

  test('[ORD-57] restarts when its revision is too old for the ERP, and misses nothing', async () => {
    const { id } = await ordered();
    await reaches(id, 'CONFIRMED');
    await watch();
    await updateRows(fixture.db, 'order_revision', { revision: plus('revision', -4 * 3_600_000) });
    await status(id, 'CookingStarted');
    await watch();
    const begun = (await desk.row(id)).state;
    await status(id, 'OnWay');
    await watch();

    expect(begun).toBe('COOKING');
    expect((await desk.row(id)).state).toBe('ON_THE_WAY');
  });

  test('[ORD-53] reports both states to staff when the ERP contradicts an order that has ended', async () => {
    const [closed, failed] = [await ordered(), await ordered()];
    for (const { id } of [closed, failed]) await reaches(id, 'CONFIRMED');
    await watch();
    await status(closed.id, 'Closed');
    await watch();
    await closed.handle.result();
    // Simulates an order that every check has missed.
    await failed.handle.terminate();
    await updateRows(
      fixture.db,
      'customer_order',
      {
        state: 'FAILED',
        problem: 'DEADLINE_PASSED',
        endedAt: databaseNow(),
        erpOrderId: null,
        erpTimestamp: null,
      },
      { id: failed.id },
    );
    await status(closed.id, 'Cancelled');
    await status(failed.id, 'Delivered');
    await watch();

    expect(await orderNotes('ORDER_DIVERGENCE', closed.id)).toMatchObject([
      { open: true, details: { ours: { state: 'CLOSED' }, erp: { status: 'Cancelled' } } },
    ]);
    expect(await orderNotes('ORDER_DIVERGENCE', failed.id)).toMatchObject([
      {
        open: true,
        details: {
          ours: { state: 'FAILED', problem: 'DEADLINE_PASSED' },
          erp: { status: 'Delivered' },
        },
      },
    ]);
    expect([(await desk.row(closed.id)).state, (await desk.row(failed.id)).state]).toEqual([
      'CLOSED',
      'FAILED',
    ]);
  });

  test('[CMP-46] finds gifts in orders of operators with a webhook, without one, and after hours of downtime', async () => {
    const { db } = fixture;
    const itemId = randomUUID();
    const phone = '+79990004455';
    const { id: rewardId } = await addRow(db, 'reward', {
      code: 'watched',
      name: 'Тарт',
      erpItemId: itemId,
    });
    const keys = { connectionId: fixture.connectionId, phone };
    const clientId = await db.transaction((tx) => ensureClient(tx, { secrets: testSecrets }, keys));
    const rights: string[] = [];
    for (const at of [1, 2, 3])
      rights.push(await grantTo(db, { clientId, rewardId, at: new Date(at) }));
    const statuses = async () =>
      (await storedRights(db, rights)).filter((right) => right.status === 'REDEEMED').length;
    const operatorOrder = () =>
      fixture.emulator.control<{ orderInfo: { id: string } }>('put-delivery', {
        organizationId: desk.organizationId,
        phone: '8 999 000-44-55',
        items: [{ productId: itemId }],
      });
    await watch();

    const { orderInfo } = await operatorOrder();
    await receiveWebhook(
      { db, metrics: fixture.metrics },
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
    await eventually('the webhook has the gift looked for', async () =>
      (await statuses()) === 1 ? true : undefined,
    );

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

  test('[CMP-102] finds gifts in the orders of today when it first reads a connection', async () => {
    const { db } = fixture;
    const itemId = randomUUID();
    const phone = '+79990004477';
    const { id: rewardId } = await addRow(db, 'reward', {
      code: 'first',
      name: 'Тарт',
      erpItemId: itemId,
    });
    const keys = { connectionId: fixture.connectionId, phone };
    const clientId = await db.transaction((tx) => ensureClient(tx, { secrets: testSecrets }, keys));
    const right = await grantTo(db, { clientId, rewardId });
    await fixture.emulator.control('put-delivery', {
      organizationId: desk.organizationId,
      phone,
      items: [{ productId: itemId }],
    });
    await deleteRows(db, 'order_revision');
    await watch();

    expect(await storedRights(db, [right])).toMatchObject([{ status: 'REDEEMED' }]);
    await updateRows(db, 'reward', { isActive: false }, { id: rewardId });
  });

  describe('concurrent with other polls of the same orders', () => {
    const itemId = randomUUID();
    const phone = '+79990004466';
    let rewardId: number;
    beforeAll(async () => {
      rewardId = await menuRows(fixture.db).insert('reward', {
        code: 'beside',
        name: 'Тарт',
        erp_item_id: itemId,
      });
      await watch();
    });
    afterAll(() => updateRows(fixture.db, 'reward', { isActive: false }, { id: rewardId }));
    async function withGift(): Promise<string> {
      const order = { organizationId: desk.organizationId, phone, items: [{ productId: itemId }] };
      return (await fixture.emulator.control<{ orderInfo: { id: string } }>('put-delivery', order))
        .orderInfo.id;
    }
    const takeOut = (orderId: string) =>
      fixture.emulator.control('edit-delivery', { orderId, productId: itemId, amount: 0 });
    const stopAtOrder = (id: string) =>
      holdLock(fixture.db, (tx) => advisory.giftOrder(tx, fixture.connectionId, id));
    const readUnits = async (id: string) =>
      (
        await fixture.db.db
          .selectFrom('erp_gift_order as o')
          .innerJoin('erp_gift_line as line', 'line.giftOrderId', 'o.id')
          .innerJoin('unauthorized_gift as gift', 'gift.giftOrderId', 'o.id')
          .where('o.erpOrderId', '=', id)
          .select(['line.quantity', 'gift.status as unauthorized'])
          .execute()
      )[0];
    const TAKEN_OUT = { quantity: 0, unauthorized: 'WITHDRAWN' };

    /** Reads all orders, runs `others` meanwhile, and then saves the orders. */
    async function lookAround(others: () => Promise<unknown>): Promise<void> {
      const stopped = await stopAtOrder(await withGift());
      const look = watch();
      await stopped.waits(2);
      await others();
      await stopped.release();
      await look;
    }

    test('[CMP-95] notices that a gift was removed although a slower poll later wrote the older state', async () => {
      const order = await withGift();
      const stopped = await stopAtOrder(order);
      const slow = watch();
      await stopped.waits(1);
      await takeOut(order);
      await lookAround(() => Promise.all([stopped.release(), slow]));
      const older = await readUnits(order);
      await watch();

      expect(older).toEqual({ quantity: 1, unauthorized: 'OPEN' });
      expect(await readUnits(order)).toEqual(TAKEN_OUT);
    });

    test('[CMP-95] notices that a gift was removed when both polls end at the same moment', async () => {
      const order = await withGift();
      const stopped = await holdLock(fixture.db, (tx) =>
        advisory.orderRevision(tx, fixture.connectionId),
      );
      const slow = watch();
      await stopped.waits(1);
      const written = await readUnits(order);
      await takeOut(order);
      const quick = watch();
      await stopped.waits(2);
      await stopped.release();
      await Promise.all([slow, quick]);
      await watch();

      // If the row were written, another poll could save its revision and miss this order.
      expect(written).toBeUndefined();
      expect(await readUnits(order)).toEqual(TAKEN_OUT);
    });

    longTest(
      '[CMP-95] notices that a gift was removed when the older state was read by date earlier',
      async () => {
        const order = await withGift();
        const stopped = await stopAtOrder(order);
        const byDate = readLastOrders(
          {
            ...orderDeps(),
            temporal: sync.temporal,
            queues: sync.queues,
            env: { SYNC_TIME_ZONE: 'UTC' },
          },
          fixture.connectionId,
        );
        await stopped.waits(1);
        await takeOut(order);
        await watch();
        await lookAround(() => Promise.all([stopped.release(), byDate]));
        await watch();

        expect(await readUnits(order)).toEqual(TAKEN_OUT);
      },
    );
  });

  describe('after a downtime longer than the ERP returns orders by date', () => {
    const HISTORY = '/api/1/deliveries/history/by_delivery_date_and_phone';
    const itemId = randomUUID();
    let rewardId: number;
    beforeAll(async () => {
      rewardId = await menuRows(fixture.db).insert('reward', {
        code: 'missed',
        name: 'Тарт',
        erp_item_id: itemId,
      });
    });
    afterAll(() => updateRows(fixture.db, 'reward', { isActive: false }, { id: rewardId }));
    let phones = 79_990_200_000;
    /** A client with a right, and a 20-day-old order of an operator with its gift. */
    async function promised(): Promise<{ right: string; orderId: string }> {
      const phone = `+${(phones += 1)}`;
      const clientId = await fixture.db.transaction((tx) =>
        ensureClient(tx, { secrets: testSecrets }, { connectionId: fixture.connectionId, phone }),
      );
      const right = await grantTo(fixture.db, { clientId, rewardId });
      const order = {
        organizationId: desk.organizationId,
        phone,
        items: [{ productId: itemId }],
        daysAgo: 20,
      };
      const { orderInfo } = await fixture.emulator.control<{ orderInfo: { id: string } }>(
        'put-delivery',
        order,
      );
      return { right, orderId: orderInfo.id };
    }
    /** The last poll was 25 days ago, and the ERP has forgotten its revision. */
    const away = () =>
      updateRows(fixture.db, 'order_revision', {
        revision: plus('revision', -4 * 3_600_000),
        polledAt: plus('polledAt', '-25 days'),
      });
    const missed = async () => await countRows(fixture.db, 'client_history');

    test('[CMP-68] reads the history of clients with rights by phone, and redeems each right once', async () => {
      await watch();
      const { right, orderId } = await promised();
      await away();
      await watch();
      const [redeemed] = await storedRights(fixture.db, [right]);
      await away();
      await watch();

      expect(redeemed).toMatchObject({ status: 'REDEEMED', redeemedOrderId: orderId });
      expect(await storedRights(fixture.db, [right])).toEqual([redeemed]);
      expect(await missed()).toBe(0);
      const [order] = await fixture.db.query<{ days: number }>(
        `select now()::date - day as days from erp_gift_order where erp_order_id = $1`,
        [orderId],
      );
      expect(Math.abs(order!.days - 20)).toBeLessThanOrEqual(1);
    });

    test('[CMP-68] continues after an outage of the ERP and skips a phone that the ERP rejects', async () => {
      await watch();
      const [first, second] = [await promised(), await promised()];
      await away();
      await fixture.emulator.control('fault', { kind: '500', endpoint: HISTORY, times: 1 });
      await watch();
      const left = await missed();
      await watch();
      const redeemed = await storedRights(fixture.db, [first.right, second.right]);

      const { right } = await promised();
      await away();
      await fixture.emulator.control('fault', { kind: '400-loyalty', endpoint: HISTORY, times: 1 });
      await watch();

      expect(left).toBe(2);
      expect(redeemed.map(({ status }) => status)).toEqual(['REDEEMED', 'REDEEMED']);
      expect(await storedRights(fixture.db, [right])).toMatchObject([{ status: 'GRANTED' }]);
      expect(await missed()).toBe(0);
    });
  });

  test('[ORD-57] makes no call if no order can have changed', async () => {
    await updateRows(fixture.db, 'customer_order', { sentAt: null, acceptedAt: databaseNow() });
    const before = await calls('/api/1/deliveries/by_revision');
    await watch();

    expect(await calls('/api/1/deliveries/by_revision')).toBe(before);
  });

  test('[ORD-94] stores the orders of all clients and updates them with each poll', async () => {
    await fixture.db.query(
      'insert into ordering_config (organization_id, delivery_enabled) values ($1, true) on conflict do nothing',
      [desk.organization.id],
    );
    await watch();
    const { productId } = desk.sold[0]!;
    const items = [{ productId, amount: 2, price: 100 }];
    const orderId = randomUUID();
    await fixture.emulator.control('put-delivery', {
      orderId,
      organizationId: desk.organizationId,
      phone: '+79991112233',
      items,
    });
    await watch();
    const first = await selectRow(fixture.db, 'erp_order', ['state', 'lines', 'totalKopecks'], {
      id: orderId,
    });
    await status(orderId, 'Cancelled');
    await watch();
    const last = await selectRow(fixture.db, 'erp_order', ['state', 'moves'], { id: orderId });

    expect(first).toMatchObject({
      state: 'CONFIRMED',
      totalKopecks: 20_000,
      lines: [{ itemId: productId, quantity: 2 }],
    });
    expect(last).toMatchObject({
      state: 'CANCELLED',
      moves: [{ state: 'CONFIRMED' }, { state: 'CANCELLED' }],
    });
  });

  test('[ORD-56] records which terminals can take orders, and ignores an outdated answer', async () => {
    const { organization, terminalGroupId } = desk;
    const alive = async (group: string | null = terminalGroupId) =>
      isTerminalAlive(await knownTerminals(fixture.db, sql.val(organization.id)).execute(), group);
    const unknown = await alive();
    const runId = await fixture.open('TERMINALS');
    await importTerminals(fixture.deps, { runId, connectionId: fixture.connectionId });
    await fixture.db.query(
      'insert into ordering_config (organization_id, delivery_enabled) values ($1, true) on conflict do nothing',
      [organization.id],
    );
    await watch();
    const known = [await alive(), await alive(null)];
    await fixture.emulator.control('terminal', { terminalGroupId, alive: false });
    await watch();
    const off = await alive();
    await fixture.emulator.control('terminal', { terminalGroupId, alive: true });
    await watch();
    const endpoint = '/api/1/terminal_groups/is_alive';
    await fixture.emulator.control('answer', { endpoint, body: { isAliveStatus: [] } });
    await watch();
    const unsaid = await alive();
    await fixture.emulator.control('answer', { endpoint });
    await updateRows(fixture.db, 'terminal_alive', { checkedAt: ago('4 minutes') });

    expect({ unknown, known, off, unsaid, old: await alive() }).toEqual({
      unknown: null,
      known: [true, true],
      off: false,
      unsaid: true,
      old: null,
    });
  });

  test('[ORD-24] keeps a sleeping terminal closed after its answer expires, and opens it when it returns', async () => {
    const { organization, terminalGroupId } = desk;
    const alive = async (group: string | null = terminalGroupId) =>
      isTerminalAlive(await knownTerminals(fixture.db, sql.val(organization.id)).execute(), group);
    const fallAsleep = (synchronizedAt: ReturnType<typeof ago>) =>
      updateRows(
        fixture.db,
        'mirror_terminal_group',
        { isAsleep: true, synchronizedAt },
        { organizationId: organization.id },
      );
    await watch();
    await fallAsleep(databaseNow());
    const contradicted = await alive();
    await updateRows(fixture.db, 'terminal_alive', { checkedAt: ago('4 minutes') });
    const old = [await alive(), await alive(null)];
    await watch();
    const asked = await alive();
    await fallAsleep(ago('6 minutes'));
    await watch();
    const woken = await eventually('the list is read again', async () =>
      (await alive()) === true ? true : undefined,
    );

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
  ] as const)(
    '[ORD-24] blocks orders only if it is certain that no terminal answers: %s',
    (_, answers, group, expected) => {
      const known = answers.map((isAlive, at) => ({ terminalGroupErpId: `g${at}`, isAlive }));
      expect(isTerminalAlive(known, group)).toBe(expected);
    },
  );
});

test('[OPS-192] a retry of the daily reading resumes at the day that the last attempt reached', async () => {
  const reward = await addRow(fixture.db, 'reward', {
    code: 'daily',
    name: 'Эклер',
    erpItemId: randomUUID(),
  });
  const stop = new AbortController();
  const days: unknown[] = [];
  let last: Progress = {};
  const read = (earlier: Progress, signal?: AbortSignal) =>
    reportingTo(
      {
        report(progress) {
          last = progress;
          if (progress['day'] !== days.at(-1)) days.push(progress['day']);
          if (progress['day'] === -2 && signal !== undefined)
            stop.abort(new Error('the worker dies'));
        },
        earlier,
        everyMs: 60_000,
      },
      () =>
        readLastOrders(pollDeps(), fixture.connectionId, signal === undefined ? {} : { signal }),
    );
  await expect(read({}, stop.signal)).rejects.toThrow('the worker dies');
  const ofFirst = days.splice(0);
  const { now } = last;
  await read(last);
  await updateRows(fixture.db, 'reward', { isActive: false }, { id: reward.id });

  expect(ofFirst).toEqual([-4, -3, -2]);
  expect(days[0]).toBe(-2);
  expect(days.length).toBeGreaterThan(1);
  expect(last['now']).toBe(now);
});

describe('[ORD-117] a restaurant whose orders the ERP forbids', () => {
  let refused: PolledOrganization;
  let other: PolledOrganization;
  let rewardId: number;
  beforeAll(async () => {
    rewardId = (
      await addRow(fixture.db, 'reward', { code: 'refused', name: 'Тарт', erpItemId: randomUUID() })
    ).id;
    const { together } = await polledOrganizations(fixture.db, fixture.connectionId);
    refused = together.find(({ erpId }) => erpId === desk.organizationId)!;
    other = together.find(({ erpId }) => erpId !== desk.organizationId)!;
    await poll();
  });
  afterAll(() => updateRows(fixture.db, 'reward', { isActive: false }, { id: rewardId }));
  afterEach(async () => {
    await accept();
    await poll();
    await updateRows(fixture.db, 'order_revision', { polledAt: ago('3 minutes') });
  });
  const refuse = (code = 403) =>
    fixture.emulator.control('refuse-organization', {
      organizationId: refused.erpId,
      status: code,
    });
  async function poll(): Promise<void> {
    await pollOrders(pollDeps(), fixture.connectionId);
    await readMissedHistories(
      { ...pollDeps(), log: createLog({ service: 'test', level: 'silent' }) },
      fixture.connectionId,
    );
  }
  const accept = () => fixture.emulator.control('accept-organizations', {});
  async function put({ erpId: organizationId }: PolledOrganization): Promise<string> {
    const order = { organizationId, phone: '+79990004499', items: [{ productId: randomUUID() }] };
    return (await fixture.emulator.control<{ orderInfo: { id: string } }>('put-delivery', order))
      .orderInfo.id;
  }
  const areStored = async (...ids: string[]) =>
    (await selectRows(fixture.db, 'erp_order', ['id'], { id: ids })).map(({ id }) => id);
  const readRevision = async ({ id }: PolledOrganization) =>
    (
      await selectRows(fixture.db, 'refused_order_revision', ['revision'], { organizationId: id })
    )[0]?.revision;
  const notified = () => notes('ORGANIZATION_REFUSED', String(refused.id));
  const tooOld = { revision: plus('revision', -4 * 3_600_000) };

  test.each([403, 400])(
    'keeps neither the polls of other restaurants nor its own orders from being read: %i',
    async (code) => {
      await refuse(code);
      const [hidden, shown] = [await put(refused), await put(other)];
      await poll();
      const before = {
        stored: await areStored(hidden, shown),
        notes: (await notified()).filter(({ open }) => open),
      };
      await poll();
      await accept();
      await poll();

      expect(before).toMatchObject({
        stored: [shown],
        notes: [{ details: { organizationErpId: refused.erpId, jobs: { ORDERS: code } } }],
      });
      expect((await areStored(hidden, shown)).toSorted()).toEqual([hidden, shown].toSorted());
      expect(await readRevision(refused)).toBeUndefined();
      expect((await notified()).filter(({ open }) => open)).toEqual([]);
    },
  );

  test('sends separate requests from its own revision from then on', async () => {
    await refuse();
    const { revision } = await selectRow(fixture.db, 'order_revision', ['revision'], {
      connectionId: fixture.connectionId,
    });
    await poll();
    const before = await calls(BY_REVISION);
    await put(other);
    await poll();

    expect((await calls(BY_REVISION)) - before).toBe(2);
    expect(await readRevision(refused)).toBe(revision);
  });

  test('blocks no reading of other restaurants by date, and is read by date later', async () => {
    await refuse();
    const [hidden, shown] = [await put(refused), await put(other)];
    await updateRows(fixture.db, 'order_revision', tooOld, { connectionId: fixture.connectionId });
    await poll();
    const before = await areStored(hidden, shown);
    await accept();
    await poll();

    expect(before).toEqual([shown]);
    expect((await areStored(hidden, shown)).toSorted()).toEqual([hidden, shown].toSorted());
  });

  test('misses nothing when its own revision is too old for the ERP', async () => {
    await refuse();
    await poll();
    const hidden = await put(refused);
    await updateRows(fixture.db, 'refused_order_revision', tooOld, { organizationId: refused.id });
    await accept();
    await poll();

    expect(await areStored(hidden)).toEqual([hidden]);
  });

  test('keeps no recent orders of other restaurants from being read again', async () => {
    await refuse();
    const [hidden, shown] = [await put(refused), await put(other)];
    await readLastOrders(pollDeps(), fixture.connectionId);

    expect(await areStored(hidden, shown)).toEqual([shown]);
  });

  test('catches up on older orders that were read for other restaurants meanwhile', async () => {
    const from = new Date(Date.now() - 20 * 86_400_000);
    const keys = { connectionId: fixture.connectionId, phone: '+79990004488' };
    const clientId = await fixture.db.transaction((tx) =>
      ensureClient(tx, { secrets: testSecrets }, keys),
    );
    const right = await grantTo(fixture.db, { clientId, rewardId });
    const { erpItemId } = await selectRow(fixture.db, 'reward', ['erpItemId'], { id: rewardId });
    await refuse();
    await poll();
    await fixture.emulator.control('put-delivery', {
      organizationId: refused.erpId,
      phone: keys.phone,
      items: [{ productId: erpItemId }],
      daysAgo: 20,
    });
    await noteMissedHistory(fixture.db, fixture.connectionId, { from, to: new Date() });
    await poll();
    const [before] = await storedRights(fixture.db, [right]);
    await accept();
    await poll();

    expect(before).toMatchObject({ status: 'GRANTED' });
    expect(await storedRights(fixture.db, [right])).toMatchObject([{ status: 'REDEEMED' }]);
  });

  test('[ORD-99] counts as not polled, so its orders are tracked by their ids', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await poll();
    await refuse();
    await poll();
    const follow = async () =>
      followOrder(pollDeps(), await findOrder(fixture.db, id), { followMs: 0, isHinted: true });
    await follow();
    const reported = await countRows(fixture.db, 'erp_refusal', {
      connectionId: fixture.connectionId,
    });
    await accept();
    await status(id, 'CookingStarted');
    await follow();
    await handle.terminate();

    expect(reported).toBe(0);
    expect((await desk.row(id)).state).toBe('COOKING');
  });

  test('stays rejected if the others were read further during its request', async () => {
    await refuse();
    await poll();
    const { connectionId, db } = fixture;
    const saved = await selectRow(db, 'order_revision', ['revision', 'polledAt'], { connectionId });
    const startRevision = (await readRevision(refused))!;
    const further = await holdLock(db, async (tx) => {
      await advisory.orderRevision(tx, connectionId);
      await updateRows(tx, 'order_revision', { revision: saved.revision + 50 }, { connectionId });
    });
    const { polledAt } = await selectRow(db, 'refused_order_revision', ['polledAt'], {
      organizationId: refused.id,
    });
    const reading = {
      saved,
      startRevision,
      polledAt,
      revision: saved.revision + 1,
      passedOver: [],
    };
    const ending = endRefusal(db, connectionId, { id: refused.id, ...reading });
    await Promise.race([further.waits(1), ending]);
    await further.release();
    await ending;

    expect(await readRevision(refused)).toBe(saved.revision + 1);
  });

  describe('during a reading of older orders of a client', () => {
    const from = new Date(Date.now() - 25 * 86_400_000);
    beforeEach(async () => {
      await deleteRows(fixture.db, 'client_history');
      await refuse();
      await poll();
    });

    test('the history is read again if the rejection ends in the meantime', async () => {
      const { connectionId, db } = fixture;
      const clientId = await db.transaction((tx) =>
        ensureClient(tx, { secrets: testSecrets }, { connectionId, phone: '+79990004499' }),
      );
      await grantTo(db, { clientId, rewardId });
      await noteMissedHistory(db, connectionId, { from, to: new Date() });
      const { erp } = pollDeps();
      const organizations: string[][] = [];
      const deliveryHistory: ErpClient['deliveryHistory'] = async (
        connection,
        request,
        options,
      ) => {
        organizations.push([...request.organizationIds]);
        await accept();
        await pollOrders(pollDeps(), connectionId);
        return erp.deliveryHistory(connection, request, options);
      };
      const log = createLog({ service: 'test', level: 'silent' });
      const deps = { ...pollDeps(), log, erp: { ...erp, deliveryHistory } };
      await readMissedHistories(deps, connectionId);
      const kept = await countRows(db, 'client_history', { clientId });
      await readMissedHistories(deps, connectionId);

      expect(kept).toBe(1);
      expect(organizations[0]).not.toContain(refused.erpId);
      expect(organizations.at(-1)).toContain(refused.erpId);
      expect(await countRows(db, 'client_history', { clientId })).toBe(0);
    });

    test('a rejection that ends during the reading is kept until the history is read', async () => {
      const { connectionId, db } = fixture;
      const saved = await selectRow(db, 'order_revision', ['revision', 'polledAt'], {
        connectionId,
      });
      const [row] = await selectRows(db, 'refused_order_revision', ['revision', 'polledAt'], {
        organizationId: refused.id,
      });
      await readRefusedFrom(db, [refused.id], from);
      const { revision: startRevision, polledAt } = row!;
      const reading = {
        id: refused.id,
        startRevision,
        saved,
        revision: saved.revision,
        passedOver: [],
      };
      await endRefusal(db, connectionId, { ...reading, polledAt });
      const kept = await readRevision(refused);
      await endRefusal(db, connectionId, { ...reading, polledAt: from });

      expect([kept, await readRevision(refused)]).toEqual([startRevision, undefined]);
    });
  });

  test('[OPS-122] keeps no orders of other restaurants from being read after a restoration', async () => {
    await refuse();
    const { connectionId, db } = fixture;
    await deleteRows(db, 'refused_organization');
    const [hidden, shown] = [randomUUID(), randomUUID()];
    const witness = {
      cartId: null,
      gifts: null,
      discountIds: null,
      startedAt: new Date(),
      outcome: null,
    };
    const read: string[] = [];
    const { erp } = pollDeps();
    const deliveriesById: ErpClient['deliveriesById'] = (
      connection,
      organizationId,
      ids,
      options,
    ) => {
      if (organizationId === refused.erpId)
        throw new ErpFailure('FORBIDDEN', { endpoint: 'deliveries/by_id', status: 403 });
      read.push(...ids);
      return erp.deliveriesById(connection, organizationId, ids, options);
    };
    const found = await ordersAtErp(
      { db, erp: { ...erp, deliveriesById } },
      connectionId,
      new Date(),
      [
        { ...witness, orderId: hidden, organizationId: refused.id },
        { ...witness, orderId: shown, organizationId: other.id },
      ],
    );

    expect(found).toMatchObject({ refused: [refused.erpId], unreadOrderIds: [hidden] });
    expect(read).toEqual([shown]);
  });

  test('[OPS-122] a restoration also requests rejected restaurants, even if all of them are rejected', async () => {
    const { connectionId, db } = fixture;
    const { erp } = pollDeps();
    const asked = new Set<string>();
    let refuses = false;
    const deliveriesByPhone: ErpClient['deliveriesByPhone'] = (connection, search, options) => {
      for (const id of search.organizationIds) asked.add(id);
      if (refuses)
        throw new ErpFailure('FORBIDDEN', { endpoint: 'deliveries/by_date', status: 403 });
      return erp.deliveriesByPhone(connection, search, options);
    };
    await deleteRows(db, 'refused_organization');
    await addRow(db, 'refused_organization', {
      organizationId: refused.id,
      job: 'MENU',
      endpoint: '/api/2/menu/by_id',
      status: 403,
    });
    const read = () =>
      ordersAtErp({ db, erp: { ...erp, deliveriesByPhone } }, connectionId, new Date(), []);
    const found = await read();
    refuses = true;
    const { refused: none } = await read();
    await deleteRows(db, 'refused_organization');

    expect(found.refused).toEqual([]);
    expect([...asked]).toContain(refused.erpId);
    expect(new Set(none)).toEqual(asked);
  });

  test('[OPS-123] waits for later polls if the ERP answers slowly', async () => {
    const { connectionId, db } = fixture;
    const polls = [refused, other].map((place) => ({
      ...place,
      revision: 1,
      polledAt: new Date(),
    }));
    for (const { id, revision, polledAt } of polls)
      await addRow(db, 'refused_order_revision', {
        organizationId: id,
        connectionId,
        revision,
        polledAt,
      });
    const requested: string[] = [];
    const { erp } = pollDeps();
    const deliveriesByRevision: ErpClient['deliveriesByRevision'] = async (
      _connection,
      { organizationIds },
    ) => {
      requested.push(...organizationIds);
      throw new ErpFailure('TIMEOUT', { endpoint: BY_REVISION });
    };
    const deps = { ...pollDeps(), erp: { ...erp, deliveriesByRevision } };
    const poll = { connectionId, readsAll: true, search: {} };
    await pollRefused(deps, poll, polls, { isPart: true }, 0);
    const { refused: next } = await polledOrganizations(db, connectionId);
    await pollRefused(deps, poll, next, { isPart: true }, 0);
    await deleteRows(db, 'refused_order_revision');
    await deleteRows(db, 'refused_organization');

    expect(requested).toEqual([refused.erpId, other.erpId]);
  });

  test('[MIR-76] keeps no terminals of other restaurants from being checked', async () => {
    const { connectionId, db } = fixture;
    const terminalGroupErpId = randomUUID();
    await addRow(db, 'mirror_terminal_group', {
      organizationId: other.id,
      erpId: terminalGroupErpId,
      name: 'Other',
      synchronizedAt: new Date(),
    });
    for (const { id } of [refused, other])
      await db.query(
        `insert into ordering_config (organization_id, delivery_enabled) values ($1, true)
         on conflict (organization_id) do update set delivery_enabled = true`,
        [id],
      );
    await deleteRows(db, 'refused_organization');
    await deleteRows(db, 'terminal_alive');
    const terminalGroupsAlive: ErpClient['terminalGroupsAlive'] = async (
      _connection,
      organizationIds,
      groups,
    ) => {
      if (organizationIds.includes(refused.erpId))
        throw new ErpFailure('FORBIDDEN', { endpoint: 'alive', status: 403 });
      return new Map(groups.map((id) => [id, true]));
    };
    const deps = pollDeps();
    const { asked } = await checkTerminals(
      { ...deps, erp: { ...deps.erp, terminalGroupsAlive } },
      connectionId,
    );
    const stored = await selectRows(db, 'terminal_alive', ['terminalGroupErpId', 'isAlive']);
    await deleteRows(db, 'terminal_alive');
    await deleteRows(db, 'mirror_terminal_group', { erpId: terminalGroupErpId });

    expect(stored).toEqual(expect.arrayContaining([{ terminalGroupErpId, isAlive: true }]));
    expect(stored).toHaveLength(asked);
    expect(stored.map((row) => row.terminalGroupErpId)).not.toContain(desk.terminalGroupId);
  });

  test('invalidates a poll that began while the restaurant was rejected', async () => {
    await refuse();
    const { connectionId, db } = fixture;
    const columns = ['revision', 'polledAt'] as const;
    const saved = await selectRow(db, 'order_revision', columns, { connectionId });
    const reading = { saved, revision: saved.revision + 1, passedOver: [], leftOut: [refused.id] };
    await saveRevision(db, connectionId, reading);

    expect(await selectRow(db, 'order_revision', columns, { connectionId })).toEqual(saved);
  });

  test('fails the poll, as before, when the ERP rejects every restaurant', async () => {
    const { together } = await polledOrganizations(fixture.db, fixture.connectionId);
    for (const { erpId: organizationId } of together)
      await fixture.emulator.control('refuse-organization', { organizationId, status: 403 });
    const awaitFailure = () =>
      pollOrders(pollDeps(), fixture.connectionId).then(
        () => null,
        ({ kind }: ErpFailure) => kind,
      );
    const failures = [await awaitFailure(), await awaitFailure()];
    const reported = await countRows(fixture.db, 'erp_refusal', {
      connectionId: fixture.connectionId,
    });
    const hidden = await put(refused);
    await accept();
    for (let polls = 0; polls * 10 < together.length; polls += 1) await poll();

    expect(failures).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect(reported).toBeGreaterThan(0);
    expect(await areStored(hidden)).toEqual([hidden]);
    expect(await countRows(fixture.db, 'refused_order_revision')).toBe(0);
  });
});

describe('the daily comparison of gifts', () => {
  const compare = () =>
    sync.temporal.workflow.execute('giftReconciliation', {
      workflowId: `gift-reconciliation/${randomUUID()}`,
      taskQueue: sync.queues.workflows,
      args: [
        { connectionId: fixture.connectionId, timeZone: 'Europe/Moscow', queues: sync.queues },
      ],
    });
  const itemId = randomUUID();
  let rewardId: number;
  beforeAll(async () => {
    rewardId = await menuRows(fixture.db).insert('reward', {
      code: 'compared',
      name: 'Тарт',
      erp_item_id: itemId,
    });
  });
  afterAll(() => updateRows(fixture.db, 'reward', { isActive: false }, { id: rewardId }));

  test('[CMP-56] rereads unreported orders, redeems their gifts and finds matching totals', async () => {
    const phone = '+79990005566';
    const clientId = await fixture.db.transaction((tx) =>
      ensureClient(tx, { secrets: testSecrets }, { connectionId: fixture.connectionId, phone }),
    );
    const right = await grantTo(fixture.db, { clientId, rewardId });
    const order = { organizationId: desk.organizationId, phone, items: [{ productId: itemId }] };
    await fixture.emulator.control('put-delivery', order);
    await fixture.emulator.control('put-delivery', order);

    const first = await compare();
    expect(first.differing).toBe(0);
    expect(first.orders).toBeGreaterThanOrEqual(2);
    expect(first.days).toBeGreaterThanOrEqual(3);
    expect(await storedRights(fixture.db, [right])).toMatchObject([
      { status: 'REDEEMED', version: 1 },
    ]);
    const unauthorized = await selectRows(fixture.db, 'unauthorized_gift', ['quantity', 'status'], {
      rewardId,
    });
    expect(unauthorized).toEqual([{ quantity: 1, status: 'OPEN' }]);

    expect(await compare()).toEqual(first);
    expect(await storedRights(fixture.db, [right])).toMatchObject([
      { status: 'REDEEMED', version: 1 },
    ]);
  });
});
