import { randomUUID } from 'node:crypto';
import { generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GuestIdentities } from '../../../modules/access/customers/customer-tokens.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { guestRoutes } from '../../support/guest-routes.ts';
import { addRow, selectRows } from '../../support/rows.ts';

const { privateKey, publicKey } = await generateKeyPair('ES256');
const signToken = (customerId: string, expires = '5m') =>
  new SignJWT()
    .setProtectedHeader({ alg: 'ES256' })
    .setSubject(customerId)
    .setExpirationTime(expires)
    .sign(privateKey);

const ANNA = 'anna';
const [guestsCart, annasCart, borissCart] = [randomUUID(), randomUUID(), randomUUID()];
const customerOfCart = new Map<string, string | null>([
  [guestsCart, null],
  [annasCart, ANNA],
  [borissCart, 'boris'],
]);

const guests: GuestIdentities = {
  customerOf: (token) =>
    jwtVerify(token, publicKey, { algorithms: ['ES256'] }).then(
      ({ payload: { sub, exp = 0 } }) =>
        sub === undefined
          ? null
          : { id: sub, verifiedPhone: null, name: null, expiresAt: new Date(exp * 1_000) },
      () => null,
    ),
  mayUseCart: async (cartId, customerId) => {
    const owner = customerOfCart.get(cartId);
    return owner === null || (owner !== undefined && owner === customerId);
  },
  mayUseOrder: async () => false,
};

const OLD = 'old:' + Buffer.alloc(32, 1).toString('base64');
const NEW = 'new:' + Buffer.alloc(32, 2).toString('base64');

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let rotated: TestApi;
let closed: TestApi;
beforeAll(async () => {
  database = await migratedDatabase();
  const deps = { guests };
  api = await startTestApi({ database, routes: guestRoutes, deps, env: { ENCRYPTION_KEYS: OLD } });
  rotated = await startTestApi({
    database,
    routes: guestRoutes,
    deps,
    env: { ENCRYPTION_KEYS: `${NEW},${OLD}` },
  });
  closed = await startTestApi({ database, routes: guestRoutes });
});
afterAll(async () => {
  for (const entry of [api, rotated, closed]) await entry?.stop();
  await database?.close();
});

type Sent = { token?: string; body?: unknown; headers?: Record<string, string>; at?: TestApi };
async function ask(
  method: string,
  path: string,
  { token, body, headers = {}, at = api }: Sent = {},
) {
  const response = await fetch(`${at.url}/api/v1${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as object),
  };
}

describe('a customer of a request', () => {
  test('comes from the token', async () => {
    expect(await ask('GET', '/orders', { token: await signToken(ANNA) })).toMatchObject({
      status: 200,
      body: { type: 'CUSTOMER', customerId: ANNA },
    });
  });

  test.each([
    ['no token', async () => undefined],
    ['a token that has expired', () => signToken(ANNA, '-1m')],
    ['something that is not a token', async () => 'anna'],
  ])('cannot be identified with %s', async (_, make) => {
    const token = await make();
    const answer = await ask('GET', '/orders', token === undefined ? {} : { token });

    expect(answer).toMatchObject({ status: 401, body: { type: '/problems/unauthorized' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="carte-storefront"');
  });
});

describe('a cart of a request', () => {
  const cart = (cartId: string, token?: string) =>
    ask('GET', `/cart?cart_id=${cartId}`, token === undefined ? {} : { token });

  test('belongs to callers with its id, and also identifies a customer', async () => {
    expect(await cart(guestsCart)).toMatchObject({
      status: 200,
      body: { type: 'CART', cartId: guestsCart, customerId: null },
    });
    expect(await cart(annasCart, await signToken(ANNA))).toMatchObject({
      body: { cartId: annasCart, customerId: ANNA },
    });
  });

  test('looks unknown to others if it belongs to a customer', async () => {
    const answers = [
      await cart(borissCart, await signToken(ANNA)),
      await cart(borissCart),
      await cart(randomUUID()),
      await ask('POST', '/cart', { body: { cartId: borissCart } }),
    ];

    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, body: { type: '/problems/not-found' } });
    expect(new Set(answers.map(({ body }) => (body as { detail: string }).detail)).size).toBe(1);
  });

  test('cannot be used with an invalid token, although none is needed', async () => {
    expect((await cart(guestsCart, await signToken(ANNA, '-1m'))).status).toBe(401);
  });

  test('may be absent if the route allows it, and the caller is then a customer or null', async () => {
    expect((await ask('POST', '/cart', { body: {} })).body).toMatchObject({
      type: 'NOBODY',
      customerId: null,
    });
    expect(
      (await ask('POST', '/cart', { body: {}, token: await signToken(ANNA) })).body,
    ).toMatchObject({
      type: 'CUSTOMER',
      customerId: ANNA,
    });
    expect((await ask('POST', '/cart', { body: { cartId: guestsCart } })).body).toMatchObject({
      type: 'CART',
    });
  });
});

test('without a provider every customer is rejected, and an unknown cart is not found', async () => {
  expect((await ask('GET', '/orders', { at: closed, token: await signToken(ANNA) })).status).toBe(
    401,
  );
  expect((await ask('GET', `/cart?cart_id=${guestsCart}`, { at: closed })).status).toBe(404);
});

describe('the caching of answers', () => {
  test('excludes answers that belong to one guest, which have no ETag', async () => {
    const token = await signToken(ANNA);
    for (const answer of [
      await ask('GET', '/orders', { token, headers: { 'if-none-match': '*' } }),
      await ask('GET', `/cart?cart_id=${guestsCart}`, { headers: { 'if-none-match': '*' } }),
      await ask('POST', '/cart', { body: {} }),
    ]) {
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'private, no-store',
      ]);
      expect(answer.headers.get('etag')).toBeNull();
    }
  });

  test('excludes answers to commands', async () => {
    const answer = await ask('POST', '/callbacks', {
      body: { phone: '1' },
      headers: { 'if-none-match': '*' },
    });

    expect(answer).toMatchObject({ status: 200, body: { accepted: true } });
    expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([
      'no-store',
      null,
    ]);
  });
});

describe('an Idempotency-Key', () => {
  const order = (cartId: string, key: string, name = 'Anna', at = api) =>
    ask('POST', '/orders', {
      body: { cartId, name },
      headers: { 'idempotency-key': key },
      at,
      ...(cartId === guestsCart ? {} : { token }),
    });
  let token: string;
  beforeAll(async () => (token = await signToken(ANNA)));

  test('belongs to its cart, so two guests with one key and one body create two orders', async () => {
    const first = await order(guestsCart, 'key-1');
    const again = await order(guestsCart, 'key-1');
    const other = await order(annasCart, 'key-1');

    expect([first.status, again.status, other.status]).toEqual([201, 201, 201]);
    expect(again.body).toEqual(first.body);
    expect(other.body).not.toEqual(first.body);
  });

  test('matches with each key of the server that stored it, also during a rotation', async () => {
    const first = await order(guestsCart, 'key-2');
    const afterwards = await order(guestsCart, 'key-2', 'Anna', rotated);
    const another = await order(guestsCart, 'key-2', 'Boris', rotated);
    const byNewKey = await order(guestsCart, 'key-3', 'Anna', rotated);

    expect(afterwards.body).toEqual(first.body);
    expect(another).toMatchObject({
      status: 422,
      body: { type: '/problems/idempotency-key-reused' },
    });
    // A process without the new key cannot compare the requests, so it rejects the repetition.
    expect(byNewKey.status).toBe(201);
    expect((await order(guestsCart, 'key-3')).status).toBe(422);
  });

  test('stores nothing of a request that could be guessed without the keys of the server', async () => {
    await order(guestsCart, 'key-4');
    const stored = await selectRows(database.db, 'idempotency_key', ['fingerprint', 'scope'], {
      key: 'key-4',
    });

    expect(stored).toEqual([
      {
        fingerprint: expect.stringMatching(/^old\.[0-9a-f]{64}$/),
        scope: `public/createOrder/cart:${guestsCart}`,
      },
    ]);
  });

  test('matches in a row of the last release with a plain digest', async () => {
    const { createHash } = await import('node:crypto');
    const body = JSON.stringify({ cartId: guestsCart, name: 'Anna' });
    const plain = createHash('sha256').update('POST /api/v1/orders\n').update(body).digest('hex');
    await addRow(database.db, 'idempotency_key', {
      scope: `public/createOrder/cart:${guestsCart}`,
      key: 'key-5',
      fingerprint: plain,
      status: 201,
      body: { id: 7 },
    });

    expect((await order(guestsCart, 'key-5')).body).toEqual({ id: 7 });
    expect((await order(guestsCart, 'key-5', 'Boris')).status).toBe(422);
  });
});
