import { expect, test } from '@jest/globals';
import type {
  MenuCategory,
  MenuProduct,
} from '../../../modules/menus/rules/snapshot/menu-parts.ts';
import {
  chooseFacets,
  countFacets,
  facetChoices,
  facetIndex,
  hasFacets,
  type FacetCatalog,
} from '../../../modules/menus/rules/storefront/facets.ts';

const catalog: FacetCatalog = {
  language: 'RU',
  badges: [
    { code: 'HIT', name: 'Хит' },
    { code: 'NEW', name: 'Новинка' },
  ],
  categories: [
    { code: 'food', name: 'Еда' },
    { code: 'drinks', name: 'Напитки' },
  ],
  axes: [
    {
      code: 'SIZE',
      name: 'Размер',
      options: [
        { code: 'S', name: 'Малая' },
        { code: 'L', name: 'Большая' },
      ],
    },
  ],
};

type Dish = {
  id: number;
  categoryIds?: number[];
  badges?: string[];
  variants?: [option: string, price: number, available?: boolean][];
};
const category = (id: number, slug: string, parentId: number | null = null) =>
  ({ id, slug, parentId }) as MenuCategory;
const categories = [category(1, 'food'), category(2, 'pizza', 1), category(3, 'drinks')];
const product = ({ id, categoryIds = [2], badges = [], variants = [['S', 30_000]] }: Dish) =>
  ({
    id,
    categoryIds,
    badges,
    variantAxis: { code: 'SIZE' },
    variants: variants.map(([code, price, available = true]) => ({
      option: { code },
      price,
      available,
    })),
  }) as MenuProduct;

const products = [
  product({
    id: 1,
    badges: ['HIT', 'NEW'],
    variants: [
      ['S', 29_999],
      ['L', 70_000],
    ],
  }),
  product({ id: 2, badges: ['HIT'], variants: [['L', 30_000]] }),
  product({ id: 3, categoryIds: [3, 2], variants: [['S', 100_000, false]] }),
];
const indexed = () => facetIndex({ products, categories });
const counts = (code: string, among = products) =>
  countFacets(catalog, indexed(), among)
    .find((facet) => facet.code === code)!
    .values.map((value) => [value.code, value.count]);

test('[STO-11] facets and values come from the catalog, in its order, without those of a menu only', () => {
  expect(facetChoices(catalog).map(({ code, name }) => [code, name])).toEqual([
    ['category', 'Раздел'],
    ['badge', 'Метки'],
    ['SIZE', 'Размер'],
    ['price', 'Цена'],
    ['availability', 'Наличие'],
  ]);
  expect(
    countFacets(catalog, facetIndex({ products: [], categories: [] }), []).flatMap(
      ({ values }) => values,
    ),
  ).toHaveLength(11);
});

test('a facet without values is omitted', () => {
  expect(facetChoices({ ...catalog, badges: [] }).map(({ code }) => code)).not.toContain('badge');
});

test.each<[FacetCatalog['language'], string[]]>([
  ['RU', ['до 300 ₽', '300–600 ₽', '600–1000 ₽', 'от 1000 ₽']],
  ['EN', ['under 300 ₽', '300–600 ₽', '600–1000 ₽', 'from 1000 ₽']],
])('price ranges have names in %s', (language, names) => {
  const bands = facetChoices({ ...catalog, language }).find(({ code }) => code === 'price')!;

  expect(bands.values.map(({ name }) => name)).toEqual(names);
});

test('values keep their names when they are counted', () => {
  expect(countFacets(catalog, indexed(), products)[1]!.values).toEqual([
    { code: 'HIT', name: 'Хит', count: 2 },
    { code: 'NEW', name: 'Новинка', count: 1 },
  ]);
});

test('a product with nothing but a price counts for the price only', () => {
  const plain = {
    ...product({ id: 1, categoryIds: [9], variants: [['S', 30_000, false]] }),
    variantAxis: null,
  };

  expect([...facetIndex({ products: [plain], categories }).keys()]).toEqual(['price:300-600']);
});

test('a variant without an option counts for none', () => {
  const [shown] = [product({ id: 1 })];
  const plain = {
    ...shown!,
    variants: shown!.variants.map((variant) => ({ ...variant, option: null })),
  };

  expect([...facetIndex({ products: [plain], categories }).keys()]).toEqual([
    'category:food',
    'price:300-600',
    'availability:now',
  ]);
});

test('a product can be ordered if one of its variants can', () => {
  const half = product({
    id: 1,
    variants: [
      ['S', 30_000, false],
      ['L', 40_000],
    ],
  });

  expect(facetIndex({ products: [half], categories }).get('availability:now')).toEqual(
    new Set([1]),
  );
});

test('a value may contain a colon', () => {
  const marked = { ...catalog, badges: [{ code: 'A:B', name: 'AB' }] };

  expect(chooseFacets(marked, ['badge:A:B'])).toEqual({ chosen: [['badge:A:B']], errors: [] });
});

test.each([
  [
    'category',
    [
      ['food', 3],
      ['drinks', 1],
    ],
  ],
  [
    'badge',
    [
      ['HIT', 2],
      ['NEW', 1],
    ],
  ],
  [
    'SIZE',
    [
      ['S', 2],
      ['L', 2],
    ],
  ],
  [
    'price',
    [
      ['0-300', 1],
      ['300-600', 1],
      ['600-1000', 0],
      ['1000-', 1],
    ],
  ],
  ['availability', [['now', 2]]],
])('[STO-11] a product counts once for each of its values: %s', (code, expected) => {
  expect(counts(code)).toEqual(expected);
});

test('only requested products are counted', () => {
  expect(counts('badge', [products[1]!])).toEqual([
    ['HIT', 1],
    ['NEW', 0],
  ]);
});

test.each([
  ['nothing', [], [1, 2, 3]],
  ['one value', ['badge:NEW'], [1]],
  ['alternatives of one facet', ['badge:NEW', 'badge:HIT'], [1, 2]],
  ['two facets', ['badge:HIT', 'price:300-600'], [2]],
  [
    'alternatives of one facet and another one',
    ['SIZE:S', 'SIZE:L', 'availability:now', 'category:food'],
    [1, 2],
  ],
  ['a value twice', ['category:drinks', 'category:drinks'], [3]],
  ['a value that no product has', ['price:600-1000'], []],
])('[STO-12] the choice of %s keeps the matching products', (_, given, expected) => {
  const { chosen, errors } = chooseFacets(catalog, given);

  expect(errors).toEqual([]);
  expect(products.map(({ id }) => id).filter(hasFacets(indexed(), chosen))).toEqual(expected);
});

test.each([
  ['an unknown facet', ['badge:HIT', 'colour:RED'], 'facet.1'],
  ['an unknown value', ['badge:hit'], 'facet.0'],
  ['a value of another facet', ['SIZE:HIT'], 'facet.0'],
])('a filter with %s is rejected with its position', (_, given, field) => {
  expect(chooseFacets(catalog, given).errors).toMatchObject([{ field, code: 'not_found' }]);
});
