import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GIFTS, GUEST_PHONE } from '../../../packages/demo/seed/catalog.ts';
import { shopPage, startShop, type Shop } from '../../e2e/shop/shop-page.ts';
import { deliveredHouse } from '../../support/delivered-house.ts';
import { eventually } from '../../support/processes.ts';
import { countRows, selectRow } from '../../support/rows.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const chromium = await programForTests('chromium');

describeWith(chromium, 'orders and gifts in the shop of the demo', (program) => {
  let shop: Shop;
  let demo: Shop['demo'];
  let customers: Shop['customers'];
  let browser: Shop['browser'];
  let page: ReturnType<typeof shopPage>;
  beforeAll(async () => {
    shop = await startShop(program);
    ({ demo, customers, browser } = shop);
    page = shopPage(browser);
    await browser.open(`${demo.api.url}/?lang=ru&restaurant=${demo.organizationId}`);
    await browser.until('the menu is shown', `document.querySelectorAll('.card').length > 3`);
  });
  afterAll(() => shop?.stop());

  test('finds dishes and narrows them by facets', async () => {
    const all = await page.count('.card');
    await browser.run(`document.querySelector('#search input').focus()`);
    await browser.type('пицца');
    await browser.until(
      'something is found',
      `document.querySelector('#found').textContent.startsWith('Найдено')`,
    );
    expect(await page.count('.card')).toBeLessThan(all);
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
    expect(await page.violations()).toEqual([]);
    await page.click('.card button:not(:disabled, [data-simple])');
    await browser.until('the dish is open', `document.querySelector('#dish fieldset')`);
    expect(await page.violations()).toEqual([]);
    await browser.run(`history.back()`);
    await browser.until(
      'the dish is closed',
      `!document.querySelector('#dish') && document.querySelector('.card')`,
    );
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
    if ((await page.count('#dish')) > 0) {
      await browser.run(`document.querySelector('#dish input[name=quantity]').focus()`);
      await browser.press('Enter');
    }
    await browser.until('the dish is in the cart', `document.querySelector('#cart li')`);
    expect(await browser.run(`document.activeElement.tagName`)).not.toBe('BODY');
    expect(await page.text('#total')).toMatch(/Итого.*₽/);
  });

  test('[STO-14] shows the blockers of an order, with a button that repairs each', async () => {
    await page.checkOut();
    await browser.until(
      'pickup is checked',
      `/К оплате/.test(document.querySelector('#checkout').textContent)`,
    );
    await page.click('[data-key="type-DELIVERY"]');
    await browser.until(
      'an address is missing',
      `document.querySelector('[data-key="repair-CHOOSE_ADDRESS"]')`,
    );
    expect(await page.violations()).toEqual([]);
    await page.click('[data-key="repair-CHOOSE_ADDRESS"]');
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
    await page.click('[data-key="type-PICKUP"]');
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
    await page.click('[data-key=order]');
    expect(await page.count('#order')).toBe(0);
    await page.fillIn('Анна', '8 999 000 11 22');
    await page.click('[data-key=order]');
    await browser.until(
      'the order is shown',
      `/^Заказ \\d{5}$/.test(document.querySelector('#order-title')?.textContent)`,
    );
    expect(await browser.run(`document.activeElement.id`)).toBe('order');
    expect(await page.count('#cart li')).toBe(0);
    await browser.until(
      'the restaurant has it',
      `document.querySelector('#order-message').textContent === 'Ресторан принял заказ.'`,
    );
    expect(await page.text('#order-parts ol')).toMatch(/Принят.*Принят рестораном/);
    expect(await page.count('[data-key=order-cancel]')).toBe(0);
    expect(await page.violations()).toEqual([]);
    await page.click('[data-key=order-repeat]');
    await browser.until('the cart is filled again', `document.querySelector('#cart li')`);
    await page.closeOrder();
    expect(await page.count('#order, #last-order')).toBe(0);
  });

  test('signs a customer in at the provider', async () => {
    await page.click('#account button');
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
    expect(await page.text('#gifts')).toMatch(new RegExp(`^Подарок${first!.name} × 1\\s*0\\s₽$`));
    expect(await page.violations()).toEqual([]);
    await page.checkOut();
    await browser.until(
      'the order is checked',
      `/К оплате/.test(document.querySelector('#verdict')?.textContent)`,
    );
    await page.fillIn('Анна', GUEST_PHONE);
    await page.click('[data-key=order]');
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
    await page.click('[data-key=order-repeat]');
    await browser.until(
      'the next gift is shown',
      `document.querySelector('#gifts')?.textContent.includes('${second!.name}')`,
    );
    await page.closeOrder();
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
      await page.fillIn('Анна', GUEST_PHONE);
      await page.click('[data-key=order]');
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
      expect(await page.violations()).toEqual([]);
      expect(await browser.run(`document.querySelector('[data-key=order]').disabled`)).toBe(true);
      await page.click('[data-key=order]');
      expect(await page.count('#order')).toBe(0);
      expect(await state()).toBe('GRANTED');
    });

    test('[CMP-63] keeps it for the next order if the customer chooses so', async () => {
      await page.click('[data-key=gift-postpone]');
      await browser.until(
        'the order is checked',
        `!document.querySelector('[data-key=gift-postpone]') && /К оплате/.test(document.querySelector('#verdict').textContent)`,
      );
      await order();
      expect(await page.text('#order-parts')).not.toContain(`${tart!.name} × 1`);
      expect(await page.text('#order-parts')).not.toContain(`${juice!.name} × 1`);
      expect(await state()).toBe('GRANTED');
      await page.click('[data-key=order-repeat]');
      await browser.until('the cart is filled again', `document.querySelector('#cart li')`);
      await page.closeOrder();
      await page.checkOut();
    });

    test('[CMP-63] replaces it if the customer chooses another gift', async () => {
      await asked();
      await page.click(`[data-key="gift-${juice!.code}"]`);
      await browser.until(
        'the other gift is shown',
        `document.querySelector('#gifts')?.textContent.includes('${juice!.name}') && /К оплате/.test(document.querySelector('#verdict').textContent)`,
      );
      await order();
      expect(await page.text('#order-parts')).toContain(`${juice!.name} × 1`);
      await eventually('the right is redeemed', async () =>
        (await state()) === 'REDEEMED' ? true : undefined,
      );
      await page.click('[data-key=order-close]');
    });
  });

  test('signs the customer out again', async () => {
    await page.click('#account button');
    await browser.until(
      'a guest again',
      `document.querySelector('#account')?.textContent === 'Войти'`,
    );
    await browser.until('the menu is shown', `document.querySelectorAll('.card').length > 3`);
    expect(await page.count('#gifts')).toBe(0);
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
    expect(await page.text('#news')).toMatch(/^Закончилось: /);
  });

  describe('on a phone of 390 px', () => {
    beforeAll(async () => {
      await phone();
      await browser.open(`${demo.api.url}/?restaurant=${demo.organizationId}`);
      await browser.until('the menu is shown', `document.querySelectorAll('.card').length > 3`);
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

    test('[HTTP-60] orders with the main action of each step on one screen, and each view is accessible', async () => {
      await browser.run(
        `[...document.querySelectorAll('.card button[data-simple]:not(:disabled)')][0].click()`,
      );
      await expectOneScreen('.bar a');
      expect(await page.violations()).toEqual([]);
      await page.click('.card button:not(:disabled, [data-simple])');
      await expectOneScreen('[data-key=take]');
      expect(await page.violations()).toEqual([]);
      await page.click('[data-key=take]');
      await browser.until('the menu is shown', `document.querySelector('.bar a')`);
      await page.click('.bar a');
      await expectOneScreen('[data-key=checkout]');
      expect(await page.violations()).toEqual([]);
      await page.click('[data-key=checkout]');
      await browser.until(
        'the order is checked',
        `/К оплате/.test(document.querySelector('#verdict')?.textContent)`,
      );
      await expectOneScreen('[data-key=order]');
      expect(await page.violations()).toEqual([]);
      await page.fillIn('Анна', '8 999 000 11 33');
      await page.click('[data-key=order]');
      await expectOneScreen('[data-key=order-repeat]');
      expect(await page.violations()).toEqual([]);
      await page.click('[data-key=order-repeat]');
      await browser.until('the cart is filled again', `document.querySelector('#cart li')`);
    });
  });

  test('causes no error in the browser', () => {
    // The page of the provider has no icon.
    expect(browser.errors().filter((entry) => !entry.includes(customers.issuer))).toEqual([]);
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
      expect(await page.text('.card .row strong')).toMatch(/^(?:from )?₽[\d,]+(?:\.\d\d)?$/);
      expect(await page.text('#status')).toMatch(/^Open · Mon–Sun around the clock · /);
      expect(await page.violations()).toEqual([]);
    });

    test('[STO-19] shows the number of found dishes in the plural form of the language', async () => {
      await browser.run(`document.querySelector('#search input').focus()`);
      await browser.type('пицца');
      await browser.until(
        'dishes are found',
        `/^\\d+ dish(es)? found$/.test(document.querySelector('#found').textContent)`,
      );
      const total = Number.parseInt(await page.text('#found'), 10);
      await page.click('#language');

      expect(await page.text('#found')).toBe(
        `Найдено ${total} ${{ one: 'блюдо', few: 'блюда' }[new Intl.PluralRules('ru').select(total) as 'one'] ?? 'блюд'}`,
      );
      await page.click('#language');
    });

    test('[STO-19] places an order and shows its state in English', async () => {
      await browser.open(`${demo.api.url}/?restaurant=${demo.organizationId}`);
      const simple = `document.querySelector('.card button[data-simple]:not(:disabled)')`;
      await browser.until('the menu is shown', simple);
      await browser.run(`${simple}.click()`);
      await browser.until('the bar has the cart', `document.querySelector('.bar a')`);
      expect(await page.text('.bar a')).toMatch(/^1 item₽/);
      await browser.until(
        'a dish was announced',
        `/^Added: /.test(document.querySelector('#news').textContent)`,
      );
      await page.click('.bar a');
      await page.checkOut();
      await browser.until(
        'the order is checked',
        `/^To pay: ₽/.test(document.querySelector('#verdict')?.textContent)`,
      );
      await page.fillIn('Anna', '12345');
      await page.click('[data-key=order]');
      await browser.until('the problem is shown', `document.querySelector('#problem-phone')`);
      expect(await page.text('#problem-phone')).toBe(
        'Enter a phone number with its country code: +7 999 000-11-22.',
      );
      await page.fillIn('Anna', '8 999 000 11 44');
      await browser.until(
        'the order can be placed',
        `!document.querySelector('[data-key=order]').disabled`,
      );
      expect(await page.violations()).toEqual([]);
      await page.click('[data-key=order]');
      await browser.until(
        'the order is shown',
        `/^Order \\d{5}$/.test(document.querySelector('#order-title')?.textContent)`,
      );
      await browser.until(
        'the restaurant has it',
        `/Received.*Confirmed by the restaurant/.test(document.querySelector('#order-parts ol')?.textContent)`,
      );
      await page.click('[data-key=order-close]');
    });

    test('[STO-19] changes the language in place, keeps it, and keeps typed text', async () => {
      await browser.until(
        'the menu is shown',
        `document.querySelector('.card button[data-simple]:not(:disabled)')`,
      );
      await page.click('.card button[data-simple]:not(:disabled)');
      await browser.until('the bar has the cart', `document.querySelector('.bar a')`);
      await page.click('.bar a');
      await page.checkOut();
      await page.fillIn('Anna', '8 999 000 11 55');
      await page.click('#language');

      expect(await page.text('#checkout h1')).toBe('Оформление заказа');
      expect(await browser.run(`document.querySelector('[data-key=guest-name]').value`)).toBe(
        'Anna',
      );
      await browser.open(`${demo.api.url}/cart`);
      await browser.until('the cart is shown', `document.querySelector('#cart-view li')`);
      expect(await page.text('#cart-view h1')).toBe('Корзина');
      expect(await browser.run(`document.documentElement.lang`)).toBe('ru');
    });
  });
});
