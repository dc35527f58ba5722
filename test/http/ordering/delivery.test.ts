import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DeliverySlots } from '../../../modules/delivery/schemas/hours.ts';
import type { AddedAddress } from '../../../modules/delivery/schemas/addresses.ts';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import { placeOrder } from '../../../modules/ordering/checkout/place-order.ts';
import { findingIn, repairIn } from '../../support/findings.ts';
import { orderingFixture, type Answer } from '../../support/ordering-fixture.ts';
import { ALWAYS_OPEN } from '../../support/open-restaurant.ts';
import { drawMap, rule, square } from '../../support/delivery-map.ts';
import { addRow, deleteRows, plus, selectRow, selectRows, updateRows } from '../../support/rows.ts';

const fixture = await orderingFixture();
const { api, db, rows, place, soup, pizza, tokenOf, sql, makeCart } = fixture;
const other = await rows.organization(place.connectionId, { time_zone: 'Europe/Moscow' });
const [NORTH, SOUTH] = [randomUUID(), randomUUID()];
const POINTS = {
  north: [0.5, 1.5],
  south: [0.5, 0.5],
  both: [1.5, 0.5],
  foreign: [10.5, 0.5],
  nowhere: [50, 50],
} as const;

beforeAll(async () => {
  await rows.offer(place.menuId, soup, { [other.id]: 25_000 });
  await rows.offer(place.menuId, pizza, { [other.id]: 60_000 });
  for (const erpId of [NORTH, SOUTH])
    await rows.insert('mirror_terminal_group', {
      organization_id: place.organizationId,
      erp_id: erpId,
      name: 'till',
      synchronized_at: new Date(),
    });
  const here = { id: place.organizationId, erpId: place.organizationErpId };
  await drawMap(
    db,
    here,
    [square('North', 0, 1), square('South', 0, 0, 2), square('Also south', 1, 0)],
    [
      rule('North', { terminalGroupId: NORTH, deliveryDurationInMinutes: 75 }),
      rule('South', { terminalGroupId: SOUTH }),
      rule('Also south'),
    ],
  );
  await drawMap(db, other, [square('Far', 10)], [rule('Far')]);
  for (const { id } of [here, other]) {
    await addRow(db, 'ordering_schedule', { organizationId: id, windows: ALWAYS_OPEN });
    await addRow(db, 'ordering_config', {
      organizationId: id,
      deliveryEnabled: true,
      pickupEnabled: true,
      deliveryMinutes: 60,
    });
  }
  const everywhere = [
    {
      organizationId: place.organizationId,
      fulfillmentTypes: ['DELIVERY' as const, 'PICKUP' as const],
    },
  ];
  await updateRows(
    db,
    'payment_method',
    { availability: everywhere },
    { code: ['CASH', 'CARD_COURIER'] },
  );
});
afterAll(fixture.stop);
beforeEach(() => fixture.empty('mirror_stop_list', 'zone_override', 'setting', 'expectation_rule'));

const send = <T>(method: string, path: string, body?: object, token?: string) =>
  fixture.ask<T>(method, path, body, { token, key: randomUUID() });
const make = (body: object = {}, token?: string) => makeCart(body, { token });
const read = async ({ cartId }: Pick<Cart, 'cartId'>) =>
  (await send<Cart>('GET', `/cart?cart_id=${cartId}`)).body;
/** Adds an address at a point; no geocoder is configured, so the point counts. */
const add = async (
  cart: Pick<Cart, 'cartId'>,
  at: keyof typeof POINTS,
  token?: string,
  address: object = WORDS,
) =>
  (
    await send<AddedAddress>(
      'POST',
      '/addresses',
      { cartId: cart.cartId, address, coords: POINTS[at] },
      token,
    )
  ).body.addressId;
const WORDS = { city: 'Омск', street: 'Садовая улица', house: '1' };
const check = (
  cart: Pick<Cart, 'cartId'>,
  addressId: string | null,
  rest: object = {},
  token?: string,
) =>
  send<CheckoutVerdict>(
    'POST',
    '/checkout/preflight',
    {
      cartId: cart.cartId,
      fulfillment: { type: 'DELIVERY', addressId, slotId: 'asap', ...rest },
      paymentMethod: 'CASH',
    },
    token,
  );
const blockers = ({ body }: Answer<CheckoutVerdict>) => body.blockers.map(({ code }) => code);
const overrideSouth = (row: object) =>
  selectRows(db, 'mirror_delivery_zone', ['id'], { name: 'South' }).then(([zone]) =>
    rows.insert('zone_override', { zone_id: zone!.id, ...row }),
  );

test('[FUL-58] preflight, slots of a cart and orders use the pickup time of the ERP', async () => {
  const { organizationId } = place;
  const selfService = (selfServiceMinutes: number) =>
    updateRows(db, 'mirror_delivery_defaults', { selfServiceMinutes }, { organizationId });
  const cart = await make();
  await selfService(35);
  const pickup = { type: 'PICKUP', organizationId: place.organizationErpId };
  const { body: verdict } = await check(cart, null, pickup);
  const { body: slots } = await send<DeliverySlots>(
    'GET',
    `/delivery/slots?organization_id=${place.organizationErpId}&type=PICKUP&cart_id=${cart.cartId}`,
  );
  const { body: order } = await send<{ eta: { minutes: number } }>('POST', '/orders', {
    cartId: cart.cartId,
    fulfillment: { ...pickup, slotId: 'asap' },
    paymentMethod: 'CASH',
    customer: { name: 'Анна', phone: '+79990000001' },
  });
  await selfService(20);

  expect([verdict.eta.minutes, slots.asap.etaMinutes, order.eta.minutes]).toEqual([35, 35, 35]);
});

describe('a delivery at checkout', () => {
  test('[ORD-61] uses minutes and fee of the zone, which the cart shows until its next update', async () => {
    await rows.setting('delivery_fee', 149.5);
    const cart = await make();
    const first = await check(cart, await add(cart, 'north'));
    const remembered = await read(cart);
    const second = await check(cart, await add(cart, 'north'));
    const pickup = await check(cart, null, {
      type: 'PICKUP',
      organizationId: place.organizationErpId,
    });

    expect(first.body).toMatchObject({
      canSubmit: true,
      cartVersion: 2,
      total: { items: 850, discount: 0, delivery: 149.5, toPay: 999.5 },
      eta: { minutes: 75 },
      blockers: [],
      adjustments: [],
    });
    expect(remembered).toMatchObject({ version: 2, deliveryFee: 149.5, total: 999.5 });
    expect(second.body).toMatchObject({ canSubmit: true, cartVersion: 2 });
    expect(pickup.body).toMatchObject({
      canSubmit: true,
      total: { delivery: 0, toPay: 850 },
      eta: { minutes: 20 },
    });
    expect(await read(cart)).toMatchObject({ deliveryFee: 0, total: 850 });
  });

  test('[ORD-60] costs the price of the zone override, and requires the minimum at the time of the slot', async () => {
    const cart = await make();
    const addressId = await add(cart, 'south');
    await overrideSouth({
      delivery_fee_kopecks: 9_900,
      valid_to: new Date(Date.now() + 3_600_000),
    });
    await overrideSouth({ min_sum_kopecks: 100_000, valid_from: new Date(Date.now() + 3_600_000) });
    const slots = (
      await send<DeliverySlots>(
        'GET',
        `/delivery/slots?organization_id=${place.organizationErpId}&type=DELIVERY&cart_id=${cart.cartId}&address_id=${addressId}`,
      )
    ).body;
    const slotId = slots.days.flatMap((day) => day.slots).at(-1)!.id;

    expect((await check(cart, addressId)).body).toMatchObject({
      canSubmit: true,
      total: { delivery: 99 },
    });
    const later = await check(cart, addressId, { slotId });
    expect(later.body.total.delivery).toBe(0);
    expect(later.body.blockers).toMatchObject([
      {
        code: 'MIN_SUM_NOT_REACHED',
        minSum: 1_000,
        shortfall: 150,
        repair: { action: 'ADD_ITEMS' },
      },
    ]);
  });

  test.each([
    ['outside of every zone', 'nowhere', 'ZONE_NOT_FOUND', 'CHOOSE_ADDRESS'],
    ['in two zones', 'both', 'ZONES_OVERLAP', 'CHOOSE_ADDRESS'],
  ] as const)('[ORD-60] fails for a point %s', async (_, point, code, action) => {
    const cart = await make();
    const answer = await check(cart, await add(cart, point));

    expect(answer.body.blockers).toMatchObject([{ code, repair: { action } }]);
    expect(await read(cart)).toMatchObject({ version: 1, deliveryFee: 0 });
  });

  test('[ORD-60] requires moving the cart to the restaurant that serves the address, and then succeeds', async () => {
    await sql(`update payment_method set availability = availability || $1 where code = 'CASH'`, [
      JSON.stringify([{ organizationId: other.id, fulfillmentTypes: ['DELIVERY'] }]),
    ]);
    const cart = await make();
    const addressId = await add(cart, 'foreign');
    const answer = await check(cart, addressId);
    const repair = repairIn(answer.body, 'MOVE_CART');

    expect(answer.body.blockers).toMatchObject([
      {
        code: 'ORGANIZATION_MISMATCH',
        organizationId: other.erpId,
        repair: { action: 'MOVE_CART' },
      },
    ]);
    await make({
      cartId: cart.cartId,
      version: answer.body.cartVersion,
      organizationId: repair.organizationId,
    });
    expect(blockers(await check(cart, addressId))).toEqual([]);
  });

  test('[ORD-60] requires a house unless the setting allows none, and names the missing part', async () => {
    const cart = await make();
    const addressId = await add(cart, 'south');
    await sql(`update delivery_address set precision = 'STREET' where id = $1`, [addressId]);
    const refused = await check(cart, addressId);
    await rows.setting('imprecise_address', 'ACCEPT');

    expect(refused.body.blockers).toMatchObject([
      {
        code: 'ADDRESS_IMPRECISE',
        precision: 'STREET',
        missing: ['house'],
        repair: { action: 'CHOOSE_ADDRESS' },
      },
    ]);
    expect(blockers(await check(cart, addressId))).toEqual([]);
  });

  test('[ORD-63] requires the address text of a point, and names the missing parts', async () => {
    const cart = await make();
    const answer = await check(cart, await add(cart, 'south', undefined, { flat: '7' }));

    expect(answer.body.blockers).toMatchObject([
      { code: 'ADDRESS_IMPRECISE', precision: 'HOUSE', missing: ['city', 'street', 'house'] },
    ]);
  });

  test('[FUL-42, FUL-53] offers only the slots of a zone with limited hours, and replaces other slots', async () => {
    const now = new Date();
    // The zone is served in three hours for three hours, in the restaurant's time zone.
    const [from, to] = [3, 6].map((hours) => ((now.getUTCHours() + 3 + hours) % 24) * 60) as [
      number,
      number,
    ];
    await updateRows(
      db,
      'mirror_zone_terms',
      { fromMinute: from, toMinute: to },
      {
        zoneId: db.db
          .selectFrom('mirror_delivery_zone')
          .where('name', '=', 'North')
          .select('id')
          .$asScalar(),
      },
    );
    await updateRows(db, 'mirror_delivery_defaults', { revision: plus('revision', 1) });
    const cart = await make();
    const { body: resolved } = await send<AddedAddress>('POST', '/addresses', {
      cartId: cart.cartId,
      address: WORDS,
      coords: POINTS.north,
    });
    const { addressId } = resolved;
    const { body: slots } = await send<DeliverySlots>(
      'GET',
      `/delivery/slots?organization_id=${place.organizationErpId}&type=DELIVERY&cart_id=${cart.cartId}&address_id=${addressId}`,
    );
    const [first] = slots.days.flatMap((day) => day.slots);
    const asap = await check(cart, addressId);
    const never = await check(cart, addressId, { slotId: '2020-01-01T10:00+03:00/PT30M' });
    const then = await check(cart, addressId, { slotId: first!.id });
    await updateRows(db, 'mirror_zone_terms', { fromMinute: null, toMinute: null });
    await updateRows(db, 'mirror_delivery_defaults', { revision: plus('revision', 1) });

    expect(slots.asap.available).toBe(false);
    expect(new Set(slots.days.flatMap((day) => day.slots.map((slot) => slot.from))).size).toBe(6);
    expect(first!.from).toBe(`${String(from! / 60).padStart(2, '0')}:00`);
    expect(asap.body.blockers).toMatchObject([
      {
        code: 'DELIVERY_NOT_ACCEPTING',
        reason: 'ZONE_CLOSED',
        opensAt: expect.stringMatching(new RegExp(`T${first!.from}:00\\+03:00$`)),
        repair: { action: 'CHOOSE_SLOT', slotId: first!.id },
      },
    ]);
    expect(resolved).toMatchObject({
      resolved: true,
      servedNow: false,
      nextServedAt: findingIn(asap.body, 'DELIVERY_NOT_ACCEPTING').opensAt,
    });
    expect(never.body).toMatchObject({
      canSubmit: true,
      adjustments: [{ code: 'SLOT_EXPIRED', newSlotId: first!.id }],
    });
    expect(then.body).toMatchObject({ canSubmit: true, adjustments: [] });
  });
});

describe('an immediate order while restaurant and zone have different hours', () => {
  const clockHour = (hours: number) => (((new Date().getUTCHours() + 3 + hours) % 24) + 24) % 24;
  const text = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  const daily = (channel: 'DELIVERY' | 'DINE_IN', from: number, to: number) =>
    [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({
      dayOfWeek,
      channel,
      opensAt: text(clockHour(from)),
      closesAt: text(clockHour(to)),
      crossesMidnight: clockHour(to) <= clockHour(from),
    }));

  /** Returns the blocker of a preflight. Hours are relative to now. */
  async function blockerWith(hours: { restaurant: [number, number][]; zone: [number, number] }) {
    const ofNorth = db.db
      .selectFrom('mirror_delivery_zone')
      .where('name', '=', 'North')
      .select('id')
      .$asScalar();
    const zone = {
      fromMinute: clockHour(hours.zone[0]) * 60,
      toMinute: clockHour(hours.zone[1]) * 60,
    };
    const windows = [
      ...hours.restaurant.flatMap(([from, to]) => daily('DELIVERY', from, to)),
      ...ALWAYS_OPEN.filter(({ channel }) => channel !== 'DELIVERY'),
    ];
    const [schedule] = await selectRows(db, 'ordering_schedule', ['windows'], {
      organizationId: place.organizationId,
    });
    await updateRows(db, 'mirror_zone_terms', zone, { zoneId: ofNorth });
    await updateRows(db, 'mirror_delivery_defaults', { revision: plus('revision', 1) });
    await updateRows(
      db,
      'ordering_schedule',
      { windows },
      { organizationId: place.organizationId },
    );
    try {
      const cart = await make();
      const { body } = await check(cart, await add(cart, 'north'));
      return findingIn(body, 'DELIVERY_NOT_ACCEPTING');
    } finally {
      await updateRows(db, 'mirror_zone_terms', { fromMinute: null, toMinute: null });
      await updateRows(db, 'mirror_delivery_defaults', { revision: plus('revision', 1) });
      await updateRows(db, 'ordering_schedule', schedule!, {
        organizationId: place.organizationId,
      });
    }
  }
  const at = (hour: number) =>
    expect.stringMatching(new RegExp(`T${text(clockHour(hour))}:00\\+03:00$`)) as unknown as string;

  test('[FUL-53] shows as opensAt when both are open, not when the zone next opens', async () => {
    const restaurant: [number, number][] = [
      [-1, 2],
      [5, 8],
    ];

    expect(await blockerWith({ restaurant, zone: [3, 7] })).toMatchObject({
      reason: 'ZONE_CLOSED',
      opensAt: at(5),
    });
    expect(await blockerWith({ restaurant: [[4, 8]], zone: [2, 6] })).toMatchObject({
      reason: 'CLOSED',
      opensAt: at(4),
    });
    expect(await blockerWith({ restaurant: [[2, 8]], zone: [4, 6] })).toMatchObject({
      reason: 'CLOSED',
      opensAt: at(4),
    });
  });

  test('[FUL-53] shows opensAt as null if they are never open together', async () => {
    expect(await blockerWith({ restaurant: [[-1, 2]], zone: [3, 6] })).toMatchObject({
      reason: 'ZONE_CLOSED',
      opensAt: null,
    });
    expect(await blockerWith({ restaurant: [[3, 6]], zone: [7, 9] })).toMatchObject({
      reason: 'CLOSED',
      opensAt: null,
    });
  });

  test('[FUL-53] shows as opensAt the next opening shortly before closing, never a past time', async () => {
    const [config] = await selectRows(db, 'ordering_config', ['deliveryCloseDelayMinutes'], {
      organizationId: place.organizationId,
    });
    await updateRows(db, 'ordering_config', { deliveryCloseDelayMinutes: 180 });
    try {
      const blocker = await blockerWith({ restaurant: [[-3, 2]], zone: [-4, 6] });
      expect(blocker).toMatchObject({ reason: 'CLOSING_SOON', opensAt: at(-3) });
      expect(Date.parse(String(blocker.opensAt))).toBeGreaterThan(Date.now());
    } finally {
      await updateRows(db, 'ordering_config', config!);
    }
  });
});

test('[ORD-23] the order is left at the door if its cart requests it, unless the order overrides it', async () => {
  await updateRows(db, 'payment_method', { allowsLeaveAtDoor: true }, { code: 'CASH' });
  const delivered = async (rest: object) => {
    const cart = await make({ options: { leaveAtDoor: true } });
    const fulfillment = { type: 'DELIVERY', addressId: await add(cart, 'north'), slotId: 'asap' };
    const question = { cartId: cart.cartId, fulfillment, paymentMethod: 'CASH', ...rest };
    const { body: seen } = await send<CheckoutVerdict>('POST', '/checkout/preflight', question);
    const customer = { name: 'Анна', phone: '+79990001122' };
    const wanted = {
      ...question,
      customer,
      cartVersion: seen.cartVersion,
      quoteId: seen.quote?.id,
    };
    const { body: placed } = await send<PlacedOrder>('POST', '/orders', wanted);
    const [row] = await selectRows(db, 'customer_order', ['leaveAtDoor as isLeft'], {
      id: placed.orderId,
    });
    return row?.isLeft;
  };

  expect(await delivered({})).toBe(true);
  expect(await delivered({ options: { leaveAtDoor: false } })).toBe(false);
  // The guest's address ends with the cart; the order has a copy.
  const left = `select 1 from personal_data personal where purpose = 'ADDRESS'
    and not exists (select 1 from delivery_address where personal_data_id = personal.id)`;
  expect(await sql(left)).toEqual([]);
  await updateRows(db, 'payment_method', { allowsLeaveAtDoor: false }, { code: 'CASH' });
});

describe('the slots of a cart and an address', () => {
  test('[FUL-42] include the expectations of its dishes and the minutes of the zone, like preflight', async () => {
    const ofSoup = await selectRow(db, 'catalog_product_category', ['categoryId as id'], {
      productId: db.db
        .selectFrom('catalog_variant')
        .where('id', '=', soup.variantId)
        .select('productId')
        .$asScalar(),
    });
    await rows.insert('expectation_rule', {
      scope: 'CATEGORY',
      category_id: ofSoup.id,
      duration_minutes: 20,
    });
    const cart = await make();
    const addressId = await add(cart, 'north');
    const slots = async (more: string) =>
      (
        await send<DeliverySlots>(
          'GET',
          `/delivery/slots?organization_id=${place.organizationErpId}&type=DELIVERY${more}`,
        )
      ).body.asap;

    expect(await slots('')).toEqual({ available: true, etaMinutes: 60, etaRange: [60, 90] });
    expect(await slots(`&cart_id=${cart.cartId}`)).toMatchObject({ etaMinutes: 80 });
    expect(await slots(`&cart_id=${cart.cartId}&address_id=${addressId}`)).toEqual({
      available: true,
      etaMinutes: 95,
      etaRange: [95, 125],
    });
    expect((await check(cart, addressId)).body).toMatchObject({
      eta: { minutes: 95 },
      warnings: [{ code: 'ETA_INCREASED', minutes: 20, scope: 'CATEGORY' }],
    });
  });
});

describe('the stop-list of the terminal group of an address', () => {
  const stopIn = (terminal: string) =>
    rows.stop(place.organizationId, soup.erpId, { terminal_group_erp_id: terminal });

  test('[ORD-62] applies to the cart once an address is set, and no longer for pickup', async () => {
    await stopIn(SOUTH);
    const cart = await make();
    expect(cart.lines.map((line) => line.variantId)).toEqual([pizza.variantId]);
    const north = await check(cart, await add(cart, 'north'));
    const again = await make({ cartId: cart.cartId, version: north.body.cartVersion });
    const ordered = await check(cart, await add(cart, 'north'), {});

    expect(again.lines.map((line) => line.variantId)).toEqual([soup.variantId, pizza.variantId]);
    expect((await read(cart)).lines).toHaveLength(2);
    expect(ordered.body).toMatchObject({ canSubmit: true, total: { items: 850 } });
    const south = await check(cart, await add(cart, 'south'));
    expect(south.body.adjustments).toMatchObject([
      { code: 'ITEM_REMOVED', change: { itemId: soup.erpId, reason: 'STOP_LIST' } },
    ]);
  });

  test('[ORD-62] stops dishes that the other terminal groups still sell', async () => {
    await rows.setting('stoplist_terminals', 'ALL');
    await stopIn(NORTH);
    const cart = await make();

    expect(cart.lines).toHaveLength(2);
    expect(blockers(await check(cart, await add(cart, 'south')))).toEqual([]);
    expect(blockers(await check(cart, await add(cart, 'north')))).toContain('ITEMS_UNAVAILABLE');
  });

  test('limits units to the balance of that terminal group', async () => {
    await rows.stop(place.organizationId, soup.erpId, { terminal_group_erp_id: SOUTH, balance: 1 });
    await rows.stop(place.organizationId, soup.erpId, { terminal_group_erp_id: NORTH, balance: 2 });
    await rows.setting('stoplist_terminals', 'ALL');
    const cart = await make({ lines: [{ variantId: soup.variantId, quantity: 2, modifiers: [] }] });
    const north = await check(cart, await add(cart, 'north'));
    const south = await check(cart, await add(cart, 'south'));

    expect(cart.changes).toEqual([]);
    expect(blockers(north)).not.toContain('ITEMS_UNAVAILABLE');
    expect(south.body.blockers).toContainEqual(
      expect.objectContaining({
        code: 'ITEMS_UNAVAILABLE',
        changes: [expect.objectContaining({ quantity: { before: 2, after: 1 } })],
      }),
    );
  });

  test('[ORD-61] no longer applies when the cart moves to another restaurant', async () => {
    const cart = await make();
    const { body } = await check(cart, await add(cart, 'north'));
    await make({ cartId: cart.cartId, version: body.cartVersion, organizationId: other.erpId });

    expect(await selectRows(db, 'cart', ['delivery'], { id: cart.cartId })).toEqual([
      { delivery: null },
    ]);
  });
});

describe('an address at checkout', () => {
  test('[FUL-40, ORD-76] must belong to the cart or to the customer', async () => {
    const [anna, boris] = [await tokenOf('anna'), await tokenOf('boris')];
    const [guests, another] = [await make(), await make()];
    const annas = await make({}, anna);
    const boriss = await make({}, boris);
    const ofGuest = await add(guests, 'south');
    const ofAnna = await add(annas, 'south', anna);
    const status = async (answer: Promise<{ status: number }>) => (await answer).status;
    const isNone = async (answer: Promise<Answer<CheckoutVerdict>>) => {
      const { body } = await answer;
      return body.blockers.some(
        (blocker) =>
          blocker.code === 'ADDRESS_REQUIRED' && blocker.repair.action === 'CHOOSE_ADDRESS',
      );
    };

    expect(await isNone(check(guests, ofGuest))).toBe(false);
    expect(await isNone(check(another, ofGuest))).toBe(true);
    expect(await isNone(check(boriss, ofGuest, {}, boris))).toBe(true);
    expect(await isNone(check(annas, ofAnna, {}, anna))).toBe(false);
    // A customer may order from a guest cart to their own address.
    expect(await isNone(check(guests, ofAnna, {}, anna))).toBe(false);
    expect(await isNone(check(guests, ofAnna))).toBe(true);
    expect(await isNone(check(boriss, ofAnna, {}, boris))).toBe(true);
    expect(await isNone(check(boriss, randomUUID(), {}, boris))).toBe(true);
    const slots = (addressId: string, more: string, token?: string) =>
      send(
        'GET',
        `/delivery/slots?organization_id=${place.organizationErpId}&type=DELIVERY&address_id=${addressId}${more}`,
        undefined,
        token,
      );
    expect(await status(slots(ofAnna, '', anna))).toBe(200);
    expect(await status(slots(ofAnna, '', boris))).toBe(404);
    expect(await status(slots(ofGuest, ''))).toBe(404);
    expect(await status(slots(ofGuest, `&cart_id=${another.cartId}`))).toBe(404);
    expect(await status(slots(ofAnna, `&cart_id=${boriss.cartId}`, anna))).toBe(404);
  });

  test('[ORD-76] cannot be used by an order if it is erased after the order has read it', async () => {
    const cart = await make();
    const addressId = await add(cart, 'south');
    const { body: seen } = await check(cart, addressId);
    const deps = {
      ...api.deps,
      deliveryMaps: {
        current: async () => {
          await deleteRows(db, 'delivery_address', { id: addressId });
          return api.deps.deliveryMaps.current();
        },
      },
    };
    const key = {
      key: randomUUID(),
      scope: 'test',
      fingerprint: 'x',
      isSameRequest: () => true,
      status: 201,
    };
    const question = {
      cartId: cart.cartId,
      fulfillment: { type: 'DELIVERY' as const, addressId, slotId: 'asap' },
      paymentMethod: 'CASH' as const,
      customer: { name: 'Анна', phone: '+79990001122' },
    };
    const placed = await placeOrder(
      deps,
      { customerId: null, verifiedPhone: null, name: null, clientAddress: '127.0.0.1' },
      question,
      key,
      new Date(),
    );

    expect(seen.canSubmit).toBe(true);
    expect(placed).toMatchObject({
      refusal: {
        reasons: ['ADDRESS_REQUIRED'],
        preflight: { blockers: [{ code: 'ADDRESS_REQUIRED' }] },
      },
    });
    expect((await read(cart)).cartId).toBe(cart.cartId);
  });

  test('[ORD-76] must be chosen again if it is deleted after preflight or during the order', async () => {
    const token = await tokenOf('anna');
    const order = (cart: Pick<Cart, 'cartId'>, addressId: string) =>
      send<{ reasons: string[]; preflight: CheckoutVerdict }>(
        'POST',
        '/orders',
        {
          cartId: cart.cartId,
          fulfillment: { type: 'DELIVERY', addressId, slotId: 'asap' },
          paymentMethod: 'CASH',
          customer: { name: 'Анна', phone: '+79990001122' },
        },
        token,
      );
    const erase = async (addressId: string) => {
      const { status } = await fetch(`${api.url}/api/v1/addresses/${addressId}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      });
      return status;
    };
    const chosenAnew = {
      status: 409,
      body: {
        preflight: {
          blockers: [{ code: 'ADDRESS_REQUIRED', repair: { action: 'CHOOSE_ADDRESS' } }],
        },
      },
    };
    const cart = await make();
    const first = await add(cart, 'south', token);
    const seen = await check(cart, first, {}, token);

    expect(await erase(first)).toBe(204);
    expect(seen.body.canSubmit).toBe(true);
    expect(await order(cart, first)).toMatchObject(chosenAnew);
    for (let round = 0; round < 4; round += 1) {
      const racing = await make();
      const addressId = await add(racing, 'south', token);
      await check(racing, addressId, {}, token);
      const [placed] = await Promise.all([order(racing, addressId), erase(addressId)]);
      expect([201, 409]).toContain(placed.status);
    }
  });
});
