import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GIFTS, GUEST_PHONE } from '../../../packages/demo/seed/catalog.ts';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import {
  startCustomerProvider,
  type CustomerProvider,
} from '../../../packages/erp-emulator/customers/provider.ts';
import { deliveredHouse } from '../../support/delivered-house.ts';
import { ALWAYS_OPEN } from '../../support/open-restaurant.ts';
import { eventually } from '../../support/processes.ts';
import { startDemoProduct, type DemoProduct } from '../../support/product.ts';
import { wholeInSoak } from '../../support/repetitions.ts';
import { buildStorefront } from '../../../tools/built-site.ts';
import { countRows, selectRow } from '../../support/rows.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

describeWith(chromium, 'the shop of the demo', (program) => {
  let demo: DemoProduct;
  let customers: CustomerProvider;
  let browser: Browser;
  beforeAll(async () => {
    await buildStorefront(log);
    customers = await startCustomerProvider({ host: '127.0.0.1', port: 0, audience: 'carte' });
    demo = await startDemoProduct({
      env: {
        ORDER_WATCH_EVERY: '2s',
        DEMO_SHOP: 'on',
        CUSTOMER_ISSUER: customers.issuer,
        CUSTOMER_AUDIENCE: 'carte',
      },
    });
    // Open around the clock, so that the test passes at any time.
    for (const [at, { id }] of (
      await demo.admin.get<{ items: { id: number }[] }>('/organizations?size=200')
    ).items.entries())
      if (at < 9) await openAlways(id);
    browser = await startBrowser(program);
  });
  afterAll(async () => {
    await browser?.stop();
    await demo?.product.stop();
    await customers?.stop();
  });

  async function openAlways(id: number): Promise<void> {
    const path = `/organizations/${id}/schedule`;
    const { version } = await demo.admin.get<{ version: number }>(path);
    const answer = await demo.admin.raw('PUT', path, { version, windows: ALWAYS_OPEN });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  }

  const text = (selector: string) =>
    browser.run<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);
  const count = (selector: string) =>
    browser.run<number>(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
  const click = (selector: string) =>
    browser.run(`document.querySelector(${JSON.stringify(selector)}).click()`);

  async function fillIn(name: string, phone: string): Promise<void> {
    for (const [field, typed] of Object.entries({ name, phone })) {
      await browser.run(`document.querySelector('[data-key=guest-${field}]').select()`);
      await browser.run(`document.querySelector('[data-key=guest-${field}]').focus()`);
      await browser.type(typed);
    }
  }
  async function checkOut(): Promise<void> {
    await browser.until('the cart can be ordered', `document.querySelector('[data-key=checkout]')`);
    await click('[data-key=checkout]');
    await browser.until('the checkout is shown', `document.querySelector('#checkout form')`);
  }
  async function closeOrder(): Promise<void> {
    await click('.brand');
    await browser.until('the menu is shown', `document.querySelector('#last-order a')`);
    await click('#last-order a');
    await browser.until('the order is shown', `document.querySelector('[data-key=order-close]')`);
    await click('[data-key=order-close]');
    await browser.until('the menu is shown', `document.querySelector('#menu .card')`);
  }

  async function violations(): Promise<object[]> {
    const modules = await toolFolder('axe-core', log);
    await browser.run(await readFile(join(modules, 'axe-core/axe.min.js'), 'utf8'));
    return browser.run(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html).slice(0, 3) })))`,
    );
  }

  test('[STO-14] shows the menu with pictures, under a strict policy', async () => {
    const page = await fetch(`${demo.api.url}/`);
    expect(page.headers.get('content-security-policy')).toMatch(
      /script-src 'self';.*require-trusted-types-for 'script'/,
    );
    // The only element without a source is empty: it contains JSON-LD.
    const html = (await page.text()).replace(
      /<script id="structured-data" type="application\/ld\+json">\s*\{\}\s*<\/script>/,
      '',
    );
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);

    await browser.open(`${demo.api.url}/?lang=ru&restaurant=${demo.organizationId}`);
    await browser.until('the menu is shown', `document.querySelectorAll('.card').length > 3`);
    await browser.until(
      'a picture is shown',
      `[...document.querySelectorAll('.card img')].some((each) => each.naturalWidth > 0)`,
    );
    expect(await text('#status')).toMatch(/^Открыто/);
  });

  test('finds dishes and narrows them by facets', async () => {
    const all = await count('.card');
    await browser.run(`document.querySelector('#search input').focus()`);
    await browser.type('пицца');
    await browser.until(
      'something is found',
      `document.querySelector('#found').textContent.startsWith('Найдено')`,
    );
    expect(await count('.card')).toBeLessThan(all);
    await browser.run(`document.querySelector('#search input').select()`);
    await browser.type('ъъъъъ');
    await browser.until(
      'nothing is found',
      `document.querySelector('#found').textContent === 'Ничего не нашлось.'`,
    );
    await browser.run(
      `(() => { const input = document.querySelector('#search input'); input.value = ''; input.dispatchEvent(new Event('input', { bubbles: true })); })()`,
    );
    await browser.until(
      'the whole menu is shown',
      `document.querySelectorAll('.card').length === ${all}`,
    );
    const box = `document.querySelector('#facets input')`;
    await browser.run(`${box}.closest('details').open = true, ${box}.click()`);
    await browser.until(
      'a facet narrows',
      `document.querySelector('#found').textContent.startsWith('Найдено')`,
    );
    await browser.run(`${box}.click()`);
    await browser.until(
      'the whole menu is shown',
      `document.querySelectorAll('.card').length === ${all}`,
    );
  });

  test('[STO-14] passes the accessibility check with its menu, a dish and a checkout', async () => {
    expect(await violations()).toEqual([]);
    await click('.card button:not(:disabled, [data-simple])');
    await browser.until('the dish is open', `document.querySelector('#dish fieldset')`);
    expect(await violations()).toEqual([]);
    await browser.run(`history.back()`);
    await browser.until(
      'the dish is closed',
      `!document.querySelector('#dish') && document.querySelector('.card')`,
    );
  });

  test('[HTTP-62] gives each dish a URL with a title and JSON-LD', async () => {
    const markup = () =>
      browser.run<{ '@type'?: string; name?: string }>(
        `JSON.parse(document.querySelector('#structured-data').textContent)`,
      );
    const name = await text('.card h3');
    await click('.card h3 a');
    await browser.until('the dish is open', `document.querySelector('#dish h1')`);
    const url = await browser.run<string>(`location.href`);
    await browser.open(`${demo.api.url}/cart`);
    await browser.until('another page', `document.querySelector('#cart-view')`);
    await browser.open(url);
    await browser.until(
      'the dish has its markup',
      `/Product/.test(document.querySelector('#structured-data')?.textContent)`,
    );
    await browser.until(
      'the dish is shown',
      `document.querySelector('#dish h1')?.textContent === ${JSON.stringify(name)}`,
    );

    expect(url).toMatch(/\/dish\/[\w-]+\?restaurant=/);
    expect(await text('#dish h1')).toBe(name);
    expect(await browser.run(`document.title`)).toBe(`${name} — демонстрационный магазин`);
    expect(await markup()).toMatchObject({ '@type': 'Product', name });
  });

  test('[STO-20] gives the menu the JSON-LD of its restaurant instead of that of a dish', async () => {
    await click('.brand');
    await browser.until(
      'the menu has its markup',
      `/"Restaurant"/.test(document.querySelector('#structured-data').textContent)`,
    );
    const found = await browser.run<{ hasMenu: { hasMenuSection: object[] } }>(
      `JSON.parse(document.querySelector('#structured-data').textContent)`,
    );
    await click('.card h3 a');
    await browser.until(
      'the dish has its markup',
      `/"Product"/.test(document.querySelector('#structured-data').textContent)`,
    );
    await click('.brand');
    await browser.until('the menu is shown', `document.querySelector('.card')`);

    expect(found).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Restaurant',
      '@id': `urn:uuid:${demo.organizationId}`,
      name: expect.any(String),
      address: { '@type': 'PostalAddress', streetAddress: expect.any(String) },
      geo: {
        '@type': 'GeoCoordinates',
        latitude: expect.any(Number),
        longitude: expect.any(Number),
      },
      openingHoursSpecification: expect.arrayContaining([
        expect.objectContaining({ dayOfWeek: 'https://schema.org/Monday', opens: '00:00' }),
      ]),
      hasMenu: { '@type': 'Menu' },
    });
    expect(found.hasMenu.hasMenuSection.length).toBeGreaterThan(1);
  });

  test('[HTTP-62] returns from a dish to the same position in the menu', async () => {
    await browser.run(`scrollTo(0, 700)`);
    await browser.run(`[...document.querySelectorAll('.card h3 a')].at(-1).click()`);
    await browser.until('the dish is open', `document.querySelector('#dish h1') && scrollY === 0`);
    await browser.run(`history.back()`);
    await browser.until('the menu is back', `document.querySelector('.card') && scrollY > 0`);

    expect(await browser.run(`scrollY`)).toBe(700);
    await browser.run(`scrollTo(0, 0)`);
  });

  test('[STO-14] adds a dish to the cart by the keyboard alone', async () => {
    await browser.run(`document.querySelector('.card button:not(:disabled)').focus()`);
    await browser.press('Enter');
    await browser.until('a dish or the cart', `document.querySelector('#dish form, #cart li')`);
    if ((await count('#dish')) > 0) {
      await browser.run(`document.querySelector('#dish input[name=quantity]').focus()`);
      await browser.press('Enter');
    }
    await browser.until('the dish is in the cart', `document.querySelector('#cart li')`);
    expect(await browser.run(`document.activeElement.tagName`)).not.toBe('BODY');
    expect(await text('#total')).toMatch(/Итого.*₽/);
  });

  test('[STO-14] shows the blockers of an order, with a button that repairs each', async () => {
    await checkOut();
    await browser.until(
      'pickup is checked',
      `/К оплате/.test(document.querySelector('#checkout').textContent)`,
    );
    await click('[data-key="type-DELIVERY"]');
    await browser.until(
      'an address is missing',
      `document.querySelector('[data-key="repair-CHOOSE_ADDRESS"]')`,
    );
    expect(await violations()).toEqual([]);
    await click('[data-key="repair-CHOOSE_ADDRESS"]');
    expect(await browser.run(`document.activeElement.dataset.key`)).toBe('address');
    const { text: address } = await deliveredHouse(demo.api.url, demo.organizationId);
    await browser.type(address.slice(0, -1));
    await browser.until('addresses are suggested', `document.querySelector('#suggestions option')`);
    await browser.type(address.slice(-1));
    await browser.until(
      'the address is suggested',
      `[...document.querySelectorAll('#suggestions option')].some((each) => each.value === ${JSON.stringify(address)})`,
    );
    // Simulates the browser when a suggestion is selected.
    await browser.run(
      `document.querySelector('[data-key=address]').dispatchEvent(new Event('input', { bubbles: true }))`,
    );
    await browser.until(
      'the address is served',
      `/Привезём за/.test(document.querySelector('#checkout').textContent)`,
    );
    await browser.until(
      'the delivery is checked',
      `!document.querySelector('[data-key="repair-CHOOSE_ADDRESS"]') && /К оплате|Добавить блюда/.test(document.querySelector('#verdict').textContent)`,
    );
    await click('[data-key="type-PICKUP"]');
    await browser.until(
      'pickup is checked',
      `/К оплате/.test(document.querySelector('#verdict').textContent)`,
    );
  });

  test('places the order, follows it to the restaurant, and repeats it', async () => {
    await browser.until(
      'the order can be placed',
      `!document.querySelector('[data-key=order]').disabled`,
    );
    await click('[data-key=order]');
    expect(await count('#order')).toBe(0);
    await fillIn('Анна', '8 999 000 11 22');
    await click('[data-key=order]');
    await browser.until(
      'the order is shown',
      `/^Заказ \\d{5}$/.test(document.querySelector('#order-title')?.textContent)`,
    );
    expect(await browser.run(`document.activeElement.id`)).toBe('order');
    expect(await count('#cart li')).toBe(0);
    await browser.until(
      'the restaurant has it',
      `document.querySelector('#order-message').textContent === 'Ресторан принял заказ.'`,
    );
    expect(await text('#order-parts ol')).toMatch(/Принят.*Принят рестораном/);
    expect(await count('[data-key=order-cancel]')).toBe(0);
    expect(await violations()).toEqual([]);
    await click('[data-key=order-repeat]');
    await browser.until('the cart is filled again', `document.querySelector('#cart li')`);
    await closeOrder();
    expect(await count('#order, #last-order')).toBe(0);
  });

  test('signs a customer in at the provider', async () => {
    await click('#account button');
    await browser.until(
      'the form of the provider',
      `location.origin === '${customers.issuer}' && document.querySelector('#phone')`,
    );
    await browser.run(`document.querySelector('#phone').focus()`);
    await browser.type(GUEST_PHONE);
    await browser.press('Enter');
    await browser.until(
      'the shop is back',
      `location.origin === '${demo.api.url}' && /Вы вошли/.test(document.querySelector('#account').textContent)`,
    );
    expect(await browser.run(`location.search`)).toBe('');
    await browser.until('the cart is still there', `document.querySelector('#cart li')`);
  });

  test('shows the gift of the customer separately, free and with its picture, and adds it to the order', async () => {
    const [first, second] = GIFTS;
    await browser.until(
      'the gift is shown',
      `document.querySelector('#gifts img')?.naturalWidth > 0`,
    );
    expect(await text('#gifts')).toMatch(new RegExp(`^Подарок${first!.name} × 1\\s*0\\s₽$`));
    expect(await violations()).toEqual([]);
    await checkOut();
    await browser.until(
      'the order is checked',
      `/К оплате/.test(document.querySelector('#verdict')?.textContent)`,
    );
    await fillIn('Анна', GUEST_PHONE);
    await click('[data-key=order]');
    await browser.until(
      'the order has the gift',
      `document.querySelector('#order-parts')?.textContent.includes('${first!.name} × 1')`,
    );
    await browser.until(
      'the restaurant has it',
      `document.querySelector('#order-message')?.textContent === 'Ресторан принял заказ.'`,
    );
    const { items } = await demo.admin.get<{ items: { rewardCode: string; status: string }[] }>(
      `/compensations?client=${encodeURIComponent(GUEST_PHONE)}`,
    );
    expect(Object.fromEntries(items.map(({ rewardCode, status }) => [rewardCode, status]))).toEqual(
      {
        [second!.code]: 'GRANTED',
        [first!.code]: 'REDEEMED',
      },
    );
    await click('[data-key=order-repeat]');
    await browser.until(
      'the next gift is shown',
      `document.querySelector('#gifts')?.textContent.includes('${second!.name}')`,
    );
    await closeOrder();
  });

  test('redeems the other gift once with an order that an operator takes by phone', async () => {
    const [, second] = GIFTS;
    const client = encodeURIComponent(GUEST_PHONE);
    const call = { phone: GUEST_PHONE, items: [{ name: second!.dish }] };
    const statuses = async () =>
      (
        await demo.admin.get<{ items: { rewardCode: string; status: string }[] }>(
          `/compensations?client=${client}`,
        )
      ).items.flatMap(({ rewardCode, status }) => (rewardCode === second!.code ? [status] : []));

    await demo.product.emulator.control('put-delivery', call);
    await eventually('the gift is redeemed', async () =>
      (await statuses())[0] === 'REDEEMED' ? true : undefined,
    );
    await demo.product.emulator.control('put-delivery', call);
    const unauthorized = await eventually('the second one is seen', async () => {
      const { items } = await demo.admin.get<{ items: { kind: string }[] }>(
        '/compensations/unauthorized',
      );
      return items.length > 0 ? items : undefined;
    });

    expect(unauthorized).toMatchObject([
      { kind: 'REPEATED', quantity: 1, reward: { code: second!.code } },
    ]);
  });

  describe('offers a choice for a stopped gift:', () => {
    const [tart, juice] = GIFTS;
    let right: string;
    const state = () =>
      demo.admin
        .get<{ status: string; rewardCode: string }>(`/compensations/${right}`)
        .then((entry) => entry.status);

    /** The shop with the question about a stopped gift. */
    async function asked(): Promise<void> {
      await browser.until(
        'both choices are offered',
        `document.querySelector('[data-key="gift-${juice!.code}"]') && document.querySelector('[data-key=gift-postpone]')`,
      );
    }
    async function order(): Promise<void> {
      await fillIn('Анна', GUEST_PHONE);
      await click('[data-key=order]');
      await browser.until(
        'the restaurant has it',
        `document.querySelector('#order-message')?.textContent === 'Ресторан принял заказ.'`,
      );
    }

    beforeAll(async () => {
      const [{ connectionId, rewardId, itemId } = { connectionId: 0, rewardId: 0, itemId: '' }] =
        await demo.product.db.query<{ connectionId: number; rewardId: number; itemId: string }>(
          `select (select id from connection limit 1) as "connectionId", id as "rewardId", erp_item_id as "itemId"
             from reward where code = $1`,
          [tart!.code],
        );
      const promise = {
        clientPhone: GUEST_PHONE,
        connectionId,
        rewardId,
        reason: 'LATE_DELIVERY',
        reasonComment: 'Долго',
      };
      ({ id: right } = await demo.admin.post<{ id: string }>('/compensations', promise, {
        'idempotency-key': 'shop-gift-that-has-ended',
      }));
      await demo.product.emulator.control('stop', {
        organizationId: demo.organizationId,
        itemIds: [itemId],
      });
      await demo.admin.post('/sync/run', { job: 'STOP_LIST', scope: String(connectionId) });
      await eventually('the gift is stopped', async () =>
        (await countRows(demo.product.db, 'mirror_stop_list', { itemErpId: itemId })) > 0
          ? true
          : undefined,
      );
      await browser.open(`${demo.api.url}/checkout?restaurant=${demo.organizationId}`);
      await browser.until('the cart is there', `document.querySelector('#cart li')`);
    });

    test('[CMP-63] waits until the customer has chosen', async () => {
      await asked();
      expect(await violations()).toEqual([]);
      expect(await browser.run(`document.querySelector('[data-key=order]').disabled`)).toBe(true);
      await click('[data-key=order]');
      expect(await count('#order')).toBe(0);
      expect(await state()).toBe('GRANTED');
    });

    test('[CMP-63] keeps it for the next order if the customer chooses so', async () => {
      await click('[data-key=gift-postpone]');
      await browser.until(
        'the order is checked',
        `!document.querySelector('[data-key=gift-postpone]') && /К оплате/.test(document.querySelector('#verdict').textContent)`,
      );
      await order();
      expect(await text('#order-parts')).not.toContain(`${tart!.name} × 1`);
      expect(await text('#order-parts')).not.toContain(`${juice!.name} × 1`);
      expect(await state()).toBe('GRANTED');
      await click('[data-key=order-repeat]');
      await browser.until('the cart is filled again', `document.querySelector('#cart li')`);
      await closeOrder();
      await checkOut();
    });

    test('[CMP-63] replaces it if the customer chooses another gift', async () => {
      await asked();
      await click(`[data-key="gift-${juice!.code}"]`);
      await browser.until(
        'the other gift is shown',
        `document.querySelector('#gifts')?.textContent.includes('${juice!.name}') && /К оплате/.test(document.querySelector('#verdict').textContent)`,
      );
      await order();
      expect(await text('#order-parts')).toContain(`${juice!.name} × 1`);
      await eventually('the right is redeemed', async () =>
        (await state()) === 'REDEEMED' ? true : undefined,
      );
      await click('[data-key=order-close]');
    });
  });

  test('signs the customer out again', async () => {
    await click('#account button');
    await browser.until(
      'a guest again',
      `document.querySelector('#account')?.textContent === 'Войти'`,
    );
    await browser.until('the menu is shown', `document.querySelectorAll('.card').length > 3`);
    expect(await count('#gifts')).toBe(0);
  });

  test('[STO-14] follows the stop-list without a reload, and announces it', async () => {
    const product = await browser.run<string>(
      `[...document.querySelectorAll('.card:not(.off)')].at(-1).querySelector('button').dataset.key.slice('take-'.length)`,
    );
    const items = await demo.product.db.db
      .selectFrom('catalog_item_binding as binding')
      .innerJoin('mirror_item as item', 'item.id', 'binding.itemId')
      .where('binding.productId', '=', Number(product))
      .select('item.erpId as id')
      .execute();
    const { organizationId } = demo;
    await demo.product.emulator.control('stop', {
      organizationId,
      itemIds: items.map(({ id }) => id),
    });
    const connection = await selectRow(demo.product.db, 'connection', ['id'], {}, { limit: 1 });
    await demo.admin.post('/sync/run', { job: 'STOP_LIST', scope: String(connection.id) });

    const button = `document.querySelector('[data-key="take-${product}"]')`;
    await browser.until(
      'the dish has ended',
      `${button}.disabled && ${button}.textContent === 'Закончилось'`,
    );
    expect(await text('#news')).toMatch(/^Закончилось: /);
  });

  describe('on a phone of 390 px', () => {
    /** Latency in ms and bytes per second of WebPageTest's profile 4G. */
    const MOBILE = {
      offline: false,
      latency: 170,
      downloadThroughput: 9e6 / 8,
      uploadThroughput: 9e6 / 8,
    };
    const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    /** Records the first orderable dish, and sums up layout shifts. */
    const MEASURE = `(() => {
      const measured = (window.measured = { interactiveMs: null, shift: 0 });
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) measured.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });
      new MutationObserver((_, observer) => {
        if (document.querySelector('.card button:not(:disabled)') === null) return;
        measured.interactiveMs = Math.round(performance.now());
        observer.disconnect();
      }).observe(document, { subtree: true, childList: true });
    })()`;
    const MOST_SHIFT = 0.05;

    beforeAll(async () => {
      await browser.command('Network.enable');
      await browser.command('Page.addScriptToEvaluateOnNewDocument', { source: MEASURE });
      await phone();
    });
    const phone = () => screen(390, 844);
    const screen = (width: number, height: number) =>
      browser.command('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: true,
      });

    /**
     * Fails if the view needs a horizontal scroll, or its main action needs a scroll or is covered.
     */
    async function expectOneScreen(action: string): Promise<void> {
      const element = `document.querySelector(${JSON.stringify(action)})`;
      await browser.until(`${action} is there`, element);
      await browser.run(`scrollTo(0, 0)`);
      const found = await browser.run<object>(`(() => {
        const { left, right, top, bottom } = ${element}.getBoundingClientRect();
        const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return {
          width: document.documentElement.scrollWidth,
          isInside: left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight,
          isUncovered: at !== null && ${element}.contains(at),
        };
      })()`);
      expect({ action, ...found }).toEqual({
        action,
        width: 390,
        isInside: true,
        isUncovered: true,
      });
    }

    test('[HTTP-61] shows the menu with a layout shift of at most 0.05', async () => {
      const shifts: number[] = [];
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
      ] as const) {
        await screen(width, height);
        await browser.command('Network.setCacheDisabled', { cacheDisabled: true });
        await browser.command('Network.emulateNetworkConditions', MOBILE);
        await browser.open(`${demo.api.url}/?restaurant=${demo.organizationId}`);
        await browser.until('a dish can be ordered', `window.measured?.interactiveMs`);
        await browser.until(
          'pictures are shown',
          `[...document.querySelectorAll('.card img')].slice(0, 3).every((each) => each.naturalWidth > 0)`,
        );
        const { interactiveMs, shift } = await browser.run<{
          interactiveMs: number;
          shift: number;
        }>(`window.measured`);
        log(
          `The menu at ${width} px is interactive after ${interactiveMs} ms on 4G, layout shift ${shift.toFixed(3)}.`,
        );
        shifts.push(shift);
      }
      await browser.run(`document.querySelector('h1').style.marginTop = '300px'`);
      await browser.until('a shift is measured', `window.measured.shift > ${MOST_SHIFT}`);
      await browser.command('Network.emulateNetworkConditions', UNLIMITED);

      expect(shifts.filter((shift) => shift > MOST_SHIFT)).toEqual([]);
    });

    test('[HTTP-60] keeps the strip of categories visible and marks the visible category', async () => {
      const last = `[...document.querySelectorAll('#categories a')].at(-2)`;
      const name = await browser.run<string>(`${last}.textContent`);
      await browser.run(`${last}.click()`);
      await browser.until(
        'the category is marked',
        `document.querySelector('#categories [aria-current]')?.textContent === ${JSON.stringify(name)}`,
      );

      expect(
        await browser.run(`document.querySelector('#categories').getBoundingClientRect().top`),
      ).toBe(0);
      const { left, right } = await browser.run<{ left: number; right: number }>(
        `${last}.getBoundingClientRect().toJSON()`,
      );
      expect([left >= 0, right <= 390]).toEqual([true, true]);
    });

    test('[HTTP-60] orders with the main action of each step on one screen, and each view is accessible', async () => {
      await browser.run(
        `[...document.querySelectorAll('.card button[data-simple]:not(:disabled)')][0].click()`,
      );
      await expectOneScreen('.bar a');
      expect(await violations()).toEqual([]);
      await click('.card button:not(:disabled, [data-simple])');
      await expectOneScreen('[data-key=take]');
      expect(await violations()).toEqual([]);
      await click('[data-key=take]');
      await browser.until('the menu is shown', `document.querySelector('.bar a')`);
      await click('.bar a');
      await expectOneScreen('[data-key=checkout]');
      expect(await violations()).toEqual([]);
      await click('[data-key=checkout]');
      await browser.until(
        'the order is checked',
        `/К оплате/.test(document.querySelector('#verdict')?.textContent)`,
      );
      await expectOneScreen('[data-key=order]');
      expect(await violations()).toEqual([]);
      await fillIn('Анна', '8 999 000 11 33');
      await click('[data-key=order]');
      await expectOneScreen('[data-key=order-repeat]');
      expect(await violations()).toEqual([]);
      await click('[data-key=order-repeat]');
      await browser.until('the cart is filled again', `document.querySelector('#cart li')`);
    });

    describe('and other phones', () => {
      afterAll(phone);

      test.each(wholeInSoak([360, 390, 430], [360]))(
        '[STO-46] shows every view at %i px within the screen',
        async (width) => {
          await screen(width, 844);
          const tooWide = (what: string) =>
            browser.run<string[]>(
              `[document.documentElement, ...document.querySelectorAll('main *:not(#categories *), header *')]
              .filter((each) => each.getBoundingClientRect().right > ${width} || (each === document.documentElement && each.scrollWidth > ${width}))
              .map((each) => ${JSON.stringify(what)} + ': ' + each.outerHTML.slice(0, 80))`,
            );
          const found: string[] = [];
          const order = await browser.run<string>(`localStorage.getItem('carte.order')`);
          for (const [path, shown] of [
            ['/', '.card button'],
            ['/cart', '#cart-view [data-key=checkout]'],
            [`/order/${order}`, '#order-parts'],
            ['/checkout', '#checkout form'],
          ] as const) {
            await browser.open(`${demo.api.url}${path}`);
            await browser.until(
              `${path} is shown`,
              `document.querySelector(${JSON.stringify(shown)})`,
            );
            found.push(...(await tooWide(path)));
          }
          await click('[data-key="type-DELIVERY"]');
          await browser.until('the reason is shown', `document.querySelector('#reason')`);
          found.push(...(await tooWide('delivery')));
          const reason = await browser.run<{ top: number; bottom: number }>(
            `document.querySelector('#reason').getBoundingClientRect().toJSON()`,
          );
          await click('.brand');
          await browser.until('the menu is shown', `document.querySelector('.card h3 a')`);
          await click('.card h3 a');
          await browser.until('the dish is shown', `document.querySelector('#dish form')`);
          found.push(...(await tooWide('dish')));

          expect(found).toEqual([]);
          expect([reason.top > 0, reason.bottom < 844]).toEqual([true, true]);
          expect(await violations()).toEqual([]);
        },
      );
    });
  });

  test('causes no error in the browser', () => {
    // The page of the provider has no icon.
    expect(browser.errors().filter((entry) => !entry.includes(customers.issuer))).toEqual([]);
  });

  test('[HTTP-63] shows the problem of a field of the order at that field', async () => {
    await browser.open(`${demo.api.url}/cart`);
    await checkOut();
    await browser.until(
      'the order can be placed',
      `!document.querySelector('[data-key=order]').disabled`,
    );
    await fillIn('Анна', '12345');
    await click('[data-key=order]');
    await browser.until(
      'the problem is shown',
      `document.querySelector('[data-key=guest-phone][aria-invalid=true]')`,
    );

    const described = await browser.run<string>(
      `document.getElementById(document.querySelector('[data-key=guest-phone]').getAttribute('aria-describedby')).textContent`,
    );
    expect(described).not.toBe('');
    expect(await text('#messages')).toBe('');
    expect(await count('#order')).toBe(0);
    expect(await violations()).toEqual([]);
  });

  test('[STO-18] adds both dishes of two quick taps, also to an empty cart', async () => {
    await browser.run(`localStorage.removeItem('carte.cart')`);
    await browser.open(`${demo.api.url}/?restaurant=${demo.organizationId}`);
    const simple = `[...document.querySelectorAll('.card button[data-simple]:not(:disabled)')]`;
    await browser.until('the menu is shown', `${simple}.length > 0`);
    await browser.run(`(${simple}[0].click(), ${simple}.at(-1).click(), ${simple}[0].click())`);
    const units = `fetch('/api/v1/cart?cart_id=' + localStorage.getItem('carte.cart')).then((answer) => answer.json())
      .then(({ lines }) => lines.reduce((sum, { quantity }) => sum + quantity, 0))`;
    await eventually('three units are in the cart', async () =>
      (await browser.run<string | null>(`localStorage.getItem('carte.cart')`)) !== null &&
      (await browser.run<number>(units)) === 3
        ? true
        : undefined,
    );

    expect(await text('#messages')).toBe('');
  });

  describe('in English', () => {
    beforeAll(async () => {
      await browser.run(`localStorage.removeItem('carte.cart')`);
      await browser.open(`${demo.api.url}/?lang=en&restaurant=${demo.organizationId}`);
      await browser.until('the menu is shown', `document.querySelectorAll('.card').length > 3`);
    });

    test('[STO-19] uses the language of the URL for texts and prices', async () => {
      const actions = await browser.run<string[]>(
        `[...new Set([...document.querySelectorAll('.card button')].map((button) => button.textContent))].sort()`,
      );

      expect(await browser.run(`document.documentElement.lang`)).toBe('en');
      expect(await browser.run(`document.title`)).toMatch(/^Menu, .+ — demo shop$/);
      expect(['Add to cart', 'Choose', 'Sold out']).toEqual(expect.arrayContaining(actions));
      expect(await text('.card .row strong')).toMatch(/^(?:from )?₽[\d,]+(?:\.\d\d)?$/);
      expect(await text('#status')).toMatch(/^Open · Mon–Sun around the clock · /);
      expect(await violations()).toEqual([]);
    });

    test('[STO-19] shows the number of found dishes in the plural form of the language', async () => {
      await browser.run(`document.querySelector('#search input').focus()`);
      await browser.type('пицца');
      await browser.until(
        'dishes are found',
        `/^\\d+ dish(es)? found$/.test(document.querySelector('#found').textContent)`,
      );
      const total = Number.parseInt(await text('#found'), 10);
      await click('#language');

      expect(await text('#found')).toBe(
        `Найдено ${total} ${{ one: 'блюдо', few: 'блюда' }[new Intl.PluralRules('ru').select(total) as 'one'] ?? 'блюд'}`,
      );
      await click('#language');
    });

    test('[STO-19] places an order and shows its state in English', async () => {
      await browser.open(`${demo.api.url}/?restaurant=${demo.organizationId}`);
      const simple = `document.querySelector('.card button[data-simple]:not(:disabled)')`;
      await browser.until('the menu is shown', simple);
      await browser.run(`${simple}.click()`);
      await browser.until('the bar has the cart', `document.querySelector('.bar a')`);
      expect(await text('.bar a')).toMatch(/^1 item₽/);
      await browser.until(
        'a dish was announced',
        `/^Added: /.test(document.querySelector('#news').textContent)`,
      );
      await click('.bar a');
      await checkOut();
      await browser.until(
        'the order is checked',
        `/^To pay: ₽/.test(document.querySelector('#verdict')?.textContent)`,
      );
      await fillIn('Anna', '12345');
      await click('[data-key=order]');
      await browser.until('the problem is shown', `document.querySelector('#problem-phone')`);
      expect(await text('#problem-phone')).toBe(
        'Enter a phone number with its country code: +7 999 000-11-22.',
      );
      await fillIn('Anna', '8 999 000 11 44');
      await browser.until(
        'the order can be placed',
        `!document.querySelector('[data-key=order]').disabled`,
      );
      expect(await violations()).toEqual([]);
      await click('[data-key=order]');
      await browser.until(
        'the order is shown',
        `/^Order \\d{5}$/.test(document.querySelector('#order-title')?.textContent)`,
      );
      await browser.until(
        'the restaurant has it',
        `/Received.*Confirmed by the restaurant/.test(document.querySelector('#order-parts ol')?.textContent)`,
      );
      await click('[data-key=order-close]');
    });

    test('[STO-19] changes the language in place, keeps it, and keeps typed text', async () => {
      await browser.until(
        'the menu is shown',
        `document.querySelector('.card button[data-simple]:not(:disabled)')`,
      );
      await click('.card button[data-simple]:not(:disabled)');
      await browser.until('the bar has the cart', `document.querySelector('.bar a')`);
      await click('.bar a');
      await checkOut();
      await fillIn('Anna', '8 999 000 11 55');
      await click('#language');

      expect(await text('#checkout h1')).toBe('Оформление заказа');
      expect(await browser.run(`document.querySelector('[data-key=guest-name]').value`)).toBe(
        'Anna',
      );
      await browser.open(`${demo.api.url}/cart`);
      await browser.until('the cart is shown', `document.querySelector('#cart-view li')`);
      expect(await text('#cart-view h1')).toBe('Корзина');
      expect(await browser.run(`document.documentElement.lang`)).toBe('ru');
    });
  });
});
