import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { newcomerClient } from '../../support/admin-client.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { eventually } from '../../support/processes.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { recordScreens, SCREENS, TABS } from '../../e2e/console/screens.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

type List<Item> = { items: Item[]; total: number };
type Restaurant = { id: number; name: string; effectiveTimeZone: string };

/** A time zone that no restaurant has. */
const BROWSER_ZONE = 'America/New_York';

describeWith(chromium, 'jobs in the console', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  let restaurants: Restaurant[];
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    await browser.command('Emulation.setTimezoneOverride', { timezoneId: BROWSER_ZONE });
    await page.enter(fixture.product.administrator);
    restaurants = (await get<List<Restaurant>>('/organizations?sort=name,asc')).items;
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
  });

  const get = <T>(path: string) => fixture.admin.get<T>(path);
  const inDialog = (selector: string) => `[role=dialog] ${selector}`;

  test('[CSL-8, CSL-31] the set-up of a restaurant is copied to others, after a plan for each', async () => {
    const [from, to] = restaurants;
    const before = await get<{ version: number }>(`/organizations/${from!.id}/ordering`);
    await fixture.admin.patch(`/organizations/${from!.id}/ordering`, {
      version: before.version,
      deliveryMinutes: 77,
    });
    await page.show(`/setup/${from!.id}?tab=copy`);
    await page.click('label:has(input[type=checkbox])', to!.name);
    await browser.run(`[...document.querySelectorAll('form')].at(-1).requestSubmit()`);
    await page.sees('Apply in 1 restaurant');
    await page.click('summary', to!.name);
    await page.sees('Minutes of a delivery');
    expect(await page.findings()).toEqual([]);
    expect(await get(`/organizations/${to!.id}/ordering`)).not.toMatchObject({
      deliveryMinutes: 77,
    });
    await page.click('button', 'Apply in 1 restaurant');
    await page.sees('Copied to 1 restaurant');

    expect(await get(`/organizations/${to!.id}/ordering`)).toMatchObject({ deliveryMinutes: 77 });
  });

  test('[CSL-31] an exception is edited with all hours of its day, in the list of all restaurants', async () => {
    const [restaurant] = restaurants;
    const date = '2027-01-01';
    await fixture.admin.post('/schedule-exceptions', {
      organizationIds: [restaurant!.id],
      mode: 'APPLY',
      kind: 'SPECIAL_HOURS',
      date,
      windows: [{ opensAt: '12:00', closesAt: '20:00', crossesMidnight: false }],
    });
    await page.show('/exceptions');
    await page.sees('12:00–20:00');
    await page.click('main tbody button', 'Edit');
    await browser.until('the form', `document.querySelector('[role=dialog] textarea')`);
    await page.set(inDialog('textarea'), '12:00–20:00\n22:00 - late');
    await page.click(inDialog('button'), 'Save');
    await page.sees('Write each period as 10:00–22:00.');
    expect(await page.findings()).toEqual([]);
    await page.set(inDialog('textarea'), '12:00–20:00\n22:00 - 02:00');
    await page.click(inDialog('button'), 'Save');
    await page.closed();

    const { items } = await get<List<{ date: string }>>(
      `/organizations/${restaurant!.id}/schedule-exceptions`,
    );
    expect(items.find((exception) => exception.date === date)).toMatchObject({
      windows: [
        { opensAt: '12:00', closesAt: '20:00', crossesMidnight: false },
        { opensAt: '22:00', closesAt: '02:00', crossesMidnight: true },
      ],
    });
  });

  test('[CSL-32] a sheet of texts shows its errors by row, and saves nothing before the plan is applied', async () => {
    const [product] = (await get<List<{ id: number }>>('/products?size=1')).items;
    const send = (text: string) =>
      browser.run(`(() => {
        const field = document.querySelector('[role=dialog] input[type=file]');
        const files = new DataTransfer();
        files.items.add(new File([${JSON.stringify(text)}], 'texts.csv', { type: 'text/csv' }));
        field.files = files.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));
      })()`);
    await page.show('/products');
    await page.click('button', 'Texts by a sheet');
    await browser.until('the dialog', `document.querySelector('[role=dialog] input[type=file]')`);
    await send(`id,subtitle\n${product!.id},From a sheet\n999999999,Nothing\n`);
    await page.sees('1 have errors');
    expect(await page.findings()).toEqual([]);
    await browser.until(
      'the reason',
      `document.body.textContent.includes('Remove the errors from the sheet first.')`,
    );
    await send(`id,subtitle\n${product!.id},From a sheet\n`);
    await page.sees('0 have errors');
    expect(await get(`/products/${product!.id}`)).toMatchObject({ subtitle: null });
    await page.click(inDialog('button'), 'Apply');
    await page.closed();

    expect(await get(`/products/${product!.id}`)).toMatchObject({ subtitle: 'From a sheet' });
  });

  test('[CSL-35] an archived category is restored', async () => {
    const category = await fixture.admin.post<{ id: number }>('/categories', {
      name: 'Season of peaches',
    });
    await page.show('/categories');
    await fixture.admin.raw('DELETE', `/categories/${category.id}`);
    await page.show('/categories?tab=archived');
    await page.sees('Season of peaches');
    await page.click('main tbody button', 'Restore');

    const restored = await eventually('the category is restored', async () => {
      const now = await get<{ name: string; archivedAt: string | null }>(
        `/categories/${category.id}`,
      );
      return now.archivedAt === null ? now : undefined;
    });
    expect(restored).toMatchObject({ name: 'Season of peaches' });
  });

  test('[CSL-35] the products of a category are put in order', async () => {
    const { items } =
      await get<List<{ id: number; name: string; productCount: number }>>('/categories?size=200');
    const category = items.find(({ productCount }) => productCount > 2)!;
    const ids = () =>
      get<List<{ id: number }>>(`/categories/${category.id}/products?size=200`).then((list) =>
        list.items.map(({ id }) => id),
      );
    const before = await ids();
    await page.show('/categories');
    await browser.run(
      `[...document.querySelectorAll('[role=row]')].find((row) => row.textContent.includes(${JSON.stringify(category.name)})).querySelectorAll('button').forEach((button) => button.textContent === 'Order of products' && button.click())`,
    );
    await browser.until('the list', `document.querySelector('[role=dialog] ol')`);
    expect(await page.findings()).toEqual([]);
    await browser.run(
      `document.querySelectorAll('[role=dialog] ol button[aria-label$="to the top"]')[2].click()`,
    );
    await page.click(inDialog('button'), 'Save');
    await page.closed();

    expect(await ids()).toEqual([before[2], before[0], before[1], ...before.slice(3)]);
  });

  test('[CSL-35] the modifiers of a group are put in order', async () => {
    const groups = (await get<List<{ groupKey: string }>>('/modifier-groups?size=50')).items;
    const sizes = await Promise.all(
      groups.map(({ groupKey }) =>
        get<List<{ erpItemId: string }>>(`/modifiers?group_key=${encodeURIComponent(groupKey)}`),
      ),
    );
    const at = sizes.findIndex(({ total }) => total > 1);
    await page.show('/modifiers');
    await browser.until('the groups', `document.querySelector('main tbody tr')`);
    await browser.run(
      `document.querySelectorAll('main tbody tr')[${at}].querySelectorAll('button').forEach((button) => button.textContent === 'Order' && button.click())`,
    );
    await browser.until('the list', `document.querySelector('[role=dialog] ol')`);
    await browser.run(
      `document.querySelector('[role=dialog] ol button[aria-label$=" down"]').click()`,
    );
    await page.click(inDialog('button'), 'Save');
    await page.closed();

    const key = groups[at]!.groupKey;
    const { items } = await get<List<{ groupKey: string; order: string[] }>>(
      '/modifier-groups?size=50',
    );
    const { order } = items.find(({ groupKey }) => groupKey === key)!;
    expect(order.toSorted()).toEqual(sizes[at]!.items.map(({ erpItemId }) => erpItemId).toSorted());
    expect(order[1]).toBe(sizes[at]!.items[0]!.erpItemId);
  });

  test('[CSL-33] a typed time is in the zone of the restaurants, which the field names', async () => {
    const zone = restaurants[0]!.effectiveTimeZone;
    await page.show('/offers?tab=notices');
    await page.click('button', 'New notice');
    await browser.until(
      'the form',
      `document.querySelector('[role=dialog] input[type=datetime-local]')`,
    );
    const label = await browser.run<string>(
      `document.querySelector('[role=dialog] input[name=activeFrom]').closest('label').textContent`,
    );
    const named = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
      .formatToParts()
      .find(({ type }) => type === 'timeZoneName')!.value;
    for (const [name, text] of Object.entries({
      code: 'ZONED',
      title: 'Zoned',
      activeFrom: '2027-03-08T10:00',
    }))
      await page.set(inDialog(`input[name=${name}]`), text);
    await page.set(inDialog('textarea'), 'In the zone');
    await page.click(inDialog('button'), 'Save');
    await page.closed();

    const notices = await get<List<{ code: string; activeFrom: string }>>('/notices');
    const { activeFrom } = notices.items.find(({ code }) => code === 'ZONED')!;
    const shown = new Intl.DateTimeFormat('sv', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    expect(label).toContain(named);
    expect(shown.format(new Date(activeFrom))).toBe('2027-03-08 10:00');
  });

  test('[CSL-9] the names of the ERP in orders are chosen', async () => {
    const [connection] = (await get<List<{ id: number }>>('/connections')).items;
    const source = '0e2b4a52-6b3f-4a39-8a26-0d1f8d8a4b11';
    await page.show('/connections');
    await page.click('main tbody button', 'Sending of orders');
    await browser.until(
      'the form',
      `document.querySelector('[role=dialog] input[name=marketingSourceId]')`,
    );
    expect(await page.findings()).toEqual([]);
    await page.set(inDialog('input[name=marketingSourceId]'), source);
    await page.click(inDialog('button'), 'Save');
    // "Saved" of the previous test may still be shown.
    await eventually('the name is saved', async () => {
      const stored = await get<{ marketingSourceId: string | null }>(
        `/connections/${connection!.id}/order-sending`,
      );
      return stored.marketingSourceId === source || undefined;
    });
    await page.click(inDialog('button[aria-label=Close]'));
  });

  test('[CSL-9] several roles are saved with one button', async () => {
    const roleOf = async (code: string) =>
      (await get<List<{ code: string; permissions: string[] }>>('/roles')).items.find(
        (role) => role.code === code,
      )!;
    await page.show('/roles');
    for (const role of ['Viewer', 'Operator'])
      await page.click(`input[aria-label="${role}: see the audit"]`);
    await page.click('main button', 'Save');

    const roles = await eventually('both roles have it', async () => {
      const both = await Promise.all(['VIEWER', 'OPERATOR'].map(roleOf));
      return both.every(({ permissions }) => permissions.includes('audit.read')) ? both : undefined;
    });
    expect(roles[0]!.permissions).toContain('catalog.read');
  });

  test.each(['VIEWER', 'RESTAURANT_MANAGER', 'GUEST_SERVICE'])(
    '[CSL-4, CSL-7] shows %s each screen, or the permission that it needs, without a failed request',
    async (role) => {
      const email = `${role.toLowerCase().replace('_', '-')}@carte.test`;
      const password = 'a first password of 2026';
      await fixture.admin.post('/users', {
        email,
        password,
        fullName: 'Person Of Role',
        roles: [role],
      });
      await newcomerClient(fixture.api.url, email, password);
      const before = page.errors().length;
      await page.switchTo('en');
      await page.click('button', 'Sign out');
      await browser.until('the sign-in', `document.querySelector('input[name=email]')`);
      await page.signIn(email, `${password} from now on`);
      await page.switchTo('ru');
      const found: Record<string, unknown> = {};
      for (const path of [...SCREENS, ...TABS, ...(await recordScreens(fixture.admin))]) {
        await page.show(path);
        const alerts = await browser.run<string[]>(
          `[...document.querySelectorAll('main [role=alert]')].map((alert) => alert.textContent)`,
        );
        const words = await page.englishWords();
        if (alerts.length + words.length > 0) found[path] = { alerts, words };
      }

      expect(found).toEqual({});
      expect(page.errors().slice(before)).toEqual([]);
    },
  );
});
