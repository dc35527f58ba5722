import { describe, expect, test } from '@jest/globals';
import {
  replacementSearch,
  type FreeSize,
  type LostItem,
} from '../../../modules/binding/rules/replacement.ts';

const lost: LostItem = {
  productId: 1,
  sku: 'B-1',
  name: 'Борщ',
  erpSizeId: 'small',
  productCategoryId: 'soups',
  menuCategoryIds: ['lunch', 'dinner'],
  lastSeenAt: 1_000,
};

let ids = 0;
const size = (facts: Partial<FreeSize>): FreeSize => {
  ids += 1;
  return {
    erpItemId: `item-${ids}`,
    erpItemSizeId: ids,
    erpSizeId: '',
    sku: 'other',
    name: 'Другое',
    productCategoryId: 'soups',
    menuCategoryIds: [],
    boundProductId: null,
    firstSeenAt: 2_000,
    ...facts,
  };
};
const found = (item: LostItem, ...sizes: FreeSize[]) =>
  replacementSearch(sizes)(item).map(({ erpItemSizeId, matchedBy, confidence }) => [
    erpItemSizeId,
    matchedBy,
    confidence,
  ]);

describe('the search for a replacement', () => {
  test('rates the same sku as 0.95, the same name and group as 0.8, and sorts by likelihood', () => {
    const byName = size({ name: 'Борщ' });
    const bySku = size({ sku: 'B-1' });

    expect(found(lost, byName, bySku, size({}))).toEqual([
      [bySku.erpItemSizeId, 'SKU', 0.95],
      [byName.erpItemSizeId, 'NAME_AND_GROUP', 0.8],
    ]);
  });

  test('sorts equally likely items by age and id, and returns ten', () => {
    const sameAge = [size({ sku: 'B-1' }), size({ sku: 'B-1' })];
    const older = size({ sku: 'B-1', firstSeenAt: 1_500 });
    const sureAndNew = size({ sku: 'B-1', firstSeenAt: 3_000 });
    const sure = [older, ...sameAge, sureAndNew].map((entry) => [entry.erpItemSizeId, 'SKU', 0.95]);
    const many = Array.from({ length: 9 }, () => size({ name: 'Борщ', firstSeenAt: 1_200 }));

    expect(found(lost, sureAndNew, ...sameAge.toReversed(), older)).toEqual(sure);
    expect(found(lost, ...many, sureAndNew, ...sameAge, older)).toEqual([
      ...sure,
      ...many.slice(0, 6).map((entry) => [entry.erpItemSizeId, 'NAME_AND_GROUP', 0.8]),
    ]);
  });

  test('returns a size that matches twice once, by its sku', () => {
    const both = size({ sku: 'B-1', name: 'Борщ' });
    expect(found(lost, both)).toEqual([[both.erpItemSizeId, 'SKU', 0.95]]);
  });

  test('excludes an item that existed together with the missing one', () => {
    expect(
      found(lost, size({ sku: 'B-1', firstSeenAt: 1_000 }), size({ sku: 'B-1', firstSeenAt: 10 })),
    ).toEqual([]);
  });

  test('excludes the same name in another group', () => {
    expect(found(lost, size({ name: 'Борщ', productCategoryId: 'salads' }))).toEqual([]);
    expect(
      found(lost, size({ name: 'Борщ', productCategoryId: null, menuCategoryIds: ['lunch'] })),
    ).toEqual([]);
  });

  test('uses the menu categories as group without a product category', () => {
    const item = { ...lost, productCategoryId: null };
    const same = size({ name: 'Борщ', menuCategoryIds: ['dinner', 'night'] });

    expect(found(item, same, size({ name: 'Борщ', menuCategoryIds: ['night'] }))).toEqual([
      [same.erpItemSizeId, 'NAME_AND_GROUP', 0.8],
    ]);
  });

  test('never matches a missing item without a sku to another item without one', () => {
    expect(found({ ...lost, sku: null, name: null }, size({ sku: null }))).toEqual([]);
    expect(found({ ...lost, sku: '', name: null }, size({ sku: '' }))).toEqual([]);
  });

  test('excludes items bound by other products, but not by the own product', () => {
    const own = size({ sku: 'B-1', boundProductId: 1 });
    expect(found(lost, own, size({ sku: 'B-1', boundProductId: 2 }))).toEqual([
      [own.erpItemSizeId, 'SKU', 0.95],
    ]);
  });

  test('returns the size of the dish if it has the missing one, or all that match', () => {
    const small = size({ erpItemId: 'same', erpSizeId: 'small', sku: 'B-1' });
    const large = size({ erpItemId: 'same', erpSizeId: 'large', sku: 'B-1' });
    const others = ['large', 'huge'].map((erpSizeId) =>
      size({ erpItemId: 'other', erpSizeId, sku: 'B-1' }),
    );

    expect(found(lost, large, small, ...others).map(([id]) => id)).toEqual([
      small.erpItemSizeId,
      ...others.map((other) => other.erpItemSizeId),
    ]);
  });
});
