import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildDocsSite } from '../../../tools/built-site.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

describe('the served docs site', () => {
  let api: TestApi;
  beforeAll(async () => {
    await buildDocsSite(log);
    api = await startTestApi({ routes: sampleRoutes, env: { DOCS_SITE: 'on' } });
  }, 240_000);
  afterAll(async () => api?.stop());

  test.each([
    ['/docs', 'text/html; charset=utf-8', /<h1 id="carte"/],
    ['/docs/', 'text/html; charset=utf-8', /<h1 id="carte"/],
    ['/docs/public', 'text/html; charset=utf-8', /<h1 id="storefront-api"/],
    ['/docs/admin/products', 'text/html; charset=utf-8', /<h2 id="editProduct"/],
    ['/docs/guides/storefront', 'text/html; charset=utf-8', /<h1 id="build-a-storefront"/],
    ['/docs/rules/', 'text/html; charset=utf-8', /<h1 /],
    ['/docs/guides/storefront.md', 'text/markdown; charset=utf-8', /^# Build a storefront\n/],
    ['/docs/llms.txt', 'text/plain; charset=utf-8', /^# Carte\n/],
  ])('[HTTP-72] answers %s as %s, and 304 to its ETag', async (path, type, content) => {
    const response = await fetch(api.url + path);

    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(await response.text()).toMatch(content);
    const again = await fetch(api.url + path, {
      headers: { 'if-none-match': response.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
  });

  test('[HTTP-72] redirects a folder without its slash', async () => {
    const response = await fetch(`${api.url}/docs/rules`, { redirect: 'manual' });

    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/rules/']);
  });

  test.each([
    '/docs/wrong',
    '/docs/guides/wrong',
    '/docs/404',
    '/docs/assets/wrong.js',
    '/docs/wrong/',
  ])(
    '[HTTP-106] serves %s as a page with 404 for browsers, and a problem for programs',
    async (path) => {
      const page = await fetch(api.url + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      const problem = await fetch(api.url + path, { headers: { accept: 'application/json' } });

      expect([page.status, page.headers.get('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).toMatch(/<div id="app">/);
      expect([problem.status, problem.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json',
      ]);
      expect(await problem.json()).toMatchObject({ type: '/problems/not-found', instance: path });
    },
  );

  test('[HTTP-106] keeps other methods and paths with a similar beginning for the API', async () => {
    expect((await fetch(`${api.url}/docs`, { method: 'POST' })).status).toBe(404);
    const other = await fetch(`${api.url}/docsite`, { headers: { accept: 'text/html' } });
    expect([other.status, other.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
  });

  test('[HTTP-20] hides the references of APIs that API_DOCS excludes', async () => {
    const closed = await startTestApi({
      routes: sampleRoutes,
      env: { DOCS_SITE: 'on', API_DOCS: 'storefront' },
    });
    const statuses = await Promise.all(
      [
        '/docs/public',
        '/docs/public/menu',
        '/docs/admin',
        '/docs/admin/products',
        '/docs/guides/admin',
      ].map(async (path) => (await fetch(closed.url + path)).status),
    );
    await closed.stop();

    expect(statuses).toEqual([200, 200, 404, 404, 200]);
  });

  describeWith(chromium, 'in a browser', (program) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser(program);
    });
    afterAll(async () => browser?.stop());

    test.each([
      [
        '[HTTP-73] finds pages by words',
        'restore backup',
        /\/docs\/(?:guides\/operations|runbooks\/restore)/,
      ],
      [
        '[OPS-169] finds an operation of the API',
        'preflight cart can be ordered',
        /\/docs\/public\/checkout/,
      ],
    ])('%s, and its policy blocks none of its files', async (_claim, words, page) => {
      await browser.open(`${api.url}/docs`);
      // Until Vue controls the page, the button has no listener.
      await browser.until(
        'the start of the page',
        `'__vue_app__' in document.querySelector('#app')`,
      );
      await browser.run(`document.querySelector('.VPNavBarSearch button').click()`);
      await browser.until(
        'the search field',
        `document.querySelector('#localsearch-input') !== null`,
      );
      await browser.run(`document.querySelector('#localsearch-input').focus()`);
      await browser.type(words);
      await browser.until(
        'a result',
        `document.querySelectorAll('#localsearch-list a').length > 0`,
      );
      const results = await browser.run<string[]>(
        `[...document.querySelectorAll('#localsearch-list a')].map((link) => link.pathname)`,
      );

      expect(results.some((path) => page.test(path))).toBe(true);
      expect(browser.errors()).toEqual([]);
    });

    test.each([
      ['/docs', 1],
      ['/docs/architecture', 11],
      ['/docs/concepts/gift', 2],
    ])('[OPS-170] renders every diagram of %s', async (path, count) => {
      await browser.open(api.url + path);
      await browser.until(
        'the diagrams',
        `document.querySelectorAll('figure.diagram svg').length === ${count}`,
      );

      expect(await browser.run(`document.querySelectorAll('pre.diagram').length`)).toBe(0);
      expect(browser.errors()).toEqual([]);
    });

    test('[OPS-169] shows the console of the reference inside the navigation of the site', async () => {
      await browser.open(`${api.url}/docs/public`);
      await browser.until(
        'the operations',
        `document.querySelectorAll('.api-console .opblock').length > 0`,
      );

      expect(await browser.run(`document.querySelector('.VPSidebar') !== null`)).toBe(true);
      expect(browser.errors()).toEqual([]);
    });

    test('[HTTP-106] shows navigation and search at a wrong URL', async () => {
      await browser.open(`${api.url}/docs/wrong`);
      await browser.until('the page', `document.querySelector('.NotFound') !== null`);

      expect(await browser.run(`document.querySelector('.VPNavBarSearch button') !== null`)).toBe(
        true,
      );
    });
  });
});
