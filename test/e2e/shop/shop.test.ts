import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/processes.ts';
import { wholeInSoak } from '../../support/repetitions.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';
import { shopPage, startShop, type Shop } from './shop-page.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

describeWith(chromium, 'the shop of the demo', (program) => {
  let shop: Shop;
  let demo: Shop['demo'];
  let browser: Shop['browser'];
  let page: ReturnType<typeof shopPage>;
  beforeAll(async () => {
    shop = await startShop(program);
    ({ demo, browser } = shop);
    page = shopPage(browser);
  });
  afterAll(() => shop?.stop());

  test('[STO-14] shows the menu with pictures, under a strict policy', async () => {
    const answer = await fetch(`${demo.api.url}/`);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /script-src 'self';.*require-trusted-types-for 'script'/,
    );
    // The only element without a source is empty: it contains JSON-LD.
    const html = (await answer.text()).replace(
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
    expect(await page.text('#status')).toMatch(/^Открыто/);
  });

  test('[HTTP-62] gives each dish a URL with a title and JSON-LD', async () => {
    const markup = () =>
      browser.run<{ '@type'?: string; name?: string }>(
        `JSON.parse(document.querySelector('#structured-data').textContent)`,
      );
    const name = await page.text('.card h3');
    await page.click('.card h3 a');
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
    expect(await page.text('#dish h1')).toBe(name);
    expect(await browser.run(`document.title`)).toBe(`${name} — демонстрационный магазин`);
    expect(await markup()).toMatchObject({ '@type': 'Product', name });
  });

  test('[STO-20] gives the menu the JSON-LD of its restaurant instead of that of a dish', async () => {
    await page.click('.brand');
    await browser.until(
      'the menu has its markup',
      `/"Restaurant"/.test(document.querySelector('#structured-data').textContent)`,
    );
    const found = await browser.run<{ hasMenu: { hasMenuSection: object[] } }>(
      `JSON.parse(document.querySelector('#structured-data').textContent)`,
    );
    await page.click('.card h3 a');
    await browser.until(
      'the dish has its markup',
      `/"Product"/.test(document.querySelector('#structured-data').textContent)`,
    );
    await page.click('.brand');
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

    expect(await page.text('#messages')).toBe('');
  });

  test('places the order, follows it to the restaurant, and repeats it', async () => {
    await browser.open(`${demo.api.url}/cart`);
    await page.checkOut();
    await page.fillIn('Анна', '8 999 000 11 22');
    await browser.until(
      'the order can be placed',
      `!document.querySelector('[data-key=order]').disabled`,
    );
    await page.click('[data-key=order]');
    await browser.until(
      'the order is shown',
      `/^Заказ \\d{5}$/.test(document.querySelector('#order-title')?.textContent)`,
    );
    await browser.until(
      'the restaurant has it',
      `document.querySelector('#order-message').textContent === 'Ресторан принял заказ.'`,
    );
    expect(await page.text('#order-parts ol')).toMatch(/Принят.*Принят рестораном/);
    await page.click('[data-key=order-repeat]');
    await browser.until('the cart is filled again', `document.querySelector('#cart li')`);
  });

  describe('on a phone', () => {
    /** Latency in ms and bytes per second of WebPageTest's profile 4G. */
    const MOBILE = {
      offline: false,
      latency: 170,
      downloadThroughput: 9e6 / 8,
      uploadThroughput: 9e6 / 8,
    };
    const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    /** Records when the first dish can be ordered, and sums up layout shifts. */
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
    });
    const screen = (width: number, height: number) =>
      browser.command('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: true,
      });

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
        await page.click('[data-key="type-DELIVERY"]');
        await browser.until('the reason is shown', `document.querySelector('#reason')`);
        found.push(...(await tooWide('delivery')));
        const reason = await browser.run<{ top: number; bottom: number }>(
          `document.querySelector('#reason').getBoundingClientRect().toJSON()`,
        );
        await page.click('.brand');
        await browser.until('the menu is shown', `document.querySelector('.card h3 a')`);
        await page.click('.card h3 a');
        await browser.until('the dish is shown', `document.querySelector('#dish form')`);
        found.push(...(await tooWide('dish')));

        expect(found).toEqual([]);
        expect([reason.top > 0, reason.bottom < 844]).toEqual([true, true]);
        expect(await page.violations()).toEqual([]);
      },
    );
  });

  test('causes no error in the browser', () => {
    expect(browser.errors()).toEqual([]);
  });

  test('[HTTP-63] shows the problem of a field of the order at that field', async () => {
    await browser.open(`${demo.api.url}/cart`);
    await page.checkOut();
    await browser.until(
      'the order can be placed',
      `!document.querySelector('[data-key=order]').disabled`,
    );
    await page.fillIn('Анна', '12345');
    await page.click('[data-key=order]');
    await browser.until(
      'the problem is shown',
      `document.querySelector('[data-key=guest-phone][aria-invalid=true]')`,
    );

    const described = await browser.run<string>(
      `document.getElementById(document.querySelector('[data-key=guest-phone]').getAttribute('aria-describedby')).textContent`,
    );
    expect(described).not.toBe('');
    expect(await page.text('#messages')).toBe('');
    expect(await page.count('#order')).toBe(0);
    expect(await page.violations()).toEqual([]);
  });
});
