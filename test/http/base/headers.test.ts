import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { meRoutes } from '../../../api/admin/access/me.ts';
import { createRateLimits } from '../../../api/http/limits/rate-limits.ts';
import { readEnv } from '../../../modules/env.ts';
import { adminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';
import { RATE_LIMIT_NAMES } from '../../support/rate-limit-names.ts';

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
const from = () => ({ 'x-forwarded-for': `10.1.0.${(addresses += 1)}` });

describe('the request id', () => {
  test('keeps a harmless value and replaces any other', async () => {
    const given = await fetch(`${api.url}/api/v1/prices/1`, {
      headers: { ...from(), 'x-request-id': 'abc-12345678' },
    });
    const wild = await fetch(`${api.url}/api/v1/prices/1`, {
      headers: { ...from(), 'x-request-id': 'a b\tc' },
    });

    expect(given.headers.get('x-request-id')).toBe('abc-12345678');
    expect(wild.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('appears in the access log with route and status, without values of the query', async () => {
    const response = await fetch(`${api.url}/api/v1/words?q=canary-value`, { headers: from() });
    await response.text();

    const line = api.logged.find(
      (entry) => entry['requestId'] === response.headers.get('x-request-id'),
    );
    expect(line).toMatchObject({ msg: 'request', route: 'GET /words', status: 200, api: 'public' });
    expect(JSON.stringify(api.logged)).not.toContain('canary-value');
    expect(JSON.stringify(api.logged)).not.toContain('10.1.0.');
  });
});

describe('cross-origin access', () => {
  const allowed = async (path: string, origin: string) =>
    (await fetch(api.url + path, { headers: { ...from(), origin } })).headers.get(
      'access-control-allow-origin',
    );

  test('[HTTP-15] each API has its own origins', async () => {
    expect(await allowed('/api/v1/prices/1', SHOP)).toBe(SHOP);
    expect(await allowed('/api/v1/prices/1', STAFF)).toBeNull();
    expect(await allowed('/api/admin/v1/me', STAFF)).toBe(STAFF);
    expect(await allowed('/api/admin/v1/me', SHOP)).toBeNull();
  });

  test('lets the page read a rejection that it caused', async () => {
    const response = await fetch(`${api.url}/api/admin/v1/me`, {
      headers: { ...from(), origin: STAFF },
    });

    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe(STAFF);
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
  });

  test('lets the page read that a URL is too long, after a preflight', async () => {
    const long = `/api/v1/prices/1?${'x=1&'.repeat(150)}`;
    const headers = { ...from(), origin: SHOP };
    const preflight = await fetch(api.url + long, {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'GET' },
    });
    const answer = await fetch(api.url + long, { headers });

    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      SHOP,
    ]);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([414, SHOP]);
  });

  test('lets a page read the Location of an answer', async () => {
    const response = await fetch(`${api.url}/api/v1/prices/1`, {
      headers: { ...from(), origin: SHOP },
    });

    for (const name of ['ETag', 'Content-Location', 'Link', 'Retry-After'])
      expect(response.headers.get('access-control-expose-headers')?.split(',')).toContain(name);
  });

  test('lists in the preflight what the API reads', async () => {
    const preflight = (path: string, origin: string) =>
      fetch(api.url + path, {
        method: 'OPTIONS',
        headers: { ...from(), origin, 'access-control-request-method': 'POST' },
      });
    const admin = await preflight('/api/admin/v1/notes', STAFF);
    const shop = await preflight('/api/v1/prices/1', SHOP);

    expect(admin.status).toBe(204);
    expect(admin.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    expect(shop.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE');
    expect(shop.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(shop.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('the headers for caches', () => {
  let open: TestApi;
  beforeAll(async () => {
    open = await startTestApi({ routes: [...sampleRoutes, ...authRoutes] });
  });
  afterAll(() => open.stop());
  const vary = async (at: TestApi, path: string, headers: Record<string, string> = {}) =>
    (await fetch(at.url + path, { headers: { ...from(), ...headers } })).headers
      .get('vary')
      ?.split(', ') ?? [];

  test('distinguish origins only if answers depend on them', async () => {
    expect(await vary(open, '/api/v1/prices/1', { origin: SHOP })).not.toContain('Origin');
    expect(await vary(open, '/api/v1/nothing')).not.toContain('Origin');
    expect(await vary(api, '/api/v1/prices/1')).toContain('Origin');
    expect(await vary(open, '/api/admin/v1/me', { origin: STAFF })).toContain('Origin');
    expect(await vary(open, '/api/v1/words', { 'accept-encoding': 'br' })).toContain(
      'Accept-Encoding',
    );
  });

  test('allow every origin to read the storefront API without a list, and none the admin API', async () => {
    const get = (path: string) =>
      fetch(open.url + path, { headers: { origin: 'https://anybody.example' } });
    const preflight = await fetch(`${open.url}/api/v1/prices/1`, {
      method: 'OPTIONS',
      headers: { origin: SHOP, 'access-control-request-method': 'GET' },
    });

    expect((await get('/api/v1/prices/1')).headers.get('access-control-allow-origin')).toBe('*');
    expect((await get('/api/v1/nothing')).headers.get('access-control-allow-origin')).toBe('*');
    expect((await get('/api/admin/v1/me')).headers.get('access-control-allow-origin')).toBeNull();
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
      'access-control-allow-headers':
        'Authorization,Content-Type,Idempotency-Key,If-None-Match,Last-Event-ID,X-Request-Id,traceparent,tracestate',
      'access-control-max-age': '600',
    });
  });

  test('[HTTP-64] allow pages of both APIs to send the headers of a trace', async () => {
    const allowed = async (at: TestApi, path: string, origin: string) => {
      const answer = await fetch(at.url + path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'traceparent',
        },
      });
      return answer.headers.get('access-control-allow-headers')?.split(',') ?? [];
    };
    const trace = expect.arrayContaining(['traceparent', 'tracestate']);

    expect(await allowed(open, '/api/v1/menu', SHOP)).toEqual(trace);
    expect(await allowed(api, '/api/v1/prices/1', SHOP)).toEqual(trace);
    expect(await allowed(api, '/api/admin/v1/notes', STAFF)).toEqual(trace);
  });

  test.each([
    ['an answer', 'GET', '/api/admin/v1/notes', 401],
    ['an unknown address', 'GET', '/api/admin/v1/nothing', 404],
    ['a refused method', 'PUT', '/api/admin/v1/auth/login', 405],
    ['a broken body', 'POST', '/api/admin/v1/auth/login', 400],
  ])('prevent the storage of %s of the admin API', async (_, method, path, status) => {
    const response = await fetch(open.url + path, {
      method,
      ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{' }),
    });

    expect([405, status]).toContain(response.status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('etag')).toBeNull();
  });

  test.each(['/API/admin/v1/me', '/api/Admin/v1/openapi.json', '/api/v1/Words'])(
    'apply to one spelling: %s is not found',
    async (path) => {
      const response = await fetch(open.url + path);

      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );
});

describe('compression', () => {
  const encoding = async (path: string, accept: string) =>
    (
      await fetch(api.url + path, { headers: { ...from(), 'accept-encoding': accept } })
    ).headers.get('content-encoding');

  test('[HTTP-14] sends public answers as br or gzip, and small ones uncompressed', async () => {
    expect(await encoding('/api/v1/words', 'br, gzip')).toBe('br');
    expect(await encoding('/api/v1/words', 'gzip')).toBe('gzip');
    expect(await encoding('/api/v1/words', 'identity')).toBeNull();
    expect(await encoding('/api/v1/prices/1', 'br, gzip')).toBeNull();
  });

  test.each([
    'identity;q=0',
    '*;q=0',
    'zstd, identity;q=0',
    'x-gzip;q=0, identity;q=0',
    'br;q=0, gzip;q=0',
  ])('sends an uncompressed answer to a client that accepts no encoding (%s)', async (accept) => {
    for (const path of ['/api/v1/words', '/api/admin/v1/openapi.json']) {
      const answer = await fetch(api.url + path, {
        headers: { ...from(), 'accept-encoding': accept },
      });

      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
      expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    }
  });

  test('sends an uncompressed answer to a client that prefers one', async () => {
    expect(await encoding('/api/v1/words', 'identity;q=1, br;q=0.5')).toBeNull();
    expect(await encoding('/api/v1/words', 'br;q=0.5, gzip;q=0.8, identity;q=0.1')).toBe('gzip');
    expect(await encoding('/api/v1/words', 'br;q=0.1')).toBe('br');
    expect(await encoding('/api/admin/v1/openapi.json', 'gzip;q=0.5, identity')).toBeNull();
  });

  test('[HTTP-14] sends admin answers as gzip', async () => {
    expect(await encoding('/api/admin/v1/openapi.json', 'br, gzip')).toBe('gzip');
    expect(await encoding('/api/admin/v1/openapi.json', 'br')).toBeNull();
    expect(await encoding('/api/admin/v1/openapi.json', '*')).toBe('gzip');
    expect(await encoding('/api/v1/words', '*')).toBe('br');
  });
});

describe('rate limits', () => {
  test('[HTTP-13] count by address, return the balance, and reject with Retry-After', async () => {
    const address = from();
    const answers: Response[] = [];
    for (let index = 0; index < 6; index += 1)
      answers.push(await fetch(`${api.url}/api/v1/prices/1`, { headers: address }));
    const last = answers[5]!;

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"public";r=4;t=\d+$/);
    expect(last.headers.get('ratelimit-policy')).toBe('"public";q=5;w=60');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last.json()).toMatchObject({ type: '/problems/rate-limited', status: 429 });
  });

  test('use only the address from the last proxy', async () => {
    const [, , third] = from()['x-forwarded-for'].split('.');
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      const spoofed = { 'x-forwarded-for': `1.2.3.${index}, 10.9.${third}.1` };
      statuses.push((await fetch(`${api.url}/api/v1/prices/1`, { headers: spoofed })).status);
    }

    expect(statuses.at(-1)).toBe(429);
  });

  test.each([
    ['unknown addresses', 'GET', '/api/v1/nothing', 404],
    ['refused methods', 'POST', '/api/v1/prices/1', 405],
    ['preflights', 'OPTIONS', '/api/v1/prices/1', 204],
  ])('also count %s', async (_, method, path, status) => {
    const headers = { ...from(), origin: SHOP, 'access-control-request-method': 'GET' };
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1)
      statuses.push((await fetch(api.url + path, { method, headers })).status);

    expect(statuses).toEqual([status, status, status, status, status, 429]);
  });

  test('[HTTP-19] give every client behind two proxies its own budget, even with forged headers', async () => {
    const behind = await startTestApi({
      routes: sampleRoutes,
      env: { RATE_LIMIT_PUBLIC: '2', TRUST_PROXY: '127.0.0.0/8, ::1, 10.0.0.2' },
    });
    const statuses: Record<string, number[]> = {};
    for (const client of ['203.0.113.7', '203.0.113.8'])
      for (let index = 0; index < 3; index += 1) {
        const headers = { 'x-forwarded-for': `192.0.2.${index}, ${client}, 10.0.0.2` };
        (statuses[client] ??= []).push(
          (await fetch(`${behind.url}/api/v1/prices/1`, { headers })).status,
        );
      }
    await behind.stop();

    expect(statuses).toEqual({ '203.0.113.7': [200, 200, 429], '203.0.113.8': [200, 200, 429] });
  });

  test('[HTTP-19] ignore an address from a sender that is no trusted proxy', async () => {
    const open = await startTestApi({
      routes: sampleRoutes,
      env: { RATE_LIMIT_PUBLIC: '3', TRUST_PROXY: '10.0.0.0/8' },
    });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1)
      statuses.push((await fetch(`${open.url}/api/v1/prices/1`, { headers: from() })).status);
    await open.stop();

    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('ignore addresses in headers without a trusted proxy', async () => {
    const direct = await startTestApi({ routes: sampleRoutes, env: { RATE_LIMIT_PUBLIC: '3' } });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1)
      statuses.push((await fetch(`${direct.url}/api/v1/prices/1`, { headers: from() })).status);
    await direct.stop();

    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('[HTTP-13, HTTP-20] allow 60 requests for the menu and 600 for other reads by default', () => {
    const env = readEnv({}, RATE_LIMIT_NAMES);
    const limits = createRateLimits(env);

    expect(limits.take('menu', 'a').headers['RateLimit-Policy']).toBe('"menu";q=60;w=60');
    expect(limits.take('public', 'a').headers['RateLimit-Policy']).toBe('"public";q=600;w=60');
    expect(limits.take('search', 'a').headers['RateLimit-Policy']).toBe('"search";q=600;w=60');
    expect(limits.take('sign-in', 'a').headers['RateLimit-Policy']).toBe('"sign-in";q=60;w=60');
    expect(limits.take('media', 'a').headers['RateLimit-Policy']).toBe('"media";q=1200;w=60');
    expect(limits.take('documents', 'a').headers['RateLimit-Policy']).toBe('"documents";q=60;w=60');
    expect(limits.take('addresses', 'a').headers['RateLimit-Policy']).toBe('"addresses";q=60;w=60');
    expect(limits.take('admin', 'a').headers['RateLimit-Policy']).toBe('"admin";q=600;w=60');
  });

  test('[HTTP-13] count by user in the admin API, from any address', async () => {
    const signIn = await fetch(`${api.url}/api/admin/v1/auth/login`, {
      method: 'POST',
      headers: { ...from(), 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    });
    const { accessToken } = (await signIn.json()) as { accessToken: string };
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1)
      statuses.push(
        (
          await fetch(`${api.url}/api/admin/v1/me`, {
            headers: { ...from(), authorization: `Bearer ${accessToken}` },
          })
        ).status,
      );

    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });
});

test('TRACE returns nothing of the request', async () => {
  const sent = request(`${api.url}/api/v1/prices/1`, {
    method: 'TRACE',
    headers: { ...from(), 'x-canary': 'canary-header' },
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');

  expect(response.statusCode).toBe(405);
  expect(text).not.toContain('canary-header');
});

test('[HTTP-16] admin answers are never stored, and both APIs send security headers, also with rejections', async () => {
  const open = await startTestApi({ routes: [...sampleRoutes, ...authRoutes, ...meRoutes] });
  const admin = await adminClient(open.url, ADMIN.email, ADMIN.password);
  const answers = [
    await admin.raw('GET', '/me'),
    await fetch(`${open.url}/api/admin/v1/me`),
    await fetch(`${open.url}/api/v1/prices/1`),
    await fetch(`${open.url}/api/v1/nothing`),
  ];
  await open.stop();

  expect(answers.map((answer) => answer.status)).toEqual([200, 401, 200, 404]);
  expect(answers[0]!.headers.get('cache-control')).toBe('no-store');
  for (const { headers } of answers)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringContaining('max-age='),
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'SAMEORIGIN',
    });
});
