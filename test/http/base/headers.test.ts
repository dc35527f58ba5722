import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { meRoutes } from '../../../api/admin/access/me.ts';
import { adminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

const SHOP = 'https://shop.example';
const STAFF = 'https://admin.example';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    routes: [...sampleRoutes, ...authRoutes, ...meRoutes],
    env: {
      PUBLIC_ORIGINS: SHOP,
      ADMIN_ORIGINS: STAFF,
      RATE_LIMIT_PUBLIC: '5',
      RATE_LIMIT_ADMIN: '4',
      TRUST_PROXY: 'on',
    },
  });
});
afterAll(() => api.stop());

let addresses = 0;
/** Every test comes from an address of its own, so their limits do not meet. */
const from = () => ({ 'x-forwarded-for': `10.1.0.${(addresses += 1)}` });

describe('request id', () => {
  test('a harmless one is kept, anything else is replaced', async () => {
    const given = await fetch(`${api.url}/api/v1/prices/1`, { headers: { ...from(), 'x-request-id': 'abc-12345678' } });
    const wild = await fetch(`${api.url}/api/v1/prices/1`, { headers: { ...from(), 'x-request-id': 'a b\tc' } });

    expect(given.headers.get('x-request-id')).toBe('abc-12345678');
    expect(wild.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('the access log names it with route and status, and no value of the query', async () => {
    const response = await fetch(`${api.url}/api/v1/words?q=canary-value`, { headers: from() });
    await response.text();

    const line = api.logged.find((each) => each['requestId'] === response.headers.get('x-request-id'));
    expect(line).toMatchObject({ msg: 'request', route: 'GET /words', status: 200, contour: 'public' });
    expect(JSON.stringify(api.logged)).not.toContain('canary-value');
    expect(JSON.stringify(api.logged)).not.toContain('10.1.0.');
  });
});

describe('cross-origin access', () => {
  const allowed = async (path: string, origin: string) =>
    (await fetch(api.url + path, { headers: { ...from(), origin } })).headers.get('access-control-allow-origin');

  test('each contour knows its own origins', async () => {
    expect(await allowed('/api/v1/prices/1', SHOP)).toBe(SHOP);
    expect(await allowed('/api/v1/prices/1', STAFF)).toBeNull();
    expect(await allowed('/api/admin/v1/me', STAFF)).toBe(STAFF);
    expect(await allowed('/api/admin/v1/me', SHOP)).toBeNull();
  });

  test('a refusal can be read by the page that caused it', async () => {
    const response = await fetch(`${api.url}/api/admin/v1/me`, { headers: { ...from(), origin: STAFF } });

    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe(STAFF);
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
  });

  test('a preflight lists what the contour reads', async () => {
    const preflight = (path: string, origin: string) =>
      fetch(api.url + path, {
        method: 'OPTIONS',
        headers: { ...from(), origin, 'access-control-request-method': 'POST' },
      });
    const admin = await preflight('/api/admin/v1/notes', STAFF);
    const shop = await preflight('/api/v1/prices/1', SHOP);

    expect(admin.status).toBe(204);
    expect(admin.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    expect(shop.headers.get('access-control-allow-methods')).toBe('GET,HEAD');
  });
});

describe('compression', () => {
  const encoding = async (path: string, accept: string) =>
    (await fetch(api.url + path, { headers: { ...from(), 'accept-encoding': accept } })).headers.get(
      'content-encoding',
    );

  test('public answers come as br or gzip, small ones as they are', async () => {
    expect(await encoding('/api/v1/words', 'br, gzip')).toBe('br');
    expect(await encoding('/api/v1/words', 'gzip')).toBe('gzip');
    expect(await encoding('/api/v1/prices/1', 'br, gzip')).toBeNull();
  });

  test('admin answers come as gzip', async () => {
    expect(await encoding('/api/admin/v1/openapi.json', 'br, gzip')).toBe('gzip');
  });
});

describe('rate limits', () => {
  test('count by address, tell what is left, and refuse with Retry-After', async () => {
    const address = from();
    const answers: Response[] = [];
    for (let index = 0; index < 6; index += 1)
      answers.push(await fetch(`${api.url}/api/v1/prices/1`, { headers: address }));
    const last = answers[5]!;

    expect(answers.map((each) => each.status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"public";r=4;t=\d+$/);
    expect(last.headers.get('ratelimit-policy')).toBe('"public";q=5;w=60');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last.json()).toMatchObject({ type: '/problems/rate-limited', status: 429 });
  });

  test('only the last proxy is believed about the address', async () => {
    const [, , third] = from()['x-forwarded-for'].split('.');
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      const spoofed = { 'x-forwarded-for': `1.2.3.${index}, 10.9.${third}.1` };
      statuses.push((await fetch(`${api.url}/api/v1/prices/1`, { headers: spoofed })).status);
    }

    expect(statuses.at(-1)).toBe(429);
  });

  test('of the admin contour count by user, wherever the user is', async () => {
    const signIn = await fetch(`${api.url}/api/admin/v1/auth/login`, {
      method: 'POST',
      headers: { ...from(), 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    });
    const { accessToken } = (await signIn.json()) as { accessToken: string };
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1)
      statuses.push(
        (await fetch(`${api.url}/api/admin/v1/me`, { headers: { ...from(), authorization: `Bearer ${accessToken}` } }))
          .status,
      );

    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });
});

test('admin answers are never stored, and both contours carry security headers', async () => {
  const open = await startTestApi({ routes: [...authRoutes, ...meRoutes] });
  const admin = await adminClient(open.url, ADMIN.email, ADMIN.password);
  const response = await admin.raw('GET', '/me');

  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  await open.stop();
});
