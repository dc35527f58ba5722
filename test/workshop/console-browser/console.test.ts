import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { eventually } from '../../support/processes.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { recordScreens, SCREENS } from '../../e2e/console/screens.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

type List<Item> = { items: Item[] };

describeWith(chromium, 'screens of the console', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    await page.enter(fixture.product.administrator);
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
  });

  const get = <T>(path: string) => fixture.admin.get<T>(path);
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

  test('[CSL-6] keeps filters in the URL, also after "back"', async () => {
    await page.switchTo('en');
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
});
