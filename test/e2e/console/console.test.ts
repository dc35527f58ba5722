import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { eventually } from '../../support/processes.ts';
import { consolePage, type ConsolePage } from './console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from './product.ts';
import { recordScreens, SCREENS } from './screens.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

type List<Item> = { items: Item[] };

describeWith(chromium, 'the console of staff', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
  });

  const get = <T>(path: string) => fixture.admin.get<T>(path);
  test('[CSL-1, CSL-3] serves its page for every screen under a strict policy, and its files permanently', async () => {
    const answer = await fetch(`${fixture.api.url}/console/orders/1`);
    const html = await answer.text();
    const [script] = /\/console\/assets\/[\w.-]+\.js/.exec(html)!;
    const asset = await fetch(`${fixture.api.url}${script}`);

    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'self'; script-src 'self'; style-src 'self' 'nonce-.*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default$/,
    );
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect((await fetch(`${fixture.api.url}/console/assets/none.js`)).status).toBe(404);
  });

  test('[CSL-13] signs a person in and connects to the stream', async () => {
    await page.open();
    await browser.run(`localStorage.setItem('carte-console-language', 'en')`);
    await page.open();
    await page.signIn(fixture.product.administrator.email, fixture.product.administrator.password);
    await browser.until('the stream', `document.querySelector('[data-state=connected]')`);

    expect(page.errors()).toEqual([]);
  });

  test('[CSL-4, CSL-8] shows every screen in Russian without an English word or a failed request', async () => {
    await page.switchTo('ru');
    const found: Record<string, string[]> = {};
    for (const path of [...SCREENS, ...(await recordScreens(fixture.admin))]) {
      await page.show(path);
      const words = await page.englishWords();
      if (words.length > 0) found[path] = words;
    }

    expect(found).toEqual({});
    expect(await page.findings()).toEqual([]);
    expect(page.errors()).toEqual([]);
  });

  test('[CSL-13] finds a dish with Ctrl K and shows why guests do not see it', async () => {
    await page.switchTo('en');
    await browser.run(
      `dispatchEvent(new KeyboardEvent('keydown', { ctrlKey: true, code: 'KeyK' }))`,
    );
    await page.fill(
      '[role=combobox]',
      (await get<List<{ name: string }>>('/products?size=1')).items[0]!.name,
    );
    await browser.until('the dish', `document.querySelector('[role=option]')`);
    await browser.press('Enter');

    await browser.until(
      'the reasons',
      `location.pathname === '/console/missing' && document.querySelectorAll('main tbody tr').length > 0`,
    );
    await page.sees('in all restaurants');

    expect(await browser.run('location.search')).toMatch(/^\?product=\d+$/);
  });

  test('[CSL-6] keeps filters in the URL, also after "back"', async () => {
    await page.show('/products');
    await page.fill('input[name=q]', 'a');
    await browser.until('the filter', `location.search === '?q=a'`);
    await page.show('/orders');
    await browser.run('history.back()');
    await browser.until('the list', `document.querySelector('input[name=q]')`);

    expect(
      await browser.run(`[location.search, document.querySelector('input[name=q]').value]`),
    ).toEqual(['?q=a', 'a']);
  });

  test('[CSL-7] lets a restaurant become busy in two presses, and shows why an action is impossible', async () => {
    await page.show('/restaurants');
    expect(
      await browser.run(
        `document.querySelector('[role=group] button')?.getAttribute('aria-disabled')`,
      ),
    ).toBe('true');
    await page.sees('None chosen');
    await page.click('tbody input[type=checkbox]');
    await page.click('button', '+20 min');

    await page.sees('Busy: +20 min until');
    const { organizations } = await get<{
      organizations: { busy: { extraMinutes: number } | null }[];
    }>('/organizations/overview');
    expect(organizations.filter(({ busy }) => busy?.extraMinutes === 20)).toHaveLength(1);
  });

  test('[CSL-7] an import that has no changes alone starts in full', async () => {
    await page.show('/sync');
    const start = `[...document.querySelectorAll('main tbody tr')].find((row) => row.textContent.includes('Terminals'))?.querySelector('button')`;
    await browser.until('the import', start);
    await browser.run(`${start}.click()`);
    await page.sees('The import has started.');

    const run = await eventually('there is a run', async () => {
      const { items } = await get<List<{ mode: string }>>(
        '/sync/runs?job=TERMINALS&trigger=MANUAL&size=1',
      );
      return items[0];
    });

    expect(run.mode).toBe('FULL');
  });

  test('[CSL-9] shows both sides of an edit that another person has overtaken, and keeps typed text', async () => {
    const [product] = (await get<List<{ id: number; version: number }>>('/products?size=1')).items;
    await page.show(`/products/${product!.id}?tab=texts`);
    await page.fill('input[name=subtitle]', 'Mine');
    const { version } = await get<{ version: number }>(`/products/${product!.id}`);
    await fixture.admin.patch(`/products/${product!.id}`, {
      version,
      subtitle: 'Theirs',
      description: 'Of the other person',
    });
    await page.click('button', 'Save');
    await page.sees('Someone else has changed this meanwhile');
    await page.sees('Theirs');
    await page.click('button', 'Save mine');
    await page.sees('Saved');

    expect(await get(`/products/${product!.id}`)).toMatchObject({
      subtitle: 'Mine',
      description: 'Of the other person',
    });
  });

  test('[CSL-9] creates a badge with a form, and the list shows it', async () => {
    await page.show('/modifiers?tab=badges');
    await page.click('button', 'New badge');
    await page.fill('input[name=code]', 'FRESH_TODAY');
    await page.fill('input[name=name]', 'Fresh today');
    await page.click('button', 'Save');
    await browser.until(
      'the new row',
      `[...document.querySelectorAll('main tbody tr')].some((row) => row.textContent.includes('Fresh today'))`,
    );

    const { items } = await get<List<{ code: string; name: string }>>('/badges?size=200');
    expect(items.filter(({ code }) => code === 'FRESH_TODAY')).toMatchObject([
      { name: 'Fresh today' },
    ]);
  });

  test('[CSL-10] moves a category by keyboard, and saves the order', async () => {
    await page.show('/categories');
    const ids = () =>
      get<List<{ id: number; position: number }>>('/categories?size=200').then(({ items }) =>
        items.map(({ id }) => id).join(),
      );
    const before = await ids();
    await browser.run(
      `document.querySelector('button[aria-label^="Move"][aria-label$=" down"]').focus()`,
    );
    await browser.press('Enter');
    await page.click('button', 'Save 2 moves');
    const after = await eventually('the order is saved', async () => {
      const order = await ids();
      return order === before ? undefined : order;
    });

    expect(after.split(',').toSorted()).toEqual(before.split(',').toSorted());
  });

  test('[CSL-11] edits the week with arrow keys', async () => {
    const [restaurant] = (await get<List<{ id: number }>>('/organizations?size=1')).items;
    const path = `/organizations/${restaurant!.id}/schedule`;
    const before = await get<{ version: number; windows: object[] }>(path);
    await page.show(`/setup/${restaurant!.id}?tab=week`);
    await browser.until('a bar', `document.querySelector('[role=slider]')`);
    await browser.run(
      `document.querySelector('[role=slider]').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))`,
    );
    await page.click('button', 'Save');
    const after = await eventually('the week is saved', async () => {
      const week = await get<typeof before>(path);
      return week.version > before.version ? week : undefined;
    });

    expect(after.windows).not.toEqual(before.windows);
  });

  test('[CSL-13] reports a lost connection, and reads the list again after it', async () => {
    await page.show('/orders');
    const offline = (isOffline: boolean) =>
      browser.command('Network.emulateNetworkConditions', {
        offline: isOffline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await browser.command('Network.enable');
    await offline(true);
    await page.click('nav a', 'Gifts');
    await page.sees('No connection');
    await offline(false);
    await page.click('button', 'Retry');

    await browser.until(
      'the list without a failure',
      `document.querySelector('main [role=alert]') === null`,
    );

    expect(
      await browser.run(`document.querySelector('main table, main [class*=empty]') !== null`),
    ).toBe(true);
  });

  test('[CSL-13] shows only the account to a person who must change the password', async () => {
    const person = { email: 'new-person@carte.test', password: 'a first password of 2026' };
    await fixture.admin.post('/users', { ...person, fullName: 'New Person', roles: [] });
    await page.show('/account');
    await page.click('button', 'Sign out');
    await browser.until('the sign-in', `document.querySelector('input[name=email]')`);
    await page.signIn(person.email, person.password);
    await page.sees('Set a new password first');

    expect(await browser.run(`document.querySelector('nav, [data-state]') === null`)).toBe(true);
    await page.fill('input[name=currentPassword]', person.password);
    await page.fill('input[name=newPassword]', 'another password of 2026');
    await page.click('button', 'Save');
    await page.click('button', 'Go on');
    await browser.until('the frame', `document.querySelector('nav')`);
  });

  test('[CSL-2] disappears with all its URLs while the setting is off', async () => {
    const { version } = await get<{ version: number }>('/settings/console');
    await fixture.admin.patch('/settings/console', { version, value: 'OFF' });

    expect((await fetch(`${fixture.api.url}/console`)).status).toBe(404);
    expect((await fetch(`${fixture.api.url}/console/orders`)).status).toBe(404);
    await fixture.admin.patch('/settings/console', { version: version + 1, value: null });
    expect((await fetch(`${fixture.api.url}/console`)).status).toBe(200);
  });
});
