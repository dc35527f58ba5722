import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: sampleRoutes, env: { RATE_LIMIT_DOCUMENTS: 'off' } });
});
afterAll(() => api.stop());

const PAGES = ['/docs/public', '/docs/admin', '/docs/webhooks'];
const DOCUMENTS = [
  '/api/v1/openapi.json',
  '/api/admin/v1/openapi.json',
  '/api/webhooks/openapi.json',
];

const html = async (path: string) => (await fetch(api.url + path)).text();
const loadedBy = (page: string) =>
  [...page.matchAll(/(?:src|href)="(\/docs\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
const findViewer = async () =>
  loadedBy(await html('/docs')).find((path) => path.includes('viewer') && path.endsWith('.js'))!;

/** Returns the compressed bytes, which fetch would decompress. */
async function packed(path: string, encoding: string) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(api.url + path, { headers: { 'accept-encoding': encoding } }, resolve)
    .once('error', reject)
    .end();
  const response = await promise;
  return { headers: response.headers, bytes: await buffer(response) };
}

describe('the API reference', () => {
  test.each(PAGES)(
    'links in %s to every other page and to an existing description',
    async (path) => {
      const page = await html(path);

      const links = [...page.matchAll(/<a href="(\/[^"]*)"/g)].map(([, link]) => link);
      expect(links).toEqual([...PAGES, '/problems', '/codes']);
      expect(page).toMatch(new RegExp(`<a href="${path}" aria-current="page"`));
      const [, document] = /data-document="([^"]+)"/.exec(page)!;
      expect(document).toBe(DOCUMENTS[PAGES.indexOf(path)]);
      expect(await (await fetch(api.url + document)).json()).toMatchObject({ openapi: '3.1.0' });
    },
  );

  test('offers nothing of a vendor: no button, no link, no request to another server', async () => {
    const page = await html('/docs');
    const start = loadedBy(page).find((path) => path.includes('start'))!;
    const ours = page + (await html(start));

    expect(ours).not.toMatch(
      /ask ai|deploy|share|generate mcp|developer tools|scalar|smartbear|swagger\.io|https?:/i,
    );
    expect(ours).toContain("validatorUrl: 'none'");
    expect(await html(await findViewer())).not.toMatch(
      /ask ai|generate mcp|scarf|google-analytics|posthog/i,
    );
    const policy = (await fetch(`${api.url}/docs`)).headers.get('content-security-policy')!;
    for (const directive of ["default-src 'self'", "connect-src 'self'", "script-src 'self'"])
      expect(policy).toContain(directive);
  });

  test.each([
    '/docs/',
    '/docs/admin/',
    '/problems/',
    '/problems/validation/',
    '/api/v1/openapi.json/',
  ])('answers only to one spelling of a URL: %s is not found', async (path) => {
    expect((await fetch(api.url + path)).status).toBe(404);
  });

  test('shows names of fields as code on the page of a problem', async () => {
    const page = await html('/problems/validation');

    expect(page).toContain('<code>errors</code> names the first 50');
    // The example below is the text of an answer, including backticks.
    expect(page.slice(0, page.indexOf('<pre>'))).not.toContain('`');
  });

  test('names every asset by its content, so that a copy can be cached permanently', async () => {
    const paths = loadedBy(await html('/docs'));

    expect(paths).toHaveLength(3);
    for (const path of paths) {
      const response = await fetch(api.url + path);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('etag')).toContain(/-([0-9a-f]{16})\./.exec(path)![1]);
      await response.arrayBuffer();
    }
  });

  test.each([...PAGES, '/api/v1/openapi.json'])('answers 304 for a cached %s', async (path) => {
    const first = await fetch(api.url + path);
    await first.arrayBuffer();

    const again = await fetch(api.url + path, {
      headers: { 'if-none-match': first.headers.get('etag')! },
    });

    expect(again.status).toBe(304);
    expect(first.headers.get('cache-control')).toBe('no-cache');
  });

  test('allows no caching of the description of the admin API', async () => {
    expect((await fetch(`${api.url}/api/admin/v1/openapi.json`)).headers.get('cache-control')).toBe(
      'no-store',
    );
  });

  test('unpacks from each encoding to the same script', async () => {
    const path = await findViewer();
    const plain = (await packed(path, 'identity')).bytes;
    const [br, gzip] = [await packed(path, 'br, gzip'), await packed(path, 'gzip')];

    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual([
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(br.bytes).equals(plain)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain)).toBe(true);
    expect(br.headers.vary).toMatch(/accept-encoding/i);
    expect(br.bytes.length).toBeLessThan(plain.length / 3);
  });
});

describe('the visibility of documents', () => {
  test('[HTTP-20] uses its own rate budget, which does not affect the storefront', async () => {
    const limited = await startTestApi({
      routes: sampleRoutes,
      env: { RATE_LIMIT_DOCUMENTS: '3', RATE_LIMIT_PUBLIC: '1' },
    });
    const get = async (path: string) => {
      const { status, headers } = await fetch(limited.url + path);
      return [status, headers.get('ratelimit-policy')];
    };

    expect(await get('/docs')).toEqual([200, '"documents";q=3;w=60']);
    expect((await get('/api/v1/openapi.json'))[0]).toBe(200);
    expect((await get('/problems/nothing'))[0]).toBe(404);
    expect((await get('/docs'))[0]).toBe(429);
    expect(await get('/api/v1/prices/1')).toEqual([200, '"public";q=1;w=60']);
    await limited.stop();
  });

  test.each([
    ['storefront', 200, ['/docs/public', '/api/v1/openapi.json']],
    ['none', 404, []],
  ])('[HTTP-20] follows API_DOCS: %s', async (API_DOCS, root, open) => {
    const closed = await startTestApi({ routes: sampleRoutes, env: { API_DOCS } });
    const found: string[] = [];
    for (const path of [...PAGES, ...DOCUMENTS])
      if ((await fetch(closed.url + path)).status === 200) found.push(path);
    const main = await fetch(`${closed.url}/`);
    const list = await (
      await fetch(`${closed.url}/problems`, { headers: { accept: 'text/html' } })
    ).text();
    const problem = await fetch(`${closed.url}/problems/validation`);
    await closed.stop();

    expect(found).toEqual(open);
    expect(main.status).toBe(root);
    expect(list.includes('href="/docs"')).toBe(open.length > 0);
    // Every rejection names its page.
    expect(problem.status).toBe(200);
  });

  test.each([
    [
      'mailto:security@shop.example',
      200,
      'text/plain; charset=utf-8',
      /^Contact: mailto:security@shop\.example\nExpires: \d{4}-\d\d-\d\dT00:00:00\.000Z\n/,
    ],
    ['', 404, 'application/problem+json', /"type":"\/problems\/not-found"/],
  ])(
    '[HTTP-107] includes security.txt with the contact "%s"',
    async (SECURITY_CONTACT, status, type, text) => {
      const named = await startTestApi({
        routes: sampleRoutes,
        env: { SECURITY_CONTACT, API_DOCS: 'none' },
      });
      const response = await fetch(`${named.url}/.well-known/security.txt`);
      const body = await response.text();
      await named.stop();

      expect(response.status).toBe(status);
      expect(body).toMatch(text);
      expect(response.headers.get('content-type')).toBe(type);
    },
  );

  test.each(['security@shop.example', 'http://shop.example', 'mailto:a@b.example\nExpires: x'])(
    '[HTTP-107] prevents the start for the contact %j',
    async (SECURITY_CONTACT) => {
      await expect(
        startTestApi({ routes: sampleRoutes, env: { SECURITY_CONTACT } }),
      ).rejects.toThrow(/SECURITY_CONTACT is .* but must be a URL with mailto:, https: or tel:/s);
    },
  );

  test('limits links to visible pages', async () => {
    const closed = await startTestApi({ routes: sampleRoutes, env: { API_DOCS: 'storefront' } });
    const page = await (await fetch(`${closed.url}/docs`)).text();
    await closed.stop();

    expect([...page.matchAll(/<a href="(\/[^"]*)"/g)].map(([, link]) => link)).toEqual([
      '/docs/public',
      '/problems',
      '/codes',
    ]);
  });
});
