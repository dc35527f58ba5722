import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resolveProgram } from '../../../packages/dev/programs/programs.ts';
import { buildDocsSite } from '../../../tools/built-site.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await resolveProgram('chromium', { log });

describe('the docs site', () => {
  let api: TestApi;
  beforeAll(async () => {
    await buildDocsSite(log);
    api = await startTestApi({ routes: sampleRoutes, env: { DOCS_SITE: 'on' } });
  }, 120_000);
  afterAll(async () => api?.stop());

  test.each([
    ['/docs', 'text/html; charset=utf-8', /<h1 id="documentation"/],
    ['/docs/', 'text/html; charset=utf-8', /<h1 id="documentation"/],
    ['/docs/guides/storefront', 'text/html; charset=utf-8', /<h1 id="build-a-storefront"/],
    ['/docs/rules/', 'text/html; charset=utf-8', /<h1 /],
    ['/docs/guides/storefront.md', 'text/markdown; charset=utf-8', /^# Build a storefront\n/],
    ['/docs/llms.txt', 'text/plain; charset=utf-8', /^# Carte\n/],
  ])('[HTTP-72] answers %s as %s, and 304 to its ETag', async (path, type, content) => {
    const response = await fetch(api.url + path);

    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(await response.text()).toMatch(content);
    const again = await fetch(api.url + path, { headers: { 'if-none-match': response.headers.get('etag')! } });
    expect(again.status).toBe(304);
  });

  test('[HTTP-72] redirects a folder without its slash, and has no page of errors', async () => {
    const response = await fetch(`${api.url}/docs/rules`, { redirect: 'manual' });

    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/rules/']);
    expect((await fetch(`${api.url}/docs/404`)).status).toBe(404);
  });

  test('[HTTP-72] leaves the API reference at its URLs', async () => {
    for (const path of ['/docs/public', '/docs/admin'])
      expect(await (await fetch(api.url + path)).text()).toMatch(
        /<a href="\/docs">Guides<\/a>.*data-document="\/api\//s,
      );
    expect((await fetch(`${api.url}/docs/no-such-page`)).status).toBe(404);
    expect((await fetch(`${api.url}/docs`, { method: 'POST' })).status).toBe(404);
  });

  describe('in a browser', () => {
    if ('reasons' in chromium) {
      if (process.env['CI'] === 'true') throw new Error(`There is no Chromium: ${chromium.reasons.join('; ')}`);
      test.todo(`searches, but there is no Chromium here: ${chromium.reasons.join('; ')}`);
      return;
    }
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser(chromium.path);
    });
    afterAll(async () => browser?.stop());

    test('[HTTP-73] finds pages by words, and its policy blocks none of its files', async () => {
      await browser.open(`${api.url}/docs`);
      // Before Vue has taken over the page, the button has no listener.
      await browser.until('the start of the page', `'__vue_app__' in document.querySelector('#app')`);
      await browser.run(`document.querySelector('.VPNavBarSearch button').click()`);
      await browser.until('the search field', `document.querySelector('#localsearch-input') !== null`);
      await browser.run(`document.querySelector('#localsearch-input').focus()`);
      await browser.type('restore backup');
      await browser.until('a result', `document.querySelectorAll('#localsearch-list a').length > 0`);
      const results = await browser.run<string[]>(
        `[...document.querySelectorAll('#localsearch-list a')].map((link) => link.pathname)`,
      );

      expect(results.some((path) => /\/docs\/(?:guides\/operations|runbooks\/restore)/.test(path))).toBe(true);
      expect(browser.errors()).toEqual([]);
    });
  });
});
