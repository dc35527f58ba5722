import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clientOf } from '../../../app/compensation/clients.ts';
import { applyErpFact } from '../../../app/ordering/apply-erp-fact.ts';
import { holdOrder, moveOrder } from '../../../app/ordering/order-row.ts';
import type { Cart, CheckoutVerdict } from '../../../contracts/ordering.ts';
import type { Order, PlacedOrder } from '../../../contracts/orders.ts';
import type { OrderState } from '../../../domain/ordering/order-states.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { adminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingWorld, type Sent } from '../../support/ordering-world.ts';
import { grantTo } from '../../support/rights.ts';

const PHONE = '+79990001122';
const world = await orderingWorld();
const { db, api, rows, place, ask, makeCart, question, sql } = world;
let token: string;
let tart: { id: number; erpId: string };
let rewardId: number;

beforeAll(async () => {
  await openForOrders(db, place.organizationId);
  token = await world.tokenOf('anna', PHONE);
  const item = await rows.item();
  const sizeId = await rows.size(item.id);
  await rows.offer(place.menuId, { itemId: item.id, sizeId }, { [place.organizationId]: 0 });
  tart = item;
  rewardId = await rows.insert('reward', { code: 'tart', name: 'Тарт', erp_item_id: item.erpId });
});
afterAll(world.stop);

let clientId: string;
beforeEach(async () => {
  await world.empty('customer_order', 'cart', 'mirror_stop_list');
  await sql('delete from setting where key = $1', ['gifts_per_order']);
  clientId = await db.transaction(async (tx) => {
    const id = await clientOf(tx, api.deps, { connectionId: place.connectionId, phone: PHONE });
    const open = tx.db
      .selectFrom('compensation')
      .select('id')
      .where('clientId', '=', id)
      .where('status', '=', 'GRANTED');
    // What an earlier test has promised is over.
    await tx.db
      .updateTable('compensation')
      .set({ expiresAt: new Date(0) })
      .where('id', 'in', open)
      .execute();
    return id;
  });
});

const grant = (more: Partial<Parameters<typeof grantTo>[1]> = {}) => grantTo(db, { clientId, rewardId, ...more });
const stop = (erpId: string) => rows.stop(place.organizationId, erpId);
const order = <T = PlacedOrder>(cart: { cartId: string }, rest: object = {}, sent: Sent = {}) =>
  ask<T>('POST', '/orders', question(cart, { customer: { name: 'Анна', phone: PHONE }, ...rest }), {
    key: randomUUID(),
    token,
    ...sent,
  });
const check = async (cart: { cartId: string }) => (await world.preflight(cart, {}, { token })).body;
const statusOf = async (id: string) => {
  const [row] = await sql<{ status: string; order: string | null }>(
    'select status, coalesce(redeemed_order_id, reserved_order_id) as order from compensation where id = $1',
    [id],
  );
  return row;
};
const move = (orderId: string, state: OrderState, by: 'ERP' | 'CUSTOMER' | 'CARTE', problem?: 'NEVER_ENDED') =>
  db.transaction(async (tx) => moveOrder(tx, await holdOrder(tx, orderId), state, by, problem ? { problem } : {}));
/** An order that has taken a right along. */
async function reserved(): Promise<{ right: string; orderId: string }> {
  const right = await grant();
  const cart = await makeCart({}, { token });
  const { body } = await order(cart, { cartVersion: cart.version });
  return { right, orderId: body.orderId };
}

describe('a gift', () => {
  test('comes with the order by itself, costs nothing, is reserved with it and redeemed when the ERP has created it', async () => {
    const right = await grant({ quantity: 2 });
    const cart = await makeCart({}, { token });

    const gift = { id: right, rewardCode: 'tart', name: 'Тарт', quantity: 2, price: 0, image: null, expiresAt: null };
    expect(cart.gifts).toEqual([{ ...gift, available: true, included: true }]);
    expect(cart.total).toBe(850);
    const verdict = await check(cart);
    expect([verdict.canSubmit, verdict.compensations]).toEqual([true, cart.gifts]);
    expect(await statusOf(right)).toMatchObject({ status: 'GRANTED' });

    const { status, body } = await order(cart, { cartVersion: cart.version, quoteId: verdict.quote!.id });
    expect([status, body.total]).toEqual([201, 850]);
    expect(await statusOf(right)).toEqual({ status: 'RESERVED', order: body.orderId });
    const { body: seen } = await ask<Order>('GET', `/orders/${body.orderId}`, undefined, { token });
    expect(seen.gifts).toMatchObject([
      { type: 'COMPENSATION', name: 'Тарт', quantity: 2, unitPrice: 0, lineTotal: 0, orderable: false },
    ]);
    expect(seen.lines).toHaveLength(2);

    await move(body.orderId, 'SENT', 'CARTE');
    expect(await statusOf(right)).toMatchObject({ status: 'RESERVED' });
    await move(body.orderId, 'CONFIRMED', 'ERP');
    expect(await statusOf(right)).toEqual({ status: 'REDEEMED', order: body.orderId });
    await move(body.orderId, 'CANCELLED', 'ERP');
    expect(await statusOf(right)).toEqual({ status: 'REDEEMED', order: body.orderId });
  });

  test.each([
    ['withdrawn by its guest before it was sent', 'CANCELLED', 'CUSTOMER', 'GRANTED'],
    ['refused by the ERP for good', 'FAILED', 'ERP', 'GRANTED'],
    ['created and cancelled by the restaurant at once', 'CANCELLED', 'ERP', 'REDEEMED'],
  ] as const)('of an order that was %s: the right is %s → %s', async (_, state, by, becomes) => {
    const right = await grant();
    const cart = await makeCart({}, { token });
    const { body } = await order(cart, { cartVersion: cart.version });

    await move(body.orderId, state, by);

    expect(await statusOf(right)).toMatchObject({ status: becomes });
    const next = await makeCart({}, { token });
    expect(next.gifts.map((each) => each.id)).toEqual(becomes === 'GRANTED' ? [right] : []);
  });

  test.each([
    ['has a status that is new to us', { status: 'Frozen', movedTo: null }],
    ['was moved at once', { status: 'Unconfirmed', movedTo: { deliveryId: randomUUID(), organizationId: null } }],
  ])('is redeemed by an order that the ERP has created, also when it %s', async (_, more) => {
    const { right, orderId } = await reserved();
    await move(orderId, 'SENT', 'CARTE');
    const told = (creation: object) =>
      db.transaction(async (tx) =>
        applyErpFact(tx, await holdOrder(tx, orderId), { id: orderId, timestamp: 1, ...creation } as ErpDelivery),
      );

    await told({ creation: 'IN_PROGRESS' });
    expect(await statusOf(right)).toMatchObject({ status: 'RESERVED' });
    await told({ creation: 'SUCCESS', ...more });

    expect(await statusOf(right)).toEqual({ status: 'REDEEMED', order: orderId });
  });

  test.each([
    ['CREATED', 'REDEEMED', { action: 'redeem' }],
    ['NOT_CREATED', 'GRANTED', { action: 'release' }],
  ])('of an order that nobody knew the end of stays with it until people say %s', async (outcome, becomes, entry) => {
    const admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
    const { right, orderId } = await reserved();
    const settle = (reason: string) => admin.raw('POST', `/orders/${orderId}/settle-gifts`, { outcome, reason });
    await move(orderId, 'SENT', 'CARTE');
    const early = await settle('в ресторане не знают');
    await move(orderId, 'FAILED', 'CARTE', 'NEVER_ENDED');
    expect(await statusOf(right)).toEqual({ status: 'RESERVED', order: orderId });

    const blank = await settle(' ');
    // Of two who settle it at once one is told that it is settled.
    const both = await Promise.all([settle('посмотрели в кассе'), settle('посмотрели в кассе')]);

    expect([early.status, blank.status]).toEqual([409, 422]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await statusOf(right)).toMatchObject({ status: becomes });
    const entries = 'select action, reason from audit_entry where entity_id = $1 order by id desc limit 1';
    expect(await sql(entries, [right])).toEqual([{ ...entry, reason: 'посмотрели в кассе' }]);
  });

  test('is neither seen nor reserved by a guest, by another customer, and by one whose phone nobody vouches for', async () => {
    const right = await grant();
    const strangers = [undefined, await world.tokenOf('boris', '+79990001133'), await world.tokenOf('vera')];
    for (const stranger of strangers) {
      const cart = await makeCart({}, { token: stranger });
      const { body } = await world.preflight(cart, {}, { token: stranger });
      // The phone of a checkout is typed by whoever likes.
      const placed = await order(cart, { cartVersion: cart.version }, { token: stranger });

      expect([cart.gifts, body.compensations, placed.status]).toEqual([[], [], 201]);
    }
    expect(await statusOf(right)).toMatchObject({ status: 'GRANTED' });
  });

  test('is nothing that a client sends', async () => {
    const { status, body } = await ask<{ errors: { field: string }[] }>(
      'POST',
      '/cart',
      { organizationId: place.organizationErpId, lines: [], gifts: [{ rewardCode: 'tart' }] },
      { token },
    );

    expect([status, body.errors.map((each) => each.field)]).toEqual([422, ['gifts']]);
  });

  test('is the earliest promise; a later one follows with the next order, or at once where an order may have several', async () => {
    const later = await grant({ at: new Date('2026-11-02T00:00:00Z') });
    const earlier = await grant({ at: new Date('2026-11-01T00:00:00Z') });
    const cart = await makeCart({}, { token });
    expect(cart.gifts.map((each) => each.id)).toEqual([earlier]);

    await sql(`insert into setting (key, value) values ('gifts_per_order', '2')`);
    const { body } = await ask<Cart>('GET', `/cart?cart_id=${cart.cartId}`, undefined, { token });

    expect(body.gifts.map((each) => [each.id, each.included])).toEqual([
      [earlier, true],
      [later, true],
    ]);
    expect(body.version).toBe(cart.version + 1);
  });
});

describe('a stopped gift', () => {
  test('is not burned and not left out in silence: the client chooses the next order', async () => {
    const right = await grant();
    const cart = await makeCart({}, { token });
    await stop(tart.erpId);

    const verdict = await check(cart);
    const blocker = verdict.blockers.find((each) => each.code === 'GIFT_CHOICE_REQUIRED');
    expect([verdict.canSubmit, blocker]).toEqual([
      false,
      expect.objectContaining({
        compensationId: right,
        choices: ['POSTPONE'],
        repair: { action: 'CHOOSE_GIFT', compensationId: right, choices: ['POSTPONE'] },
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
    expect(await statusOf(right)).toMatchObject({ status: 'GRANTED' });
  });

  test('can be postponed also while it is there, and wanted again', async () => {
    const right = await grant();
    const first = await makeCart({ giftChoices: [{ compensationId: right, choice: 'POSTPONE' }] }, { token });
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

describe('orders that want one gift', () => {
  type Refused = { reasons: string[]; preflight: CheckoutVerdict };

  test('get it once: the loser is refused with a preflight without the gift, never ordered without it in silence', async () => {
    for (let round = 0; round < 5; round += 1) {
      await world.empty('customer_order', 'cart');
      const right = await grant();
      // A customer has one cart of their own; the others are carts of a guest who signs in at the checkout.
      const carts = await Promise.all(Array.from({ length: 4 }, () => makeCart({ lines: lines() })));
      const verdicts = await Promise.all(carts.map(check));

      const answers = await Promise.all(
        carts.map((cart, at) => order<Refused>(cart, { quoteId: verdicts[at]!.quote!.id })),
      );

      expect(verdicts.map((each) => each.compensations.length)).toEqual([1, 1, 1, 1]);
      expect(answers.map((each) => each.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
      for (const { body } of answers.filter((each) => each.status === 409)) {
        expect(body.reasons).toContain('QUOTE');
        expect(body.preflight.compensations).toEqual([]);
      }
      const [{ count }] = (await sql(`select count(*)::int from order_line where kind = 'COMPENSATION'`)) as [
        { count: number },
      ];
      expect([count, (await statusOf(right))?.status]).toEqual([1, 'RESERVED']);
    }
  });

  const lines = () => [world.soup, world.pizza].map(({ variantId }) => ({ variantId, quantity: 1, modifiers: [] }));
});
