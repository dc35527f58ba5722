import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isPersonal } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import type { AddedAddress } from '../../../modules/delivery/schemas/addresses.ts';
import type { Cart, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import type { PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { testCustomers } from '../../support/customers.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { deleteRows } from '../../support/rows.ts';

const { guestsOf, tokenOf } = await testCustomers();
const WORDS = { city: 'Омск', street: 'Садовая улица', house: '1' };
const POINT = [1, 1];
const PERSON = { name: 'Анна', phone: '+79990001122' };

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let lines: object[];
/** Staff tokens of the admin API are not valid here. */
const tokens = new Map<Caller, string>();

type Caller = 'owner' | 'other customer' | 'guest' | 'staff';
/** Owner: a customer, or any caller with the id. */
type Owner = 'customer' | 'guest';
type Things = { cartId: string; cartVersion: number; addressId: string; orderId: string };

type Sent = { method: string; path: string; body?: object };
const OPERATIONS: Readonly<Record<string, (things: Things) => Sent>> = {
  getCart: ({ cartId }) => ({ method: 'GET', path: `/cart?cart_id=${cartId}` }),
  changeCart: ({ cartId, cartVersion: version }) => ({
    method: 'POST',
    path: '/cart',
    body: { cartId, version, organizationId: place.organizationErpId, lines },
  }),
  getDeliverySlots: ({ cartId, addressId }) => ({
    method: 'GET',
    path: `/delivery/slots?${new URLSearchParams({
      organization_id: place.organizationErpId,
      type: 'DELIVERY',
      cart_id: cartId,
      address_id: addressId,
    }).toString()}`,
  }),
  checkCheckout: (things) => ({
    method: 'POST',
    path: '/checkout/preflight',
    body: delivery(things),
  }),
  placeOrder: (things) => ({
    method: 'POST',
    path: '/orders',
    body: { ...delivery(things), customer: PERSON },
  }),
  addAddress: ({ cartId }) => ({
    method: 'POST',
    path: '/addresses',
    body: { cartId, address: { ...WORDS, flat: randomUUID() }, coords: POINT },
  }),
  listAddresses: () => ({ method: 'GET', path: '/addresses' }),
  deleteAddress: ({ addressId }) => ({ method: 'DELETE', path: `/addresses/${addressId}` }),
  listOwnGifts: () => ({
    method: 'GET',
    path: `/gifts?organization_id=${place.organizationErpId}`,
  }),
  listOrders: () => ({ method: 'GET', path: '/orders' }),
  getOrder: ({ orderId }) => ({ method: 'GET', path: `/orders/${orderId}` }),
  streamOrder: ({ orderId }) => ({ method: 'GET', path: `/orders/${orderId}/stream` }),
  repeatOrder: ({ orderId }) => ({ method: 'POST', path: `/orders/${orderId}/repeat` }),
  cancelOrder: ({ orderId }) => ({ method: 'POST', path: `/orders/${orderId}/cancel`, body: {} }),
};
const delivery = ({ cartId, addressId }: Things) => ({
  cartId,
  fulfillment: { type: 'DELIVERY', addressId, slotId: 'asap' },
  paymentMethod: 'CASH',
});
/** Operations whose token alone selects the objects. */
const LISTS = ['listAddresses', 'listOrders', 'listOwnGifts'];
/** Operations of customers only, not of guests or staff. */
const OF_CUSTOMERS = [...LISTS, 'deleteAddress'];

type Answer = { status: number; body: unknown };
async function send({ method, path, body }: Sent, token: string | undefined): Promise<Answer> {
  const response = await fetch(`${api.url}/api/v1${path}`, {
    method,
    headers: {
      'idempotency-key': randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // A stream never ends, so only its start is read.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (isStream) await response.body!.cancel();
  const text = isStream ? '' : await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}
const as = <T>(who: Caller, sent: Sent) =>
  send(sent, tokens.get(who)) as Promise<{ status: number; body: T }>;

async function createThings(owner: Owner): Promise<Things> {
  const who = owner === 'customer' ? 'owner' : 'guest';
  // A customer has one cart, until it becomes an order.
  await deleteRows(database.db, 'cart');
  const makeCart = async () =>
    (
      await as<Cart>(who, {
        method: 'POST',
        path: '/cart',
        body: { organizationId: place.organizationErpId, lines },
      })
    ).body;
  const first = await makeCart();
  const fulfillment = { type: 'PICKUP', organizationId: place.organizationErpId, slotId: 'asap' };
  const wish = { cartId: first.cartId, fulfillment, paymentMethod: 'CASH', customer: PERSON };
  const placed = await as<PlacedOrder>(who, { method: 'POST', path: '/orders', body: wish });
  expect(placed.status).toBe(201);
  const { cartId, version } = await makeCart();
  const added = await as<AddedAddress>(who, OPERATIONS['addAddress']!({ cartId } as Things));
  const { addressId } = added.body;
  return { cartId, cartVersion: version, addressId, orderId: placed.body.orderId };
}

/** The state of the objects, which a stranger's request must not change. */
const readState = async (things: Things) =>
  database.db.query(
    `select (select json_agg(c) from cart c where id = $1) as cart, (select json_agg(a) from delivery_address a where id = $2) as address,
            (select json_agg(o) from customer_order o where id = $3) as "order", (select count(*) from customer_order) as orders`,
    [things.cartId, things.addressId, things.orderId],
  );

beforeAll(async () => {
  database = await migratedDatabase();
  const rows = menuRows(database.db);
  place = await rows.restaurant();
  const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 60_000 } });
  lines = [{ variantId: dish.variantId, quantity: 1, modifiers: [] }];
  await openForOrders(database.db, place.organizationId);
  api = await startTestApi({
    routes,
    database,
    deps: { guests: guestsOf(database.db) },
    env: { RATE_LIMIT_ORDERING: 'off', RATE_LIMIT_PUBLIC: 'off', RATE_LIMIT_ADDRESSES: 'off' },
  });
  const login = await fetch(`${api.url}/api/admin/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  tokens.set('staff', ((await login.json()) as { accessToken: string }).accessToken);
  tokens.set('owner', await tokenOf('anna'));
  tokens.set('other customer', await tokenOf('boris'));
});
afterAll(async () => {
  await api?.stop();
  await database?.close();
});

describe('an object with an owner', () => {
  test('[ORD-87] appears in this test for every operation with an owner', () => {
    const personal = routes
      .filter(({ permission }) => isPersonal(permission))
      .map(({ operationId }) => operationId);

    expect(Object.keys(OPERATIONS).toSorted()).toEqual(personal.toSorted());
  });

  test('[ORD-87] remains unknown to others if it belongs to a customer, and a staff token proves nothing', async () => {
    const things = await createThings('customer');
    const before = await readState(things);
    const unknown: Things = {
      ...things,
      cartId: randomUUID(),
      addressId: randomUUID(),
      orderId: randomUUID(),
    };
    for (const [operation, sent] of Object.entries(OPERATIONS)) {
      const [other, guest, staff] = await Promise.all(
        (['other customer', 'guest', 'staff'] as const).map((who) => as<object>(who, sent(things))),
      );
      const nobodys = await as<object>('other customer', sent(unknown));

      // A foreign object gets the same answer as a nonexistent object, and is in no list.
      expect([operation, withoutRequest(other!)]).toEqual([operation, withoutRequest(nobodys)]);
      expect([operation, LISTS.includes(operation) ? listed(other!) : other!.status]).toEqual([
        operation,
        LISTS.includes(operation) ? 0 : 404,
      ]);
      expect([operation, guest!.status]).toEqual([
        operation,
        OF_CUSTOMERS.includes(operation) ? 401 : 404,
      ]);
      expect([operation, staff!.status]).toEqual([operation, 401]);
    }
    expect(await readState(things)).toEqual(before);
  });

  test('belongs to callers with its id if it is of a guest, but not the address of another cart', async () => {
    const [mine, foreign] = [await createThings('guest'), await createThings('customer')];
    const readers = ['getOrder', 'repeatOrder'];
    for (const operation of readers)
      expect([
        operation,
        (await as('other customer', OPERATIONS[operation]!(mine))).status < 300,
      ]).toEqual([operation, true]);
    const own = await createThings('guest');
    const withForeign = { ...own, addressId: foreign.addressId };
    for (const [operation, status, told] of [
      ['checkCheckout', 200, 'ADDRESS_REQUIRED'],
      ['placeOrder', 409, 'ADDRESS_REQUIRED'],
      ['getDeliverySlots', 404, '"There is no such address."'],
    ] as const) {
      const answer = await as('guest', OPERATIONS[operation]!(withForeign));
      expect([operation, answer.status]).toEqual([operation, status]);
      expect(JSON.stringify(answer.body)).toContain(told);
    }
    expect((await as('guest', OPERATIONS['getCart']!(own))).status).toBe(200);
  });

  test('answers its owner in each operation', async () => {
    const things = await createThings('customer');
    const statuses: [string, number][] = [];
    for (const [operation, sent] of Object.entries(OPERATIONS))
      if (!['placeOrder', 'deleteAddress'].includes(operation))
        statuses.push([operation, (await as('owner', sent(things))).status]);
    const verdict = await as<CheckoutVerdict>('owner', OPERATIONS['checkCheckout']!(things));
    statuses.push([
      'deleteAddress',
      (await as('owner', OPERATIONS['deleteAddress']!(things))).status,
    ]);

    expect(statuses.filter(([, status]) => status >= 300)).toEqual([]);
    expect(verdict.body.blockers.map(({ code }) => code)).toEqual(['ZONE_NOT_FOUND']);
  });
});

const listed = ({ body }: Answer): number => {
  const { items, gifts } = body as { items?: object[]; gifts?: object[] };
  return (items ?? gifts)!.length;
};

/** An answer without the parts that name the request. */
const withoutRequest = ({ status, body }: Answer) => {
  const { instance: _instance, requestId: _requestId, ...rest } = body as Record<string, unknown>;
  return { status, body: rest };
};
