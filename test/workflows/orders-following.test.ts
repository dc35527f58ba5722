import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureClient } from '../../modules/gifts/clients/clients.ts';
import { applyAll } from '../../modules/ordering/at-erp/apply-orders.ts';
import { followOrder } from '../../modules/ordering/at-erp/follow-order.ts';
import { findOrder, holdOrder } from '../../modules/ordering/orders/order-row.ts';
import { reconcileOrders } from '../../modules/ordering/at-erp/reconcile-orders.ts';
import { receiveWebhook } from '../../modules/erp-webhooks/receive-webhook.ts';
import type { ErpClient } from '../../erp/client.ts';
import type { ErpDelivery } from '../../erp/schemas/deliveries.ts';
import { testSecrets } from '../support/connection.ts';
import { eventually } from '../support/processes.ts';
import { holdLock } from '../support/races.ts';
import { longTest, wholeInSoak } from '../support/repetitions.ts';
import { grantTo, storedRights } from '../support/rights.ts';
import { addRow, ago, countRows, selectRows, updateRows } from '../support/rows.ts';
import { orderFixture, type OrderFixture } from '../support/order-fixture.ts';

let orders: OrderFixture;
let fixture: OrderFixture['fixture'];
let sync: OrderFixture['sync'];
let desk: OrderFixture['desk'];
let reaches: OrderFixture['reaches'];
let status: OrderFixture['status'];
let tell: OrderFixture['tell'];
let fault: OrderFixture['fault'];
let orderNotes: OrderFixture['orderNotes'];
let ordered: OrderFixture['ordered'];
let watch: OrderFixture['watch'];
let calls: OrderFixture['calls'];
let pollDeps: OrderFixture['pollDeps'];
beforeAll(async () => {
  orders = await orderFixture();
  ({
    fixture,
    sync,
    desk,
    reaches,
    status,
    tell,
    fault,
    orderNotes,
    ordered,
    watch,
    calls,
    pollDeps,
  } = orders);
});
afterEach(() => orders.reset());
afterAll(() => orders?.close());

const BY_ID = '/api/1/deliveries/by_id';

test('[WHK-8] repeated and reordered webhooks update an order to the state at the ERP', async () => {
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
  // The events are premature or outdated: only the ERP's answer counts.
  await status(id, 'CookingStarted');
  const early = told(id, 'Closed', now + 9_000);
  await receiveWebhook(fixture, [early, early, told(other, 'OnWay', now)], { connectionId: null });
  await reaches(id, 'COOKING');
  await status(id, 'OnWay');
  await receiveWebhook(
    fixture,
    [told(id, 'Cancelled', now + 1), told(id, 'Unconfirmed', now - 5)],
    {
      connectionId: null,
    },
  );
  await reaches(id, 'ON_THE_WAY');
  await status(id, 'Closed');
  await receiveWebhook(fixture, [told(id, 'Closed', now + 20_000)], { connectionId: null });
  await handle.result();
  const outcomes = await eventually('every event has ended', async () => {
    const rows = await selectRows(fixture.db, 'webhook_event', ['outcome'], {}, { orderBy: 'id' });
    return rows.every((row) => row.outcome !== null) ? rows.map((row) => row.outcome) : undefined;
  });

  expect(await desk.states(id)).toEqual([
    'ACCEPTED',
    'SENT',
    'CONFIRMED',
    'COOKING',
    'ON_THE_WAY',
    'CLOSED',
  ]);
  expect(Object.groupBy(outcomes, (entry) => entry ?? '')).toMatchObject({
    ASKED: { length: 4 },
    NOT_OURS: { length: 1 },
  });
});

test('[ORD-52] an unconfirmed order is reported to staff and continues when the restaurant confirms it', async () => {
  await fault('order-stuck');
  const { id } = await ordered({}, { stuckMs: 100 });
  const stuck = await eventually('it is stuck', async () => {
    const row = await desk.row(id);
    return row.problem === 'STUCK_IN_PROGRESS' ? row : undefined;
  });
  const told = await orderNotes('ORDER_STUCK', id);
  await fixture.emulator.control('settle-delivery', { orderId: id });
  const taken = await reaches(id, 'CONFIRMED');

  expect(stuck).toMatchObject({ state: 'SENT', erpOrderId: id });
  expect(told).toMatchObject([{ open: true }]);
  expect(taken.problem).toBeNull();
  expect(await orderNotes('ORDER_STUCK', id)).toMatchObject([{ open: false }]);
});

describe('an order that the ERP never completes', () => {
  const longAgo = (id: string) =>
    updateRows(fixture.db, 'customer_order', { dueAt: ago('3 days 1 second') }, { id });

  test('[ORD-58] an order is closed in its last state days after its time, and staff are notified', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await status(id, 'OnWay');
    await longAgo(id);
    await tell(id);
    await handle.result();

    expect(await desk.row(id)).toMatchObject({ state: 'CLOSED', problem: 'NEVER_ENDED' });
    expect(await desk.states(id)).toEqual([
      'ACCEPTED',
      'SENT',
      'CONFIRMED',
      'ON_THE_WAY',
      'CLOSED',
    ]);
    expect(await orderNotes('ORDER_NEVER_ENDED', id)).toMatchObject([
      {
        open: true,
        details: { ours: { state: 'ON_THE_WAY' }, erp: { status: 'OnWay', isAnswering: true } },
      },
    ]);
  });

  test('[ORD-100] delivered orders of one connection share one notification', async () => {
    const orders = [await ordered(), await ordered()];
    for (const { id, handle } of orders) {
      await reaches(id, 'CONFIRMED');
      await status(id, 'Delivered');
      await longAgo(id);
      await tell(id);
      await handle.result();
    }
    const found = await selectRows(
      fixture.db,
      'notification',
      ['subjectId', 'repeated', 'details'],
      {
        kind: 'ORDER_NEVER_ENDED',
        subjectType: 'connection',
      },
    );

    expect(found).toMatchObject([
      {
        subjectId: String(fixture.connectionId),
        repeated: 1,
        details: { count: 2, members: orders.map(({ id: orderId }) => ({ orderId })) },
      },
    ]);
    for (const { id } of orders)
      expect(await desk.row(id)).toMatchObject({ state: 'CLOSED', problem: 'NEVER_ENDED' });
  });

  test('[ORD-58] an unconfirmed order fails even if the ERP no longer answers', async () => {
    await fault('order-stuck');
    const { id, handle } = await ordered();
    await eventually('the ERP has it', async () => (await desk.row(id)).erpOrderId ?? undefined);
    await longAgo(id);
    await fault('500', { endpoint: BY_ID, times: 1 });
    await tell(id);
    await handle.result();

    expect(await desk.row(id)).toMatchObject({
      state: 'FAILED',
      problem: 'NEVER_ENDED',
      unansweredSince: null,
    });
    expect(await orderNotes('ORDER_NEVER_ENDED', id)).toHaveLength(1);
  });

  test('[ORD-58] an order ends with the last status of the ERP, if there is one', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await status(id, 'Cancelled');
    await longAgo(id);
    await tell(id);
    await handle.result();

    expect(await desk.row(id)).toMatchObject({
      state: 'CANCELLED',
      problem: 'CANCELLED_BY_RESTAURANT',
    });
    expect(await orderNotes('ORDER_NEVER_ENDED', id)).toEqual([]);
  });
});

describe('a moved order', () => {
  let rewardId: number;
  let clientId: string;
  beforeAll(async () => {
    const gift = { code: 'moved', name: 'Тарт', erpItemId: desk.gift.productId };
    ({ id: rewardId } = await addRow(fixture.db, 'reward', gift));
    const keys = { connectionId: fixture.connectionId, erpCustomerId: randomUUID() };
    clientId = await fixture.db.transaction((tx) =>
      ensureClient(tx, { secrets: testSecrets }, keys),
    );
  });
  afterAll(() => updateRows(fixture.db, 'reward', { isActive: false }, { id: rewardId }));

  type Wire = { id: string; timestamp: number; order: Record<string, unknown> };
  const moveAtErp = async (orderId: string, terminalGroupId: string, more: object = {}) =>
    (
      await fixture.emulator.control<{ orderInfo: Wire }>('move-delivery', {
        orderId,
        terminalGroupId,
        ...more,
      })
    ).orderInfo;
  const hint = (orderId: string) => ({
    eventType: 'DeliveryOrderUpdate',
    eventTime: '2031-02-03 08:15:02.117',
    organizationId: desk.organizationId,
    correlationId: randomUUID(),
    eventInfo: {
      id: orderId,
      organizationId: desk.organizationId,
      timestamp: 1,
      creationStatus: 'Success',
    },
  });
  async function cooking() {
    const right = await grantTo(fixture.db, { clientId, rewardId });
    const { id, handle } = await ordered({ gift: right });
    await reaches(id, 'CONFIRMED');
    await status(id, 'CookingStarted');
    await watch();
    return { id, handle, right };
  }
  async function seen(id: string, right: string) {
    const [row] = await storedRights(fixture.db, [right]);
    return {
      states: (await desk.states(id)).slice(2),
      right: row!.status,
      unauthorized: await countRows(fixture.db, 'unauthorized_gift'),
      elsewhere: await countRows(fixture.db, 'erp_order'),
    };
  }
  const CLOSED = { right: 'REDEEMED', unauthorized: 0, elsewhere: 0 };

  test('[ORD-52] a moved order is tracked under its new id', async () => {
    const { id, handle } = await ordered();
    await reaches(id, 'CONFIRMED');
    await moveAtErp(id, desk.otherTerminalGroupId);
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

  test.each([
    ['canceled', {}] as const,
    ...wholeInSoak([['left', { keepsStatus: true }] as const], []),
  ])(
    '[ORD-161] shows a status reached before the next poll, with the old order %s',
    async (_, more) => {
      const { id, handle, right } = await cooking();
      const { id: newId } = await moveAtErp(id, desk.otherTerminalGroupId, more);
      await status(newId, 'Delivered');
      await watch();
      const delivered = await desk.row(id);
      await status(newId, 'Closed');
      await watch();
      await handle.result();

      expect(delivered).toMatchObject({ state: 'DELIVERED', erpOrderId: newId });
      expect(await seen(id, right)).toEqual({
        ...CLOSED,
        states: ['CONFIRMED', 'COOKING', 'DELIVERED', 'CLOSED'],
      });
    },
  );

  longTest(
    '[ORD-161] follows webhooks about the new id that arrive before those about the old id',
    async () => {
      const { id, handle, right } = await cooking();
      const { id: newId } = await moveAtErp(id, desk.otherTerminalGroupId);
      await status(newId, 'Delivered');
      await receiveWebhook(fixture, [hint(newId), hint(id)], { connectionId: null });
      await reaches(id, 'DELIVERED');
      await status(newId, 'Closed');
      await receiveWebhook(fixture, [{ ...hint(newId), correlationId: randomUUID() }], {
        connectionId: null,
      });
      await watch();
      await handle.result();

      expect(await seen(id, right)).toEqual({
        ...CLOSED,
        states: ['CONFIRMED', 'COOKING', 'DELIVERED', 'CLOSED'],
      });
    },
  );

  longTest(
    '[ORD-161] keeps its state when it is moved twice, or back, between two polls',
    async () => {
      const { id, handle, right } = await cooking();
      const second = await moveAtErp(id, desk.otherTerminalGroupId);
      const third = await moveAtErp(second.id, desk.terminalGroupId);
      await status(third.id, 'OnWay');
      await watch();
      const row = await desk.row(id);
      await status(third.id, 'Closed');
      await watch();
      await handle.result();

      expect(row).toMatchObject({
        state: 'ON_THE_WAY',
        erpOrderId: third.id,
        erpOrganizationErpId: desk.organizationId,
      });
      expect(await seen(id, right)).toEqual({
        ...CLOSED,
        states: ['CONFIRMED', 'COOKING', 'ON_THE_WAY', 'CLOSED'],
      });
    },
  );

  test('[ORD-161] ends and returns its gift when it is canceled under its new id', async () => {
    const { id, handle, right } = await cooking();
    const second = await moveAtErp(id, desk.otherTerminalGroupId);
    await status(second.id, 'Cancelled');
    await watch();
    await handle.result();
    const rights = await selectRows(fixture.db, 'compensation', ['status'], { sourceOrderId: id });

    expect(await seen(id, right)).toEqual({
      ...CLOSED,
      states: ['CONFIRMED', 'COOKING', 'CANCELLED'],
    });
    expect(rights).toEqual([{ status: 'GRANTED' }]);
  });

  longTest('[ORD-161] follows its new id if its change was read before the move', async () => {
    const { id, handle, right } = await cooking();
    const { id: newId } = await moveAtErp(id, desk.otherTerminalGroupId);
    await status(newId, 'Delivered');
    const old = await readAtErp(id, desk.organizationId);
    // The change of the new order is older than this revision.
    await updateRows(fixture.db, 'order_revision', { revision: Date.now() + 1 });
    // The move also signals the workflow, which cannot read the new order either.
    await fault('500', { endpoint: BY_ID, times: 99 });
    await applyAll(pollDeps(), fixture.connectionId, old, null);
    const moved = await desk.row(id);
    await watch();
    const unread = await desk.row(id);
    await orders.erpIsBack();
    await watch();
    const delivered = await desk.row(id);
    const before = await calls(BY_ID);
    await watch();
    const after = await calls(BY_ID);
    await status(newId, 'Closed');
    await watch();
    await handle.result();

    expect(moved).toMatchObject({ state: 'COOKING', erpOrderId: newId });
    expect(unread.state).toBe('COOKING');
    expect(delivered.state).toBe('DELIVERED');
    expect(after).toBe(before);
    expect(await seen(id, right)).toMatchObject(CLOSED);
  });

  const readAtErp = async (id: string, organizationId: string) =>
    (await fixture.deps.erp.deliveriesById(fixture.connectionId, organizationId, [id])).orders;

  const rareReports: [string, string[]][] = [
    ['the new one alone', ['new']],
    ['an old one that only the new one links', ['unlinked+new']],
    ['a new one that only the old one links', ['old+unlinkedNew']],
  ];
  test.each([
    ['both together', ['new+old']],
    ['the old one again afterwards', ['old', 'new', 'old']],
    ...wholeInSoak(rareReports, []),
  ] as [string, string[]][])(
    '[ORD-161] remains one order with one gift when the ERP reports %s',
    async (_, answers) => {
      const { id, handle, right } = await cooking();
      const { id: newId } = await moveAtErp(id, desk.otherTerminalGroupId);
      await status(newId, 'Delivered');
      const [old] = await readAtErp(id, desk.organizationId);
      const [fresh] = await readAtErp(newId, desk.otherOrganizationId);
      const reports: Record<string, ErpDelivery> = {
        old: old!,
        new: fresh!,
        unlinked: { ...old!, movedTo: null } as ErpDelivery,
        unlinkedNew: { ...fresh!, movedFrom: null } as ErpDelivery,
      };
      for (const answer of answers) {
        const facts = answer.split('+').map((name) => reports[name]!);
        await applyAll(pollDeps(), fixture.connectionId, facts, null);
      }
      const row = await desk.row(id);
      const found = await seen(id, right);
      await status(newId, 'Closed');
      await watch();
      await handle.result();

      expect(row).toMatchObject({ state: 'DELIVERED', erpOrderId: newId });
      expect(found).toEqual({ ...CLOSED, states: ['CONFIRMED', 'COOKING', 'DELIVERED'] });
    },
  );
});

test('[ORD-55] the reconciler restarts the workflows of all open orders after a loss of Temporal', async () => {
  const { id: accompanied } = await ordered();
  const lost = await Promise.all([1, 2, 3].map(() => desk.accepted({ isAnnounced: false })));
  await updateRows(
    fixture.db,
    'customer_order',
    { acceptedAt: ago('1 minute') },
    { endedAt: null },
  );
  const { started } = await reconcileOrders(sync.upkeep, 2);
  for (const id of [accompanied, ...lost]) await reaches(id, 'CONFIRMED');

  expect(started).toBeGreaterThanOrEqual(3);
  expect(await reconcileOrders(sync.upkeep, 2)).toEqual({ started: 0 });
});

describe('the tracking of a confirmed order', () => {
  longTest('[ORD-99] causes no calls while the connection is polled', async () => {
    const { id, handle } = await ordered({}, { followMs: 20 });
    await reaches(id, 'CONFIRMED');
    await watch();
    const looks = async () =>
      ((await handle.fetchHistory()).events ?? []).filter(
        (event) => event.timerFiredEventAttributes != null,
      ).length;
    const [before, from] = [await calls(BY_ID), await looks()];
    await eventually('it was followed for a while', async () =>
      (await looks()) > from + 5 ? true : undefined,
    );
    const after = await calls(BY_ID);
    await status(id, 'Closed');
    await watch();
    await handle.result();

    expect(after).toBe(before);
    expect((await desk.row(id)).state).toBe('CLOSED');
  });

  longTest('[ORD-99] reads orders of an unpolled connection together, once per pause', async () => {
    const orders = await Promise.all(
      Array.from({ length: 6 }, () => ordered({}, { followMs: 1_000 })),
    );
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

  test('[ORD-99] skips an order that a concurrent check has locked', async () => {
    const [held, mine] = [await ordered(), await ordered()];
    for (const { id } of [held, mine]) await reaches(id, 'CONFIRMED');
    const read: string[] = [];
    const erp: ErpClient = {
      ...fixture.deps.erp,
      deliveriesById: async (_connection, _organization, ids) => {
        read.push(...ids);
        return { orders: [], unreadable: 0 };
      },
    };
    const lock = await holdLock(fixture.db, async (tx) => void (await holdOrder(tx, held.id)));
    const row = await findOrder(fixture.db, mine.id);
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

  longTest('[ORD-99] checks a delivered order at growing intervals', async () => {
    const { id, handle } = await ordered({}, { followMs: 100, longestFollowMs: 800 });
    await reaches(id, 'CONFIRMED');
    await status(id, 'Delivered');
    await reaches(id, 'DELIVERED');
    const pauses = await eventually('it was followed', async () => {
      const { events } = await handle.fetchHistory();
      const all = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
        timer == null
          ? []
          : Number(timer.startToFireTimeout?.seconds ?? 0) * 1_000 +
            Number(timer.startToFireTimeout?.nanos ?? 0) / 1e6,
      );
      return all.filter((ms) => ms === 800).length >= 2 ? all.slice(all.indexOf(200)) : undefined;
    });
    await status(id, 'Closed');
    await handle.result();

    expect(pauses.slice(0, 4)).toEqual([200, 400, 800, 800]);
  });
});
