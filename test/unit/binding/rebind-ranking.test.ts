import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { likenessTo, rankRebinds, type BoundItem, type RebindSize } from '../../../domain/binding/rebind-ranking.ts';

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

describe('what a variant could be bound to', () => {
  test('sku, then name and group, then a name that is alike; nothing else', () => {
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

  test('a near price and the same size support a name that is alike, and every reason is told', () => {
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
    expect(other!.reasons.find((each) => each.code === 'PRICE')).toEqual({ code: 'PRICE', holds: false, value: 3 });
  });

  test('beside a missing item an older dish counts less, and a dish of another product nothing', () => {
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

  test('likeness is 1 for equal names, the same both ways, and never leaves 0 to 1', () => {
    expect(likenessTo('Борщ 300 г')('борщ (500 г)')).toBe(1);
    expect(likenessTo('')('')).toBe(0);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const likeness = likenessTo(one)(other);
        expect(likeness).toBeGreaterThanOrEqual(0);
        expect(likeness).toBeLessThanOrEqual(1);
        expect(likenessTo(other)(one)).toBe(likeness);
      }),
    );
  });
});
