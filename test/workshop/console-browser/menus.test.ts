import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toMoment } from '../../../packages/console/src/pure/moments.ts';
import { buildConsole } from '../../../tools/built-site.ts';
import { startBrowser, type Browser } from '../../support/browser.ts';
import { eventually } from '../../support/processes.ts';
import { newPicture } from '../../support/pictures.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';
import { consolePage, type ConsolePage } from '../../e2e/console/console-page.ts';
import { startConsoleProduct, type ConsoleProduct } from '../../e2e/console/product.ts';
import { screenHands, type ScreenAction } from './screen-hands.ts';

const log = (line: string) => void process.stderr.write(`${line}\n`);
const chromium = await programForTests('chromium');

type List<Item> = { items: Item[]; total: number };
type Product = { id: number; name: string; status: string; version: number };
type Modifier = { erpItemId: string; name: string; isHidden: boolean };
type Axis = { id: number; code: string; name: string; options: { name: string }[] };
type Dish = {
  itemId: string;
  name: string;
  sku: string;
  sizes: { priceMin: number | null }[];
  boundProduct: { id: number; status: string } | null;
};
type Incident = { id: number; variant: { id: number } };
type Snapshot = { revision: number; pin: { revision: number; reason: string } | null };

const REASON = 'Guests see wrong prices';
/** The only menu of the ERP. */
const MENU = '9001';

describeWith(chromium, 'menus in the console', (program) => {
  let fixture: ConsoleProduct;
  let browser: Browser;
  let page: ConsolePage;
  let hands: ReturnType<typeof screenHands>;
  let restaurants: { id: number; name: string; effectiveTimeZone: string }[];
  let product: Product;
  let modifier: Modifier;
  beforeAll(async () => {
    await buildConsole(log);
    fixture = await startConsoleProduct('small');
    browser = await startBrowser(program);
    page = consolePage(browser, fixture.api.url, log);
    hands = screenHands(page, browser);
    restaurants = (await get<List<(typeof restaurants)[number]>>('/organizations?size=200')).items;
    product = (await get<List<Product>>('/products?status=PUBLISHED&size=1')).items[0]!;
    modifier = (await find<Modifier>('/modifiers', { isHidden: false }))!;
    await page.enter(fixture.product.administrator);
  });
  afterAll(async () => {
    await browser?.stop();
    await fixture?.stop();
  });

  const get = <T>(path: string) => fixture.admin.get<T>(path);
  const menuOf = (id: number) => get<Snapshot>(`/snapshots/${id}`);
  /** A moment of tomorrow as a field of a form has it. */
  const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);

  describe('the menu of a restaurant', () => {
    const id = () => restaurants[0]!.id;
    const path = () => `/menus?restaurant=${id()}`;

    test('[CSL-39] a menu rolls back to an earlier revision until it is unpinned', async () => {
      const { revision } = await menuOf(id());
      await fixture.admin.patch(`/products/${product.id}`, {
        version: (await get<Product>(`/products/${product.id}`)).version,
        name: `${product.name} of today`,
      });
      await eventually(
        'a revision with the new name is published',
        async () => (await menuOf(id())).revision > revision || undefined,
      );
      await page.show(path());
      await browser.until('two revisions', `document.querySelectorAll('main tbody tr').length > 1`);
      await hands.run({
        path: path(),
        row: new RegExp(`^${revision}$`),
        button: 'menus.pin',
        fields: { reason: REASON, until: tomorrow() },
      });
      expect((await menuOf(id())).pin).toMatchObject({ revision, reason: REASON });
      await page.sees(hands.text('menus.pinned', { revision }));
      await hands.run({ path: path(), button: 'menus.unpin', fields: { reason: REASON } });

      expect((await menuOf(id())).pin).toBeNull();
    });

    test('[CSL-40] another restaurant never shows the revisions of the one before', async () => {
      const [one, other] = restaurants;
      await page.show(`/menus?restaurant=${one!.id}`);
      await browser.until('its revisions', `document.querySelector('main tbody tr')`);
      try {
        await page.setNetwork({ latency: 2_000 });
        await browser.run(`history.pushState(null, '', '/console/menus?restaurant=${other!.id}')`);
        await browser.until(
          'the rows before are gone',
          `document.querySelector('main tbody tr') === null && document.querySelector('main [role=status][aria-label]')`,
        );

        expect(await browser.run('location.search')).toBe(`?restaurant=${other!.id}`);
      } finally {
        await page.setNetwork();
      }
    });
  });

  /** An action, what it changes, and the record after it. */
  type Case = readonly [
    name: string,
    action: () => ScreenAction,
    read: () => Promise<unknown>,
    after: object | null,
  ];
  const find = async <Item extends object>(list: string, value: Partial<Item>) =>
    (await get<List<Item>>(`${list}?size=200`)).items.find((item) =>
      Object.entries(value).every(([key, part]) => item[key as keyof Item] === part),
    );
  const axis = () => find<Axis>('/variant-axes', { code: 'DIAMETER' });
  const save = { submit: 'action.save' } as const;
  const edit = { button: 'action.edit', ...save } as const;
  const axes = '/modifiers?tab=axes';
  const badges = '/modifiers?tab=badges';
  const state = () => `/products/${product.id}?tab=state`;
  const productNow = () => get<Product>(`/products/${product.id}`);

  test.each<Case>([
    [
      'an axis is created with its options',
      () => ({
        path: axes,
        button: 'axes.create',
        fields: {
          code: 'DIAMETER',
          name: 'Diameter',
          uiType: 'SEGMENTED',
          options: 'CM25 25 cm\nCM35 35 cm',
        },
      }),
      axis,
      { options: [{ name: '25 cm' }, { name: '35 cm' }] },
    ],
    [
      'an axis is renamed',
      () => ({ path: axes, row: 'DIAMETER', ...edit, fields: { name: 'Width' } }),
      axis,
      { name: 'Width' },
    ],
    [
      'an axis receives an option',
      () => ({
        path: axes,
        row: 'DIAMETER',
        button: 'axes.add',
        fields: { code: 'CM45', name: '45 cm', shortName: '45' },
      }),
      axis,
      { options: expect.arrayContaining([expect.objectContaining({ name: '45 cm' })]) },
    ],
    [
      'a badge is created',
      () => ({
        path: badges,
        button: 'badges.create',
        ...save,
        fields: { code: 'HOT', name: 'Hot' },
      }),
      () => find('/badges', { code: 'HOT' }),
      { name: 'Hot' },
    ],
    [
      'a badge is renamed',
      () => ({ path: badges, row: 'HOT', ...edit, fields: { name: 'Very hot' } }),
      () => find('/badges', { code: 'HOT' }),
      { name: 'Very hot' },
    ],
    [
      'a badge is deleted',
      () => ({ path: badges, row: 'HOT', button: 'action.delete', fields: {} }),
      () => find('/badges', { code: 'HOT' }),
      null,
    ],
    [
      'a category is created',
      () => ({ path: '/categories', button: 'categories.create', fields: { name: 'Brunch' } }),
      () => find('/categories', { name: 'Brunch' }),
      {},
    ],
    [
      'a category is renamed',
      () => ({ path: '/categories', row: 'Brunch', ...edit, fields: { name: 'Late brunch' } }),
      () => find('/categories', { name: 'Late brunch' }),
      {},
    ],
    [
      'an empty category is archived',
      () => ({ path: '/categories', row: 'Late brunch', button: 'product.archive', fields: {} }),
      () => find('/categories', { name: 'Late brunch' }),
      null,
    ],
    [
      'a product disappears from the menus',
      () => ({ path: state(), button: 'product.unpublish', fields: {} }),
      productNow,
      { status: 'UNPUBLISHED' },
    ],
    [
      'a product is archived',
      () => ({ path: state(), button: 'product.archive', fields: {} }),
      productNow,
      { status: 'ARCHIVED' },
    ],
    [
      'an archived product is restored',
      () => ({ path: state(), button: 'product.restore' }),
      productNow,
      { status: expect.stringMatching(/DRAFT|UNPUBLISHED/) },
    ],
    [
      'a restored product is published',
      () => ({ path: state(), button: 'product.publish' }),
      productNow,
      { status: 'PUBLISHED' },
    ],
    [
      'a product is created',
      () => ({ path: '/products', button: 'products.create', fields: { name: 'Soup of June' } }),
      () => find('/products', { name: 'Soup of June' }),
      { status: 'DRAFT' },
    ],
    [
      'a modifier is hidden from guests',
      () => ({
        path: '/modifiers?tab=modifiers',
        row: modifier.name,
        ...edit,
        fields: { isHidden: true },
      }),
      () => find<Modifier>('/modifiers', { erpItemId: modifier.erpItemId }),
      { isHidden: true },
    ],
    [
      'a group of modifiers has another name for guests',
      () => ({ path: '/modifiers', ...edit, fields: { displayName: 'With it' } }),
      () => find('/modifier-groups', { displayName: 'With it' }),
      {},
    ],
    [
      'a menu of the ERP has another priority',
      () => ({ path: '/connections?tab=menus', ...edit, fields: { priority: '7' } }),
      () => find('/external-menus', { priority: 7 }),
      {},
    ],
  ])('[CSL-39] %s', async (_name, action, read, after) => {
    await hands.run(action());

    expect([(await read()) ?? null]).toMatchObject([after]);
  });

  test('[CSL-39] variants are put in order, one becomes the first choice, and one is removed', async () => {
    type Variant = { id: number; erpSku: string; isDefault: boolean };
    const products = (await get<List<Product & { variantCount: number }>>('/products?size=200'))
      .items;
    const { id } = products.find(({ variantCount }) => variantCount > 2)!;
    const variants = async () => (await get<List<Variant>>(`/products/${id}/variants`)).items;
    const path = `/products/${id}?tab=variants`;
    const second = (await variants())[1]!;
    await hands.run({ path, row: second.erpSku, button: 'variants.up' });
    expect((await variants())[0]!.id).toBe(second.id);
    const other = (await variants()).find(({ isDefault }) => !isDefault)!;
    await hands.run({ path, row: other.erpSku, button: 'variants.makeDefault' });
    expect((await variants()).find(({ isDefault }) => isDefault)!.id).toBe(other.id);
    const last = (await variants()).find(({ isDefault }) => !isDefault)!;
    await hands.run({ path, row: last.erpSku, button: 'variants.remove', fields: {} });

    expect((await variants()).map((variant) => variant.id)).not.toContain(last.id);
  });

  describe('a variant', () => {
    type Variant = { erpItemId: string; erpSku: string; option: { name: string } | null };
    const variants = async (id: number) =>
      (await get<List<Variant>>(`/products/${id}/variants`)).items;
    const path = (id: number) => `/products/${id}?tab=variants`;
    const sizeAxis = async () => (await find<Axis>('/variant-axes', { code: 'SIZE' }))!;
    /** Returns a dish without a product that is no gift, whose price is 0. */
    const freeDish = async () =>
      (await get<List<Dish>>('/erp/items?bound=false&size=50')).items.find(
        ({ sizes: [size] }) => size !== undefined && size.priceMin !== 0,
      )!;

    async function add(id: number, { sku }: Dish, option: string): Promise<void> {
      await page.show(path(id));
      await page.confirmed(async () => {
        await hands.press(hands.text('variants.add'));
        await page.set(hands.inDialog('label input'), sku);
        await page.set(hands.inDialog('select'), option);
        await page.press(hands.inDialog('li button'), hands.text('variants.addThis'));
      });
      await page.closed();
    }

    test('[CSL-39] a dish of the ERP becomes a variant with the chosen option', async () => {
      const [axis, dish] = [await sizeAxis(), await freeDish()];
      const option = axis.options[0]!.name;
      const { id } = await fixture.admin.post<Product>('/products', {
        name: 'Portions of the console',
        variantAxisId: axis.id,
      });
      await add(id, dish, option);

      expect(await variants(id)).toMatchObject([
        { erpItemId: dish.itemId, option: { name: option } },
      ]);
      expect(await get(`/erp/items/${dish.itemId}`)).toMatchObject({ boundProduct: { id } });
    });

    test('[CSL-39] the only variant of a product gets an option, so that others can follow', async () => {
      const [axis, dish] = [await sizeAxis(), await freeDish()];
      const [one, other] = axis.options.map(({ name }) => name);
      const products = await get<List<Product & { variantCount: number }>>('/products?size=200');
      const { id } = products.items.find(
        ({ status, variantCount }) => status === 'PUBLISHED' && variantCount === 1,
      )!;
      const [{ erpSku }] = (await variants(id)) as [Variant];
      await hands.run({
        path: path(id),
        row: erpSku,
        button: 'variants.chooseOption',
        fields: { variantOptionId: `${axis.name}: ${one}` },
      });
      await add(id, dish, other!);

      expect(await variants(id)).toMatchObject([
        { erpSku, option: { name: one } },
        { erpItemId: dish.itemId, option: { name: other } },
      ]);
    });
  });

  test('[CSL-39] a new dish is set aside on its page', async () => {
    const [item] = (await get<List<{ itemId: string }>>('/erp/items?triage=NEW&size=1')).items;
    await hands.run({ path: `/new-dishes/${item!.itemId}`, button: 'dishes.ignore' });

    expect(await get(`/erp/items/${item!.itemId}`)).toMatchObject({ triage: 'IGNORED' });
  });

  test('[CSL-39] an option of an axis has another name', async () => {
    await page.show(axes);
    await hands.press(hands.text('axes.options'), 'DIAMETER');
    await page.press(hands.inDialog('li button'), hands.text('action.edit'));
    await page.confirmed(async () => {
      await hands.setField('name', '26 cm');
      await page.press(hands.inDialog('button'), hands.text('action.save'));
    });

    expect((await axis())!.options.map(({ name }) => name)).toContain('26 cm');
    await browser.press('Escape');
  });

  describe('a service dish', () => {
    const roles = async () =>
      (await get<List<{ role: string; name: string }>>('/service-roles')).items;

    test('[CSL-39] a service dish is assigned to a role and removed', async () => {
      const path = '/offers?tab=composition';
      const [item] = (await get<List<{ name: string }>>('/erp/items?size=1')).items;
      await page.show(path);
      await page.confirmed(async () => {
        await hands.press(hands.text('service.add'));
        await page.set(hands.inDialog('select'), 'SUGAR');
        await page.fill(hands.inDialog('input[type=search]'), item!.name);
        await page.press(hands.inDialog('li button'), hands.text('service.choose'));
      });
      expect(await roles()).toContainEqual(expect.objectContaining({ role: 'SUGAR' }));
      await hands.run({
        path,
        row: hands.text('serviceRole.SUGAR'),
        button: 'variants.remove',
        fields: {},
      });

      expect((await roles()).map(({ role }) => role)).not.toContain('SUGAR');
    });
  });

  test('[CSL-39] chosen products are unpublished after a dry run', async () => {
    const chosen = (await get<List<Product>>('/products?status=PUBLISHED&size=2')).items;
    await page.show('/products?status=PUBLISHED');
    for (const { name } of chosen) {
      await browser.until(
        'its row',
        `[...document.querySelectorAll('main tbody tr')].some((row) => row.textContent.includes(${JSON.stringify(name)}))`,
      );
      await browser.run(
        `[...document.querySelectorAll('main tbody tr')].find((row) => row.textContent.includes(${JSON.stringify(name)})).querySelector('input').click()`,
      );
    }
    await page.set(
      `main select[aria-label=${JSON.stringify(hands.text('bulk.action'))}]`,
      'UNPUBLISH',
    );
    await hands.press(hands.text('bulk.chosen', { count: 2 }));
    await page.sees(hands.text('bulk.result', { succeeded: 2, failed: 0 }));
    await page.confirmed(() => page.press(hands.inDialog('button'), hands.text('bulk.apply')));

    const statuses = await Promise.all(
      chosen.map(async ({ id }) => (await get<Product>(`/products/${id}`)).status),
    );
    expect(statuses).toEqual(['UNPUBLISHED', 'UNPUBLISHED']);
  });

  test('[CSL-39] a picture is uploaded, described and deleted', async () => {
    type Picture = { id: number; originalName: string; alt: string | null };
    const name = 'console-upload.png';
    const picture = () => find<Picture>('/media', { originalName: name });
    const bytes = [...new Uint8Array(await newPicture(320, 240))];
    await page.show('/pictures');
    await page.confirmed(() =>
      browser.run(`(() => {
        const field = document.querySelector('main input[type=file]');
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], '${name}', { type: 'image/png' }));
        field.files = files.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));
      })()`),
    );
    // Otherwise the same file could not be chosen again after a failure.
    expect(await browser.run(`document.querySelector('main input[type=file]').value`)).toBe('');
    await page.press(`main button[aria-label="${hands.text('pictures.open', { name })}"]`);
    await page.confirmed(async () => {
      await hands.setField('alt', 'A dish from above');
      await page.press(hands.inDialog('button'), hands.text('action.save'));
    });
    expect(await picture()).toMatchObject({ alt: 'A dish from above' });
    await page.confirmed(async () => {
      await page.press(hands.inDialog('button'), hands.text('pictures.delete'));
      await page.press(
        '[role=dialog]:not(:has(form)) button[class*=danger]',
        hands.text('pictures.delete'),
      );
    });
    expect(await picture()).toBeUndefined();
  });

  describe('an incident', () => {
    /** Dishes on sale, with several sizes and with one. */
    let sized: Dish[];
    let plain: Dish;
    beforeAll(async () => {
      const dishes = (await get<List<Dish>>('/erp/items?bound=true&size=200')).items.filter(
        ({ boundProduct }) => boundProduct?.status === 'PUBLISHED',
      );
      sized = dishes.filter(({ sizes }) => sizes.length > 1).slice(0, 4);
      plain = dishes.find(({ sizes }) => sizes.length === 1)!;
      for (const { itemId, name } of sized)
        await control('rename', { itemId, name: `${name} anew` });
      await importMenu();
    });

    const control = <T>(name: string, body: object) =>
      fixture.product.emulator.control<T>(name, body);
    const importMenu = () =>
      eventually('the import starts', async () => {
        const run = { job: 'MENU', scope: MENU, mode: 'FULL' };
        return (await fixture.admin.raw('POST', '/sync/run', run)).ok || undefined;
      });
    /** Waits until the product of a dish has at least so many open incidents. */
    const openOf = ({ boundProduct }: Dish, count: number, type = 'NAME_CHANGED') =>
      eventually('the incidents', async () => {
        const filter = `product_id=${boundProduct!.id}&status=OPEN&type=${type}`;
        const { items } = await get<List<Incident>>(`/binding-incidents?${filter}`);
        return items.length < count ? undefined : items.slice(0, count);
      });
    const incident = (id: number) => get(`/binding-incidents/${id}`);
    const path = (id: number) => `/incidents/${id}`;
    const until = tomorrow();
    const snoozed = () => ({
      status: 'SNOOZED',
      snoozedUntil: toMoment(until, restaurants[0]!.effectiveTimeZone),
    });
    const note = 'The dish is the same';
    const dismissed = { status: 'CLOSED', resolution: 'DISMISSED', note };

    test('[CSL-39] an incident is postponed until the typed time', async () => {
      const [{ id }] = (await openOf(sized[0]!, 1)) as [Incident];
      await hands.run({ path: path(id), button: 'incident.snooze', fields: { until } });

      expect(await incident(id)).toMatchObject(snoozed());
    });

    test('[CSL-39] an incident is closed with a note', async () => {
      const [{ id }] = (await openOf(sized[1]!, 1)) as [Incident];
      await hands.run({ path: path(id), button: 'incident.dismiss', fields: { note } });

      expect(await incident(id)).toMatchObject(dismissed);
    });

    test.each([
      ['incidents.snoozeMany', 2, { until, note }, snoozed],
      ['incidents.dismissMany', 3, { note }, () => dismissed],
    ] as const)('[CSL-39] chosen incidents change together: %s', async (key, at, fields, after) => {
      const ids = (await openOf(sized[at]!, 2)).map(({ id }) => id);
      const label = hands.text(key, { count: ids.length });
      await page.open('/incidents?status=OPEN');
      for (const id of ids)
        await page.press(`main tr:has(a[href$=${JSON.stringify(path(id))}]) input`);
      await page.confirmed(async () => {
        await hands.press(label);
        for (const [name, value] of Object.entries(fields)) await hands.setField(name, value);
        await page.press(hands.inDialog('button'), label);
      });
      await page.closed();

      expect(await Promise.all(ids.map(incident))).toMatchObject([after(), after()]);
    });

    test('[CSL-39] a variant of a lost dish is bound to its replacement', async () => {
      const { itemId, name, boundProduct } = plain;
      const grace = '/settings/binding.missing_grace';
      const { version } = await get<{ version: number }>(grace);
      await fixture.admin.patch(grace, { version, value: { imports: 1, minutes: 0 } });
      await control('vanish', { menuId: MENU, itemIds: [itemId] });
      await importMenu();
      const [{ id, variant }] = (await openOf(plain, 1, 'ITEM_MISSING')) as [Incident];
      const { returned } = await control<{ returned: { newItemId: string }[] }>('return', {
        menuId: MENU,
        itemIds: [itemId],
        sameId: false,
      });
      await importMenu();
      await eventually('the replacement is there', async () => {
        const { total } = await get<List<Incident>>(`/variants/${variant.id}/rebind-candidates`);
        return total > 0 || undefined;
      });
      await hands.run({ path: path(id), row: name, button: 'incident.rebind', fields: {} });

      const variants = `/products/${boundProduct!.id}/variants`;
      expect(await find<{ id: number }>(variants, { id: variant.id })).toMatchObject({
        erpItemId: returned[0]!.newItemId,
        bindingState: 'OK',
      });
      expect(await incident(id)).toMatchObject({ status: 'CLOSED', resolution: 'REBOUND' });
    });
  });

  test('[CSL-39] no action caused a failed request', () => {
    expect(page.errors()).toEqual([]);
  });
});
