import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { GIFT_DISHES } from '../../packages/erp-emulator/data/gifts.ts';
import { buildDataset } from '../../packages/erp-emulator/data/dataset.ts';
import { startEmulator } from '../../packages/erp-emulator/server.ts';
import type { Emulator } from '../../packages/erp-emulator/server.ts';
import { listItems, menu } from './client.ts';
import type { Group, Item, MenuBody } from './client.ts';

type Stats = Record<
  'bytes' | 'dishes' | 'sizes' | 'links' | 'pricePairs' | 'textBytes' | 'organizations',
  number
>;

describe('the demo data set', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ size: 'demo' });
  });
  afterAll(() => emulator.stop());

  it('returns the main menu for ten organizations with 5.4 MB that are mostly structure', async () => {
    const stats = await emulator.control<Stats>('stats?menuId=9001');

    expect(stats.organizations).toBe(10);
    expect(Math.abs(stats.bytes - 5_400_000)).toBeLessThanOrEqual(270_000);
    expect(stats.dishes).toBeGreaterThanOrEqual(600);
    expect(stats.sizes).toBeGreaterThanOrEqual(1500);
    expect(stats.links).toBeGreaterThanOrEqual(10_000);
    expect(stats.pricePairs).toBeGreaterThanOrEqual(15_000);
    expect(stats.textBytes).toBeLessThanOrEqual(stats.bytes / 4);
  });

  it('contains twelve organizations in several time zones and three menus', async () => {
    const state = await emulator.control<{
      organizations: { terminalGroups: { timeZone: string; asleep: boolean }[] }[];
      menus: { id: string; organizationIds: string[] }[];
    }>('state');
    const groups = state.organizations.flatMap(({ terminalGroups }) => terminalGroups);

    expect(state.organizations).toHaveLength(12);
    expect(state.menus.map(({ id, organizationIds }) => [id, organizationIds.length])).toEqual([
      ['9001', 10],
      ['9002', 2],
      ['9003', 3],
    ]);
    expect(new Set(groups.map(({ timeZone }) => timeZone)).size).toBeGreaterThan(4);
    expect(groups.some(({ asleep }) => asleep)).toBe(true);
    expect(state.organizations.some(({ terminalGroups }) => terminalGroups.length === 3)).toBe(
      true,
    );
  });

  it('shares dishes of the main menu with the breakfast menu, and only gifts with the second brand', async () => {
    const [main, asian, morning] = await Promise.all(
      ['9001', '9002', '9003'].map(async (externalMenuId) => {
        const body = await menu(emulator, { externalMenuId });
        const gifts = new Set<string>(Object.values(GIFT_DISHES));
        const given = listItems(body).flatMap(({ productId, name }) =>
          gifts.has(name) ? [productId] : [],
        );
        expect(given).toHaveLength(gifts.size);
        return new Set(body.products.map(({ id }) => id)).difference(new Set(given));
      }),
    );

    expect(main?.intersection(morning ?? new Set()).size).toBeGreaterThan(100);
    expect(main?.intersection(asian ?? new Set()).size).toBe(0);
  });

  it('prices dishes differently in different organizations', async () => {
    const sizes = listItems(await menu(emulator)).flatMap((item) => item.sizePrices ?? []);

    const grouped = sizes.filter(({ prices }) => prices !== undefined && prices.length > 1);

    expect(grouped.length).toBeGreaterThan(1000);
    expect(sizes.every((size) => !('price' in size))).toBe(true);
  });

  it('never repeats a sku, a name or an id inside a menu', async () => {
    const body = await menu(emulator);
    const names = new Map(listItems(body).map(({ productId, name }) => [productId, name]));

    expect(new Set(body.products.map(({ id }) => id)).size).toBe(body.products.length);
    expect(new Set(body.products.map(({ sku }) => sku)).size).toBe(body.products.length);
    expect(new Set(names.values()).size).toBe(names.size);
  });
});

describe('the seed of the demo data set', () => {
  it('produces equal data for an equal seed and other ids for another seed', () => {
    expect(buildDataset(5, 'demo')).toEqual(buildDataset(5, 'demo'));
    expect(buildDataset(5, 'small').organizations[0]?.id).not.toBe(
      buildDataset(6, 'small').organizations[0]?.id,
    );
  });
});

const groupsOf = (item: Item): Group[] => item.modifierGroups ?? [];
const linksOf = (item: Item): Group['items'] => groupsOf(item).flatMap(({ items }) => items);
const sizesOf = (item: Item): NonNullable<Item['sizePrices']> => item.sizePrices ?? [];
const listPrices = (item: Item): (number | null)[] =>
  sizesOf(item).flatMap(({ prices }) => (prices ?? []).map(({ price }) => price));

/** Returns the largest number of different compositions of groups with the same key. */
function mostCompositions(items: readonly Item[], keyOf: (group: Group) => string | null): number {
  const compositions = new Map<string, Set<string>>();
  for (const group of items.flatMap(groupsOf)) {
    const key = keyOf(group);
    if (key === null) continue;
    const existing = compositions.get(key) ?? new Set();
    compositions.set(key, existing.add(group.items.map(({ id }) => id).join()));
  }
  return Math.max(...[...compositions.values()].map(({ size }) => size));
}

const SHAPES: readonly [string, (items: Item[], body: MenuBody) => boolean][] = [
  ['a hidden category', (_, body) => body.itemsGroups.some(({ isHidden }) => isHidden)],
  ['a hidden item', (items) => items.some(({ isHidden }) => isHidden)],
  ['a hidden size', (items) => items.flatMap(sizesOf).some(({ isHidden }) => isHidden)],
  ['a hidden group', (items) => items.flatMap(groupsOf).some(({ isHidden }) => isHidden)],
  ['a hidden dictionary modifier', (_, body) => body.modifiers.some(({ isHidden }) => isHidden)],
  ['a hidden link', (items) => items.flatMap(linksOf).some(({ isHidden }) => isHidden === true)],
  [
    'an unsized dish with one size without id',
    (items) =>
      items.some((item) => sizesOf(item).length === 1 && sizesOf(item)[0]?.sizeId === null),
  ],
  [
    'a dish of several sizes without a default',
    (items) =>
      items.some(
        (item) => sizesOf(item).length > 1 && sizesOf(item).every(({ isDefault }) => !isDefault),
      ),
  ],
  ['a dish without sizes', (items) => items.some((item) => sizesOf(item).length === 0)],
  [
    'a product in two categories with different pictures',
    (items) => {
      const places = items.filter(
        ({ productId }) => items.filter((other) => other.productId === productId).length > 1,
      );
      return (
        new Set(places.map((item) => sizesOf(item)[0]?.image?.url)).size === places.length &&
        places.length > 1
      );
    },
  ],
  ['a null price', (items) => items.flatMap(listPrices).includes(null)],
  [
    'null in one organization and a price in another',
    (items) =>
      items.some(
        (item) =>
          listPrices(item).includes(null) && listPrices(item).some((price) => price !== null),
      ),
  ],
  ['a zero price', (items) => items.flatMap(listPrices).includes(0)],
  [
    'a price with kopecks',
    (items) =>
      items.flatMap(listPrices).some((price) => price !== null && !Number.isInteger(price)),
  ],
  [
    'a dish that one organization does not list',
    (items) =>
      items.some((item) =>
        sizesOf(item).some(
          ({ prices }) => prices?.flatMap(({ organizations }) => organizations).length === 1,
        ),
      ),
  ],
  ['an unknown product type', (_, body) => body.products.some(({ type }) => type === 'SEASONAL')],
  [
    'an unknown measure unit',
    (items) => items.flatMap(sizesOf).some(({ measureUnitType }) => measureUnitType === 'PIECE'),
  ],
  ['an undeclared field of an item', (items) => items.some((item) => 'promoWeight' in item)],
  ['an undeclared field of the root', (_, body) => 'menuGeneration' in body],
  [
    'a padded name with emoji',
    (items) => items.some(({ name }) => /^\s.*\p{Extended_Pictographic}.*\s$/u.test(name)),
  ],
  [
    'a description of several lines',
    (items) => items.some(({ description }) => (description ?? '').split('\n').length > 3),
  ],
  ['no description', (items) => items.some(({ description }) => description === null)],
  [
    'decimals with many digits',
    (items) => items.flatMap(sizesOf).some(({ weight }) => String(weight).length > 12),
  ],
  ['an unknown weight', (items) => items.flatMap(sizesOf).some(({ weight }) => weight === null)],
  ['a group without id', (items) => items.flatMap(groupsOf).some(({ id }) => id === null)],
  [
    'a group without modifiers',
    (items) => items.flatMap(groupsOf).some((group) => group.items.length === 0),
  ],
  [
    'one group id with several compositions',
    (items) => mostCompositions(items, ({ id }) => id) > 1,
  ],
  [
    'one name without id in several compositions',
    (items) => mostCompositions(items, ({ id, name }) => (id === null ? name : null)) > 1,
  ],
  [
    'two groups without id and with one name on one dish',
    (items) =>
      items.some(
        (item) =>
          groupsOf(item).filter(
            ({ id, name }) => id === null && name === groupsOf(item).at(-1)?.name,
          ).length > 1,
      ),
  ],
  [
    'links that say 0/0',
    (items) =>
      items
        .flatMap(groupsOf)
        .some(
          (group) =>
            group.childModifiersHaveMinMaxRestrictions === false &&
            group.items.every(({ restrictions }) => restrictions.maxQuantity === 0),
        ),
  ],
  [
    'a link that overrides the dictionary',
    (items) => items.flatMap(linksOf).some(({ name }) => name !== null),
  ],
  [
    'a link with default 1 and maximum 0',
    (items) =>
      items
        .flatMap(linksOf)
        .some(
          ({ restrictions }) =>
            restrictions.defaultQuantity === 1 && restrictions.maxQuantity === 0,
        ),
  ],
  ['an item without item type', (items) => items.some(({ itemType }) => itemType === null)],
  [
    'a combo',
    (_, body) =>
      body.itemsGroups.some(({ items }) =>
        items.some(({ itemType, productId }) => itemType === 'COMBO' && productId === null),
      ),
  ],
  [
    'a compound product',
    (_, body) => body.products.some(({ orderItemType }) => orderItemType === 'Compound'),
  ],
];

describe.each(['small', 'demo'] as const)(
  'the %s data set has the shapes of live menus',
  (size) => {
    let emulator: Emulator;
    let body: MenuBody;
    beforeAll(async () => {
      emulator = await startEmulator({ size });
      const { menus } = await emulator.control<{ menus: { organizationIds: string[] }[] }>('state');
      body = await menu(emulator, {
        organizationIds: (menus[0]?.organizationIds ?? []).slice(0, 2),
      });
    });
    afterAll(() => emulator.stop());

    test.each(SHAPES)('%s', (_, isPresent) => {
      expect(isPresent(listItems(body), body)).toBe(true);
    });
  },
);
