import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AddedAddress } from '../../../modules/delivery/schemas/addresses.ts';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import { routes } from '../../../api/routes.ts';
import { createAddressSearch } from '../../../modules/delivery/addresses/address-search.ts';
import { createGeocoder } from '../../../platform/geocoder/geocoder.ts';
import type { DiscountReason } from '../../../modules/ordering/rules/discounts.ts';
import { codesOf } from '../../../kernel/pure/codes.ts';
import { GATE_CODES } from '../../../modules/ordering/rules/gate.ts';
import { ALWAYS_OPEN, openForOrders } from '../../support/open-restaurant.ts';
import { startTestApi } from '../../support/api.ts';
import { orderingWorld } from '../../support/ordering-world.ts';
import { drawMap, rule, square } from '../../support/delivery-map.ts';
import { NO_ORDER_LIMITS } from '../../support/order-limits.ts';
import { addRow, ago, databaseNow, saveSetting, updateRows } from '../../support/rows.ts';

const world = await orderingWorld();
const { db, rows, place, soup, tokenOf, sql, pickup } = world;
const other = await rows.organization(place.connectionId);
const sauce = await rows.modifier(place.menuId, { [place.organizationId]: 3_000 });

/** Points of the map below. */
const POINTS = { served: [0.5, 0.5], both: [1.5, 0.5], foreign: [10.5, 0.5], nowhere: [50, 50] } as const;

const cheap = { minSum: 100 };

beforeAll(async () => {
  const groupId = await rows.group(place.menuId, soup.sizeId, { group_key: 'sauces' });
  await rows.link(groupId, sauce.itemId, { default_quantity: 1, max_quantity: 3 });
  const here = { id: place.organizationId, erpId: place.organizationErpId };
  await drawMap(db, here, [square('Here', 0, 0, 2), square('Too', 1)], [rule('Here', cheap), rule('Too', cheap)]);
  await drawMap(db, other, [square('Far', 10)], [rule('Far', cheap)]);
  await openForOrders(db, place.organizationId);
});
afterAll(world.stop);
beforeEach(async () => {
  await world.empty(
    'mirror_stop_list',
    'discount_use',
    'promocode',
    'discount',
    'schedule_exception',
    'expectation_rule',
    'service_role',
    'mirror_terminal_group',
    'window_count',
  );
  await saveSetting(db, 'order_limits', NO_ORDER_LIMITS);
  await saveSetting(db, 'guest_order_sum', 100_000);
  await updateRows(db, 'connection', { status: 'ACTIVE' });
  await updateRows(db, 'mirror_organization', { inactiveAt: null });
  await updateRows(db, 'mirror_price', { priceKopecks: 25000 }, { itemSizeId: soup.sizeId });
  await updateRows(db, 'mirror_modifier_group', { minQuantity: 0 });
  await updateRows(db, 'catalog_variant', { toolCount: 0 });
  await updateRows(db, 'ordering_schedule', { windows: ALWAYS_OPEN });
  await updateRows(db, 'ordering_config', {
    deliveryEnabled: true,
    pickupEnabled: true,
    timedOrdersEnabled: true,
    restaurantCloseDelayMinutes: 30,
    pickupCookingMinutes: 20,
  });
});

const make = (body: object = {}, token?: string) =>
  world.makeCart({ lines: [{ variantId: soup.variantId, quantity: 1, modifiers: [] }], ...body }, { token });
const check = async (cart: Cart, rest: object = {}) => (await world.preflight(cart, rest)).body;
const WORDS = { city: 'Омск', street: 'Садовая улица', house: '1' };
/** A delivery to an address; without a point only its words are known, and no geocoder is configured. */
async function deliver(address: object, cart?: Cart): Promise<CheckoutVerdict> {
  const made = cart ?? (await make());
  const { body } = await world.ask<AddedAddress>('POST', '/addresses', { cartId: made.cartId, ...address });
  const { addressId } = body;
  return check(made, { fulfillment: { type: 'DELIVERY', addressId, slotId: 'asap' } });
}
const to = (point: keyof typeof POINTS) => deliver({ address: WORDS, coords: POINTS[point] });
const ordering = (change: string) => sql(`update ordering_config set ${change}`);
const stopIntake = () =>
  addRow(db, 'schedule_exception', {
    organizationId: place.organizationId,
    kind: 'INTAKE_STOPPED',
    startsAt: ago('1 hour'),
  });
const PAST_SLOT = '2020-01-01T10:00+03:00/PT10M';
const inSlot = () => ({ fulfillment: pickup({ slotId: PAST_SLOT }) });

/** Asks about a cart after something has happened to what it is judged by. */
async function after(happened: () => Promise<unknown>, rest: object = {}, cart: object = {}): Promise<CheckoutVerdict> {
  const made = await make(cart);
  await happened();
  return check(made, rest);
}

async function closesSoon(
  rest: typeof ALWAYS_OPEN = [],
  inMinutes = 25,
  delays = 'restaurant_close_delay_minutes = 0, pickup_cooking_minutes = 5',
): Promise<void> {
  const clock = (at: number) => new Date(at + 3 * 3_600_000).toISOString().slice(11, 16);
  const [opensAt, closesAt] = [clock(Date.now() - 7_200_000), clock(Date.now() + inMinutes * 60_000)];
  const windows = [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({
    dayOfWeek,
    channel: 'DINE_IN' as const,
    opensAt,
    closesAt,
    crossesMidnight: closesAt <= opensAt,
  }));
  await updateRows(db, 'ordering_schedule', { windows: [...windows, ...rest] });
  await ordering(delays);
}

async function losesPromocode(): Promise<CheckoutVerdict> {
  const discountId = await rows.insert('discount', {
    code: 'd',
    name: 'd',
    kind: 'PERCENT',
    value: 10,
    needs_promocode: true,
    min_subtotal_kopecks: 999_900,
  });
  await rows.insert('promocode', { code: 'DEAR', discount_id: discountId });
  return check(await make({ promocode: 'DEAR' }));
}

async function changesService(): Promise<CheckoutVerdict> {
  const free = await rows.dish({ ...place, prices: { [place.organizationId]: 0 } });
  return after(
    async () => {
      await updateRows(db, 'catalog_variant', { toolCount: 1 }, { id: soup.variantId });
      await rows.insert('service_role', { role: 'CUTLERY', erp_item_id: free.erpId }, 'role');
    },
    {},
    { options: { cutlery: 1 } },
  );
}

const stopSoup = () => rows.stop(place.organizationId, soup.erpId);

async function ordersOften(): Promise<CheckoutVerdict> {
  await saveSetting(db, 'order_limits', { ...NO_ORDER_LIMITS, POINT: { open: 0, day: 1 } });
  const customer = { name: 'Анна', phone: '+79990001122' };
  await world.ask('POST', '/orders', { ...world.question(await make()), customer }, { key: randomUUID() });
  return check(await make());
}

/** A process with a geocoder whose calls of the day are spent before the first one. */
async function asksTooOften(): Promise<CheckoutVerdict> {
  const { deps } = world.api;
  const env = { ...deps.env, GEOCODER: 'photon' as const, GEOCODER_URL: 'http://127.0.0.1:9' };
  const geocoder = createGeocoder(env, { metrics: deps.metrics, takeCall: () => Promise.resolve(false) })!;
  const { cartId } = await make();
  const api = await startTestApi({
    routes,
    database: world.database,
    deps: { guests: world.guestsOf(db), addressSearch: createAddressSearch({ db, geocoder, env }) },
  });
  const send = async <T>(path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    return (await (
      await fetch(`${api.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json()) as T;
  };
  try {
    const { addressId } = await send<AddedAddress>('/addresses', { cartId, address: WORDS });
    const fulfillment = { type: 'DELIVERY', addressId, slotId: 'asap' };
    return await send<CheckoutVerdict>('/checkout/preflight', { cartId, fulfillment, paymentMethod: 'CASH' });
  } finally {
    await api.stop();
  }
}

/** How a guest comes to see each code of the gate. */
const SHOWN: Readonly<Record<string, () => Promise<CheckoutVerdict>>> = {
  SIGN_IN_REQUIRED: () => after(() => saveSetting(db, 'guest_order_sum', 249)),
  TOO_MANY_ORDERS: ordersOften,
  ORGANIZATION_INACTIVE: () => after(() => updateRows(db, 'mirror_organization', { inactiveAt: databaseNow() })),
  ERP_DISABLED: () => after(() => updateRows(db, 'connection', { status: 'DISABLED' })),
  TERMINAL_NOT_ALIVE: () =>
    after(() =>
      addRow(db, 'mirror_terminal_group', {
        organizationId: place.organizationId,
        erpId: randomUUID(),
        name: 'Hall',
        isAsleep: true,
        synchronizedAt: databaseNow(),
      }),
    ),
  CART_EMPTY: async () => check(await make({ lines: [] })),
  ITEMS_UNAVAILABLE: () => after(stopSoup),
  MODIFIERS_INVALID: () => after(() => updateRows(db, 'mirror_modifier_group', { minQuantity: 2 })),
  ADDRESS_REQUIRED: async () => check(await make(), { fulfillment: { type: 'DELIVERY', slotId: 'asap' } }),
  PICKUP_POINT_REQUIRED: async () => check(await make(), { fulfillment: { type: 'PICKUP', slotId: 'asap' } }),
  ZONE_NOT_FOUND: () => to('nowhere'),
  ADDRESS_IMPRECISE: () => deliver({ address: { flat: '7' }, coords: POINTS.served }),
  ZONES_OVERLAP: () => to('both'),
  GEOCODER_BUDGET_SPENT: asksTooOften,
  GEOCODER_UNAVAILABLE: () => deliver({ address: WORDS }),
  ORGANIZATION_MISMATCH: () => to('foreign'),
  MIN_SUM_NOT_REACHED: async () => {
    await updateRows(db, 'mirror_price', { priceKopecks: 100 }, { itemSizeId: soup.sizeId });
    return to('served');
  },
  ORDERS_STOPPED: () => after(stopIntake),
  DELIVERY_NOT_ACCEPTING: async () => {
    await ordering('delivery_enabled = false');
    return to('served');
  },
  PICKUP_NOT_ACCEPTING: () => after(() => ordering('pickup_enabled = false')),
  TIMED_ORDERS_DISABLED: () => after(() => ordering('timed_orders_enabled = false'), inSlot()),
  NO_SLOT: () => after(stopIntake, inSlot()),
  PAYMENT_METHOD_UNAVAILABLE: async () => check(await make(), { paymentMethod: 'SBP' }),
  LEAVE_AT_DOOR_NOT_ALLOWED: async () => check(await make(), { options: { leaveAtDoor: true } }),
  CHANGE_TOO_SMALL: async () => check(await make(), { changeFrom: 1 }),

  PROMO_CONDITIONS_UNMET: losesPromocode,
  CLOSING_SOON: () => after(closesSoon),
  PRICE_CHANGED: () =>
    after(() => updateRows(db, 'mirror_price', { priceKopecks: 26000 }, { itemSizeId: soup.sizeId })),
  ETA_INCREASED: () => after(() => addRow(db, 'expectation_rule', { scope: 'GLOBAL', durationMinutes: 15 })),

  SLOT_EXPIRED: async () => check(await make(), inSlot()),
  PROMO_REMOVED: losesPromocode,
  ITEM_REMOVED: () => after(stopSoup),
  MODIFIERS_REMOVED: () => after(() => rows.stop(place.organizationId, sauce.erpId)),
  SERVICE_ITEMS_CHANGED: changesService,
};
/** Codes of gifts, which nobody can be given yet. */
const OF_GIFTS = ['GIFT_CHOICE_REQUIRED', 'GIFT_UNAVAILABLE'];

type Finding = CheckoutVerdict['blockers' | 'warnings' | 'adjustments'][number];
const LISTS = { blocker: 'blockers', warning: 'warnings', adjustment: 'adjustments' } as const;

test.each([
  ['50 minutes before closing', 50, ['CLOSING_SOON']],
  ['35 minutes before closing', 35, ['CLOSING_SOON']],
  ['65 minutes before closing', 65, []],
  ['after the end of intake', 25, []],
])(
  '[ORD-91] counts to the end of intake: %s, with intake ending 30 minutes before it',
  async (_, minutes, expected) => {
    await closesSoon([], minutes, 'restaurant_close_delay_minutes = 30, pickup_cooking_minutes = 20');
    const { warnings } = await check(await make());

    expect(warnings.map(({ code }) => code)).toEqual(expected);
  },
);

test('[ORD-91] counts to the end of the hours for this kind of order, not of the restaurant', async () => {
  const delivery = ALWAYS_OPEN.filter(({ channel }) => channel === 'DELIVERY');
  await closesSoon(delivery);
  const codes = ({ warnings }: CheckoutVerdict) => warnings.map(({ code }) => code);

  expect(codes(await check(await make()))).toEqual(['CLOSING_SOON']);
  expect(codes(await to('served'))).toEqual([]);
});

describe('every code of the gate', () => {
  test('[ORD-69] has a way in which guests see it', () => {
    expect(Object.keys(SHOWN).toSorted()).toEqual(
      GATE_CODES.map(({ code }) => code)
        .filter((code) => !OF_GIFTS.includes(code))
        .toSorted(),
    );
  });

  test.each(GATE_CODES.filter(({ code }) => code in SHOWN))('$code is told as a $kind', async ({ code, kind }) => {
    const verdict = await SHOWN[code]!();
    const told: readonly Finding[] = verdict[LISTS[kind]];

    expect(told.map((each) => each.code)).toContain(code);
    expect(told.find((each) => each.code === code)!.message).toMatch(/^[А-ЯЁ].*\.$/);
    expect(verdict.canSubmit).toBe(verdict.blockers.length === 0);
  });

  test('[ORD-69] is told in the same order, whatever the order of the request', async () => {
    const wishes = { paymentMethod: 'CASH', changeFrom: 1, options: { leaveAtDoor: true }, ...inSlot() };
    const cart = await make();
    await stopSoup();
    await ordering('timed_orders_enabled = false');
    const told = await check(cart, wishes);
    const turned = await check(cart, Object.fromEntries(Object.entries(wishes).toReversed()));
    const codes = ({ blockers, adjustments }: CheckoutVerdict) => [...blockers, ...adjustments].map(({ code }) => code);

    expect(codes(told).length).toBeGreaterThan(3);
    expect(codes(turned)).toEqual(codes(told));
  });
});

/** A discount behind a promocode, of which a cart says why it is not applied. */
async function reasonOf(row: object, { token, used }: { token?: string; used?: string } = {}) {
  const base = { code: 'd', name: 'd', kind: 'PERCENT', value: 10, needs_promocode: true };
  const discountId = await rows.insert('discount', { ...base, ...row });
  await rows.insert('promocode', { code: 'CODE', discount_id: discountId });
  if (used !== undefined)
    await addRow(db, 'discount_use', { discountId, orderId: await rows.order(place), customerId: used });
  return (await make({ promocode: 'CODE' }, token)).discounts.find((each) => each.code === 'CODE');
}

const REASONS: { [R in DiscountReason]: () => ReturnType<typeof reasonOf> } = {
  EXPIRED: () => reasonOf({ ends_at: new Date(0) }),
  NOT_STARTED: () => reasonOf({ starts_at: new Date(Date.now() + 3_600_000) }),
  MIN_SUM: () => reasonOf({ min_subtotal_kopecks: 999_900 }),
  ORGANIZATION: () => reasonOf({ organization_ids: [other.id] }),
  FULFILLMENT: () => reasonOf({ fulfillment_types: ['PICKUP'] }),
  ALREADY_USED: async () => reasonOf({ once_per_customer: true }, { token: await tokenOf('vera'), used: 'vera' }),
  LIMIT_REACHED: () => reasonOf({ total_uses: 1 }, { used: 'boris' }),
  NOT_COMBINABLE: async () => {
    await rows.insert('discount', { code: 'better', name: 'better', kind: 'PERCENT', value: 50 });
    return reasonOf({});
  },
  CUSTOMER_REQUIRED: () => reasonOf({ first_order_only: true }),
  UNKNOWN: async () => (await make({ promocode: 'CODE' })).discounts.find((each) => each.code === 'CODE'),
};

test.each(codesOf('DiscountReason'))('a discount that is not applied says %s', async (reason) => {
  expect(await REASONS[reason]()).toMatchObject({
    applied: false,
    amount: 0,
    reason,
    message: expect.stringMatching(/^[А-ЯЁ].*\.$/),
  });
});
