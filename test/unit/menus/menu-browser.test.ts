import { expect, test } from '@jest/globals';
import type {
  MenuCategory,
  MenuContent,
} from '../../../modules/menus/rules/snapshot/menu-parts.ts';
import { browseMenu } from '../../../modules/menus/rules/storefront/menu-browser.ts';

const category = (id: number, parentId: number | null, productIds: number[]) =>
  ({ id, parentId, name: `category ${id}`, productIds }) as MenuCategory;
const product = (id: number, modifierGroupIds: string[] = []) => ({
  id,
  slug: `product-${id}`,
  name: `product ${id}`,
  variants: [{ id: id * 10, modifierGroupIds }],
});
const MENU = {
  categories: [
    category(1, null, [11, 12]),
    category(2, null, [13]),
    category(3, 1, [12, 14]),
    category(4, 3, [15, 99]),
  ],
  products: [15, 14, 13, 12, 11].map((id) => product(id, id === 12 ? ['b', 'gone', 'a'] : [])),
  modifierGroups: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
} as unknown as MenuContent;
const browse = () => browseMenu(MENU, { 12: { seoTitle: 'Twelve' } as never });
const ids = (products: readonly { id: number }[] | undefined) => products?.map(({ id }) => id);

test("the navigation tree has the menu's order and counts products with those below", () => {
  const node = (
    id: number,
    parentId: number | null,
    productCount: number,
    children: object[] = [],
  ) => ({
    id,
    parentId,
    name: `category ${id}`,
    productCount,
    children,
  });

  expect(browse().categories).toEqual([
    // Product 12 is in two of these categories and counts once.
    node(1, null, 5, [node(3, 1, 4, [node(4, 3, 2)])]),
    node(2, null, 1),
  ]);
});

test('the products of categories are listed in menu order, once, and only from the menu', () => {
  expect(ids(browse().products)).toEqual([11, 12, 14, 15, 13]);
  expect(ids(browse().ofCategory(1))).toEqual([11, 12, 14, 15]);
  expect(ids(browse().ofCategory(3))).toEqual([12, 14, 15]);
  expect(ids(browse().ofCategory(4))).toEqual([15]);
});

test('an unknown category has no products, and an unknown product is not found', () => {
  expect(browse().ofCategory(99)).toBeUndefined();
  expect([browse().product(99), browse().card('product-99'), browse().cardOf(99)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a product is found by its id', () => {
  expect(browse().product(12)).toBe(MENU.products[3]);
});

test('a card has the texts of the product and the groups of each variant, in its order', () => {
  const card = { ...MENU.products[3], seoTitle: 'Twelve', variants: [expect.anything()] };

  expect(browse().card('product-12')).toEqual(card);
  expect(browse().cardOf(12)).toEqual(card);
  expect(browse().cardOf(12)!.variants[0]!.modifierGroups).toEqual([{ id: 'b' }, { id: 'a' }]);
  expect(browse().cardOf(11)).toEqual({
    ...MENU.products[4],
    variants: [{ ...MENU.products[4]!.variants[0], modifierGroups: [] }],
  });
});

test('a menu without categories shows nothing, with any products', () => {
  const { categories, products } = browseMenu({ ...MENU, categories: [] });

  expect([categories, products]).toEqual([[], []]);
});

test('a card equals the product in a menu without card texts', () => {
  expect(browseMenu(MENU).cardOf(12)).not.toHaveProperty('seoTitle');
});
