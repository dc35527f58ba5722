import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Problem } from '../../kernel/problem.ts';
import { freshErpChoices } from '../../modules/delivery/configuration/erp-choices.ts';
import { ensureClient } from '../../modules/gifts/clients/clients.ts';
import { moveRights } from '../../modules/gifts/rights/move-rights.ts';
import { readOrderToSend } from '../../modules/ordering/at-erp/order-to-send.ts';
import { sendOrder } from '../../modules/ordering/at-erp/send-order.ts';
import { writeAnswer } from '../../modules/ordering/at-erp/write-answer.ts';
import { orderWorkflow } from '../../modules/ordering/messages/ordering.ts';
import { moveOrder } from '../../modules/ordering/orders/move-order.ts';
import { holdOrder } from '../../modules/ordering/orders/order-row.ts';
import { getOrder } from '../../modules/ordering/orders/order-view.ts';
import {
  SEND_AGAIN_OBSTACLES,
  type SendAgainObstacle,
} from '../../modules/ordering/rules/send-again.ts';
import { sendOrderAgain } from '../../modules/ordering/staff/send-again.ts';
import { eraseStaffOrder, getStaffOrder } from '../../modules/ordering/staff/staff-orders.ts';
import { readAudit } from '../support/audit.ts';
import { STAFF } from '../support/catalog-fixtures.ts';
import { testSecrets } from '../support/connection.ts';
import { menuRows } from '../support/menu-rows.ts';
import { openForOrders } from '../support/open-restaurant.ts';
import { orderFixture, type OrderFixture } from '../support/order-fixture.ts';
import { eventually } from '../support/processes.ts';
import { awaitRefusal } from '../support/refusal.ts';
import { GRANTER, grantTo } from '../support/rights.ts';
import {
  addRow,
  ago,
  countRows,
  databaseNow,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../support/rows.ts';

const CREATE = '/api/1/deliveries/create';
const BY_ID = '/api/1/deliveries/by_id';
const REASON = 'Гость ждёт заказ';

let orders: OrderFixture;
let fixture: OrderFixture['fixture'];
let sync: OrderFixture['sync'];
let desk: OrderFixture['desk'];
let rewardId: number;
let clientId: string;
beforeAll(async () => {
  orders = await orderFixture();
  ({ fixture, sync, desk } = orders);
  await openForOrders(fixture.db, desk.organization.id);
  const gift = { code: 'again', name: 'Тарт', erp_item_id: desk.gift.productId };
  rewardId = await menuRows(fixture.db).insert('reward', gift);
  clientId = await fixture.db.transaction((tx) =>
    ensureClient(
      tx,
      { secrets: testSecrets },
      { connectionId: fixture.connectionId, erpCustomerId: randomUUID() },
    ),
  );
});
afterEach(() => orders.reset());
afterAll(() => orders?.close());

type Fields = Parameters<typeof desk.accepted>[0];

async function failed(fields: Fields = {}): Promise<string> {
  const id = await desk.accepted({ ...fields, isAnnounced: false });
  await fail(id);
  return id;
}
const fail = (id: string) =>
  fixture.db.transaction(async (tx) =>
    writeAnswer(orders.orderDeps(), tx, await holdOrder(tx, id), { kind: 'NOT_THERE' }),
  );
const again = (id: string) => sendOrderAgain(orders.orderDeps(), STAFF, id, REASON, null);
const refusal = (id: string) => awaitRefusal(again(id));
const refused = (obstacle: SendAgainObstacle, orderStatus = 'FAILED') => ({
  kind: 'invalid-transition',
  detail: SEND_AGAIN_OBSTACLES[obstacle],
  extra: { orderStatus },
});
const readRight = (id: string) =>
  selectRow(fixture.db, 'compensation', ['status', 'reservedOrderId'], { id });
const closes = async (id: string) => {
  await orders.status(id, 'Closed');
  await orders.tell(id);
  await sync.temporal.workflow.getHandle(orderWorkflow.id({ orderId: id })).result();
};

describe('an order that is sent again', () => {
  test('[ORD-181, ORD-182] reaches the ERP once, with its gift, its discount and its total', async () => {
    const right = await grantTo(fixture.db, { clientId, rewardId });
    const discount = await addRow(fixture.db, 'discount', {
      code: 'AGAIN',
      name: 'Ещё раз',
      kind: 'FIXED',
      value: 100,
      totalUses: 1,
    });
    await orders.fault('429', { endpoint: CREATE, times: 99, retryAfter: 0 });
    const { id, handle } = await orders.ordered(
      { gift: right, discountIds: [discount.id] },
      { sendMs: 60_000, longestSendMs: 60_000 },
    );
    const applied = {
      code: 'AGAIN',
      name: 'Ещё раз',
      isByPromocode: false,
      discountId: discount.id,
    };
    await updateRows(
      fixture.db,
      'customer_order',
      { discounts: [{ ...applied, amountKopecks: 100 }] },
      { id },
    );
    await eventually('it waits', async () =>
      (await desk.row(id)).problem === null ? undefined : true,
    );
    await updateRows(fixture.db, 'customer_order', { sendUntil: ago('1 second') }, { id });
    await orders.tell(id);
    await handle.result();
    const before = await desk.row(id);
    const returned = await readRight(right);
    await orders.erpIsBack();
    const accepted = await again(id);
    await orders.reaches(id, 'CONFIRMED');

    expect([before.state, before.problem]).toEqual(['FAILED', 'DEADLINE_PASSED']);
    expect(returned).toEqual({ status: 'GRANTED', reservedOrderId: null });
    expect(accepted).toMatchObject({ orderId: id, total: before.totalKopecks, giftsLeftOut: [] });
    expect(await desk.states(id)).toEqual([
      'ACCEPTED',
      'SENT',
      'FAILED',
      'ACCEPTED',
      'SENT',
      'CONFIRMED',
    ]);
    expect(await desk.atErp(id)).toMatchObject([{ id, creationStatus: 'Success' }]);
    expect((await readRight(right)).status).toBe('REDEEMED');
    expect(
      await countRows(fixture.db, 'discount_use', { discountId: discount.id, orderId: id }),
    ).toBe(1);
    await closes(id);
  });

  test('[ORD-181] appears as accepted to the guest, and staff see who sent it again and why', async () => {
    await orders.fault('429', { endpoint: CREATE, times: 99, retryAfter: 600 });
    const id = await failed();
    const before = await orders.orderNotes('ORDER_NOT_SENT', id);
    await again(id);
    const { statusHistory } = await getOrder(fixture.db, id);
    const deps = { db: fixture.db, secrets: testSecrets };
    const events = await selectRows(fixture.db, 'public_event', ['data'], {
      type: 'order.status_changed',
    });

    expect(before).toMatchObject([{ open: true }]);
    expect(await orders.orderNotes('ORDER_NOT_SENT', id)).toMatchObject([{ open: false }]);
    expect(statusHistory.slice(0, 3)).toMatchObject([
      { status: 'ACCEPTED' },
      { status: 'FAILED' },
      { status: 'ACCEPTED', problem: null, corrected: true },
    ]);
    const sent = { at: expect.any(String), by: { id: 1, name: expect.any(String) } };
    expect((await getStaffOrder(deps, id, true)).sentAgain).toEqual([{ ...sent, reason: REASON }]);
    expect((await getStaffOrder(deps, id, false)).sentAgain).toEqual([{ ...sent, reason: null }]);
    expect(await readAudit(deps, 'order', id)).toMatchObject([
      {
        action: 'send-again',
        before: { state: 'FAILED' },
        after: { state: 'ACCEPTED' },
        reason: REASON,
      },
    ]);
    expect(events.map(({ data }) => data)).toContainEqual({
      orderId: id,
      previousStatus: 'FAILED',
      status: 'ACCEPTED',
    });
    await orders.terminate(id);
  });

  test('[ORD-180] succeeds if the ERP rejected it before and has no record of it', async () => {
    const id = await desk.accepted({ isAnnounced: false });
    const refusing = {
      ...fixture.deps.erp,
      createDelivery: async () =>
        ({ outcome: 'REFUSED', code: 'X', status: 400, correlationId: 'a' }) as const,
    };
    await sendOrder({ ...orders.orderDeps(), erp: refusing }, id);
    expect(await desk.row(id)).toMatchObject({ state: 'FAILED', problem: 'REJECTED_BY_ERP' });
    await again(id);
    await orders.reaches(id, 'CONFIRMED');

    expect(await desk.row(id)).toMatchObject({
      problem: null,
      erpError: null,
      erpOrderId: id,
      endedAt: null,
    });
    expect(await desk.atErp(id)).toHaveLength(1);
    await closes(id);
  });

  test('[ORD-181] reaches the ERP once after five concurrent requests', async () => {
    const id = await failed();
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => again(id)));
    await orders.reaches(id, 'CONFIRMED');

    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const details = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [(answer.reason as Problem).details.detail] : [],
    );
    expect(details).toEqual(Array.from({ length: 4 }, () => SEND_AGAIN_OBSTACLES.NOT_FAILED));
    expect(await desk.states(id)).toEqual(['ACCEPTED', 'FAILED', 'ACCEPTED', 'SENT', 'CONFIRMED']);
    expect(await countRows(fixture.db, 'order_attempt', { orderId: id })).toBe(1);
    expect(await desk.atErp(id)).toHaveLength(1);
    await closes(id);
  });

  test('[ORD-181] survives a crash between the commit and the start of its workflow', async () => {
    const id = await failed();
    await sync.delivery.stop();
    await again(id);
    sync.delivery.start();
    // The sweep finds the event of the lost process.
    await orders.reaches(id, 'CONFIRMED');

    expect(await desk.atErp(id)).toHaveLength(1);
    await closes(id);
  });

  test('[ORD-181] continues in one execution although the execution that ended it still runs', async () => {
    await orders.fault('429', { endpoint: CREATE, retryAfter: 0 });
    const { id, handle } = await orders.ordered({}, { sendMs: 60_000, longestSendMs: 60_000 });
    await eventually('it waits', async () =>
      (await desk.row(id)).problem === null ? undefined : true,
    );
    await fail(id);
    await again(id);
    await orders.reaches(id, 'CONFIRMED');

    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'TerminatedFailure' } });
    expect(await desk.atErp(id)).toHaveLength(1);
    await closes(id);
  });

  test('[ORD-182] omits a gift that another order has redeemed meanwhile, and the answer names it', async () => {
    const right = await grantTo(fixture.db, { clientId, rewardId });
    const id = await failed({ gift: right });
    const taking = { move: 'IMPORT', orderId: randomUUID(), at: new Date() } as const;
    await fixture.db.transaction((tx) => moveRights(tx, GRANTER, { ids: [right] }, taking));
    const accepted = await again(id);
    await orders.reaches(id, 'CONFIRMED');

    expect(accepted).toMatchObject({
      giftsLeftOut: [right],
      gifts: [{ compensationId: right, leftOut: true }],
    });
    const [atErp] = await desk.atErp(id);
    expect(atErp!.order!.items.map(({ product }) => product.id)).not.toContain(desk.gift.productId);
    await closes(id);
  });

  test('[ORD-182] includes an omitted gift once its right is valid again', async () => {
    const right = await grantTo(fixture.db, { clientId, rewardId });
    const id = await failed({ gift: right });
    await updateRows(
      fixture.db,
      'order_line',
      { leftOutAt: ago('1 minute') },
      { orderId: id, compensationId: right },
    );
    const accepted = await again(id);
    await orders.reaches(id, 'CONFIRMED');

    expect(accepted).toMatchObject({
      giftsLeftOut: [],
      gifts: [{ compensationId: right, leftOut: false }],
    });
    expect((await readRight(right)).status).toBe('REDEEMED');
    await closes(id);
  });

  test('[ORD-182] omits a gift whose right is now to another dish', async () => {
    const right = await grantTo(fixture.db, { clientId, rewardId });
    const id = await failed({ gift: right });
    const other = await menuRows(fixture.db).insert('reward', {
      code: randomUUID(),
      name: 'Чай',
      erp_item_id: randomUUID(),
    });
    const rebinding = {
      move: 'REBIND',
      rewardId: other,
      reason: 'Stopped',
      at: new Date(),
    } as const;
    await fixture.db.transaction((tx) => moveRights(tx, GRANTER, { ids: [right] }, rebinding));

    expect((await again(id)).giftsLeftOut).toEqual([right]);
    expect(await readRight(right)).toEqual({ status: 'GRANTED', reservedOrderId: null });
    await orders.reaches(id, 'CONFIRMED');
    await closes(id);
  });

  describe('with a gift of one size', () => {
    let reward: number;
    let itemId: number;
    let dish: (typeof desk.sold)[number];
    let sizes: [own: number, other: number];
    const firstSize = randomUUID();
    beforeAll(async () => {
      const { size, item, insert } = menuRows(fixture.db);
      dish = desk.sold.find(({ sizeId }) => sizeId !== null)!;
      ({ id: itemId } = await item({ erp_id: dish.productId }));
      // The size of the gift is not the first one.
      const other = await size(itemId, { erp_size_id: firstSize });
      const modifier = await item({ erp_id: dish.productId, role: 'MODIFIER' });
      await size(modifier.id, { erp_size_id: '' });
      sizes = [await size(itemId, { erp_size_id: dish.sizeId! }), other];
      reward = await insert('reward', {
        code: 'sized',
        name: 'Пицца, большая',
        erp_item_id: dish.productId,
      });
    });
    const failedWithGift = async () => {
      const right = await grantTo(fixture.db, { clientId, rewardId: reward });
      await updateRows(fixture.db, 'reward', { erpItemSizeId: sizes[0] }, { id: reward });
      const id = await failed({ gift: right });
      const line = { erpItemId: dish.productId, erpSizeId: dish.sizeId };
      await updateRows(fixture.db, 'order_line', line, { orderId: id, compensationId: right });
      return { right, id };
    };

    test('[ORD-182] keeps the size', async () => {
      await orders.fault('429', { endpoint: CREATE, times: 99, retryAfter: 600 });
      const { right, id } = await failedWithGift();
      const accepted = await again(id);
      const choices = await freshErpChoices(fixture.deps, fixture.connectionId);
      const toSend = await readOrderToSend(orders.orderDeps(), id, choices);

      expect(accepted.giftsLeftOut).toEqual([]);
      expect(await readRight(right)).toEqual({ status: 'RESERVED', reservedOrderId: id });
      expect(toSend).toMatchObject({
        lines: [{}, { compensationId: right, erpId: dish.productId, sizeErpId: dish.sizeId }],
      });
      await orders.terminate(id);
    });

    test('[ORD-182] omits it if its right is now to another size', async () => {
      const { right, id } = await failedWithGift();
      await updateRows(fixture.db, 'reward', { erpItemSizeId: sizes[1] }, { id: reward });
      const accepted = await again(id);
      await orders.reaches(id, 'CONFIRMED');

      expect(accepted.giftsLeftOut).toEqual([right]);
      expect(await readRight(right)).toEqual({ status: 'GRANTED', reservedOrderId: null });
      await closes(id);
    });

    test.each([
      ['a dish', null],
      ['a dish that the ERP has deleted', new Date()],
    ])(
      '[ORD-182] keeps the first size of %s although a modifier has its id',
      async (_, deletedAt) => {
        await updateRows(fixture.db, 'mirror_item', { deletedAt }, { id: itemId });
        const { id, right } = await failedWithGift();
        const first = { erpSizeId: firstSize };
        await updateRows(fixture.db, 'reward', { erpItemSizeId: null }, { id: reward });
        await updateRows(fixture.db, 'order_line', first, { orderId: id, compensationId: right });
        await orders.fault('429', { endpoint: CREATE, times: 99, retryAfter: 600 });
        const accepted = await again(id);

        expect(accepted.giftsLeftOut).toEqual([]);
        await orders.terminate(id);
        await updateRows(fixture.db, 'mirror_item', { deletedAt: null }, { id: itemId });
      },
    );
  });
});

test('[ORD-44, ORD-181] exactly one of a concurrent sending and erasure of a failed order succeeds', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => failed()));
  const erase = (id: string) => eraseStaffOrder(orders.orderDeps(), STAFF, id, REASON);
  const results = await Promise.all(ids.map((id) => Promise.allSettled([again(id), erase(id)])));
  const rows = await Promise.all(
    ids.map((id) => selectRow(fixture.db, 'customer_order', ['state', 'erasedAt'], { id })),
  );
  const sent = ids.filter((_, at) => results[at]![0].status === 'fulfilled');
  for (const id of sent) await orders.reaches(id, 'CONFIRMED');
  for (const id of sent) await closes(id);

  for (const outcome of results)
    expect(outcome.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(
    rows.filter(({ state, erasedAt }) => (state === 'FAILED') !== (erasedAt !== null)),
  ).toEqual([]);
});

describe('an order is not sent again if', () => {
  const change = (fields: Parameters<typeof updateRows<'customer_order'>>[2]) => (id: string) =>
    updateRows(fixture.db, 'customer_order', fields, { id });
  const tried =
    (outcome: 'UNKNOWN' | null, begunAt = ago('1 hour')) =>
    async (id: string) => {
      await addRow(fixture.db, 'order_attempt', { orderId: id, begunAt, outcome });
    };

  test.each<[SendAgainObstacle, string, (id: string) => Promise<unknown>]>([
    ['OUTCOME_UNKNOWN', 'it ended without an answer', change({ problem: 'NEVER_ENDED' })],
    ['AT_ERP', 'the ERP has reported it', change({ erpOrderId: randomUUID() })],
    ['JUST_SENT', 'its last call is a minute ago', tried('UNKNOWN', ago('1 minute'))],
    ['ERASED', 'its guest was erased', change({ personalDataId: null })],
    ['TOO_LATE', 'its guest has waited for hours', change({ acceptedAt: ago('4 hours') })],
    ['TOO_LATE', 'its slot has passed', change({ slotId: '2026-11-21T18:30+03:00/PT30M' })],
  ])('[ORD-180] %s: %s', async (obstacle, _, prepare) => {
    const id = await failed();
    await prepare(id);

    expect(await refusal(id)).toEqual(refused(obstacle));
    expect(await desk.states(id)).toEqual(['ACCEPTED', 'FAILED']);
    expect(await countRows(fixture.db, 'audit_entry', { entityType: 'order', entityId: id })).toBe(
      0,
    );
  });

  test('[ORD-180] a call has no answer, and the ERP does not answer now', async () => {
    const id = await failed();
    await tried(null)(id);
    await orders.fault('500', { endpoint: BY_ID, times: 9 });

    expect(await refusal(id)).toEqual(refused('ERP_SILENT'));
    await orders.erpIsBack();
    await again(id);
    await orders.reaches(id, 'CONFIRMED');
    await closes(id);
  });

  test('[ORD-180] the ERP keeps its rejection under its id', async () => {
    await orders.fault('order-error', { code: 'ProductNotFound' });
    const { id, handle } = await orders.ordered();
    await handle.result();

    expect(await refusal(id)).toEqual(refused('KEPT_BY_ERP'));
  });

  test('[ORD-180] the ERP has it by a call without an answer, and staff are notified', async () => {
    const id = await desk.accepted({ isAnnounced: false });
    const deps = orders.orderDeps();
    const unheard: typeof deps.erp = {
      ...deps.erp,
      createDelivery: async (...call) => {
        await deps.erp.createDelivery(...call);
        return { outcome: 'UNKNOWN', kind: 'TIMEOUT', status: null };
      },
    };
    await sendOrder({ ...deps, erp: unheard }, id);
    await fail(id);
    await updateRows(fixture.db, 'order_attempt', { begunAt: ago('1 hour') }, { orderId: id });
    await eventually('the ERP has it', async () =>
      (await desk.atErp(id))[0]?.order ? true : undefined,
    );

    expect(await refusal(id)).toEqual(refused('AT_ERP'));
    expect(await desk.row(id)).toMatchObject({ state: 'FAILED', erpOrderId: id });
    expect(await orders.orderNotes('ORDER_DIVERGENCE', id)).toHaveLength(1);
    expect(await refusal(id)).toEqual(refused('AT_ERP'));
    expect(await desk.atErp(id)).toHaveLength(1);
  });

  test('[ORD-180] it has not failed, is unknown, or has no reason', async () => {
    const id = await desk.accepted({ isAnnounced: false });
    await fixture.db.transaction(async (tx) =>
      moveOrder(fixture, tx, await holdOrder(tx, id), 'CANCELLED', 'CUSTOMER', {
        problem: 'WITHDRAWN',
      }),
    );

    expect(await refusal(id)).toEqual(refused('NOT_FAILED', 'CANCELLED'));
    expect(await refusal(randomUUID())).toMatchObject({ kind: 'not-found' });
    expect(
      await awaitRefusal(sendOrderAgain(orders.orderDeps(), STAFF, id, ' \n', null)),
    ).toMatchObject({
      kind: 'validation',
    });
  });

  test('[ORD-180] the restaurant does not accept orders now', async () => {
    const id = await failed();
    const { id: organizationId } = desk.organization;
    await updateRows(fixture.db, 'ordering_config', { deliveryEnabled: false }, { organizationId });
    const closed = await refusal(id);
    await updateRows(fixture.db, 'ordering_config', { deliveryEnabled: true }, { organizationId });
    await updateRows(
      fixture.db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: organizationId },
    );
    const inactive = await refusal(id);
    await updateRows(
      fixture.db,
      'mirror_organization',
      { inactiveAt: null },
      { id: organizationId },
    );
    await updateRows(
      fixture.db,
      'connection',
      { status: 'DISABLED' },
      { id: fixture.connectionId },
    );
    const disabled = await refusal(id);
    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' }, { id: fixture.connectionId });

    expect([closed, inactive, disabled]).toEqual([
      refused('NOT_ACCEPTING'),
      refused('NOT_SERVED'),
      refused('NOT_SERVED'),
    ]);
  });

  test('[ORD-180] the service is being restored', async () => {
    const id = await failed();
    await addRow(fixture.db, 'restoration', { restoredTo: databaseNow(), finishedAt: null });
    const restoring = await refusal(id);
    await deleteRows(fixture.db, 'restoration');

    expect(restoring).toMatchObject({ kind: 'unavailable' });
  });

  test('[ORD-182] a discount was used up meanwhile', async () => {
    const discount = await addRow(fixture.db, 'discount', {
      code: 'LAST',
      name: 'Последняя',
      kind: 'FIXED',
      value: 100,
      totalUses: 1,
    });
    const id = await failed({ discountIds: [discount.id] });
    const other = await desk.accepted({ discountIds: [discount.id], isAnnounced: false });
    const discounts = [
      { code: 'LAST', name: 'L', isByPromocode: false, discountId: discount.id, amountKopecks: 1 },
    ];
    await updateRows(fixture.db, 'customer_order', { discounts }, { id });

    expect(await refusal(id)).toEqual(refused('DISCOUNT_USED_UP'));
    expect(
      await selectRows(fixture.db, 'discount_use', ['orderId'], { discountId: discount.id }),
    ).toEqual([{ orderId: other }]);
  });
});
