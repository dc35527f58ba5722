import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  CODE_EXAMPLES_FILE,
  readCodeExamples,
  type CodeExample,
} from '../../../api/http/documents/code-examples.ts';
import { routes } from '../../../api/routes.ts';
import { readDeliveries, type ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import {
  CODE_LISTS,
  codeEntry,
  listCodes,
  type CodeListName,
  type CodeOf,
} from '../../../kernel/pure/codes.ts';
import { createAddressSearch } from '../../../modules/delivery/addresses/address-search.ts';
import type { AddedAddress } from '../../../modules/delivery/schemas/addresses.ts';
import { createFulfillmentStore } from '../../../modules/delivery/hours/fulfillment-store.ts';
import { readEnv } from '../../../modules/env.ts';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { applyErpFact } from '../../../modules/ordering/at-erp/apply-erp-fact.ts';
import { moveOrder, noteOrder } from '../../../modules/ordering/orders/move-order.ts';
import { holdOrder, type OrderRow } from '../../../modules/ordering/orders/order-row.ts';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import type { DiscountReason } from '../../../modules/ordering/rules/discounts.ts';
import { GATE_CODES } from '../../../modules/ordering/rules/gate.ts';
import type { OrderProblem } from '../../../modules/ordering/rules/order-states.ts';
import { saveErpOrders } from '../../../modules/ordering/at-erp/save-erp-orders.ts';
import { startEmulator, type Emulator } from '../../../packages/erp-emulator/server.ts';
import { formatted } from '../../../packages/dev/generated-file.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { createGeocoder } from '../../../modules/delivery/addresses/geocoder.ts';
import { presentable, sameShape } from '../../examples/presentable.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { codeCollector, type FoundCode } from '../../support/code-collector.ts';
import { ALWAYS_OPEN, openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture } from '../../support/ordering-fixture.ts';
import { drawMap, rule, square } from '../../support/delivery-map.ts';
import { wholeInSoak } from '../../support/repetitions.ts';
import { grantTo } from '../../support/rights.ts';
import { NO_ORDER_LIMITS } from '../../support/order-limits.ts';
import { addRow, ago, databaseNow, plus, saveSetting, updateRows } from '../../support/rows.ts';

const collector = codeCollector();
const fixture = await orderingFixture({ onAnswer: collector.read, env: { TRUST_PROXY: 'on' } });
const { api, db, rows, place, soup, tokenOf, sql, pickup } = fixture;
const other = await rows.organization(place.connectionId);
const sauce = await rows.modifier(place.menuId, { [place.organizationId]: 3_000 });

const tart = await rows.item();
let rewardId: number;
let admin: AdminClient;
let emulator: Emulator;
/** An API with the emulator's geocoder that reads the opening hours for each request. */
let otherApi: TestApi;

const POINTS = {
  served: [0.5, 0.5],
  both: [1.5, 0.5],
  foreign: [10.5, 0.5],
  nowhere: [50, 50],
} as const;

const cheap = { minSum: 100 };

beforeAll(async () => {
  const groupId = await rows.group(place.menuId, soup.sizeId, { group_key: 'sauces' });
  await rows.link(groupId, sauce.itemId, { default_quantity: 1, max_quantity: 3 });
  const here = { id: place.organizationId, erpId: place.organizationErpId };
  await drawMap(
    db,
    here,
    [square('Here', 0, 0, 2), square('Too', 1)],
    [rule('Here', cheap), rule('Too', cheap)],
  );
  await drawMap(db, other, [square('Far', 10)], [rule('Far', cheap)]);
  await openForOrders(db, place.organizationId);
  rewardId = await gift('tart', tart);
  await gift('juice', await rows.item());
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  emulator = await startEmulator({ size: 'demo' });
  otherApi = await startOther();
});
afterAll(async () => {
  await otherApi?.stop();
  await emulator?.stop();
  await fixture.stop();
});
beforeEach(async () => {
  await fixture.empty(
    'mirror_stop_list',
    'discount_use',
    'promocode',
    'discount',
    'schedule_exception',
    'expectation_rule',
    'service_role',
    'mirror_terminal_group',
    'window_count',
    'order_claim',
    'cart',
    'guest_notice',
    'mirror_item_placement',
  );
  await updateRows(db, 'catalog_product', { status: 'PUBLISHED' }, { id: soup.productId });
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

async function gift(code: string, item: { id: number; erpId: string }): Promise<number> {
  const sizeId = await rows.size(item.id);
  await rows.offer(place.menuId, { itemId: item.id, sizeId }, { [place.organizationId]: 0 });
  return rows.insert('reward', { code, name: 'Подарок', erp_item_id: item.erpId });
}

function startOther(): Promise<TestApi> {
  const env = readEnv({ GEOCODER: 'photon', GEOCODER_URL: `${emulator.url}/photon` }, [
    'GEOCODER',
    'GEOCODER_URL',
    'GEOCODER_KEY',
    'GEOCODER_TIMEOUT',
    'GEOCODER_CACHE_LIFE',
    'GEOCODER_CACHE_ROWS',
    'GEOCODER_DAILY_CALLS',
  ]);
  const addressSearch = createAddressSearch({
    db,
    geocoder: createGeocoder(env, {
      metrics: api.deps.metrics,
      takeCall: () => Promise.resolve(true),
    })!,
    env,
  });
  let asked = 0;
  const version = () => (asked += 1);
  const load = (erpId: string) =>
    createFulfillmentStore({ ...api.deps, pollMs: 60_000 }).load(erpId);
  return startTestApi({
    routes,
    database: fixture.database,
    env: { RATE_LIMIT_PUBLIC: 'off', RATE_LIMIT_ADDRESSES: 'off' },
    deps: { addressSearch, clocks: { find: () => undefined, version, load } },
  });
}

const make = (body: object = {}, token?: string) =>
  fixture.makeCart(
    { lines: [{ variantId: soup.variantId, quantity: 1, modifiers: [] }], ...body },
    { token },
  );
const check = async (cart: Cart, rest: object = {}) => (await fixture.preflight(cart, rest)).body;
const WORDS = { city: 'Омск', street: 'Садовая улица', house: '1' };
/** Without a point in `address`, the address has only words. */
async function deliver(address: object, cart?: Cart): Promise<CheckoutVerdict> {
  const made = cart ?? (await make());
  const { body } = await fixture.ask<AddedAddress>('POST', '/addresses', {
    cartId: made.cartId,
    ...address,
  });
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

/** Runs preflight after a change of its facts. */
async function after(
  happened: () => Promise<unknown>,
  rest: object = {},
  cart: object = {},
): Promise<CheckoutVerdict> {
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
  const [opensAt, closesAt] = [
    clock(Date.now() - 7_200_000),
    clock(Date.now() + inMinutes * 60_000),
  ];
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

let customers = 0;
async function promised(): Promise<{ right: string; token: string }> {
  customers += 1;
  const phone = `+7999000${String(1_000 + customers)}`;
  const clientId = await db.transaction((tx) =>
    ensureClient(tx, api.deps, { connectionId: place.connectionId, phone }),
  );
  return {
    right: await grantTo(db, { clientId, rewardId }),
    token: await tokenOf(`customer-${customers}`, phone),
  };
}

async function lacksGift(
  choiceOf: (right: string) => object = () => ({}),
): Promise<CheckoutVerdict> {
  const { right, token } = await promised();
  await rows.stop(place.organizationId, tart.erpId);
  return (await fixture.preflight(await make(choiceOf(right), token), {}, { token })).body;
}
const postponed = (compensationId: string) => ({
  giftChoices: [{ compensationId, choice: 'POSTPONE' }],
});

/** The verdict on a second order if the limit is one order. */
async function ordersAgain(
  scope: CodeOf<'OrderLimitScope'>,
  period: CodeOf<'OrderLimitPeriod'>,
): Promise<CheckoutVerdict> {
  const limit = { open: period === 'OPEN' ? 1 : 0, day: period === 'DAY' ? 1 : 0 };
  await saveSetting(db, 'order_limits', { ...NO_ORDER_LIMITS, [scope]: limit });
  const token = scope === 'CUSTOMER' ? await tokenOf('often', PHONE) : undefined;
  const order = async () => {
    const cart = await make({}, token);
    const door = { cartId: cart.cartId, address: { ...WORDS, flat: '7' }, coords: POINTS.served };
    const goes =
      scope === 'ADDRESS'
        ? {
            type: 'DELIVERY',
            addressId: (await fixture.ask<AddedAddress>('POST', '/addresses', door)).body.addressId,
            slotId: 'asap',
          }
        : undefined;
    const body = { customer: { name: 'Анна', phone: PHONE }, ...(goes && { fulfillment: goes }) };
    const sender = {
      key: randomUUID(),
      token,
      ...(scope === 'NETWORK' && { from: '203.0.113.7' }),
    };
    return fixture.ask<{ preflight: CheckoutVerdict }>(
      'POST',
      '/orders',
      fixture.question(cart, body),
      sender,
    );
  };
  await order();
  return (await order()).body.preflight;
}

/** Runs preflight in a process that has used up its geocoder calls. */
async function asksTooOften(): Promise<CheckoutVerdict> {
  const { deps } = fixture.api;
  const env = { ...deps.env, GEOCODER: 'photon' as const, GEOCODER_URL: 'http://127.0.0.1:9' };
  const geocoder = createGeocoder(env, {
    metrics: deps.metrics,
    takeCall: () => Promise.resolve(false),
  })!;
  const { cartId } = await make();
  const api = await startTestApi({
    routes,
    database: fixture.database,
    deps: {
      guests: fixture.guestsOf(db),
      addressSearch: createAddressSearch({ db, geocoder, env }),
    },
  });
  const send = async <T>(path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${api.url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const found = (await answer.json()) as T;
    collector.read('POST', path, { status: answer.status, body: found });
    return found;
  };
  try {
    const { addressId } = await send<AddedAddress>('/addresses', { cartId, address: WORDS });
    const fulfillment = { type: 'DELIVERY', addressId, slotId: 'asap' };
    return await send<CheckoutVerdict>('/checkout/preflight', {
      cartId,
      fulfillment,
      paymentMethod: 'CASH',
    });
  } finally {
    await api.stop();
  }
}

type GateCode = CodeOf<'BlockerCode' | 'WarningCode' | 'AdjustmentCode'>;

const VERDICTS: Readonly<Record<GateCode, () => Promise<CheckoutVerdict>>> = {
  SIGN_IN_REQUIRED: () => after(() => saveSetting(db, 'guest_order_sum', 249)),
  TOO_MANY_ORDERS: () => ordersAgain('POINT', 'DAY'),
  ORGANIZATION_INACTIVE: () =>
    after(() => updateRows(db, 'mirror_organization', { inactiveAt: databaseNow() })),
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
  ITEMS_OUTSIDE_HOURS: () =>
    after(async () => {
      const clock = Temporal.Now.zonedDateTimeISO('Europe/Moscow').add({ hours: 2 }).toPlainTime();
      const [from, to] = [clock, clock.add({ hours: 2 })].map((time) =>
        time.toString({ smallestUnit: 'minute' }),
      );
      await rows.placed(place.menuId, soup.itemId, [{ days: [1, 2, 3, 4, 5, 6, 7], from, to }]);
    }),
  ADDRESS_REQUIRED: async () =>
    check(await make(), { fulfillment: { type: 'DELIVERY', slotId: 'asap' } }),
  PICKUP_POINT_REQUIRED: async () =>
    check(await make(), { fulfillment: { type: 'PICKUP', slotId: 'asap' } }),
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
  GIFT_CHOICE_REQUIRED: () => lacksGift(),

  PROMO_CONDITIONS_UNMET: losesPromocode,
  CLOSING_SOON: () => after(closesSoon),
  PRICE_CHANGED: () =>
    after(() =>
      updateRows(db, 'mirror_price', { priceKopecks: 26000 }, { itemSizeId: soup.sizeId }),
    ),
  ETA_INCREASED: () =>
    after(() => addRow(db, 'expectation_rule', { scope: 'GLOBAL', durationMinutes: 15 })),
  GIFT_UNAVAILABLE: () => lacksGift(postponed),

  SLOT_EXPIRED: async () => check(await make(), inSlot()),
  PROMO_REMOVED: losesPromocode,
  ITEM_REMOVED: () => after(stopSoup),
  MODIFIERS_REMOVED: () => after(() => rows.stop(place.organizationId, sauce.erpId)),
  SERVICE_ITEMS_CHANGED: changesService,
};
type Finding = CheckoutVerdict['blockers' | 'warnings' | 'adjustments'][number];
const LISTS = { blocker: 'blockers', warning: 'warnings', adjustment: 'adjustments' } as const;

test.each([
  ['50 minutes before closing', 50, ['CLOSING_SOON']],
  ['35 minutes before closing', 35, ['CLOSING_SOON']],
  ['65 minutes before closing', 65, []],
  ['after the end of intake', 25, []],
])(
  '[ORD-91] a warning counts to the end of intake: %s, with intake ending 30 minutes before it',
  async (_, minutes, expected) => {
    await closesSoon(
      [],
      minutes,
      'restaurant_close_delay_minutes = 30, pickup_cooking_minutes = 20',
    );
    const { warnings } = await check(await make());

    expect(warnings.map(({ code }) => code)).toEqual(expected);
  },
);

test('[ORD-91] a warning counts to the end of the hours of the order type, not of the restaurant', async () => {
  const delivery = ALWAYS_OPEN.filter(({ channel }) => channel === 'DELIVERY');
  await closesSoon(delivery);
  const codes = ({ warnings }: CheckoutVerdict) => warnings.map(({ code }) => code);

  expect(codes(await check(await make()))).toEqual(['CLOSING_SOON']);
  expect(codes(await to('served'))).toEqual([]);
});

describe('the codes of the checkout', () => {
  // [ORD-97] also causes each code, and compares its answer with the example.
  test.each(wholeInSoak(GATE_CODES, GATE_CODES.slice(0, 6)))(
    '[ORD-69] include $code in the verdict as a $kind',
    async ({ code, kind }) => {
      const verdict = await VERDICTS[code]();
      const told: readonly Finding[] = verdict[LISTS[kind]];

      expect(told.map((entry) => entry.code)).toContain(code);
      expect(told.find((entry) => entry.code === code)!.message).toMatch(/^[А-ЯЁ].*\.$/);
      expect(verdict.canSubmit).toBe(verdict.blockers.length === 0);
    },
  );

  test('[ORD-69] appear in the same order for any order of the request', async () => {
    const wishes = {
      paymentMethod: 'CASH',
      changeFrom: 1,
      options: { leaveAtDoor: true },
      ...inSlot(),
    };
    const cart = await make();
    await stopSoup();
    await ordering('timed_orders_enabled = false');
    const told = await check(cart, wishes);
    const turned = await check(cart, Object.fromEntries(Object.entries(wishes).toReversed()));
    const codes = ({ blockers, adjustments }: CheckoutVerdict) =>
      [...blockers, ...adjustments].map(({ code }) => code);

    expect(codes(told).length).toBeGreaterThan(3);
    expect(codes(turned)).toEqual(codes(told));
  });
});

async function provokeReason(row: object, { token, used }: { token?: string; used?: string } = {}) {
  const base = { code: 'd', name: 'd', kind: 'PERCENT', value: 10, needs_promocode: true };
  const discountId = await rows.insert('discount', { ...base, ...row });
  await rows.insert('promocode', { code: 'CODE', discount_id: discountId });
  if (used !== undefined)
    await addRow(db, 'discount_use', {
      discountId,
      orderId: await rows.order(place),
      customerId: used,
    });
  return (await make({ promocode: 'CODE' }, token)).discounts.find(
    (discount) => discount.code === 'CODE',
  );
}

const REASONS: { [R in DiscountReason]: () => ReturnType<typeof provokeReason> } = {
  EXPIRED: () => provokeReason({ ends_at: new Date(0) }),
  NOT_STARTED: () => provokeReason({ starts_at: new Date(Date.now() + 3_600_000) }),
  MIN_SUM: () => provokeReason({ min_subtotal_kopecks: 999_900 }),
  ORGANIZATION: () => provokeReason({ organization_ids: [other.id] }),
  FULFILLMENT: () => provokeReason({ fulfillment_types: ['PICKUP'] }),
  ALREADY_USED: async () =>
    provokeReason({ once_per_customer: true }, { token: await tokenOf('vera'), used: 'vera' }),
  LIMIT_REACHED: () => provokeReason({ total_uses: 1 }, { used: 'boris' }),
  NOT_COMBINABLE: async () => {
    await rows.insert('discount', { code: 'better', name: 'better', kind: 'PERCENT', value: 50 });
    return provokeReason({});
  },
  CUSTOMER_REQUIRED: () => provokeReason({ first_order_only: true }),
  UNKNOWN: async () =>
    (await make({ promocode: 'CODE' })).discounts.find((discount) => discount.code === 'CODE'),
};

test.each(listCodes('DiscountReason'))(
  '[ORD-69] a discount that is not applied has the reason %s',
  async (reason) => {
    expect(await REASONS[reason]()).toMatchObject({
      applied: false,
      amount: 0,
      reason,
      message: expect.stringMatching(/^[А-ЯЁ].*\.$/),
    });
  },
);

const PHONE = '+79990001122';
async function placed(
  cart: object = {},
  { token, ...checkout }: { token?: string; [field: string]: unknown } = {},
) {
  const question = fixture.question(await make(cart, token), {
    customer: { name: 'Анна', phone: PHONE },
    ...checkout,
  });
  return (await fixture.ask<PlacedOrder>('POST', '/orders', question, { key: randomUUID(), token }))
    .body.orderId;
}
const read = (path: string, token?: string) => fixture.ask('GET', path, undefined, { token });

/** Reads an order after the product has processed its events. */
async function orderAfter(
  ...events: ((tx: Tx, row: OrderRow) => Promise<unknown>)[]
): Promise<void> {
  const orderId = await placed();
  for (const event of events)
    await db.transaction(async (tx) => event(tx, await holdOrder(tx, orderId)));
  await read(`/orders/${orderId}`);
}
const sent = (tx: Tx, row: OrderRow) => moveOrder(api.deps, tx, row, 'SENT', 'CARTE');
const reported = (fact: object) => (tx: Tx, row: OrderRow) =>
  applyErpFact(api.deps, tx, row, {
    id: row.id,
    timestamp: 1,
    movedTo: null,
    isCooked: true,
    ...fact,
  } as ErpDelivery);
const status = (word: string) => reported({ creation: 'SUCCESS', status: word });
const refused = reported({ creation: 'ERROR', errorCode: 'E-1' });
const noted = (problem: OrderProblem) => (tx: Tx, row: OrderRow) => noteOrder(tx, row, { problem });
const ended = (state: 'FAILED' | 'CLOSED', problem: OrderProblem) => (tx: Tx, row: OrderRow) =>
  moveOrder(api.deps, tx, row, state, 'CARTE', { problem });

async function orderFromElsewhere(): Promise<void> {
  const order = {
    id: randomUUID(),
    organizationId: place.organizationErpId,
    timestamp: 1,
    creationStatus: 'Success',
    order: {
      status: 'CookingStarted',
      number: 42,
      sum: 250,
      whenCreated: '2026-11-20 13:00:00.000',
      phone: PHONE,
      orderType: { orderServiceType: 'DeliveryByClient' },
      payments: [{ paymentType: { kind: 'Cash' } }],
      isAsap: true,
      items: [
        {
          type: 'Product',
          product: { id: soup.erpId, name: 'Суп' },
          amount: 1,
          price: 250,
          cost: 250,
          modifiers: [],
        },
      ],
    },
  };
  const { secrets, env } = api.deps;
  await saveErpOrders(
    { db, secrets, env },
    place.connectionId,
    readDeliveries([order]).orders,
    new Set(),
  );
  await read('/orders', await tokenOf('anna', PHONE));
}

async function orderWithGift(): Promise<void> {
  const { token } = await promised();
  await read(`/orders/${await placed({}, { token })}`, token);
}

async function orderWithCutlery(): Promise<void> {
  const free = await rows.dish({ ...place, prices: { [place.organizationId]: 0 } });
  await updateRows(db, 'catalog_variant', { toolCount: 1 }, { id: soup.variantId });
  await rows.insert('service_role', { role: 'CUTLERY', erp_item_id: free.erpId }, 'role');
  await read(`/orders/${await placed({ options: { cutlery: 1 } })}`);
}

/** Orders a cart whose prices have changed since preflight. */
async function orderOfOldPrices(isQuoted: boolean): Promise<void> {
  const cart = await make();
  const { quote } = await check(cart);
  await updateRows(db, 'mirror_price', { priceKopecks: 26000 }, { itemSizeId: soup.sizeId });
  const customer = { name: 'Анна', phone: PHONE };
  const seen = { cartVersion: cart.version, ...(isQuoted ? { quoteId: quote!.id } : {}) };
  await fixture.ask('POST', '/orders', fixture.question(cart, { customer, ...seen }), {
    key: randomUUID(),
  });
}

async function askOther(method: 'GET' | 'POST', path: string, body?: object): Promise<void> {
  const response = await fetch(`${otherApi.url}/api/v1${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  collector.read(method, path, { status: response.status, body: await response.json() });
}
const context = () => askOther('GET', `/context?organization_id=${place.organizationErpId}`);
const organizationStatus = () =>
  askOther('GET', `/organizations/${place.organizationErpId}/status`);

async function contextWith(severity: CodeOf<'NoticeSeverity'>): Promise<void> {
  const notice = {
    code: severity,
    severity,
    title: 'Высокий спрос',
    text: 'Ждать дольше',
    ttlSeconds: 60,
  };
  await admin.post('/notices', notice);
  await context();
}

/** Sets the hours of the zone in minutes of the day; null means no bound. */
async function zoneHours(fromMinute: number | null, toMinute: number | null): Promise<void> {
  await updateRows(db, 'mirror_zone_terms', { fromMinute, toMinute });
  await updateRows(db, 'mirror_delivery_defaults', { revision: plus('revision', 1) });
}
async function zoneOpensLater(): Promise<void> {
  const hour = (inHours: number) => ((new Date().getUTCHours() + 3 + inHours) % 24) * 60;
  await zoneHours(hour(3), hour(6));
  try {
    await to('served');
  } finally {
    await zoneHours(null, null);
  }
}

const resolve = (body: object) => fixture.ask('POST', '/delivery/resolve', body);
const HOUSE = { city: 'Москва', street: 'Садовая улица', house: '12' };
const locate = (part: object = {}) =>
  askOther('POST', '/delivery/resolve', { address: { ...HOUSE, ...part } });

type Emission = () => Promise<unknown>;

/** Requests that cause an answer with each code of the table. */
const EMISSIONS: { readonly [L in CodeListName]: { readonly [C in CodeOf<L>]?: Emission } } = {
  BlockerCode: VERDICTS,
  WarningCode: VERDICTS,
  AdjustmentCode: VERDICTS,
  RepairAction: {
    ADD_ITEMS: VERDICTS.CART_EMPTY,
    ACCEPT_CHANGES: VERDICTS.ITEMS_UNAVAILABLE,
    EDIT_LINE: VERDICTS.MODIFIERS_INVALID,
    CHOOSE_ADDRESS: VERDICTS.ZONE_NOT_FOUND,
    CHOOSE_POINT: VERDICTS.PICKUP_POINT_REQUIRED,
    RETRY: VERDICTS.GEOCODER_UNAVAILABLE,
    MOVE_CART: VERDICTS.ORGANIZATION_MISMATCH,
    CHOOSE_SLOT: VERDICTS.TIMED_ORDERS_DISABLED,
    CHOOSE_PAYMENT_METHOD: VERDICTS.PAYMENT_METHOD_UNAVAILABLE,
    CHOOSE_GIFT: VERDICTS.GIFT_CHOICE_REQUIRED,
    SIGN_IN: VERDICTS.SIGN_IN_REQUIRED,
  },
  OrderLimitScope: {
    GUEST: () => ordersAgain('GUEST', 'DAY'),
    CUSTOMER: () => ordersAgain('CUSTOMER', 'DAY'),
    ADDRESS: () => ordersAgain('ADDRESS', 'DAY'),
    NETWORK: () => ordersAgain('NETWORK', 'DAY'),
    POINT: () => ordersAgain('POINT', 'DAY'),
  },
  OrderLimitPeriod: {
    OPEN: () => ordersAgain('POINT', 'OPEN'),
    DAY: () => ordersAgain('POINT', 'DAY'),
  },
  DiscountReason: REASONS,
  CartChangeAction: {
    REMOVED: VERDICTS.ITEM_REMOVED,
    QUANTITY_REDUCED: () =>
      after(
        () => rows.stop(place.organizationId, soup.erpId, { balance: 2 }),
        {},
        { lines: [{ variantId: soup.variantId, quantity: 3, modifiers: [] }] },
      ),
    MODIFIERS_REMOVED: VERDICTS.MODIFIERS_REMOVED,
  },
  CartChangeReason: {
    STOP_LIST: VERDICTS.ITEM_REMOVED,
    NOT_IN_MENU: () =>
      after(() =>
        updateRows(db, 'catalog_product', { status: 'UNPUBLISHED' }, { id: soup.productId }),
      ),
  },
  NotAcceptingReason: {
    DISABLED: VERDICTS.PICKUP_NOT_ACCEPTING,
    INTAKE_STOPPED: () => stopIntake().then(organizationStatus),
    CLOSED: () => closesSoon([], -30).then(organizationStatus),
    CLOSING_SOON: () => closesSoon([], 10, 'pickup_cooking_minutes = 20').then(organizationStatus),
  },
  ZoneNotAcceptingReason: { ZONE_CLOSED: zoneOpensLater },
  ResolveReason: {
    ZONE_NOT_FOUND: () => resolve({ coords: POINTS.nowhere }),
    ADDRESS_NOT_FOUND: () => locate({ street: 'Несуществующая улица' }),
    ADDRESS_IMPRECISE: () => locate({ house: '999' }),
    ZONES_OVERLAP: () => resolve({ coords: POINTS.both }),
    GEOCODER_UNAVAILABLE: () => resolve({ address: HOUSE }),
    GEOCODER_BUDGET_SPENT: VERDICTS.GEOCODER_BUDGET_SPENT,
  },
  AddressPrecision: {
    HOUSE: () => locate(),
    STREET: () => locate({ house: '999' }),
    // The emulator finds streets before their city, and this city has few streets.
    CITY: () => askOther('GET', `/addresses/suggest?q=${encodeURIComponent('Казань')}&limit=10`),
  },
  NoticeSeverity: {
    INFO: () => contextWith('INFO'),
    WARNING: () => contextWith('WARNING'),
    CRITICAL: () => contextWith('CRITICAL'),
  },
  PaymentMethodCode: {
    CASH: VERDICTS.PAYMENT_METHOD_UNAVAILABLE,
    CARD_COURIER: VERDICTS.PAYMENT_METHOD_UNAVAILABLE,
  },
  FulfillmentType: {
    DELIVERY: context,
    PICKUP: context,
  },
  EtaScope: {
    GLOBAL: VERDICTS.ETA_INCREASED,
    CATEGORY: () =>
      after(() =>
        addRow(db, 'expectation_rule', {
          scope: 'CATEGORY',
          categoryId: place.categoryId,
          durationMinutes: 20,
        }),
      ),
  },
  OrderRefusalReason: {
    CART_VERSION: () => orderOfOldPrices(false),
    QUOTE: () => orderOfOldPrices(true),
  },
  OrderStatus: {
    ACCEPTED: () => orderAfter(),
    SENT: () => orderAfter(sent),
    CONFIRMED: () => orderAfter(status('WaitCooking')),
    COOKING: () => orderAfter(status('CookingStarted')),
    READY: () => orderAfter(status('CookingCompleted')),
    ON_THE_WAY: () => orderAfter(status('OnWay')),
    DELIVERED: () => orderAfter(status('Delivered')),
    CLOSED: () => orderAfter(status('Closed')),
    CANCELLED: () => orderAfter(status('Cancelled')),
    FAILED: () => orderAfter(refused),
  },
  OrderProblem: {
    ERP_UNAVAILABLE: () => orderAfter(sent, noted('ERP_UNAVAILABLE')),
    OUTCOME_UNKNOWN: () => orderAfter(sent, noted('OUTCOME_UNKNOWN')),
    STUCK_IN_PROGRESS: () => orderAfter(sent, noted('STUCK_IN_PROGRESS')),
    NOT_CONFIGURED: () => orderAfter(noted('NOT_CONFIGURED')),
    REJECTED_BY_ERP: () => orderAfter(refused),
    DEADLINE_PASSED: () => orderAfter(ended('FAILED', 'DEADLINE_PASSED')),
    WITHDRAWN: async () =>
      fixture.ask('POST', `/orders/${await placed()}/cancel`, {}, { key: randomUUID() }),
    CANCELLED_BY_RESTAURANT: () => orderAfter(status('Cancelled')),
    NEVER_ENDED: () => orderAfter(status('Delivered'), ended('CLOSED', 'NEVER_ENDED')),
    CANCELLED_BY_STAFF: async () => {
      const orderId = await placed();
      await admin.post(`/orders/${orderId}/cancel`, { reason: 'просьба' });
      await read(`/orders/${orderId}`);
    },
  },
  OrderChannel: { CARTE: () => orderAfter(), ERP: orderFromElsewhere },
  OrderLineType: {
    ITEM: () => orderAfter(),
    SERVICE: orderWithCutlery,
    COMPENSATION: orderWithGift,
  },
  NotOrderableReason: { NOT_SOLD: orderWithGift },
  GiftChoice: { REPLACE: VERDICTS.GIFT_CHOICE_REQUIRED, POSTPONE: VERDICTS.GIFT_CHOICE_REQUIRED },
};

const recorded = readCodeExamples();
/** With RECORD_CODES, outdated examples are recorded again. */
const isRecording = process.env['RECORD_CODES'] !== undefined;
const replaced = new Map<string, CodeExample>();
const buildKey = (list: CodeListName, code: string) => `${list} ${code}`;

const toExample = ({ operation, object }: FoundCode): CodeExample => ({
  operation,
  object: presentable({ operationId: '' }, { status: 200, answer: object })
    .answer as CodeExample['object'],
});
const smallest = (examples: readonly CodeExample[]): CodeExample =>
  examples.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)[0]!;

const TABLE = CODE_LISTS.flatMap((list) => listCodes(list).map((code) => ({ list, code })));
const findEmission = ({ list, code }: (typeof TABLE)[number]) =>
  (EMISSIONS[list] as Record<string, Emission>)[code];
const EMITTED = TABLE.filter(({ list, code }) => codeEntry(list, code)!.notEmitted === undefined);

describe('[ORD-97] the table of codes', () => {
  afterAll(async () => {
    if (!isRecording) return;
    const lists = CODE_LISTS.map((list) => [
      list,
      Object.fromEntries(
        listCodes(list).flatMap((code) => {
          const example = replaced.get(buildKey(list, code)) ?? recorded[list]?.[code];
          return example === undefined ? [] : [[code, example]];
        }),
      ),
    ]);
    await writeFile(
      CODE_EXAMPLES_FILE,
      await formatted('code-examples.json', JSON.stringify(Object.fromEntries(lists))),
    );
  });

  test.each(EMITTED)('lists for $list $code the fields of its example', async ({ list, code }) => {
    collector.take();
    await findEmission({ list, code })!();
    const found = collector.take();
    const examples = found
      .filter((entry) => entry.list === list && entry.code === code)
      .map(toExample);
    const example = recorded[list]?.[code];
    const isSame = examples.some(
      (entry) => entry.operation === example?.operation && sameShape(entry, example),
    );

    expect(found.filter((entry) => entry.list === null)).toEqual([]);
    expect(examples).not.toEqual([]);
    if (isRecording && !isSame) replaced.set(buildKey(list, code), smallest(examples));
    expect({ example, isSame: isSame || isRecording }).toEqual({ example, isSame: true });
  });

  test('explains each code that no answer contains', () => {
    const withoutEmission = TABLE.filter((entry) => findEmission(entry) === undefined);

    expect(withoutEmission).toEqual(TABLE.filter((entry) => !EMITTED.includes(entry)));
  });

  test('contains exactly the recorded examples', () => {
    const names = Object.entries(recorded).flatMap(([list, examples]) =>
      Object.keys(examples).map((code) => ({ list, code })),
    );

    expect(isRecording ? EMITTED : names).toEqual(EMITTED);
  });
});
