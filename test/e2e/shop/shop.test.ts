import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resolveProgram } from '../../../packages/dev/programs/programs.ts';
import { GIFTS, GUEST_PHONE } from '../../../packages/demo/seed/catalogue.ts';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { startCustomerProvider, type CustomerProvider } from '../../../packages/erp-emulator/customers/provider.ts';
import { deliveredHouse } from '../../support/delivered-house.ts';
import { ALWAYS_OPEN } from '../../support/open-restaurant.ts';
import { eventually } from '../../support/processes.ts';
import { startDemoProduct, type DemoProduct } from '../../support/product.ts';
import { countRows, selectRow } from '../../support/rows.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await resolveProgram('chromium', { log });

describe('the shop of the demo', () => {
  if ('reasons' in chromium) {
    // A browser is not a package of Node: where there is none the test counts as skipped, with the
    // reason; with CI=true it fails.
    if (process.env['CI'] === 'true') throw new Error(`There is no Chromium: ${chromium.reasons.join('; ')}`);
    test.todo(`takes an order, but there is no Chromium here: ${chromium.reasons.join('; ')}`);
    return;
  }
  const { path: program } = chromium;

  let demo: DemoProduct;
  let customers: CustomerProvider;
  let browser: Browser;
  beforeAll(async () => {
    customers = await startCustomerProvider({ host: '127.0.0.1', port: 0, audience: 'carte' });
    demo = await startDemoProduct({
      env: { ORDER_WATCH_EVERY: '2s', DEMO_SHOP: 'on', CUSTOMER_ISSUER: customers.issuer, CUSTOMER_AUDIENCE: 'carte' },
    });
    // Open around the clock, whatever the clock says when the test runs.
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
  const click = (selector: string) => browser.run(`document.querySelector(${JSON.stringify(selector)}).click()`);

  /** Returns the findings of axe-core in the page as it is now. */
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
    expect(await page.text()).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);

    await browser.open(`${demo.api.url}/?restaurant=${demo.organizationId}`);
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
    await browser.until('something is found', `document.querySelector('#found').textContent.startsWith('Найдено')`);
    expect(await count('.card')).toBeLessThan(all);
    await browser.run(`document.querySelector('#search input').select()`);
    await browser.type('ъъъъъ');
    await browser.until('nothing is found', `document.querySelector('#found').textContent === 'Ничего не нашлось.'`);
    await browser.run(
      `(() => { const input = document.querySelector('#search input'); input.value = ''; input.dispatchEvent(new Event('input', { bubbles: true })); })()`,
    );
    await browser.until('the whole menu is shown', `document.querySelectorAll('.card').length === ${all}`);
    const box = `document.querySelector('#facets input')`;
    await browser.run(`${box}.closest('details').open = true, ${box}.click()`);
    await browser.until('a facet narrows', `document.querySelector('#found').textContent.startsWith('Найдено')`);
    await browser.run(`${box}.click()`);
    await browser.until('the whole menu is shown', `document.querySelectorAll('.card').length === ${all}`);
  });

  test('[STO-14] has nothing that an accessibility check finds, with its menu, a dish and a checkout', async () => {
    expect(await violations()).toEqual([]);
    await click('.card button:not(:disabled, [data-simple])');
    await browser.until('the dish is open', `document.querySelector('dialog[open] fieldset')`);
    expect(await violations()).toEqual([]);
    await browser.press('Escape');
    await browser.until('the dish is closed', `!document.querySelector('dialog[open]')`);
  });

  test('[STO-14] takes a dish into the cart by the keyboard alone', async () => {
    await browser.run(`document.querySelector('.card button:not(:disabled)').focus()`);
    await browser.press('Enter');
    await browser.until('a dialog or the cart', `document.querySelector('dialog[open], #cart li')`);
    if ((await count('dialog[open]')) > 0) {
      await browser.run(`document.querySelector('dialog input[name=quantity]').focus()`);
      await browser.press('Enter');
    }
    await browser.until('the dish is in the cart', `document.querySelector('#cart li')`);
    expect(await browser.run(`document.activeElement.tagName`)).not.toBe('BODY');
    expect(await text('#total')).toMatch(/Всего.*₽/);
  });

  test('[STO-14] says before the order what speaks against it, with a button that mends it', async () => {
    await browser.until('pickup is checked', `/К оплате/.test(document.querySelector('#checkout').textContent)`);
    await click('[data-key="type-DELIVERY"]');
    await browser.until('an address is missing', `document.querySelector('[data-key="repair-CHOOSE_ADDRESS"]')`);
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
    // What the browser does when a suggestion is picked.
    await browser.run(
      `document.querySelector('[data-key=address]').dispatchEvent(new Event('input', { bubbles: true }))`,
    );
    await browser.until('the address is served', `/Привезём за/.test(document.querySelector('#checkout').textContent)`);
    await browser.until(
      'the delivery is checked',
      `!document.querySelector('[data-key="repair-CHOOSE_ADDRESS"]') && /К оплате|Добавить блюда/.test(document.querySelector('#verdict').textContent)`,
    );
    await click('[data-key="type-PICKUP"]');
    await browser.until('pickup is checked', `/К оплате/.test(document.querySelector('#verdict').textContent)`);
  });

  test('places the order, follows it to the restaurant, and repeats it', async () => {
    await browser.until(
      'the form of the guest',
      `!document.querySelector('[data-key=order]').closest('fieldset').hidden`,
    );
    await click('[data-key=order]');
    expect(await count('#order:not([hidden])')).toBe(0);
    for (const [name, typed] of [
      ['name', 'Анна'],
      ['phone', '8 999 000 11 22'],
    ] as const) {
      await browser.run(`document.querySelector('[data-key=guest-${name}]').focus()`);
      await browser.type(typed);
    }
    await click('[data-key=order]');
    await browser.until(
      'the order is shown',
      `/^Заказ \\d{5}$/.test(document.querySelector('#order-title').textContent)`,
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
    await click('[data-key=order-close]');
    expect(await count('#order:not([hidden])')).toBe(0);
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

  test('shows the gift of the customer apart, for nothing and with its picture, and brings it with the order', async () => {
    const [first, second] = GIFTS;
    await browser.until('the gift is shown', `document.querySelector('#gifts img')?.naturalWidth > 0`);
    expect(await text('#gifts')).toMatch(new RegExp(`^Подарок${first!.name} × 1\\s*0\\s₽$`));
    expect(await violations()).toEqual([]);
    await browser.until('the order is checked', `/К оплате/.test(document.querySelector('#verdict').textContent)`);
    for (const [name, typed] of [
      ['name', 'Анна'],
      ['phone', GUEST_PHONE],
    ] as const) {
      await browser.run(`document.querySelector('[data-key=guest-${name}]').focus()`);
      await browser.type(typed);
    }
    await click('[data-key=order]');
    await browser.until(
      'the order has the gift',
      `document.querySelector('#order-parts')?.textContent.includes('${first!.name} × 1')`,
    );
    await browser.until(
      'the restaurant has it',
      `document.querySelector('#order-message').textContent === 'Ресторан принял заказ.'`,
    );
    const { items } = await demo.admin.get<{ items: { rewardCode: string; status: string }[] }>(
      `/compensations?client=${encodeURIComponent(GUEST_PHONE)}`,
    );
    expect(Object.fromEntries(items.map(({ rewardCode, status }) => [rewardCode, status]))).toEqual({
      [second!.code]: 'GRANTED',
      [first!.code]: 'REDEEMED',
    });
    await click('[data-key=order-repeat]');
    await browser.until(
      'the next gift is shown',
      `document.querySelector('#gifts')?.textContent.includes('${second!.name}')`,
    );
    await click('[data-key=order-close]');
  });

  test('an order that an operator takes by phone redeems the other gift, and gives it once', async () => {
    const [, second] = GIFTS;
    const client = encodeURIComponent(GUEST_PHONE);
    const call = { phone: GUEST_PHONE, items: [{ name: second!.dish }] };
    const statuses = async () =>
      (
        await demo.admin.get<{ items: { rewardCode: string; status: string }[] }>(`/compensations?client=${client}`)
      ).items.flatMap(({ rewardCode, status }) => (rewardCode === second!.code ? [status] : []));

    await demo.product.emulator.control('put-delivery', call);
    await eventually('the gift is redeemed', async () => ((await statuses())[0] === 'REDEEMED' ? true : undefined));
    await demo.product.emulator.control('put-delivery', call);
    const unauthorized = await eventually('the second one is seen', async () => {
      const { items } = await demo.admin.get<{ items: { kind: string }[] }>('/compensations/unauthorized');
      return items.length > 0 ? items : undefined;
    });

    expect(unauthorized).toMatchObject([{ kind: 'REPEATED', quantity: 1, reward: { code: second!.code } }]);
  });

  describe('asks about a gift that has ended, and', () => {
    const [tart, juice] = GIFTS;
    let right: string;
    const state = () =>
      demo.admin.get<{ status: string; rewardCode: string }>(`/compensations/${right}`).then((each) => each.status);

    /** The shop with the gift of the customer stopped, and the question about it. */
    async function asked(): Promise<void> {
      await browser.until(
        'both choices are offered',
        `document.querySelector('[data-key="gift-${juice!.code}"]') && document.querySelector('[data-key=gift-postpone]')`,
      );
    }
    async function order(): Promise<void> {
      for (const [name, typed] of [
        ['name', 'Анна'],
        ['phone', GUEST_PHONE],
      ] as const) {
        await browser.run(`document.querySelector('[data-key=guest-${name}]').select()`);
        await browser.run(`document.querySelector('[data-key=guest-${name}]').focus()`);
        await browser.type(typed);
      }
      await click('[data-key=order]');
      await browser.until(
        'the restaurant has it',
        `!document.querySelector('#order').hidden && document.querySelector('#order-message').textContent === 'Ресторан принял заказ.'`,
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
      await demo.product.emulator.control('stop', { organizationId: demo.organizationId, itemIds: [itemId] });
      await demo.admin.post('/sync/run', { job: 'STOP_LIST', scope: String(connectionId) });
      await eventually('the gift is stopped', async () =>
        (await countRows(demo.product.db, 'mirror_stop_list', { itemErpId: itemId })) > 0 ? true : undefined,
      );
      await browser.open(`${demo.api.url}/?restaurant=${demo.organizationId}`);
      await browser.until('the cart is there', `document.querySelector('#cart li')`);
    });

    test('[CMP-63] does nothing before the customer has chosen', async () => {
      await asked();
      expect(await violations()).toEqual([]);
      expect(await browser.run(`document.querySelector('[data-key=order]').closest('fieldset').hidden`)).toBe(true);
      await click('[data-key=order]');
      expect(await count('#order:not([hidden])')).toBe(0);
      expect(await state()).toBe('GRANTED');
    });

    test('[CMP-63] keeps it for the next order when the customer says so', async () => {
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
      await click('[data-key=order-close]');
    });

    test('[CMP-63] brings another one instead when the customer takes it', async () => {
      await asked();
      await click(`[data-key="gift-${juice!.code}"]`);
      await browser.until(
        'the other gift is shown',
        `document.querySelector('#gifts')?.textContent.includes('${juice!.name}') && /К оплате/.test(document.querySelector('#verdict').textContent)`,
      );
      await order();
      expect(await text('#order-parts')).toContain(`${juice!.name} × 1`);
      await eventually('the right is redeemed', async () => ((await state()) === 'REDEEMED' ? true : undefined));
      await click('[data-key=order-close]');
    });
  });

  test('signs the customer out again', async () => {
    await click('#account button');
    await browser.until('a guest again', `document.querySelector('#account')?.textContent === 'Войти'`);
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
    await demo.product.emulator.control('stop', { organizationId, itemIds: items.map(({ id }) => id) });
    const connection = await selectRow(demo.product.db, 'connection', ['id'], {}, { limit: 1 });
    await demo.admin.post('/sync/run', { job: 'STOP_LIST', scope: String(connection.id) });

    const button = `document.querySelector('[data-key="take-${product}"]')`;
    await browser.until('the dish has ended', `${button}.disabled && ${button}.textContent === 'Закончилось'`);
    expect(await text('#news')).toMatch(/^Закончилось: /);
  });

  test('has complained of nothing all the time', () => {
    // The page of the provider has no icon.
    expect(browser.errors().filter((each) => !each.includes(customers.issuer))).toEqual([]);
  });
});
