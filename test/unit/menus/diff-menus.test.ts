import { describe, expect, test } from '@jest/globals';
import { diffMenus, type PublishedMenu } from '../../../modules/menus/rules/snapshot/diff-menus.ts';

const variant = (id: number, fields: object = {}) => ({
  id,
  price: 100,
  available: true,
  option: null,
  ...fields,
});
const product = (id: number, fields: object = {}) => ({
  id,
  name: `product ${id}`,
  categoryIds: [1],
  badges: [],
  images: { main: { id: 7, url: '/a' }, hover: null, gallery: [] },
  variants: [variant(10 * id)],
  ...fields,
});
const menu = (parts: Partial<PublishedMenu> = {}): PublishedMenu => ({
  products: [product(1), product(2)],
  categories: [{ id: 1, name: 'category', productIds: [1, 2] }],
  modifierGroups: [
    { id: 'mg_a', name: 'group', modifiers: [{ id: 'x', price: 5, available: true }] },
  ],
  ...parts,
});
const NOTHING = { added: [], removed: [], changed: [] };

describe('the function diffMenus', () => {
  test('finds no difference between equal menus, and ignores availability', () => {
    const stopped = menu({
      products: [product(1, { variants: [variant(10, { available: false })] }), product(2)],
    });

    for (const other of [menu(), stopped])
      expect(diffMenus(menu(), other)).toEqual({
        products: NOTHING,
        categories: NOTHING,
        modifierGroups: NOTHING,
      });
  });

  test('treats a list as one value if not all its elements have an id', () => {
    const [before, after] = [[{ id: 1 }, null], [{ id: 1 }]].map((badges) => [
      product(1, { badges }),
      product(2),
    ]);

    expect(diffMenus(menu({ products: before! }), menu({ products: before! })).products).toEqual(
      NOTHING,
    );
    expect(
      diffMenus(menu({ products: before! }), menu({ products: after! })).products.changed,
    ).toEqual([
      {
        id: 1,
        name: 'product 1',
        fields: [
          { field: 'badges', before: [{ id: 1 }, null], after: null },
          { field: 'badges.1.id', before: null, after: 1 },
          { field: 'badges.order', before: null, after: [1] },
        ],
      },
    ]);
  });

  test('lists additions and removals of every section, sorted by id', () => {
    const after = menu({
      products: [product(4), product(2), product(3)],
      categories: [{ id: 2, name: 'other', productIds: [] }],
      modifierGroups: [],
    });

    const { products, categories, modifierGroups } = diffMenus(menu(), after);

    expect(products.added).toEqual([
      { id: 3, name: 'product 3' },
      { id: 4, name: 'product 4' },
    ]);
    expect(products.removed).toEqual([{ id: 1, name: 'product 1' }]);
    expect(categories).toEqual({
      added: [{ id: 2, name: 'other' }],
      removed: [{ id: 1, name: 'category' }],
      changed: [],
    });
    expect(modifierGroups.removed).toEqual([{ id: 'mg_a', name: 'group' }]);
  });

  test.each([
    ['a text', { name: 'x' }, [{ field: 'name', before: 'product 1', after: 'x' }]],
    ['a new text', { subtitle: 'x' }, [{ field: 'subtitle', before: null, after: 'x' }]],
    ['a list of words', { badges: ['NEW'] }, [{ field: 'badges', before: [], after: ['NEW'] }]],
    [
      'a picture',
      { images: { main: { id: 8, url: '/b' }, hover: null, gallery: [] } },
      [
        { field: 'images.main.id', before: 7, after: 8 },
        { field: 'images.main.url', before: '/a', after: '/b' },
      ],
    ],
    [
      'a price',
      { variants: [variant(10, { price: 120 })] },
      [{ field: 'variants.10.price', before: 100, after: 120 }],
    ],
    [
      'another variant',
      { variants: [variant(10), variant(11)] },
      [
        { field: 'variants.11.id', before: null, after: 11 },
        { field: 'variants.11.price', before: null, after: 100 },
        { field: 'variants.order', before: [10], after: [10, 11] },
      ],
    ],
  ])('lists the field of %s with its value before and after', (_, fields, expected) => {
    const after = menu({ products: [product(1, fields), product(2)] });

    const { products } = diffMenus(menu(), after);

    expect(products.changed.map((entry) => entry.id)).toEqual([1]);
    expect(products.changed[0]?.fields).toEqual(expected);
  });

  test('lists fields of categories and modifier groups too', () => {
    const after = menu({
      categories: [{ id: 1, name: 'category', productIds: [2, 1] }],
      modifierGroups: [
        { id: 'mg_a', name: 'group', modifiers: [{ id: 'x', price: 6, available: false }] },
      ],
    });

    const { categories, modifierGroups } = diffMenus(menu(), after);

    expect(categories.changed[0]?.fields).toEqual([
      { field: 'productIds', before: [1, 2], after: [2, 1] },
    ]);
    expect(modifierGroups.changed[0]?.fields).toEqual([
      { field: 'modifiers.x.price', before: 5, after: 6 },
    ]);
  });

  test('swaps before and after if the menus are swapped', () => {
    const other = menu({ products: [product(2, { name: 'x' }), product(3)] });
    const there = diffMenus(menu(), other).products;
    const back = diffMenus(other, menu()).products;

    expect(back.added).toEqual(there.removed);
    expect(back.removed).toEqual(there.added);
    expect(back.changed[0]?.fields).toEqual(
      there.changed[0]?.fields.map(({ field, before, after }) => ({
        field,
        before: after,
        after: before,
      })),
    );
  });
});
