import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildConsole } from '../../../tools/built-site.ts';
import { newcomerClient } from '../../support/admin-client.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { eventually } from '../../support/processes.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { keyboard } from '../../e2e/console/keyboard.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

type List<Item> = { items: Item[] };
type Week = { version: number; windows: { dayOfWeek: number; channel: string; opensAt: string }[] };
type Category = { id: number; parentId: number | null; position: number; name: string };

describeWith(chromium, 'work in the console', (program) => {
  let fixture: ConsoleProduct;
  let browsers: readonly Browser[];
  let [mine, theirs]: readonly ConsolePage[] = [];
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    const person = { email: 'second-person@carte.test', password: 'a first password of 2026' };
    await fixture.admin.post('/users', { ...person, fullName: 'Second Person', roles: ['ADMIN'] });
    await newcomerClient(fixture.api.url, person.email, person.password);
    browsers = await Promise.all([startBrowser(program), startBrowser(program)]);
    [mine, theirs] = browsers.map((browser) => consolePage(browser, fixture.api.url, log));
    const people = [
      fixture.product.administrator,
      { ...person, password: `${person.password} from now on` },
    ];
    for (const [at, page] of [mine!, theirs!].entries()) await page.enter(people[at]!);
  });
  afterAll(async () => {
    for (const browser of browsers ?? []) await browser.stop();
    await fixture?.stop();
  });

  const get = <T>(path: string) => fixture.admin.get<T>(path);
  const roots = async () =>
    (await get<List<Category>>('/categories?size=200')).items
      .filter(({ parentId }) => parentId === null)
      .toSorted((one, other) => one.position - other.position);

  describe('two people', () => {
    test('[CSL-9] who edit one product both keep their text', async () => {
      const [product] = (await get<List<{ id: number; version: number }>>('/products?size=1'))
        .items;
      for (const page of [mine!, theirs!]) await page.show(`/products/${product!.id}?tab=texts`);
      await mine!.fill('input[name=subtitle]', 'Mine');
      await theirs!.fill('input[name=subtitle]', 'Theirs');
      await theirs!.fill('textarea[name=description]', 'Of the other person');
      await theirs!.confirmed(() => theirs!.press('button', 'Save'));
      await mine!.press('button', 'Save');
      await mine!.sees('Someone else has changed this meanwhile');
      const sides = `document.querySelector('[role=alert] tbody').innerText`;

      expect(await browsers[0]!.run(sides)).toMatch(/Theirs\s+Mine/);
      await mine!.confirmed(() => mine!.press('button', 'Save mine'));
      expect(await get(`/products/${product!.id}`)).toMatchObject({
        subtitle: 'Mine',
        description: 'Of the other person',
      });
    });

    test('[CSL-10] who move categories of one tree both keep their moves', async () => {
      const before = await roots();
      const [first, , last] = [before[0]!, before[1]!, before.at(-1)!];
      for (const page of [mine!, theirs!]) await page.show('/categories');
      await mine!.press(`button[aria-label="Move ${first.name} down"]`);
      await theirs!.press(`button[aria-label="Move ${last.name} up"]`);
      await theirs!.confirmed(() => theirs!.press('button', 'Save 2 moves'));
      await mine!.press('button', 'Save 2 moves');
      await mine!.sees('Someone else has changed the tree');
      await mine!.confirmed(() => mine!.press('button', 'Save 2 moves'));

      const names = before.map(({ name }) => name);
      const [one, two, ...others] = names;
      const [end, beforeEnd] = [others.pop(), others.pop()];
      expect((await roots()).map(({ name }) => name)).toEqual([
        two,
        one,
        ...others,
        end,
        beforeEnd,
      ]);
    });

    test('[CSL-11] who edit one week see both sides and keep other days', async () => {
      const [restaurant] = (await get<List<{ id: number }>>('/organizations?size=1')).items;
      const path = `/organizations/${restaurant!.id}/schedule`;
      const opensOn = (day: number, { windows }: Week) =>
        windows
          .find(({ dayOfWeek, channel }) => dayOfWeek === day && channel === 'DELIVERY')!
          .opensAt.slice(0, 5);
      const before = await get<Week>(path);
      const later = (day: number, steps: number) => {
        const [hours, minutes] = opensOn(day, before).split(':').map(Number) as [number, number];
        const sum = hours * 60 + minutes + steps * 15;
        return [Math.floor(sum / 60), sum % 60]
          .map((part) => String(part).padStart(2, '0'))
          .join(':');
      };
      const opening = (day: string) => `[role=slider][aria-label="Opens on ${day}"]`;
      const move = async (browser: Browser, day: string, steps: number) => {
        await browser.until('the opening', `document.querySelector('${opening(day)}')`);
        await browser.run(`document.querySelector('${opening(day)}').focus()`);
        for (let step = 0; step < steps; step += 1) await browser.press('ArrowRight');
      };
      for (const page of [mine!, theirs!]) await page.show(`/setup/${restaurant!.id}?tab=week`);
      await move(browsers[0]!, 'Mon', 2);
      await move(browsers[1]!, 'Mon', 1);
      await move(browsers[1]!, 'Tue', 3);
      await theirs!.confirmed(() => theirs!.press('button', 'Save'));
      await mine!.press('button', 'Save');
      await mine!.sees('Someone else has changed this meanwhile');

      expect(
        await browsers[0]!.run(`document.querySelector('[role=alert] input[type=time]').value`),
      ).toBe(later(1, 1));
      expect(
        await browsers[0]!.run(
          `document.querySelector('${opening('Mon')}').getAttribute('aria-valuetext')`,
        ),
      ).toBe(later(1, 2));
      const { version } = await get<Week>(path);
      await mine!.press('button', 'Save mine');
      const after = await eventually('mine is saved', async () => {
        const week = await get<Week>(path);
        return week.version > version ? week : undefined;
      });
      expect([opensOn(1, after), opensOn(2, after)]).toEqual([later(1, 2), later(2, 3)]);
    });
  });

  describe('the keyboard alone', () => {
    test('[CSL-11, CSL-16] changes the week of a restaurant', async () => {
      const { tabTo, press } = keyboard(browsers[0]!);
      const [restaurant] = (await get<List<{ id: number }>>('/organizations?size=1')).items;
      const before = await get<Week>(`/organizations/${restaurant!.id}/schedule`);
      await mine!.show(`/setup/${restaurant!.id}?tab=week`);
      await tabTo('[role=slider]');
      await press('ArrowRight');
      await tabTo('main button', 'Save');
      await press('Enter');

      const after = await eventually('it is saved', async () => {
        const week = await get<Week>(`/organizations/${restaurant!.id}/schedule`);
        return week.version > before.version ? week : undefined;
      });

      expect(after.windows).not.toEqual(before.windows);
    });

    test('[CSL-10, CSL-16] moves a category', async () => {
      const { tabTo, tabBackTo, arrowTo, press } = keyboard(browsers[0]!);
      const [first, second] = await roots();
      await mine!.show('/categories');
      await tabTo('[role=treegrid] [role=row]');
      await arrowTo('ArrowRight', `button[aria-label="Move ${first!.name} down"]`);
      await press('Enter');
      await mine!.sees('Save 2 moves');
      await tabBackTo('main button', 'Save 2 moves');
      await press('Enter');

      const after = await eventually('it is saved', async () => {
        const tree = await roots();
        return tree[0]!.id === first!.id ? undefined : tree;
      });

      expect(after.slice(0, 2).map(({ id }) => id)).toEqual([second!.id, first!.id]);
    });
  });
});
