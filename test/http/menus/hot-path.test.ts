import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let storefront: Storefront;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let menuPath: string;

beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  place = await rows.restaurant();
  for (let i = 0; i < 30; i += 1)
    await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 + i } });
  storefront = await startStorefront(database);
  await buildSnapshot(storefront.deps, place.organizationId);
  menuPath = `/api/v1/menu?organization_id=${place.organizationErpId}`;
});
afterAll(async () => {
  await storefront?.stop();
  await database?.close();
});

function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  base = storefront.url,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(base, { path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}
const json = (answer: Answer) =>
  JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>;

describe('GET /menu', () => {
  test('[STO-1] answers the published bytes with ETag, max-age and Vary', async () => {
    const answer = await ask(menuPath);

    expect(answer.status).toBe(200);
    expect(json(answer)).toMatchObject({ revision: 1, organizationId: place.organizationErpId });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'content-length': String(answer.body.length),
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
    });
    expect(answer.headers.etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip;q=0, *', undefined],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0', undefined],
    ['', undefined],
    ['GZIP', 'gzip'],
  ])('sends Accept-Encoding "%s" as %s', async (accept, encoding) => {
    const plain = await ask(menuPath);
    const answer = await ask(menuPath, { 'accept-encoding': accept });
    const open = { br: brotliDecompressSync, gzip: gunzipSync };

    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.etag).toBe(plain.headers.etag);
    const body =
      encoding === undefined ? answer.body : open[encoding as 'br' | 'gzip'](answer.body);
    expect(body.equals(plain.body)).toBe(true);
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
  });

  test.each([
    ['the tag itself', (tag: string) => tag],
    ['the tag as a strong one', (tag: string) => tag.slice(2)],
    ['a list', (tag: string) => `"other", ${tag}`],
    ['a star', () => '*'],
  ])('answers 304 without a body to %s in If-None-Match', async (_, ifNoneMatch) => {
    const { headers } = await ask(menuPath);
    const answer = await ask(menuPath, {
      'if-none-match': ifNoneMatch(headers.etag!),
      'accept-encoding': 'br',
    });

    expect(answer.status).toBe(304);
    expect(answer.body).toHaveLength(0);
    expect(answer.headers).toMatchObject({
      etag: headers.etag,
      'cache-control': 'public, max-age=60',
      vary: 'Accept-Encoding',
    });
    expect(answer.headers['content-length']).toBeUndefined();
  });

  test('answers 200 to another tag', async () => {
    expect((await ask(menuPath, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('returns for HEAD the headers of GET and no body', async () => {
    const get = await ask(menuPath, { 'accept-encoding': 'gzip' });
    const head = await ask(menuPath, { 'accept-encoding': 'gzip' }, 'HEAD');

    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    for (const name of ['etag', 'content-length', 'content-encoding', 'vary', 'cache-control'])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  test('ignores revision and cache keys, in any order, and the case of the uuid', async () => {
    const { headers } = await ask(menuPath);
    for (const query of [
      `organization_id=${place.organizationErpId}&revision=7`,
      `revision=7&organization_id=${place.organizationErpId}`,
      `_=${Date.now()}&organization_id=${place.organizationErpId.toUpperCase()}`,
    ])
      expect((await ask(`/api/v1/menu?${query}`)).headers.etag).toBe(headers.etag);
  });
});

describe('another spelling of a URL served before Koa', () => {
  test.each([
    '/api/v1/menu/',
    '/api/v1/menu/revision/',
    '/api/v1/availability/',
    '/api/v1//menu',
    '/api/v1/men%75',
  ])('remains unknown as %s, so no other code answers these reads', async (path) => {
    const answer = await ask(`${path}?organization_id=${place.organizationErpId}`);

    expect(answer.status).toBe(404);
    expect(json(answer)).toMatchObject({ type: '/problems/not-found' });
  });

  test('may include a fragment, which no client should send', async () => {
    const plain = await ask(menuPath);

    for (const path of [
      `${menuPath}#top`,
      `/api/v1/menu#?organization_id=${place.organizationErpId}`,
    ])
      expect([(await ask(path)).status, (await ask(path)).headers.etag]).toEqual([
        200,
        plain.headers.etag,
      ]);
  });
});

describe('the reads of revision and availability', () => {
  test('[STO-3] belong to the same revision and have separate ETags', async () => {
    const query = `?organization_id=${place.organizationErpId}`;
    const revision = await ask(`/api/v1/menu/revision${query}`);
    const availability = await ask(`/api/v1/availability${query}`);

    expect(revision.body.toString()).toBe('{"revision":1}');
    expect(json(availability)).toEqual({
      revision: 1,
      unavailableItemIds: [],
      unavailableVariantIds: [],
    });
    for (const answer of [revision, availability])
      expect(answer.headers['cache-control']).toBe('no-cache');
    expect(
      (await ask(`/api/v1/menu/revision${query}`, { 'if-none-match': revision.headers.etag! }))
        .status,
    ).toBe(304);
    expect(
      (await ask(`/api/v1/availability${query}`, { 'if-none-match': availability.headers.etag! }))
        .status,
    ).toBe(304);
    expect(
      (await ask(`/api/v1/availability${query}`, { 'if-none-match': revision.headers.etag! }))
        .status,
    ).toBe(200);
  });
});

describe('a rejected read', () => {
  const problem = (answer: Answer) => {
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    return json(answer);
  };

  test('reports an invalid uuid as a field error', async () => {
    const answer = await ask('/api/v1/menu?organization_id=42', { 'x-request-id': 'request-4711' });

    expect(answer.status).toBe(422);
    expect(problem(answer)).toMatchObject({
      type: '/problems/validation',
      status: 422,
      instance: '/api/v1/menu',
      requestId: 'request-4711',
      errors: [{ field: 'organization_id', code: 'format' }],
    });
    expect(answer.headers['x-request-id']).toBe('request-4711');
  });

  test('answers 404 for an unknown or removed organization', async () => {
    const gone = await rows.organization(place.connectionId, { inactive_at: new Date() });

    for (const id of [randomUUID(), gone.erpId]) {
      const answer = await ask(`/api/v1/availability?organization_id=${id}`);
      expect(answer.status).toBe(404);
      expect(problem(answer)).toMatchObject({
        type: '/problems/not-found',
        instance: '/api/v1/availability',
      });
    }
  });

  test('returns status without a body for HEAD', async () => {
    const answer = await ask('/api/v1/menu?organization_id=42', {}, 'HEAD');

    expect(answer.status).toBe(422);
    expect(answer.body).toHaveLength(0);
  });

  test('comes from Koa for other methods', async () => {
    const answer = await ask(menuPath, {}, 'DELETE');

    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toContain('GET');
  });

  test('answers 414 to a URL that is too long, and is not cached', async () => {
    const answer = await ask(`${menuPath}&cache=${'x'.repeat(8_000)}`);

    expect(answer.status).toBe(414);
    expect(json(answer)).toMatchObject({
      type: '/problems/uri-too-long',
      instance: '/api/v1/menu',
    });
  });

  test('reports faults like Koa', async () => {
    const hot = await ask('/api/v1/menu?organization_id=42');
    const koa = await ask('/api/v1/organizations?page=x');

    expect(Object.keys(json(hot)).toSorted()).toEqual(Object.keys(json(koa)).toSorted());
    for (const name of [
      'content-type',
      'cache-control',
      'vary',
      'access-control-allow-origin',
      'access-control-expose-headers',
      'x-content-type-options',
    ])
      expect(hot.headers[name]).toBe(koa.headers[name]);
  });
});

describe('a read without organization_id', () => {
  test('[STO-2] uses the only active organization, and requires the field if there are several', async () => {
    const own = await migratedDatabase();
    const ownRows = menuRows(own.db);
    const only = await ownRows.restaurant();
    const shop = await startStorefront(own, { pollMs: 50 });
    try {
      const alone = await ask('/api/v1/menu', {}, 'GET', shop.url);
      expect(alone.status).toBe(200);
      expect(json(alone)).toMatchObject({ organizationId: only.organizationErpId });
      // `my_organization_id` resembles the name of the parameter.
      const likely = `/api/v1/menu?my_organization_id=${only.organizationErpId}`;
      expect((await ask(likely, {}, 'GET', shop.url)).status).toBe(200);

      const second = await ownRows.organization(only.connectionId);
      const answer = await eventually('the second one is known', async () => {
        const found = await ask('/api/v1/menu', {}, 'GET', shop.url);
        return found.status === 200 ? undefined : found;
      });
      expect(answer.status).toBe(422);
      expect(json(answer)).toMatchObject({
        errors: [{ field: 'organization_id', code: 'required' }],
      });
      expect((await ask(likely, {}, 'GET', shop.url)).status).toBe(422);
      expect(
        (await ask(`/api/v1/menu?organization_id=${second.erpId}`, {}, 'GET', shop.url)).status,
      ).toBe(200);
    } finally {
      await shop.stop();
      await own.close();
    }
  });
});

describe('the limits and origins of reads', () => {
  const shopOrigin = 'https://shop.example';
  let limited: Storefront;
  beforeAll(async () => {
    limited = await startStorefront(database, {
      env: {
        PUBLIC_ORIGINS: shopOrigin,
        TRUST_PROXY: 'on',
        RATE_LIMIT_MENU: '3',
        RATE_LIMIT_PUBLIC: '4',
      },
    });
  });
  afterAll(async () => limited.stop());
  const askLimited = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(path, headers, method, limited.url);

  test('reject the fourth request of an address within a minute, but not of another one', async () => {
    const from = { 'x-forwarded-for': '198.51.100.9, 10.0.0.1' };
    const answers: Answer[] = [];
    for (let i = 0; i < 4; i += 1) answers.push(await askLimited(menuPath, from));

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]!.headers).toMatchObject({ 'ratelimit-policy': '"menu";q=3;w=60' });
    expect(answers[0]!.headers['ratelimit']).toMatch(/^"menu";r=2;t=(60|59)$/);
    expect(Number(answers[3]!.headers['retry-after'])).toBeGreaterThan(50);
    expect(json(answers[3]!)).toMatchObject({ type: '/problems/rate-limited', status: 429 });
    // The limit ignores the address that the client claims.
    expect(
      (await askLimited(menuPath, { 'x-forwarded-for': '203.0.113.77, 10.0.0.1' })).status,
    ).toBe(429);
    expect((await askLimited(menuPath, { 'x-forwarded-for': '10.0.0.2' })).status).toBe(200);
  });

  test('treat an IPv6 network as one client, in reads before and behind Koa', async () => {
    const revision = `/api/v1/menu/revision?organization_id=${place.organizationErpId}`;
    const statuses: number[] = [];
    for (const [at, path] of [
      revision,
      '/api/v1/organizations',
      revision,
      '/api/v1/organizations',
      revision,
    ].entries())
      statuses.push((await askLimited(path, { 'x-forwarded-for': `2001:db8:5:6::${at}` })).status);

    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect(
      (await askLimited('/api/v1/organizations', { 'x-forwarded-for': '2001:db8:5:6:7::1' }))
        .status,
    ).toBe(429);
    expect(
      (await askLimited('/api/v1/organizations', { 'x-forwarded-for': '2001:db8:5:7::1' })).status,
    ).toBe(200);
  });

  test('count a 304 and an invalid request, and give small reads their own budget', async () => {
    const from = { 'x-forwarded-for': '10.0.0.3' };
    const { headers } = await askLimited(menuPath, from);
    await askLimited(menuPath, { ...from, 'if-none-match': headers.etag! });
    await askLimited('/api/v1/menu?organization_id=42', from);

    expect((await askLimited(menuPath, from)).status).toBe(429);
    const small = await askLimited(
      `/api/v1/menu/revision?organization_id=${place.organizationErpId}`,
      from,
    );
    expect(small.headers['ratelimit']).toMatch(/^"public";r=3;t=/);
  });

  test('allow only listed origins, and caches keep their answers separate', async () => {
    const listed = await askLimited(menuPath, {
      origin: shopOrigin,
      'x-forwarded-for': '10.0.0.4',
    });
    const other = await askLimited(menuPath, {
      origin: 'https://evil.example',
      'x-forwarded-for': '10.0.0.4',
    });

    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': shopOrigin,
      'access-control-expose-headers': expect.stringContaining('ETag'),
      vary: 'Accept-Encoding, Origin',
    });
    expect(other.status).toBe(200);
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    expect(other.headers.vary).toBe('Accept-Encoding, Origin');
  });

  test('allow the header of conditional requests in a preflight', async () => {
    const answer = await askLimited(
      menuPath,
      {
        origin: shopOrigin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-none-match',
        'x-forwarded-for': '10.0.0.5',
      },
      'OPTIONS',
    );

    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe(shopOrigin);
    expect(answer.headers['access-control-allow-headers']).toContain('If-None-Match');
  });
});

describe('the metrics of reads', () => {
  test('count every answer by route and status', async () => {
    const counted = await migratedDatabase();
    const { organizationErpId } = await menuRows(counted.db).restaurant();
    const shop = await startStorefront(counted);
    await ask(`/api/v1/menu?organization_id=${organizationErpId}`, {}, 'GET', shop.url);
    await ask('/api/v1/menu/revision?organization_id=x', {}, 'GET', shop.url);
    shop.stopHot();

    const text = await shop.hotMetrics.registry.getSingleMetricAsString(
      'carte_http_requests_total',
    );
    expect(text).toMatch(/route="GET \/menu",status="200".* 1/);
    expect(text).toMatch(/route="GET \/menu\/revision",status="422".* 1/);
    await shop.stop();
    await counted.close();
  });
});
