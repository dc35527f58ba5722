import { routes } from '../../api/routes.ts';
import type { Cart, CheckoutVerdict } from '../../modules/ordering/schemas/cart.ts';
import { startTestApi } from './api.ts';
import { testCustomers } from './customers.ts';
import { migratedDatabase } from './database.ts';
import { menuRows, type MenuRows } from './menu-rows.ts';
import { NO_ORDER_LIMITS } from './order-limits.ts';
import { deleteRows, saveSetting } from './rows.ts';
import type { Tables } from '../../platform/db/tables.ts';

export type Sent = {
  token?: string | undefined;
  key?: string | undefined;
  from?: string | undefined;
};
export type Answer<T> = { status: number; body: T };
export type Dish = Awaited<ReturnType<MenuRows['dish']>>;

type FixtureDeps = NonNullable<Parameters<typeof startTestApi>[0]['deps']>;
type OnAnswer = (method: string, path: string, answer: Answer<unknown>) => void;

/**
 * Starts the storefront API with a restaurant that sells a soup (250 rubles) and a pizza (600
 * rubles), and accepts orders after `openForOrders`. `onAnswer` gets each answer first.
 */
export async function orderingFixture({
  onAnswer,
  env = {},
  deps = {},
}: { onAnswer?: OnAnswer; env?: Record<string, string>; deps?: FixtureDeps } = {}) {
  const { guestsOf, tokenOf } = await testCustomers();
  const database = await migratedDatabase();
  const { db } = database;
  const rows = menuRows(db);
  const place = await rows.restaurant();
  await saveSetting(db, 'order_limits', NO_ORDER_LIMITS);
  const soup = await rows.dish({ ...place, prices: { [place.organizationId]: 25_000 } });
  const pizza = await rows.dish({ ...place, prices: { [place.organizationId]: 60_000 } });
  const api = await startTestApi({
    routes,
    database,
    deps: { guests: guestsOf(db), ...deps },
    env: {
      RATE_LIMIT_ORDERING: 'off',
      RATE_LIMIT_NEW_CARTS: 'off',
      RATE_LIMIT_PUBLIC: 'off',
      RATE_LIMIT_ADDRESSES: 'off',
      ...env,
    },
  });

  const request = (
    method: string,
    path: string,
    body?: object,
    { token, key, from }: Sent = {},
  ): Promise<Response> =>
    fetch(`${api.url}/api/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  async function ask<T>(...given: Parameters<typeof request>): Promise<Answer<T>> {
    const response = await request(...given);
    const answer = { status: response.status, body: (await response.json()) as T };
    onAnswer?.(given[0], given[1], answer);
    return answer;
  }

  /** Creates a cart with one unit of both dishes, unless `body` overrides it. */
  async function makeCart(body: object = {}, sent: Sent = {}): Promise<Cart> {
    const lines = [soup, pizza].map(({ variantId }) => ({ variantId, quantity: 1, modifiers: [] }));
    const organizationId = place.organizationErpId;
    return (await ask<Cart>('POST', '/cart', { organizationId, lines, ...body }, sent)).body;
  }

  const pickup = (rest: object = {}) => ({
    type: 'PICKUP',
    organizationId: place.organizationErpId,
    slotId: 'asap',
    ...rest,
  });
  /** Pickup as soon as possible, paid in cash, unless `rest` overrides it. */
  const question = ({ cartId }: { cartId: string }, rest: object = {}) => ({
    cartId,
    fulfillment: pickup(),
    paymentMethod: 'CASH',
    ...rest,
  });

  return {
    api,
    db,
    database,
    rows,
    place,
    soup,
    pizza,
    guestsOf,
    tokenOf,
    request,
    ask,
    makeCart,
    pickup,
    question,
    preflight: (cart: { cartId: string }, rest: object = {}, sent: Sent = {}) =>
      ask<CheckoutVerdict>('POST', '/checkout/preflight', question(cart, rest), sent),
    sql: <T extends object = object>(text: string, params: unknown[] = []) =>
      db.query<T>(text, params),
    empty: async (...tables: (keyof Tables)[]) => {
      for (const table of tables) await deleteRows(db, table);
    },
    stop: async () => {
      await api.stop();
      await database.close();
    },
  };
}
