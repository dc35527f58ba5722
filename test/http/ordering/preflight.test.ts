import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DeliverySlots } from '../../../modules/delivery/schemas/hours.ts';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { Order, PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import { findingIn, repairIn } from '../../support/findings.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { countStatements } from '../../support/statements.ts';
import { orderingFixture, type Answer } from '../../support/ordering-fixture.ts';
import { addRow, ago, deleteRows, fromNow, updateRows } from '../../support/rows.ts';

const fixture = await orderingFixture();
const { api, db, rows, place, soup, pizza, tokenOf, sql, makeCart: make, pickup } = fixture;

beforeAll(() => openForOrders(db, place.organizationId));
afterAll(fixture.stop);
beforeEach(() =>
  fixture.empty(
    'mirror_stop_list',
    'promocode',
    'discount',
    'schedule_exception',
    'expectation_rule',
    'service_role',
  ),
);

const check = (cart: { cartId: string }, rest: object = {}, token?: string) =>
  fixture.preflight(cart, rest, { token });
const codes = ({ body }: Answer<CheckoutVerdict>) => ({
  blockers: body.blockers.map(({ code }) => code),
  warnings: body.warnings.map(({ code }) => code),
  adjustments: body.adjustments.map(({ code }) => code),
});

describe('the preflight of a cart', () => {
  test('allows an order without blockers, with its totals and time', async () => {
    const cart = await make();
    const { status, body } = await check(cart, { changeFrom: 1_000 });

    expect(status).toBe(200);
    expect(body).toEqual({
      canSubmit: true,
      cartVersion: 1,
      total: { items: 850, discount: 0, delivery: 0, toPay: 850 },
      eta: { minutes: 20, at: expect.stringMatching(/\+03:00$/) },
      blockers: [],
      warnings: [],
      adjustments: [],
      compensations: [],
      quote: {
        id: expect.any(String),
        validUntil: expect.stringMatching(/\+03:00$/),
        binding: true,
        menuRevision: null,
      },
    });
  });

  test('lists all blockers of an order together, each with a text', async () => {
    const cart = await make({ lines: [] });
    const fulfillment = { type: 'PICKUP', slotId: 'asap' };
    const answer = await check(cart, {
      fulfillment,
      paymentMethod: 'SBP',
      options: { leaveAtDoor: true },
    });

    expect(answer.body.canSubmit).toBe(false);
    expect(codes(answer).blockers).toEqual([
      'CART_EMPTY',
      'PICKUP_POINT_REQUIRED',
      'PAYMENT_METHOD_UNAVAILABLE',
      'LEAVE_AT_DOOR_NOT_ALLOWED',
    ]);
    for (const { message } of answer.body.blockers) expect(message).toMatch(/^[А-Я].*\.$/);
    expect(answer.body.blockers[2]).toMatchObject({
      allowed: ['CASH', 'CARD_COURIER'],
      repair: { action: 'CHOOSE_PAYMENT_METHOD', allowed: ['CASH', 'CARD_COURIER'] },
    });
  });

  test('[HTTP-103] returns its texts in the language that the guest requests', async () => {
    const cart = await make({ lines: [] });
    const messagesIn = async (language: string) => {
      const answer = await fetch(`${api.url}/api/v1/checkout/preflight`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': language },
        body: JSON.stringify({
          cartId: cart.cartId,
          fulfillment: { type: 'PICKUP', organizationId: place.organizationErpId, slotId: 'asap' },
          paymentMethod: 'CASH',
        }),
      });
      return ((await answer.json()) as CheckoutVerdict).blockers.map(({ message }) => message);
    };

    expect(await messagesIn('en')).toEqual(['Your cart is empty.']);
    expect(await messagesIn('ru,en')).toEqual(['Корзина пуста.']);
    expect(await messagesIn('*')).toEqual(['Корзина пуста.']);
  });

  test('[ORD-28, ORD-70] removes unavailable lines, and reports it until the guest sends that version', async () => {
    const cart = await make();
    await rows.stop(place.organizationId, soup.erpId);
    const first = await check(cart, { cartVersion: 1 });
    const afterLostAnswer = await check(cart, { cartVersion: 1 });
    const ofNoVersion = await check(cart, { cartVersion: 3 });
    const repair = repairIn(first.body, 'ACCEPT_CHANGES');
    const accepted = await check(cart, { cartVersion: repair.cartVersion });

    expect(codes(first)).toEqual({
      blockers: ['ITEMS_UNAVAILABLE'],
      warnings: [],
      adjustments: ['ITEM_REMOVED'],
    });
    expect(first.body).toMatchObject({
      cartVersion: 2,
      total: { toPay: 600 },
      blockers: [
        {
          changes: [{ action: 'REMOVED', itemId: soup.erpId, reason: 'STOP_LIST' }],
          repair: { action: 'ACCEPT_CHANGES', cartVersion: 2 },
        },
      ],
    });
    for (const { body } of [afterLostAnswer, ofNoVersion])
      expect(body).toEqual({ ...first.body, eta: { ...body.eta, minutes: 20 } });
    expect(accepted.body).toMatchObject({ canSubmit: true, cartVersion: 2, adjustments: [] });
    expect((await check(cart)).body).toMatchObject({
      canSubmit: true,
      cartVersion: 2,
      adjustments: [],
    });
  });

  test('[ORD-74] removes units above the balance, and reports it until the guest sends the new version', async () => {
    const cart = await make({ lines: [{ variantId: soup.variantId, quantity: 3, modifiers: [] }] });
    await rows.stop(place.organizationId, soup.erpId, { balance: 2 });
    const first = await check(cart);
    const repair = repairIn(first.body, 'ACCEPT_CHANGES');
    const accepted = await check(cart, { cartVersion: repair.cartVersion });

    expect(codes(first)).toEqual({
      blockers: ['ITEMS_UNAVAILABLE'],
      warnings: [],
      adjustments: ['ITEM_REMOVED'],
    });
    expect(first.body).toMatchObject({
      cartVersion: 2,
      total: { toPay: 500 },
      blockers: [
        {
          changes: [
            { action: 'QUANTITY_REDUCED', itemId: soup.erpId, quantity: { before: 3, after: 2 } },
          ],
          repair: { action: 'ACCEPT_CHANGES', cartVersion: 2 },
        },
      ],
    });
    expect(accepted.body).toMatchObject({ canSubmit: true, cartVersion: 2, adjustments: [] });
  });

  test('[ORD-70] repeats the reports of a cart until a newer version is posted', async () => {
    const cart = await make();
    await rows.stop(place.organizationId, soup.erpId);
    const lost = (await (
      await fetch(`${api.url}/api/v1/cart?cart_id=${cart.cartId}`)
    ).json()) as Cart;
    const told = await check(cart);
    const { lines, cartId, version } = lost;
    const posted = await make({
      cartId,
      version,
      lines: lines.map(({ variantId }) => ({ variantId, quantity: 1, modifiers: [] })),
    });

    expect(codes(told)).toEqual({
      blockers: ['ITEMS_UNAVAILABLE'],
      warnings: [],
      adjustments: ['ITEM_REMOVED'],
    });
    expect(posted).toMatchObject({ version: 3, changes: [] });
    expect((await check(cart)).body).toMatchObject({
      canSubmit: true,
      cartVersion: 3,
      adjustments: [],
    });
  });

  test('[ORD-70] reports changed service items until the guest sends the version with them', async () => {
    const free = await rows.dish({ ...place, prices: { [place.organizationId]: 0 } });
    const cart = await make({ options: { cutlery: 1 } });
    await updateRows(db, 'catalog_variant', { toolCount: 1 }, { id: soup.variantId });
    await rows.insert('service_role', { role: 'CUTLERY', erp_item_id: free.erpId }, 'role');
    const first = await check(cart);
    const afterLostAnswer = await check(cart);
    const accepted = await check(cart, { cartVersion: 2 });

    expect(codes(first)).toEqual({
      blockers: [],
      warnings: [],
      adjustments: ['SERVICE_ITEMS_CHANGED'],
    });
    expect(afterLostAnswer.body.adjustments).toEqual(first.body.adjustments);
    expect(accepted.body).toMatchObject({ cartVersion: 2, adjustments: [] });
  });

  test('[ORD-28] removes a promo code whose conditions are not met, and applies discounts by order type', async () => {
    const ofPickup = {
      code: 'p',
      name: 'p',
      kind: 'PERCENT',
      value: 10,
      fulfillment_types: ['PICKUP'],
    };
    await rows.insert('discount', ofPickup);
    const dear = {
      code: 'd',
      name: 'd',
      kind: 'PERCENT',
      value: 50,
      needs_promocode: true,
      min_subtotal_kopecks: 999_900,
    };
    await rows.insert('promocode', {
      code: 'DEAR',
      discount_id: await rows.insert('discount', dear),
    });
    const cart = await make({ promocode: 'dear' });
    const first = await check(cart);
    const afterLostAnswer = await check(cart);
    const accepted = await check(cart, { cartVersion: 2 });

    expect(cart).toMatchObject({ total: 850, promocode: 'DEAR' });
    expect(codes(first)).toEqual({
      blockers: [],
      warnings: ['PROMO_CONDITIONS_UNMET'],
      adjustments: ['PROMO_REMOVED'],
    });
    expect(first.body).toMatchObject({
      cartVersion: 2,
      total: { items: 850, discount: 85, toPay: 765 },
      warnings: [{ promocode: 'DEAR', reason: 'MIN_SUM' }],
    });
    expect(codes(afterLostAnswer)).toEqual(codes(first));
    expect(codes(accepted)).toEqual({ blockers: [], warnings: [], adjustments: [] });
    // The cart without the promo code keeps the version that reported the loss.
    expect(accepted.body.cartVersion).toBe(2);
  });

  test('replaces a slot that is no longer offered, and accepts one that is', async () => {
    const cart = await make();
    const gone = await check(cart, {
      fulfillment: { ...pickup(), slotId: '2020-01-01T10:00+03:00/PT10M' },
    });
    const { newSlotId } = findingIn(gone.body, 'SLOT_EXPIRED');
    const next = await check(cart, { fulfillment: { ...pickup(), slotId: newSlotId } });

    expect(codes(gone)).toEqual({ blockers: [], warnings: [], adjustments: ['SLOT_EXPIRED'] });
    expect(codes(next)).toEqual({ blockers: [], warnings: [], adjustments: [] });
    expect(next.body.eta.at).toBe(newSlotId!.replace(/:(\d\d)([+-].*)\/.*/, ':$1:00$2'));
    // The time of the offered slot, even if the requested slot is out of range.
    expect(gone.body.eta.at).toBe(next.body.eta.at);
    const never = await check(cart, {
      fulfillment: { ...pickup(), slotId: '9999-12-31T23:59-12:00/PT10M' },
    });
    expect(Date.parse(String(never.body.eta.at))).toBeGreaterThan(
      Date.parse(String(next.body.eta.at)),
    );
    expect((await check(cart, { fulfillment: { ...pickup(), slotId: 'tomorrow' } })).status).toBe(
      422,
    );
  });

  test('reports the end of intake, and that orders take longer', async () => {
    const cart = await make();
    await addRow(db, 'expectation_rule', { scope: 'GLOBAL', durationMinutes: 15 });
    const slow = await check(cart);
    await addRow(db, 'schedule_exception', {
      organizationId: place.organizationId,
      kind: 'INTAKE_STOPPED',
      startsAt: ago('1 hour'),
      endsAt: fromNow('1 hour'),
    });
    const stopped = await check(cart);

    expect(slow.body).toMatchObject({
      eta: { minutes: 35 },
      warnings: [{ code: 'ETA_INCREASED', minutes: 15, scope: 'GLOBAL' }],
    });
    expect(stopped.body.blockers).toMatchObject([
      { code: 'ORDERS_STOPPED', until: expect.stringMatching(/\+03:00$/) },
    ]);
  });

  test('[FUL-72] includes a busy mode, and an earlier order keeps its time', async () => {
    const ordered = await make();
    const customer = { name: 'Анна', phone: '+79990000007' };
    const wanted = fixture.question(ordered, { customer, cartVersion: ordered.version });
    const { body: placed } = await fixture.ask<PlacedOrder>('POST', '/orders', wanted, {
      key: randomUUID(),
    });
    const cart = await make();
    await addRow(db, 'expectation_rule', { scope: 'GLOBAL', durationMinutes: 15 });
    await addRow(db, 'busy_mode', {
      organizationId: place.organizationId,
      extraMinutes: 30,
      until: fromNow('1 hour'),
    });
    const busy = await check(cart);
    const kept = await fixture.ask<Order>('GET', `/orders/${placed.orderId}`);
    await updateRows(
      db,
      'busy_mode',
      { until: ago('1 second') },
      { organizationId: place.organizationId },
    );
    const over = await check(cart);

    expect(busy.body).toMatchObject({
      eta: { minutes: 65 },
      warnings: [{ code: 'ETA_INCREASED', minutes: 45, scope: 'GLOBAL' }],
    });
    expect(placed.eta.minutes).toBe(20);
    expect(kept.body.eta).toEqual(placed.eta);
    expect(over.body).toMatchObject({
      eta: { minutes: 35 },
      warnings: [{ code: 'ETA_INCREASED', minutes: 15 }],
    });
  });

  test('[FUL-91] accepts a slot after the end of a busy mode, and replaces one before it', async () => {
    const cart = await make();
    const slots = async () => {
      const path = `/delivery/slots?organization_id=${place.organizationErpId}&type=PICKUP&cart_id=${cart.cartId}`;
      const { body } = await fixture.ask<DeliverySlots>('GET', path);
      return body.days.flatMap((day) => day.slots.map(({ id }) => id));
    };
    const [early] = await slots();
    const busyMode = {
      organizationId: place.organizationId,
      extraMinutes: 180,
      until: fromNow('40 minutes'),
    };
    await fixture.empty('busy_mode');
    await addRow(db, 'busy_mode', busyMode);
    const [first] = await slots();
    const [before, after] = [
      await check(cart, { fulfillment: pickup({ slotId: early }) }),
      await check(cart, { fulfillment: pickup({ slotId: first }) }),
    ];
    await fixture.empty('busy_mode');

    expect(Date.parse(first!.split('/')[0]!)).toBeLessThan(Date.now() + 60 * 60_000);
    expect(findingIn(before.body, 'SLOT_EXPIRED')).toMatchObject({ newSlotId: first });
    expect(codes(after)).toMatchObject({ blockers: [], adjustments: [] });
  });

  test('requires an address for delivery, and detects a disabled ERP', async () => {
    const cart = await make();
    await updateRows(db, 'connection', { status: 'DISABLED' }, { id: place.connectionId });
    const answer = await check(cart, { fulfillment: { type: 'DELIVERY', slotId: 'asap' } });
    await updateRows(db, 'connection', { status: 'ACTIVE' }, { id: place.connectionId });

    expect(codes(answer).blockers).toEqual([
      'ERP_DISABLED',
      'ADDRESS_REQUIRED',
      'DELIVERY_NOT_ACCEPTING',
    ]);
  });

  test('needs few statements, like a cart, for any cart', async () => {
    // Access to a cart is checked on the connections of the test.
    const ofGuests = countStatements(db);
    const taken = async (work: () => Promise<unknown>) => {
      const before = api.statements() + ofGuests();
      await work();
      return api.statements() + ofGuests() - before;
    };
    const lines = [soup, pizza].map(({ variantId }) => ({ variantId, quantity: 1, modifiers: [] }));
    const cart = await make({ lines: [] });

    // The first request marks a new guest cart as used (ORD-126).
    expect({
      made: await taken(() => make()),
      changed: await taken(() => make({ cartId: cart.cartId, version: 1, lines })),
      read: await taken(() => fetch(`${api.url}/api/v1/cart?cart_id=${cart.cartId}`)),
      checked: await taken(() => check(cart)),
    }).toEqual({ made: 6, changed: 8, read: 6, checked: 8 });
  });

  test('prepares every statement, like all carts and checkouts', async () => {
    const before = api.unprepared.length;
    const lines = [soup, pizza].map(({ variantId }) => ({ variantId, quantity: 1, modifiers: [] }));
    const cart = await make({ lines: [] });
    await make({ cartId: cart.cartId, version: 1, lines });
    await fetch(`${api.url}/api/v1/cart?cart_id=${cart.cartId}`);
    await check(cart);

    expect(new Set(api.unprepared.slice(before))).toEqual(
      new Set(['start transaction isolation level repeatable read', 'commit']),
    );
  });

  test('[FUL-45, ORD-67] offers no payment method and no discount that an order could not name at the ERP', async () => {
    const type = (kind: string) => ({
      id: randomUUID(),
      code: kind,
      name: kind,
      kind,
      organizationIds: [place.organizationErpId],
    });
    const listed = (discounts: object[]) =>
      sql(
        `insert into erp_choices (connection_id, payment_types, discount_types) values ($1, $2, $3)
         on conflict (connection_id) do update set discount_types = excluded.discount_types, read_at = now()`,
        [place.connectionId, JSON.stringify([type('Cash')]), JSON.stringify(discounts)],
      );
    await addRow(db, 'discount', { code: 'TEN', name: 'Десять', kind: 'PERCENT', value: 10 });
    const before = await make();
    await listed([]);
    const after = await make();
    const byCard = await check(after, { paymentMethod: 'CARD_COURIER' });
    const inCash = await check(after);
    const promised = await (async () => {
      await listed([
        { ...type('FlexibleSum'), mode: 'FlexibleSum', isManual: true, minOrderSum: null },
      ]);
      return check(await make());
    })();
    await deleteRows(db, 'erp_choices');

    expect([before.total, after.total]).toEqual([765, 850]);
    expect(after.discounts).toEqual([]);
    expect(byCard.body.blockers).toMatchObject([
      { code: 'PAYMENT_METHOD_UNAVAILABLE', allowed: ['CASH'] },
    ]);
    expect(inCash.body).toMatchObject({ canSubmit: true, total: { discount: 0, toPay: 850 } });
    expect(promised.body).toMatchObject({ canSubmit: true, total: { discount: 85, toPay: 765 } });
  });

  test('allows callers who may use the cart', async () => {
    const token = await tokenOf('anna');
    const own = await make(
      { lines: [{ variantId: soup.variantId, quantity: 1, modifiers: [] }] },
      { token },
    );

    expect((await check(own)).status).toBe(404);
    expect((await check(own, {}, token)).status).toBe(200);
    expect((await check({ cartId: randomUUID() })).status).toBe(404);
  });
});
