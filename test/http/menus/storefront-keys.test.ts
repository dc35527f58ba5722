import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { storefrontRoutes } from '../../../api/storefront/browse.ts';
import { deliveryRoutes } from '../../../api/storefront/delivery/delivery.ts';
import { fulfillmentRoutes } from '../../../api/storefront/delivery/routes.ts';
import { createApiKey } from '../../../modules/access/api-keys/api-keys.ts';
import { newKeyToken } from '../../../modules/access/api-keys/key-token.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { migratedDatabase } from '../../support/database.ts';
import { selectRows } from '../../support/rows.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: Storefront;
let token: string;
beforeAll(async () => {
  database = await migratedDatabase();
});
beforeEach(async () => {
  await api?.stop();
  api = await startStorefront(database, {
    routes: [...storefrontRoutes, ...fulfillmentRoutes, ...deliveryRoutes],
    env: {
      TRUST_PROXY: 'on',
      RATE_LIMIT_MENU: '60',
      RATE_LIMIT_PUBLIC: '5',
      RATE_LIMIT_KEY: '3000',
      RATE_LIMIT_ADDRESSES: '2',
    },
  });
  token = (
    await createApiKey(api.deps, systemActor('test'), { name: 'Build host', use: 'STOREFRONT' })
  ).token;
});
afterAll(async () => {
  await api?.stop();
  await database?.close();
});

const PATHS = {
  hot: '/api/v1/menu?organization_id=00000000-0000-4000-8000-000000000000',
  koa: '/api/v1/organizations',
};
let addresses = 0;
const newAddress = () => `203.0.113.${(addresses += 1)}`;
const get = (path: string, from: string, headers: Record<string, string> = {}) =>
  fetch(api.url + path, { headers: { 'x-forwarded-for': from, ...headers } });
const statuses = async (times: number, send: (at: number) => Promise<Response>) => {
  const found: Record<number, number> = {};
  for (let at = 0; at < times; at += 1) {
    const { status } = await send(at);
    found[status] = (found[status] ?? 0) + 1;
  }
  return found;
};

describe('a storefront key', () => {
  test('[HTTP-40] allows a build host 300 menus instead of 60', async () => {
    const host = newAddress();
    const withKey = await statuses(300, () => get(PATHS.hot, host, { 'carte-key': token }));
    const without = await statuses(300, () => get(PATHS.hot, host));

    expect(withKey[429]).toBeUndefined();
    expect(without[429]).toBe(240);
  });

  test('[HTTP-40] uses its own rate class in the headers, before and behind Koa', async () => {
    const host = newAddress();
    const keyed = await Promise.all(
      Object.values(PATHS).map((path) => get(path, host, { 'carte-key': token })),
    );
    const open = await Promise.all(Object.values(PATHS).map((path) => get(path, host)));
    const policies = (answers: Response[]) =>
      answers.map(({ headers }) => headers.get('ratelimit-policy'));

    expect(policies(keyed)).toEqual(['"key";q=3000;w=60', '"key";q=3000;w=60']);
    expect(policies(open)).toEqual(['"menu";q=60;w=60', '"public";q=5;w=60']);
  });

  test('[HTTP-40] counts requests by the guest address in its header, which is ignored without a key', async () => {
    const [host, guest, second] = [newAddress(), newAddress(), newAddress()];
    const named = await statuses(6, () =>
      get(PATHS.koa, host, { 'carte-key': token, 'carte-client-address': guest }),
    );
    const other = await get(PATHS.koa, host, {
      'carte-key': token,
      'carte-client-address': second,
    });
    const own = await get(PATHS.koa, guest);
    const claimed = await statuses(6, (at) =>
      get(PATHS.koa, host, { 'carte-client-address': `198.51.100.${at}` }),
    );

    expect(named).toEqual({ 200: 5, 429: 1 });
    expect([other.status, own.status]).toEqual([200, 429]);
    expect(claimed).toEqual({ 200: 5, 429: 1 });
  });

  test.each([
    '10.0.0.7',
    '127.0.0.1',
    '192.168.1.1',
    '::1',
    '::ffff:10.0.0.7',
    'fd00::1',
    'fe80::1',
  ])(
    '[ACC-40] counts its own address and class instead of the private guest address %s',
    async (guest) => {
      const host = newAddress();
      const headers = { 'carte-key': token, 'carte-client-address': guest };
      const answers = await Promise.all([1, 2].map(() => get(PATHS.koa, host, headers)));
      const resolve = (more: Record<string, string> = {}) =>
        fetch(`${api.url}/api/v1/delivery/resolve`, {
          method: 'POST',
          headers: { 'x-forwarded-for': host, 'content-type': 'application/json', ...more },
          body: '{}',
        });
      const counted = [
        await resolve(headers),
        await resolve(headers),
        await resolve(headers),
        await resolve(),
      ];

      expect(answers.map(({ headers: sent }) => sent.get('ratelimit-policy'))).toEqual(
        Array.from({ length: 2 }, () => '"key";q=3000;w=60'),
      );
      expect(counted.map(({ status }) => status)).toEqual([422, 422, 429, 429]);
    },
  );

  test.each([
    ['203.0.113.201:50312', '203.0.113.201:50313'],
    ['[2001:db8:201::1]:50312', '2001:db8:201::1'],
    ['[::ffff:203.0.113.202]:50312', '203.0.113.202'],
  ])('[HTTP-79] counts %j and %j as one guest', async (...guests) => {
    const resolve = (guest: string) =>
      fetch(`${api.url}/api/v1/delivery/resolve`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'carte-key': token,
          'carte-client-address': guest,
        },
        body: '{}',
      });
    const answers = [await resolve(guests[0]), await resolve(guests[1]), await resolve(guests[0])];

    expect(answers.map(({ status }) => status)).toEqual([422, 422, 429]);
  });

  test('[HTTP-40] rejects a guest address that is no IP address', async () => {
    const answer = await get(PATHS.koa, newAddress(), {
      'carte-key': token,
      'carte-client-address': 'unknown',
    });

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      errors: [{ field: 'Carte-Client-Address', code: 'format' }],
    });
  });

  test('[HTTP-40] fails and is recorded if it is unknown, and is limited like menus of its address', async () => {
    const host = newAddress();
    const answers = await statuses(70, () =>
      get(PATHS.koa, host, { 'carte-key': newKeyToken().token }),
    );
    const events = await selectRows(database.db, 'security_event', ['kind']);

    expect(answers).toEqual({ 401: 60, 429: 10 });
    expect(events).toContainEqual({ kind: 'API_KEY_UNKNOWN' });
  });

  test('[HTTP-40] cannot be used in the admin API, and admin keys cannot be used here', async () => {
    const key = { name: 'Admin', use: 'ADMIN', permissions: ['catalog.read'] } as const;
    const admin = await createApiKey(api.deps, systemActor('test'), {
      ...key,
      permissions: ['catalog.read'],
    });
    const refused = await get(PATHS.koa, newAddress(), { 'carte-key': admin.token });

    expect(refused.status).toBe(401);
    const verdict = await api.deps.apiKeys.find(token, 'ADMIN');
    expect(verdict).toEqual({ refused: 'API_KEY_UNKNOWN', keyId: null });
  });
});
