import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  likenessTo,
  rankRebinds,
  type BoundItem,
  type RebindSize,
} from '../../../modules/binding/rules/rebind-ranking.ts';

const bound: BoundItem = {
  productId: 1,
  sku: 'B-1',
  name: 'Борщ украинский 300 г',
  erpSizeId: '',
  productCategoryId: 'soups',
  menuCategoryIds: [],
  lastSeenAt: 1_000,
  price: 30_000,
  isMissing: false,
};
let ids = 0;
const size = (facts: Partial<RebindSize>): RebindSize => ({
  erpItemId: `item-${(ids += 1)}`,
  erpItemSizeId: ids,
  erpSizeId: '',
  sku: 'other',
  name: 'Уха',
  productCategoryId: 'soups',
  menuCategoryIds: [],
  boundProductId: null,
  firstSeenAt: 2_000,
  price: null,
  ...facts,
});
const ranked = (item: BoundItem, ...sizes: RebindSize[]) =>
  rankRebinds(item, sizes).map(({ name, matchedBy, confidence }) => [name, matchedBy, confidence]);

describe('the ranking of items for a rebind', () => {
  test('[BND-18] contains the same sku, then name and group, then a similar name, and nothing else', () => {
    const offers = [
      size({ name: 'Борщ украинский' }),
      size({ name: 'Борщ украинский 300 г' }),
      size({ name: 'Совсем другое', sku: 'B-1', productCategoryId: 'salads' }),
      size({ name: 'Уха' }),
      size({ name: 'Борщ украинский', productCategoryId: 'salads' }),
    ];
    expect(ranked(bound, ...offers)).toEqual([
      ['Совсем другое', 'SKU', 0.95],
      ['Борщ украинский 300 г', 'NAME_AND_GROUP', 0.8],
      ['Борщ украинский', 'SIMILAR_NAME', 0.65],
    ]);
  });

  test('counts a similar price and the same size in favor of a similar name, and lists every reason', () => {
    const [best, other] = rankRebinds(bound, [
      size({ name: 'Борщ украинский новый', price: 90_000, erpSizeId: 'big' }),
      size({ name: 'Борщ украинский новый', price: 33_000 }),
    ]);

    expect(best!.confidence - other!.confidence).toBeCloseTo(0.1);
    expect(best!.reasons).toEqual([
      { code: 'SKU', holds: false, value: null },
      { code: 'NAME', holds: true, value: expect.any(Number) },
      { code: 'GROUP', holds: true, value: null },
      { code: 'SIZE', holds: true, value: null },
      { code: 'PRICE', holds: true, value: 1.1 },
    ]);
    expect(other!.reasons.find((reason) => reason.code === 'PRICE')).toEqual({
      code: 'PRICE',
      holds: false,
      value: 3,
    });
  });

  test('prefers the older of two equally likely items, then the lower id', () => {
    const [older, newer, newest] = [2_000, 3_000, 3_000].map((firstSeenAt, at) =>
      size({ sku: 'B-1', name: String(at), firstSeenAt }),
    );
    for (const sizes of [
      [older, newer, newest],
      [newest, newer, older],
      [newer, newest, older],
    ])
      expect(rankRebinds(bound, sizes as RebindSize[]).map(({ name }) => name)).toEqual([
        '0',
        '1',
        '2',
      ]);
  });

  test('lowers a less similar name, down to one that is half the same', () => {
    const soup = { ...bound, name: 'Суп' };
    const offers = ['Сук', 'Сок', 'Суп (большой)'].map((name) => size({ name }));

    expect(ranked(soup, ...offers)).toEqual([
      ['Суп (большой)', 'SIMILAR_NAME', 0.65],
      ['Сук', 'SIMILAR_NAME', 0.35],
    ]);
    expect(rankRebinds(soup, [offers[0]!])[0]!.reasons).toContainEqual({
      code: 'NAME',
      holds: true,
      value: 0.5,
    });
    const bySku = rankRebinds(soup, [size({ sku: 'B-1', name: 'Рыба' })]);
    expect(bySku[0]!.reasons).toContainEqual({ code: 'NAME', holds: false, value: 0 });
  });

  test.each([[null], ['']])('never treats two empty skus as equal: %j', (sku) => {
    expect(ranked({ ...bound, sku }, size({ sku }))).toEqual([]);
  });

  test.each([
    [null, 100],
    [0, 100],
    [0, 0],
    [100, null],
    [null, null],
  ])('compares no missing prices: %j and %j', (before, price) => {
    expect(
      rankRebinds({ ...bound, price: before }, [size({ sku: 'B-1', price })])[0]!.reasons,
    ).toContainEqual({
      code: 'PRICE',
      holds: false,
      value: null,
    });
  });

  test('treats a dish first seen when the missing one was last seen as existing at the same time', () => {
    const missing = { ...bound, isMissing: true };
    const laterIsTrue = [1_000, 1_001].map(
      (firstSeenAt) =>
        rankRebinds(missing, [size({ sku: 'B-1', firstSeenAt })])[0]!.reasons.at(-1)!.holds,
    );

    expect(laterIsTrue).toEqual([false, true]);
  });

  test('lowers an older dish than the missing one, and excludes dishes of other products', () => {
    const missing = { ...bound, isMissing: true };
    expect(
      ranked(
        missing,
        size({ name: 'старый', sku: 'B-1', firstSeenAt: 10 }),
        size({ name: 'новый', sku: 'B-1' }),
        size({ name: 'чужой', sku: 'B-1', boundProductId: 7 }),
        size({ name: 'свой', sku: 'B-1', boundProductId: 1 }),
      ),
    ).toEqual([
      ['новый', 'SKU', 0.95],
      ['свой', 'SKU', 0.95],
      ['старый', 'SKU', 0.57],
    ]);
  });

  test('rates similarity as 1 for equal names, symmetrically, always from 0 to 1', () => {
    expect(likenessTo('Борщ 300 г')('борщ (500 г)')).toBe(1);
    expect(likenessTo('')('')).toBe(0);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (one, other) => {
          const likeness = likenessTo(one)(other);
          expect(likeness).toBeGreaterThanOrEqual(0);
          expect(likeness).toBeLessThanOrEqual(1);
          expect(likenessTo(other)(one)).toBe(likeness);
        },
      ),
    );
  });
});
