import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { moveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { applyErpFact } from '../../../modules/ordering/at-erp/apply-erp-fact.ts';
import { leaveOutTakenGifts } from '../../../modules/ordering/at-erp/leave-out-gifts.ts';
import { moveOrder } from '../../../modules/ordering/orders/move-order.ts';
import { holdOrder } from '../../../modules/ordering/orders/order-row.ts';
import fc from 'fast-check';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { Order, PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import type { OrderState } from '../../../modules/ordering/rules/order-states.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { readAudit } from '../../support/audit.ts';
import { type AdminClient, adminClient, newcomerClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture, type Sent } from '../../support/ordering-fixture.ts';
import { repetitions } from '../../support/repetitions.ts';
import { GRANTER, grantTo } from '../../support/rights.ts';
import { addRow, countRows, deleteRows, not, selectRows, updateRows } from '../../support/rows.ts';

const PHONE = '+79990001122';
const fixture = await orderingFixture();
const { db, api, rows, place, ask, makeCart, question, sql } = fixture;
let token: string;
let tart: { id: number; erpId: string };
let rewardId: number;

beforeAll(async () => {
  await openForOrders(db, place.organizationId);
  token = await fixture.tokenOf('anna', PHONE);
  const item = await rows.item();
  const sizeId = await rows.size(item.id);
  await rows.offer(place.menuId, { itemId: item.id, sizeId }, { [place.organizationId]: 0 });
  tart = item;
  rewardId = await rows.insert('reward', { code: 'tart', name: 'Тарт', erp_item_id: item.erpId });
});
afterAll(fixture.stop);

let clientId: string;
beforeEach(async () => {
  await fixture.empty('customer_order', 'cart', 'mirror_stop_list');
  await deleteRows(db, 'setting', { key: 'gifts_per_order' });
  clientId = await db.transaction(async (tx) => {
    const id = await ensureClient(tx, api.deps, { connectionId: place.connectionId, phone: PHONE });
    const open = tx.db
      .selectFrom('compensation')
      .select('id')
      .where('clientId', '=', id)
      .where('status', '=', 'GRANTED');
    // Ends the promises of earlier tests.
    await tx.db
      .updateTable('compensation')
      .set({ expiresAt: new Date(0) })
      .where('id', 'in', open)
      .execute();
    return id;
  });
});

const grant = (more: Partial<Parameters<typeof grantTo>[1]> = {}) =>
  grantTo(db, { clientId, rewardId, ...more });
const stop = (erpId: string) => rows.stop(place.organizationId, erpId);
const order = <T = PlacedOrder>(cart: { cartId: string }, rest: object = {}, sent: Sent = {}) =>
  ask<T>('POST', '/orders', question(cart, { customer: { name: 'Анна', phone: PHONE }, ...rest }), {
    key: randomUUID(),
    token,
    ...sent,
  });
const check = async (cart: { cartId: string }) =>
  (await fixture.preflight(cart, {}, { token })).body;
const readStatus = async (id: string) => {
  const [row] = await sql<{ status: string; order: string | null }>(
    'select status, coalesce(redeemed_order_id, reserved_order_id) as order from compensation where id = $1',
    [id],
  );
  return row;
};
const move = (
  orderId: string,
  state: OrderState,
  by: 'ERP' | 'CUSTOMER' | 'CARTE',
  problem?: 'NEVER_ENDED',
) =>
  db.transaction(async (tx) =>
    moveOrder(api.deps, tx, await holdOrder(tx, orderId), state, by, problem ? { problem } : {}),
  );
async function reserved(): Promise<{ right: string; orderId: string }> {
  const right = await grant();
  const cart = await makeCart({}, { token });
  const { body } = await order(cart, { cartVersion: cart.version });
  return { right, orderId: body.orderId };
}

describe('a gift at checkout', () => {
  test('[CMP-62, CMP-65, CMP-131] joins the order for free, is reserved with it and redeemed afterwards', async () => {
    const right = await grant({ quantity: 2 });
    const cart = await makeCart({}, { token });

    const gift = {
      id: right,
      rewardCode: 'tart',
      name: 'Тарт',
      quantity: 2,
      price: 0,
      image: null,
      expiresAt: null,
    };
    expect(cart.gifts).toEqual([{ ...gift, available: true, included: true, replaces: null }]);
    expect(cart.total).toBe(850);
    const verdict = await check(cart);
    expect([verdict.canSubmit, verdict.compensations]).toEqual([true, cart.gifts]);
    expect(await readStatus(right)).toMatchObject({ status: 'GRANTED' });

    const { status, body } = await order(cart, {
      cartVersion: cart.version,
      quoteId: verdict.quote!.id,
    });
    expect([status, body.total]).toEqual([201, 850]);
    expect(await readStatus(right)).toEqual({ status: 'RESERVED', order: body.orderId });
    const { body: seen } = await ask<Order>('GET', `/orders/${body.orderId}`, undefined, { token });
    expect(seen.gifts).toMatchObject([
      {
        type: 'COMPENSATION',
        name: 'Тарт',
        quantity: 2,
        unitPrice: 0,
        total: 0,
        orderable: false,
        unavailableReason: 'NOT_SOLD',
        productId: null,
        variantId: null,
      },
    ]);
    expect(seen.lines).toHaveLength(2);
    expect(seen.gifts[0]).not.toHaveProperty('compensationId');
    const staff = await adminClient(api.url, ADMIN.email, ADMIN.password);
    expect(await staff.get(`/orders/${body.orderId}`)).toMatchObject({
      gifts: [{ compensationId: right }],
    });
    const { body: history } = await ask<{ items: Order[] }>('GET', '/orders', undefined, { token });
    expect(history.items.map(({ orderId, gifts }) => ({ orderId, gifts }))).toEqual([
      { orderId: body.orderId, gifts: seen.gifts },
    ]);
    const { body: again } = await ask<Cart>('POST', `/orders/${body.orderId}/repeat`, undefined, {
      token,
      key: randomUUID(),
    });
    expect([again.lines.map(({ name }) => name), again.gifts]).toEqual([
      cart.lines.map(({ name }) => name),
      [],
    ]);

    await move(body.orderId, 'SENT', 'CARTE');
    expect(await readStatus(right)).toMatchObject({ status: 'RESERVED' });
    await move(body.orderId, 'CONFIRMED', 'ERP');
    expect(await readStatus(right)).toEqual({ status: 'REDEEMED', order: body.orderId });
    await move(body.orderId, 'CANCELLED', 'ERP');
    expect(await readStatus(right)).toEqual({ status: 'REDEEMED', order: body.orderId });
    const { gifts: returned } = await makeCart({}, { token });
    expect(returned).toMatchObject([{ name: 'Тарт', quantity: 2 }]);
    expect(returned.map(({ id }) => id)).not.toEqual([right]);
  });

  test.each([
    ['withdrawn by its guest before it was sent', 'CANCELLED', 'CUSTOMER', 'GRANTED'],
    ['refused by the ERP for good', 'FAILED', 'ERP', 'GRANTED'],
    ['created and cancelled by the restaurant at once', 'CANCELLED', 'ERP', 'REDEEMED'],
  ] as const)(
    '[CMP-62, CMP-96] follows an order that was %s: the right becomes %s → %s',
    async (_, state, by, becomes) => {
      const right = await grant();
      const cart = await makeCart({}, { token });
      const { body } = await order(cart, { cartVersion: cart.version });

      await move(body.orderId, state, by);

      expect(await readStatus(right)).toMatchObject({ status: becomes });
      const next = await makeCart({}, { token });
      // The right that a canceled order had redeemed is granted again as a new right.
      expect(next.gifts).toHaveLength(1);
      expect(next.gifts.map((gift) => gift.id === right)).toEqual([becomes === 'GRANTED']);
    },
  );

  test("[CMP-85] disappears if an operator's order has redeemed it before the ERP received this order", async () => {
    const right = await grant();
    const cart = await makeCart({}, { token });
    const { body } = await order(cart, { cartVersion: cart.version });
    const leftOut = await api.deps.db.transaction(async (tx) => {
      const none = await leaveOutTakenGifts(tx, body.orderId, { gifts: [right], at: new Date() });
      await moveRights(
        tx,
        GRANTER,
        { ids: [right] },
        { move: 'IMPORT', orderId: randomUUID(), at: new Date() },
      );
      return [
        none,
        await leaveOutTakenGifts(tx, body.orderId, { gifts: [right], at: new Date() }),
      ].map((set) => [...set]);
    });
    const { body: seen } = await ask<Order>('GET', `/orders/${body.orderId}`, undefined, { token });

    expect(leftOut).toEqual([[], [right]]);
    expect(seen.gifts).toMatchObject([{ name: 'Тарт', leftOut: true }]);
    expect(seen.lines).toHaveLength(2);
  });

  test.each([
    ['has a status that is new to us', { status: 'Frozen', movedTo: null }],
    [
      'was moved at once',
      { status: 'Unconfirmed', movedTo: { deliveryId: randomUUID(), organizationId: null } },
    ],
  ])(
    '[CMP-62] becomes redeemed when the ERP has created the order, even if it %s',
    async (_, more) => {
      const { right, orderId } = await reserved();
      await move(orderId, 'SENT', 'CARTE');
      const told = (creation: object) =>
        db.transaction(async (tx) =>
          applyErpFact(api.deps, tx, await holdOrder(tx, orderId), {
            id: orderId,
            timestamp: 1,
            ...creation,
          } as ErpDelivery),
        );

      await told({ creation: 'IN_PROGRESS' });
      expect(await readStatus(right)).toMatchObject({ status: 'RESERVED' });
      await told({ creation: 'SUCCESS', ...more });

      expect(await readStatus(right)).toEqual({ status: 'REDEEMED', order: orderId });
    },
  );

  test('[CMP-97] returns when the order is canceled, and is reserved again if the ERP resumes it', async () => {
    const { right, orderId } = await reserved();
    await move(orderId, 'SENT', 'CARTE');
    const report = (status: string, timestamp: number) =>
      db.transaction(async (tx) =>
        applyErpFact(api.deps, tx, await holdOrder(tx, orderId), {
          id: orderId,
          timestamp,
          creation: 'SUCCESS',
          status,
          movedTo: null,
        } as ErpDelivery),
      );
    const returned = async () =>
      (
        await selectRows(
          db,
          'compensation',
          ['status'],
          { sourceOrderId: orderId },
          { orderBy: 'grantedAt' },
        )
      ).map(({ status }) => status);

    await report('WaitCooking', 1);
    await report('Cancelled', 2);
    await report('Cancelled', 2);
    expect([await readStatus(right), await returned()]).toEqual([
      { status: 'REDEEMED', order: orderId },
      ['GRANTED'],
    ]);
    await report('WaitCooking', 3);
    await report('Cancelled', 2);
    expect(await returned()).toEqual(['CANCELLED']);
    await report('Cancelled', 4);
    await report('Cancelled', 4);
    expect(await returned()).toEqual(['CANCELLED', 'GRANTED']);
  });

  test.each([
    ['CREATED', 'REDEEMED', { action: 'redeem' }],
    ['NOT_CREATED', 'GRANTED', { action: 'release' }],
  ])(
    '[CMP-62, CMP-109] stays with an order with an unknown result until staff decide %s',
    async (outcome, becomes, entry) => {
      const admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
      const { right, orderId } = await reserved();
      const settle = (reason: string) =>
        admin.raw('POST', `/orders/${orderId}/settle-gifts`, { outcome, reason });
      await move(orderId, 'SENT', 'CARTE');
      const early = await settle('в ресторане не знают');
      await move(orderId, 'FAILED', 'CARTE', 'NEVER_ENDED');
      expect(await readStatus(right)).toEqual({ status: 'RESERVED', order: orderId });

      const blank = await settle(' ');
      const both = await Promise.all([settle('посмотрели в кассе'), settle('посмотрели в кассе')]);

      expect([early.status, blank.status]).toEqual([409, 422]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect(await readStatus(right)).toMatchObject({ status: becomes });
      expect((await readAudit(api.deps, 'compensation', right)).at(-1)).toMatchObject({
        ...entry,
        reason: 'посмотрели в кассе',
      });
      await admin.post(`/orders/${orderId}/erase`, { reason: 'просьба' });
      expect((await readAudit(api.deps, 'compensation', right)).at(-1)).toMatchObject({
        reason: null,
        reasonErased: true,
      });
    },
  );

  test('[CMP-69] requires for that decision the permission for rights, not for orders', async () => {
    const admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
    await admin.post('/roles', {
      code: 'GIFT_DESK',
      name: 'Gifts',
      permissions: ['compensations.manage'],
    });
    const asRole = async (role: string) => {
      const user = { email: `${role.toLowerCase()}@carte.test`, password: 'one of many at work' };
      await admin.post('/users', { ...user, fullName: role, roles: [role] });
      return newcomerClient(api.url, user.email, user.password);
    };
    const { right, orderId } = await reserved();
    await move(orderId, 'SENT', 'CARTE');
    await move(orderId, 'FAILED', 'CARTE', 'NEVER_ENDED');
    const settle = async (role: string) =>
      (await asRole(role)).raw('POST', `/orders/${orderId}/settle-gifts`, {
        outcome: 'NOT_CREATED',
        reason: 'посмотрели в кассе',
      });

    expect((await settle('OPERATOR')).status).toBe(403);
    expect(await readStatus(right)).toEqual({ status: 'RESERVED', order: orderId });
    const answer = await settle('GIFT_DESK');
    expect([answer.status, await answer.json()]).toMatchObject([200, { orderId, person: null }]);
    expect(await readStatus(right)).toMatchObject({ status: 'GRANTED' });
  });

  test('[CMP-61] remains hidden from guests, other customers and those without a verified phone', async () => {
    const right = await grant();
    const strangers = [
      undefined,
      await fixture.tokenOf('boris', '+79990001133'),
      await fixture.tokenOf('vera'),
    ];
    for (const stranger of strangers) {
      const cart = await makeCart({}, { token: stranger });
      const { body } = await fixture.preflight(cart, {}, { token: stranger });
      // The phone of a checkout is unverified.
      const placed = await order(cart, { cartVersion: cart.version }, { token: stranger });

      expect([cart.gifts, body.compensations, placed.status]).toEqual([[], [], 201]);
    }
    expect(await readStatus(right)).toMatchObject({ status: 'GRANTED' });
  });

  test('[CMP-61] cannot be sent by a client', async () => {
    const { status, body } = await ask<{ errors: { field: string }[] }>(
      'POST',
      '/cart',
      { organizationId: place.organizationErpId, lines: [], gifts: [{ rewardCode: 'tart' }] },
      { token },
    );

    expect([status, body.errors.map((error) => error.field)]).toEqual([422, ['gifts']]);
  });

  test('comes from the earliest promise, and others follow with later orders or by setting', async () => {
    const later = await grant({ at: new Date('2026-11-02T00:00:00Z') });
    const earlier = await grant({ at: new Date('2026-11-01T00:00:00Z') });
    const cart = await makeCart({}, { token });
    expect(cart.gifts.map((gift) => gift.id)).toEqual([earlier]);

    await addRow(db, 'setting', { key: 'gifts_per_order', value: 2 });
    const { body } = await ask<Cart>('GET', `/cart?cart_id=${cart.cartId}`, undefined, { token });

    expect(body.gifts.map((gift) => [gift.id, gift.included])).toEqual([
      [earlier, true],
      [later, true],
    ]);
    expect(body.version).toBe(cart.version + 1);
  });
});

describe('another dish for the same right', () => {
  const sold = async () => {
    const item = await rows.item();
    const sizeId = await rows.size(item.id);
    await rows.offer(place.menuId, { itemId: item.id, sizeId }, { [place.organizationId]: 0 });
    return item.erpId;
  };
  const rebind = async (right: string) => {
    const other = await rows.insert('reward', {
      code: randomUUID(),
      name: 'Кекс',
      erp_item_id: await sold(),
    });
    await db.transaction((tx) =>
      moveRights(
        tx,
        GRANTER,
        { ids: [right] },
        { move: 'REBIND', rewardId: other, reason: 'test', at: new Date() },
      ),
    );
  };
  const edit = async () => updateRows(db, 'reward', { erpItemId: await sold() }, { id: rewardId });
  afterEach(async () => {
    await updateRows(db, 'reward', { erpItemId: tart.erpId }, { id: rewardId });
    await updateRows(db, 'reward', { isActive: false }, { name: 'Кекс' });
  });

  test.each([
    ['staff bind the right to another gift', rebind, 'VERSION'],
    ['staff bind the right to another gift', rebind, 'QUOTE'],
    ['the gift gets another dish', edit, 'VERSION'],
    ['the gift gets another dish', edit, 'QUOTE'],
  ] as const)(
    '[CMP-98] makes the order fail with a current preflight: %s (%#)',
    async (_, change, by) => {
      const right = await grant();
      const cart = await makeCart({}, { token });
      const verdict = await check(cart);
      await change(right);
      const seen = by === 'QUOTE' ? { quoteId: verdict.quote!.id } : { cartVersion: cart.version };
      const refused = await order<{ preflight: CheckoutVerdict }>(cart, seen);

      expect([refused.status, await readStatus(right)]).toMatchObject([409, { status: 'GRANTED' }]);
      const now =
        by === 'QUOTE'
          ? { quoteId: refused.body.preflight.quote!.id }
          : { cartVersion: cart.version + 1 };
      expect((await order(cart, now)).status).toBe(201);
    },
  );
});

describe('a stopped gift', () => {
  test('[CMP-60] stays unused until the client chooses for the next order', async () => {
    const right = await grant();
    const cart = await makeCart({}, { token });
    await stop(tart.erpId);

    const verdict = await check(cart);
    const blocker = verdict.blockers.find((entry) => entry.code === 'GIFT_CHOICE_REQUIRED');
    expect([verdict.canSubmit, blocker]).toEqual([
      false,
      expect.objectContaining({
        compensationId: right,
        choices: ['POSTPONE'],
        replacements: [],
        repair: {
          action: 'CHOOSE_GIFT',
          compensationId: right,
          choices: ['POSTPONE'],
          replacements: [],
        },
      }),
    ]);
    expect(verdict.compensations).toMatchObject([{ id: right, available: false, included: false }]);
    const refused = await order<{ reasons: string[] }>(cart, { cartVersion: verdict.cartVersion });
    expect([refused.status, refused.body.reasons]).toEqual([409, ['GIFT_CHOICE_REQUIRED']]);

    const chosen = await makeCart(
      {
        cartId: cart.cartId,
        version: verdict.cartVersion,
        giftChoices: [{ compensationId: right, choice: 'POSTPONE' }],
      },
      { token },
    );
    const after = await check(chosen);
    expect([after.canSubmit, after.warnings]).toEqual([
      true,
      [expect.objectContaining({ code: 'GIFT_UNAVAILABLE', compensationId: right })],
    ]);
    expect((await order(chosen, { cartVersion: after.cartVersion })).status).toBe(201);
    expect(await readStatus(right)).toMatchObject({ status: 'GRANTED' });
  });

  test('can be postponed while it is available, and included again', async () => {
    const right = await grant();
    const first = await makeCart(
      { giftChoices: [{ compensationId: right, choice: 'POSTPONE' }] },
      { token },
    );
    expect(first.gifts).toMatchObject([{ available: true, included: false }]);

    const again = await makeCart(
      {
        cartId: first.cartId,
        version: first.version,
        giftChoices: [{ compensationId: right, choice: 'INCLUDE' }],
      },
      { token },
    );

    expect(again.gifts).toMatchObject([{ available: true, included: true }]);
  });
});

describe('a replacement of a stopped gift', () => {
  let juice: { id: number; erpId: string };
  beforeAll(async () => {
    juice = await rows.item();
    const sizeId = await rows.size(juice.id);
    await rows.offer(place.menuId, { itemId: juice.id, sizeId }, { [place.organizationId]: 0 });
    await rows.insert('reward', { code: 'juice', name: 'Морс', erp_item_id: juice.erpId });
    // None of the following items can replace the gift.
    const paid = await rows.item();
    await rows.offer(
      place.menuId,
      { itemId: paid.id, sizeId: await rows.size(paid.id) },
      { [place.organizationId]: 100 },
    );
    await rows.insert('reward', { code: 'paid', name: 'Платное', erp_item_id: paid.erpId });
    await rows.insert('reward', { code: 'gone', name: 'Нет нигде', erp_item_id: randomUUID() });
    const off = await rows.item();
    await rows.offer(
      place.menuId,
      { itemId: off.id, sizeId: await rows.size(off.id) },
      { [place.organizationId]: 0 },
    );
    await rows.insert('reward', {
      code: 'off',
      name: 'Выключен',
      erp_item_id: off.erpId,
      is_active: false,
    });
  });
  afterAll(() => updateRows(db, 'reward', { isActive: false }, { code: not('tart') }));

  const stopped = async () => {
    const right = await grant();
    const cart = await makeCart({}, { token });
    await stop(tart.erpId);
    return { right, cart };
  };
  const choose = (cart: Cart, version: number, right: string, choice: object) =>
    ask<Cart & { errors: { field: string }[] }>(
      'POST',
      '/cart',
      {
        cartId: cart.cartId,
        version,
        organizationId: place.organizationErpId,
        lines: cart.lines.map(({ lineId, variantId, quantity }) => ({
          lineId,
          variantId,
          quantity,
          modifiers: [],
        })),
        giftChoices: [{ compensationId: right, ...choice }],
      },
      { token },
    );

  test('[CMP-63] can be chosen by the client alone, ordered, and appears in the history of the right', async () => {
    const { right, cart } = await stopped();
    const verdict = await check(cart);
    const replacements = [{ rewardCode: 'juice', name: 'Морс', image: null }];
    const choices = ['REPLACE', 'POSTPONE'];
    expect(verdict.blockers).toMatchObject([
      { code: 'GIFT_CHOICE_REQUIRED', choices, replacements, repair: { choices, replacements } },
    ]);

    const { body: chosen } = await choose(cart, verdict.cartVersion, right, {
      choice: 'REPLACE',
      rewardCode: 'juice',
    });
    expect(chosen.gifts).toMatchObject([
      {
        id: right,
        rewardCode: 'juice',
        name: 'Морс',
        price: 0,
        available: true,
        included: true,
        replaces: { rewardCode: 'tart', name: 'Тарт' },
      },
    ]);
    const after = await check(chosen);
    expect([after.canSubmit, after.compensations]).toEqual([true, chosen.gifts]);
    const { body } = await order(chosen, { quoteId: after.quote!.id });

    const { body: seen } = await ask<Order>('GET', `/orders/${body.orderId}`, undefined, { token });
    expect(seen.gifts).toMatchObject([{ name: 'Морс', unitPrice: 0 }]);
    expect(
      await selectRows(db, 'order_line', ['erpItemId'], {
        orderId: body.orderId,
        kind: 'COMPENSATION',
      }),
    ).toEqual([{ erpItemId: juice.erpId }]);
    expect(
      await db.db
        .selectFrom('compensation_move')
        .innerJoin('reward', 'reward.id', 'compensation_move.rewardId')
        .where('compensation_move.compensationId', '=', right)
        .select(['compensation_move.move', 'reward.code'])
        .orderBy('move')
        .orderBy('compensation_move.version')
        .execute(),
    ).toEqual([
      { move: 'GRANT', code: 'tart' },
      { move: 'REBIND', code: 'juice' },
      { move: 'RESERVE', code: 'juice' },
    ]);
    expect(
      await selectRows(db, 'audit_entry', ['action'], {
        entityType: 'compensation',
        entityId: right,
        action: 'rebind',
      }),
    ).toHaveLength(1);
  });

  test('[CMP-63] can be offered if an earlier gift has used the balance', async () => {
    await addRow(db, 'setting', { key: 'gifts_per_order', value: 2 });
    await rows.stop(place.organizationId, tart.erpId, { balance: 1 });
    const first = await grant({ at: new Date(1_760_000_000_000) });
    const second = await grant({ at: new Date(1_760_000_000_001) });
    const cart = await makeCart({}, { token });
    const verdict = await check(cart);

    expect(verdict.blockers).toMatchObject([
      {
        code: 'GIFT_CHOICE_REQUIRED',
        compensationId: second,
        choices: ['REPLACE', 'POSTPONE'],
        replacements: [{ rewardCode: 'juice' }],
      },
    ]);
    const { body: chosen } = await choose(cart, verdict.cartVersion, second, {
      choice: 'REPLACE',
      rewardCode: 'juice',
    });
    expect(chosen.gifts).toMatchObject([
      { id: first, rewardCode: 'tart', included: true },
      { id: second, rewardCode: 'juice', included: true },
    ]);
    expect((await order(chosen, { quoteId: (await check(chosen)).quote!.id })).status).toBe(201);
  });

  test('causes a new cart and quote when the promised gift is available again', async () => {
    const { right, cart } = await stopped();
    const verdict = await check(cart);
    const { body: chosen } = await choose(cart, verdict.cartVersion, right, {
      choice: 'REPLACE',
      rewardCode: 'juice',
    });
    const { quote } = await check(chosen);
    await fixture.empty('mirror_stop_list');

    const refused = await order<{ reasons: string[]; preflight: CheckoutVerdict }>(chosen, {
      quoteId: quote!.id,
    });

    expect([refused.status, refused.body.reasons]).toEqual([
      409,
      expect.arrayContaining(['QUOTE']),
    ]);
    expect(refused.body.preflight.compensations).toMatchObject([
      { rewardCode: 'tart', replaces: null },
    ]);
    expect(await readStatus(right)).toMatchObject({ status: 'GRANTED' });
  });

  test.each([
    ['a gift that is sold', { choice: 'REPLACE', rewardCode: 'paid' }],
    ['a gift that the restaurant does not have', { choice: 'REPLACE', rewardCode: 'gone' }],
    ['a gift that is switched off', { choice: 'REPLACE', rewardCode: 'off' }],
  ])('cannot be %s, so the client must choose again', async (_, choice) => {
    const { right, cart } = await stopped();
    const { cartVersion } = await check(cart);

    const { body } = await choose(cart, cartVersion, right, choice);

    expect(body.gifts).toMatchObject([{ rewardCode: 'tart', included: false }]);
    expect((await check(body)).blockers).toMatchObject([
      { code: 'GIFT_CHOICE_REQUIRED', compensationId: right },
    ]);
  });

  test.each([{ choice: 'REPLACE' }, { choice: 'POSTPONE', rewardCode: 'juice' }])(
    'must be named by REPLACE alone: %j',
    async (choice) => {
      const { right, cart } = await stopped();
      const { status, body } = await choose(cart, cart.version, right, choice);

      expect([status, body.errors.map(({ field }) => field)]).toEqual([
        422,
        ['giftChoices.0.rewardCode'],
      ]);
    },
  );

  test('[CMP-63] reserves the right once, with any choices in two orders', async () => {
    for (let round = 0; round < 3; round += 1) {
      await fixture.empty('customer_order', 'cart', 'mirror_stop_list');
      const right = await grant();
      await stop(tart.erpId);
      const lines = [{ variantId: fixture.soup.variantId, quantity: 1, modifiers: [] }];
      const carts = await Promise.all(
        [0, 1, 2].map(() =>
          makeCart({
            lines,
            giftChoices: [{ compensationId: right, choice: 'REPLACE', rewardCode: 'juice' }],
          }),
        ),
      );
      const verdicts = await Promise.all(carts.map(check));

      const answers = await Promise.all(
        carts.map((cart, at) => order(cart, { quoteId: verdicts[at]!.quote!.id })),
      );

      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
        201, 409, 409,
      ]);
      const moves = await selectRows(
        db,
        'compensation_move',
        ['move'],
        { compensationId: right },
        { orderBy: 'version' },
      );
      expect(moves).toEqual(['GRANT', 'REBIND', 'RESERVE'].map((move) => ({ move })));
    }
  });
});

describe('the explanation of a gift in a cart', () => {
  type Explained = {
    comes: boolean;
    organizationId: number;
    checkedAt: string;
    rules: { rule: string; passed: boolean; sentence: string; data: Record<string, unknown> }[];
  };
  let admin: AdminClient;
  beforeAll(async () => {
    admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  });
  const explain = (right: string, cart: { cartId: string }) =>
    admin.get<Explained>(`/compensations/${right}/explain?cart_id=${cart.cartId}`);
  const failed = ({ rules }: Explained) =>
    rules.filter((rule) => !rule.passed).map(({ sentence: _sentence, ...rule }) => rule);

  test('[CMP-64] lists each rule with its inputs', async () => {
    const right = await grant();
    const cart = await makeCart({}, { token });

    const told = await explain(right, cart);

    expect(told).toMatchObject({
      compensationId: right,
      comes: true,
      organizationId: place.organizationId,
    });
    expect(told.rules.map(({ rule }) => rule)).toEqual([
      'ACCOUNT',
      'CLIENT_PHONE',
      'CUSTOMER',
      'SERVED',
      'STATUS',
      'TERM',
      'REWARD_ACTIVE',
      'ORGANIZATION',
      'BINDING',
      'ZERO_PRICE',
      'STOP_LIST',
      'CHOICE',
      'TURN',
    ]);
    expect(told.rules).toContainEqual({
      rule: 'ZERO_PRICE',
      passed: true,
      sentence: 'The dish of the gift is free here.',
      data: { priceKopecks: 0 },
    });
    expect(JSON.stringify(told)).not.toContain(PHONE.slice(2));
  });

  test("[CMP-64] names the obstacle: the stop-list, an earlier promise, the client's choice, a guest cart", async () => {
    const earlier = await grant({ at: new Date('2026-11-01T00:00:00Z') });
    const right = await grant();
    await stop(tart.erpId);
    const cart = await makeCart({ giftChoices: [{ compensationId: right, choice: 'POSTPONE' }] });

    const told = await explain(right, cart);

    const inRussian = await fetch(
      `${api.url}/api/admin/v1/compensations/${right}/explain?cart_id=${cart.cartId}`,
      {
        headers: { authorization: `Bearer ${admin.accessToken}`, 'accept-language': 'ru' },
      },
    );
    const { rules } = (await inRussian.json()) as Explained;
    expect(rules.find(({ rule }) => rule === 'TURN')?.sentence).toBe(
      'Более ранние обещания заняли все места: в заказе не больше 1 подарка.',
    );
    expect([told.comes, failed(told)]).toEqual([
      false,
      [
        {
          rule: 'CUSTOMER',
          passed: false,
          data: { hasCustomer: false, ofRight: clientId, ofCart: null, foundBy: null },
        },
        { rule: 'STOP_LIST', passed: false, data: { left: 0, quantity: 1 } },
        { rule: 'CHOICE', passed: false, data: { choice: 'POSTPONE', rewardCode: null } },
        { rule: 'TURN', passed: false, data: { earlier: [earlier], giftsPerOrder: 1 } },
      ],
    ]);
  });

  test("[CMP-91] shows if the cart's customer is the right's client, as far as carts and orders show it", async () => {
    const foreign = await db.transaction((tx) =>
      ensureClient(tx, api.deps, { connectionId: place.connectionId, phone: '+79990003344' }),
    );
    const others = await grant({ clientId: foreign });
    const customerIn = async (right: string, cart: { cartId: string }) => {
      const told = await explain(right, cart);
      const { passed, data } = told.rules.find(({ rule }) => rule === 'CUSTOMER')!;
      return [passed, told.comes, data];
    };
    const data = { hasCustomer: true, ofRight: foreign, ofCart: clientId };
    const unknown = await customerIn(
      others,
      await makeCart({}, { token: await fixture.tokenOf('olga', '+79990005566') }),
    );
    const right = await grant();
    const cart = await makeCart({}, { token });
    const shown = [await customerIn(right, cart), await customerIn(others, cart)];
    await order(cart, { cartVersion: cart.version });
    const next = await makeCart({}, { token });
    const ordered = await customerIn(others, next);

    // The account has no link yet: only the phone of a token can match.
    expect(unknown).toEqual([true, true, { ...data, ofCart: null, foundBy: null }]);
    expect(shown).toEqual([
      [true, true, { ...data, ofRight: clientId, foundBy: 'CART' }],
      [false, false, { ...data, foundBy: 'CART' }],
    ]);
    expect([next.gifts, ordered]).toEqual([[], [false, false, { ...data, foundBy: 'ORDER' }]]);
    expect(JSON.stringify(ordered)).not.toMatch(/999000/);
  });

  test('[CMP-64] agrees with the cart, for random promises, stop-lists and choices', async () => {
    const item = await rows.item();
    await rows.offer(
      place.menuId,
      { itemId: item.id, sizeId: await rows.size(item.id) },
      { [place.organizationId]: 0 },
    );
    const cake = await rows.insert('reward', {
      code: 'cake',
      name: 'Торт',
      erp_item_id: item.erpId,
    });
    const balance = fc.option(fc.nat(3), { freq: 2 });
    const promise = fc.record({
      isCake: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 2 }),
      wish: fc.constantFrom('INCLUDE', 'INCLUDE', 'REPLACE', 'POSTPONE'),
    });
    const fixtures = fc.record({
      most: fc.integer({ min: 1, max: 3 }),
      balances: fc.tuple(balance, balance),
      promises: fc.array(promise, { minLength: 1, maxLength: 4 }),
    });
    type Fixtures = typeof fixtures extends fc.Arbitrary<infer One> ? One : never;
    const tally = { comes: 0, stopped: 0, shared: 0, instead: 0 };
    const agree = async ({ most, balances, promises }: Fixtures) => {
      await fixture.empty('cart', 'mirror_stop_list');
      await deleteRows(db, 'setting', { key: 'gifts_per_order' });
      await updateRows(
        db,
        'compensation',
        { expiresAt: new Date(0) },
        { clientId, status: 'GRANTED' },
      );
      await addRow(db, 'setting', { key: 'gifts_per_order', value: most });
      for (const [index, left] of balances.entries())
        if (left !== null)
          await rows.stop(place.organizationId, [tart, item][index]!.erpId, { balance: left });
      const rights: string[] = [];
      for (const [index, { isCake, quantity }] of promises.entries())
        rights.push(
          await grant({
            rewardId: isCake ? cake : rewardId,
            quantity,
            at: new Date(1_760_000_000_000 + index),
          }),
        );
      const giftChoices = promises.map(({ wish: choice, isCake }, index) => ({
        compensationId: rights[index],
        choice,
        ...(choice === 'REPLACE' ? { rewardCode: isCake ? 'tart' : 'cake' } : {}),
      }));
      const cart = await makeCart({ giftChoices }, { token });
      for (const [index, right] of rights.entries()) {
        const stock = balances[promises[index]!.isCake ? 1 : 0];
        const told = await explain(right, cart);
        const isIncluded = cart.gifts.some((gift) => gift.id === right && gift.included);
        expect([right, told.comes, told.rules]).toEqual([right, isIncluded, told.rules]);
        const stopRule = told.rules.find(({ rule }) => rule === 'STOP_LIST')!;
        tally.comes += told.comes ? 1 : 0;
        tally.stopped += stopRule.passed ? 0 : 1;
        tally.shared += !stopRule.passed && Number(stopRule.data['left']) < stock! ? 1 : 0;
        tally.instead += 'instead' in stopRule.data ? 1 : 0;
      }
    };
    await fc.assert(fc.asyncProperty(fixtures, agree), { numRuns: repetitions(40), seed: 13 });
    for (const [name, count] of Object.entries(tally))
      expect([name, count > 0]).toEqual([name, true]);
  });

  test('[CMP-132] covers an order, a restaurant, or the right alone', async () => {
    const right = await grant();
    const cart = await makeCart(
      { giftChoices: [{ compensationId: right, choice: 'POSTPONE' }] },
      { token },
    );
    const verdict = await check(cart);
    const { body } = await order(cart, { quoteId: verdict.quote!.id });
    const of = (query: string) => admin.get<Explained>(`/compensations/${right}/explain?${query}`);
    const listRules = ({ rules }: Explained) => rules.map(({ rule }) => rule);
    const [forOrder, here, alone] = [
      await of(`order_id=${body.orderId}`),
      await of(`organization_id=${place.organizationErpId}`),
      await of(''),
    ];

    expect(forOrder).toMatchObject({
      cartId: null,
      orderId: body.orderId,
      organizationId: place.organizationId,
    });
    expect(listRules(forOrder)).toContain('CUSTOMER');
    expect(listRules(forOrder)).not.toContain('CHOICE');
    expect(forOrder.comes).toBe(true);
    expect(here).toMatchObject({
      orderId: null,
      organizationId: place.organizationId,
      comes: true,
    });
    expect(listRules(here)).not.toContain('CUSTOMER');
    expect(listRules(here)).toContain('ZERO_PRICE');
    expect(alone).toMatchObject({ orderId: null, organizationId: null, comes: true });
    expect(listRules(alone)).toEqual(['CLIENT_PHONE', 'STATUS', 'TERM', 'REWARD_ACTIVE']);
    await updateRows(db, 'compensation', { expiresAt: new Date(0) }, { id: right });
    await updateRows(db, 'customer_order', { customerId: null }, { id: body.orderId });
    expect(failed(await of('')).map(({ rule }) => rule)).toEqual(['TERM']);
    expect(failed(await of(`order_id=${body.orderId}`)).map(({ rule }) => rule)).toEqual([
      'CUSTOMER',
      'TERM',
    ]);
    const statusOfGet = async (query: string) =>
      (await admin.raw('GET', `/compensations/${right}/explain?${query}`)).status;
    expect(await statusOfGet(`order_id=${randomUUID()}`)).toBe(404);
    expect(await statusOfGet('organization_id=999999')).toBe(404);
    expect(
      await statusOfGet(`order_id=${body.orderId}&organization_id=${place.organizationErpId}`),
    ).toBe(422);
  });

  test('fails for unknown objects', async () => {
    const right = await grant();
    const cart = await makeCart({}, { token });
    const statusOfGet = async (id: string, cartId: string) =>
      (await admin.raw('GET', `/compensations/${id}/explain?cart_id=${cartId}`)).status;

    expect([
      await statusOfGet(randomUUID(), cart.cartId),
      await statusOfGet(right, randomUUID()),
      await statusOfGet(right, 'x'),
    ]).toEqual([404, 404, 422]);
  });
});

test('[CMP-66] cart and preflight return the age of gifts only if the ERP did not answer in time', async () => {
  const cart = await makeCart({}, { token });
  const off = { ...api.deps.clientCards };
  const answers = async (read: typeof off.read) => {
    Object.assign(api.deps.clientCards, { read });
    const { body } = await ask<Cart>('GET', `/cart?cart_id=${cart.cartId}`, undefined, { token });
    return [body.giftsReadAt, (await check(cart)).giftsReadAt];
  };
  try {
    const readAt = new Date('2026-11-20T10:00:00Z');
    const told = await answers(async () => ({ state: 'LAST_KNOWN', readAt }));
    expect(told.map((entry) => Date.parse(entry!))).toEqual([readAt.getTime(), readAt.getTime()]);
    expect(await answers(async () => ({ state: 'LAST_KNOWN', readAt: null }))).toEqual([
      null,
      null,
    ]);
    expect(await answers(async () => ({ state: 'READ', readAt }))).toEqual([undefined, undefined]);
  } finally {
    Object.assign(api.deps.clientCards, off);
  }
});

describe('GET /gifts', () => {
  type Own = { gifts: { id: string; available: boolean }[]; type?: string };
  const gifts = (bearer: string | undefined, organization: string = place.organizationErpId) =>
    ask<Own>(
      'GET',
      `/gifts?organization_id=${organization}`,
      undefined,
      bearer === undefined ? {} : { token: bearer },
    );

  test('[CMP-106] shows a customer their own gifts without a cart', async () => {
    const [first, second] = [
      await grant({ expiresAt: new Date('2090-01-01T00:00:00Z') }),
      await grant(),
    ];
    const { body } = await gifts(token, place.organizationErpId.toUpperCase());
    await stop(tart.erpId);
    const { body: stopped } = await gifts(token);

    expect(body).toEqual({
      gifts: [
        {
          id: first,
          rewardCode: 'tart',
          name: 'Тарт',
          quantity: 1,
          price: 0,
          image: null,
          expiresAt: '2090-01-01T03:00:00+03:00',
          available: true,
        },
        expect.objectContaining({ id: second, expiresAt: null }),
      ],
    });
    expect(stopped.gifts.map((gift) => gift.available)).toEqual([false, false]);
  });

  test('[CMP-106] omits gifts of other customers, expired gifts and gifts for other restaurants', async () => {
    await grant({ expiresAt: new Date('2020-01-01T00:00:00Z') });
    const elsewhere = await rows.restaurant();
    await grant({
      rewardId: await rows.insert('reward', {
        code: 'far',
        name: 'x',
        erp_item_id: tart.erpId,
        organization_erp_id: elsewhere.organizationErpId,
      }),
    });
    const own = await gifts(token);
    await grant();
    const [stranger, unverified] = [
      await gifts(await fixture.tokenOf('boris', '+79990007788')),
      await gifts(await fixture.tokenOf('anna')),
    ];

    expect([own.body, stranger.body, unverified.body]).toEqual([
      { gifts: [] },
      { gifts: [] },
      { gifts: [] },
    ]);
    expect((await gifts(undefined)).status).toBe(401);
    expect((await gifts(token, randomUUID())).status).toBe(404);
    expect((await gifts(token, 'x')).status).toBe(422);
  });

  test('[CMP-43] reads the card in the first request of a session, and so does POST /cart', async () => {
    const off = { ...api.deps.clientCards };
    const [greeted, read]: [string[], string[]] = [[], []];
    Object.assign(api.deps.clientCards, {
      greet: (customerId: string, phone: string) => greeted.push(`${customerId} ${phone}`),
      read: async (phone: string, placeOf: () => Promise<{ organizationErpId: string } | null>) => {
        read.push(`${phone} ${(await placeOf())?.organizationErpId}`);
        return { state: 'OFF' };
      },
    });
    try {
      await ask('GET', '/orders', undefined, { token });
      await ask('GET', '/orders', undefined, { token: await fixture.tokenOf('boris') });
      await makeCart({}, { token });
    } finally {
      Object.assign(api.deps.clientCards, off);
    }

    expect(greeted).toEqual([`anna ${PHONE}`, `anna ${PHONE}`]);
    expect(read).toEqual([`${PHONE} ${place.organizationErpId}`]);
  });
});

describe('two orders that need the same gift', () => {
  type Refused = { reasons: string[]; preflight: CheckoutVerdict };

  test('[CMP-61] end with one order that has it, and a rejection with a preflight without it', async () => {
    for (let round = 0; round < 5; round += 1) {
      await fixture.empty('customer_order', 'cart');
      const right = await grant();
      // A customer has one cart; the others are guest carts.
      const carts = await Promise.all(
        Array.from({ length: 4 }, () => makeCart({ lines: lines() })),
      );
      const verdicts = await Promise.all(carts.map(check));

      const answers = await Promise.all(
        carts.map((cart, at) => order<Refused>(cart, { quoteId: verdicts[at]!.quote!.id })),
      );

      expect(verdicts.map((verdict) => verdict.compensations.length)).toEqual([1, 1, 1, 1]);
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
        201, 409, 409, 409,
      ]);
      for (const { body } of answers.filter((answer) => answer.status === 409)) {
        expect(body.reasons).toContain('QUOTE');
        expect(body.preflight.compensations).toEqual([]);
      }
      const count = await countRows(db, 'order_line', { kind: 'COMPENSATION' });
      expect([count, (await readStatus(right))?.status]).toEqual([1, 'RESERVED']);
    }
  });

  const lines = () =>
    [fixture.soup, fixture.pizza].map(({ variantId }) => ({
      variantId,
      quantity: 1,
      modifiers: [],
    }));
});
