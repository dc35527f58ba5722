import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { eventually, root } from '../../support/processes.ts';
import { consolePage, type ConsolePage } from './console-page.ts';
import { keyboard } from './keyboard.ts';
import { startConsoleProduct, type ConsoleProduct } from './product.ts';
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
  const inDialog = (selector: string) => `[role=dialog] ${selector}`;

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
    await page.enter(fixture.product.administrator);
    await browser.until('the stream', `document.querySelector('[data-state=connected]')`);

    expect(page.errors()).toEqual([]);
  });

  test.each(['/', '/orders', '/products'])(
    '[CSL-8] shows the screen %s without findings of axe and within 390 px',
    async (path) => {
      await page.show(path);
      expect(await page.findings()).toEqual([]);
      const size = { width: 390, height: 844, deviceScaleFactor: 1, mobile: true };
      await browser.command('Emulation.setDeviceMetricsOverride', size);
      const isTooWide = await page.isTooWide();
      await browser.command('Emulation.clearDeviceMetricsOverride');

      expect(isTooWide).toBe(false);
    },
  );

  test('[CSL-13] finds a dish with Ctrl K and shows why guests do not see it', async () => {
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
    await page.confirmed(() => page.click('button', 'Save mine'));

    expect(await get(`/products/${product!.id}`)).toMatchObject({
      subtitle: 'Mine',
      description: 'Of the other person',
    });
  });

  test('[CSL-34] a new dish without a picture becomes a draft, and the page shows what is missing', async () => {
    type Dish = { itemId: string; sizes: { priceMin: number | null }[] };
    const { items } = await get<List<Dish>>('/erp/items?triage=NEW&bound=false&size=100');
    // Gifts are free, and no product sells them.
    const dish = items.find(({ sizes }) => sizes.every(({ priceMin }) => Number(priceMin) > 0))!;
    await page.show(`/new-dishes/${dish.itemId}`);
    await page.sees('Without them it stays a draft');
    expect(await page.findings()).toEqual([]);
    await page.click('main button', 'Create and publish');
    await browser.until('the product', `location.pathname.startsWith('/console/products/')`);
    await page.sees('has no picture');

    const id = Number(await browser.run<string>(`location.pathname.split('/').at(-1)`));
    expect(await get(`/products/${id}`)).toMatchObject({ status: 'DRAFT' });
  });

  test('[CSL-32] many promo codes show a dry run, then the codes that exist', async () => {
    const discount = await fixture.admin.post<{ id: number }>('/discounts', {
      code: 'CONSOLE_BULK',
      name: 'Console bulk',
      percent: 5,
      needsPromocode: true,
    });
    await fixture.admin.post('/promocodes', { code: 'TAKEN', discountId: discount.id });
    const codes = async () => {
      const { items } =
        await get<List<{ code: string; discountId: number }>>('/promocodes?size=200');
      return items
        .flatMap((item) => (item.discountId === discount.id ? [item.code] : []))
        .toSorted();
    };
    await page.show('/offers?tab=promocodes');
    await page.click('button', 'Many promo codes');
    await page.set(inDialog('select'), String(discount.id));
    await page.set(inDialog('input[name=count]'), '');
    await page.set(inDialog('textarea'), 'FIRST\nTAKEN\nSECOND');
    await page.click(inDialog('button'), 'Show the plan');
    await page.sees('2 would be created, 1 would not.');
    await page.sees('exists already');
    expect(await page.findings()).toEqual([]);
    expect(await codes()).toEqual(['TAKEN']);
    await page.click(inDialog('button'), 'Create 2 promo codes');
    await page.sees('2 are created, 1 are not.');
    await page.click(inDialog('button'), 'Close');

    expect(await codes()).toEqual(['FIRST', 'SECOND', 'TAKEN']);
  });

  test('[CSL-37] a new secret of a receiver is shown once, and its deliveries are repeated for a period', async () => {
    const { id } = await fixture.admin.post<{ id: number }>('/webhook-endpoints', {
      url: 'https://receiver.example/hook',
      types: ['menu.published'],
    });
    await page.show('/webhooks');
    await page.click('main tbody button', 'Replace the secret');
    await page.click(inDialog('button'), 'Replace the secret');
    await page.sees('Copy it now. It is not shown again.');
    expect(
      await browser.run<string>(`document.querySelector('[role=dialog] pre').textContent.trim()`),
    ).not.toBe('');
    await page.click(inDialog('button[aria-label=Close]'));
    await page.click('main tbody a', 'Deliveries');
    await page.click('main button', 'Deliver again');
    await browser.until('the form', `document.querySelector('[role=dialog] input[name=from]')`);
    const day = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16);
    await page.set(inDialog('input[name=from]'), day(-24));
    // Covers now in every time zone.
    await page.set(inDialog('input[name=to]'), day(24));
    await page.click(inDialog('button'), 'Deliver again');
    await page.closed();
    const { items } = await get<List<{ isReplay: boolean }>>(
      `/webhook-endpoints/${id}/deliveries?size=200`,
    );
    const repeated = items.filter(({ isReplay }) => isReplay);

    expect(repeated.length).toBeGreaterThan(1);
    await page.sees(`${repeated.length} events are delivered again`);
    expect(await browser.run('location.search')).toBe(`?endpoint=${id}`);
  });

  test('[CSL-16] sets a new dish aside by the keyboard alone', async () => {
    const { tabTo, tabBackTo, press } = keyboard(browser);
    await page.show('/new-dishes');
    await tabTo('main tbody input[type=checkbox]');
    await press('Space');
    await tabBackTo('main button', 'Set aside 1');
    await press('Enter');
    await page.sees('Apply');
    await tabTo('[role=dialog] button', 'Apply');
    await press('Enter');

    const dish = await eventually(
      'it is set aside',
      async () =>
        (await get<List<{ triage: string }>>('/erp/items?triage=IGNORED&size=1')).items[0],
    );

    expect(dish.triage).toBe('IGNORED');
  });

  test('[CSL-13] reports a lost connection, and reads the list again after it', async () => {
    // The browser keeps the code of the screen, and the page forgets its list.
    await page.show('/gifts');
    await page.open('/orders');
    await browser.until('the stream', `document.querySelector('[data-state=connected]')`);
    await page.setNetwork({ offline: true });
    await page.click('nav a', 'Gifts');
    await page.sees('No connection');
    await page.setNetwork();
    await page.click('button', 'Retry');

    await browser.until(
      'the list without a failure',
      `document.querySelector('main [role=alert]') === null && document.querySelector('main table, main [class*=empty]') !== null`,
    );
    await browser.until('the stream', `document.querySelector('[data-state=connected]')`);

    expect(await browser.run('location.pathname')).toBe('/console/gifts');
  });

  test('[CSL-18] keeps the page while the code of the next screen cannot be loaded', async () => {
    await page.open('/orders');
    await browser.until('the stream', `document.querySelector('[data-state=connected]')`);
    await browser.run('window.isSamePage = true');
    await page.setNetwork({ offline: true });
    await page.click('nav a', 'Audit');
    await browser.until('no stream', `document.querySelector('[data-state=reconnecting]')`);
    const heading = await browser.run(`document.querySelector('main h1').textContent`);
    await page.setNetwork();
    await browser.until(
      'the next screen',
      `location.pathname === '/console/audit' && document.querySelector('main tbody tr') !== null`,
    );

    expect(heading).toBe('Orders');
    expect(await browser.run('window.isSamePage')).toBe(true);
  });

  test('[CSL-22] allows tiles of maps only in their worker, from the origin that is set', async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${fixture.api.url}/console/${path}`)).headers.get('content-security-policy')!;
    const worker = readdirSync(join(root, 'packages/console/dist/assets')).find((name) =>
      name.startsWith('tile-worker-'),
    )!;
    const { version } = await get<{ version: number }>('/settings/map_tiles');
    const before = await policyOf(`assets/${worker}`);
    await fixture.admin.patch('/settings/map_tiles', {
      version,
      value: { url: 'https://tiles.test/{z}/{x}/{y}.png', attribution: null },
    });
    const [after, ofPage] = [await policyOf(`assets/${worker}`), await policyOf('zones')];
    await fixture.admin.patch('/settings/map_tiles', { version: version + 1, value: null });

    expect(before).toBe("default-src 'none'; connect-src 'none'");
    expect(after).toBe("default-src 'none'; connect-src https://tiles.test");
    expect(ofPage).not.toContain('tiles.test');
  });

  test('[CSL-17] the restaurants of today are at most three requests, also for 1,000 restaurants', async () => {
    await fixture.product.db.query(
      `insert into mirror_organization (connection_id, name, raw, synchronized_at, erp_id)
       select (select min(id) from connection), 'Restaurant ' || at, '{}', now(), gen_random_uuid()
         from generate_series(1, 1000) at`,
    );
    await page.show('/account');
    await browser.run('performance.clearResourceTimings()');
    await page.show('/restaurants');
    await page.sees('of 1,00');
    const requests = await browser.run<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/api/'))`,
    );

    expect(requests.slice(3)).toEqual([]);
    expect(await browser.run(`document.querySelectorAll('main tbody tr').length`)).toBe(50);
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
