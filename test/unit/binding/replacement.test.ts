import { describe, expect, test } from '@jest/globals';
import { replacementSearch, type FreeSize, type LostItem } from '../../../modules/binding/rules/replacement.ts';

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

describe('replacement search', () => {
  test('the same sku is 0.95, the same name and group is 0.8, the surer one comes first', () => {
    const byName = size({ name: 'Борщ' });
    const bySku = size({ sku: 'B-1' });

    expect(found(lost, byName, bySku, size({}))).toEqual([
      [bySku.erpItemSizeId, 'SKU', 0.95],
      [byName.erpItemSizeId, 'NAME_AND_GROUP', 0.8],
    ]);
  });

  test('among equally sure ones the older comes first, then the one with the smaller id, and ten are named', () => {
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

  test('a size that matches in both ways is named once, by its sku', () => {
    const both = size({ sku: 'B-1', name: 'Борщ' });
    expect(found(lost, both)).toEqual([[both.erpItemSizeId, 'SKU', 0.95]]);
  });

  test('an item that was there while the lost one still was replaces nothing', () => {
    expect(found(lost, size({ sku: 'B-1', firstSeenAt: 1_000 }), size({ sku: 'B-1', firstSeenAt: 10 }))).toEqual([]);
  });

  test('the same name in another group is nothing', () => {
    expect(found(lost, size({ name: 'Борщ', productCategoryId: 'salads' }))).toEqual([]);
    expect(found(lost, size({ name: 'Борщ', productCategoryId: null, menuCategoryIds: ['lunch'] }))).toEqual([]);
  });

  test('without a product category the categories of the menu are the group', () => {
    const item = { ...lost, productCategoryId: null };
    const same = size({ name: 'Борщ', menuCategoryIds: ['dinner', 'night'] });

    expect(found(item, same, size({ name: 'Борщ', menuCategoryIds: ['night'] }))).toEqual([
      [same.erpItemSizeId, 'NAME_AND_GROUP', 0.8],
    ]);
  });

  test('a lost item without a sku matches no other one without', () => {
    expect(found({ ...lost, sku: null, name: null }, size({ sku: null }))).toEqual([]);
    expect(found({ ...lost, sku: '', name: null }, size({ sku: '' }))).toEqual([]);
  });

  test('what another product has claimed is left out, what the own one has is not', () => {
    const own = size({ sku: 'B-1', boundProductId: 1 });
    expect(found(lost, own, size({ sku: 'B-1', boundProductId: 2 }))).toEqual([[own.erpItemSizeId, 'SKU', 0.95]]);
  });

  test('of a dish with the lost size only that size is named, of another one all that match', () => {
    const small = size({ erpItemId: 'same', erpSizeId: 'small', sku: 'B-1' });
    const large = size({ erpItemId: 'same', erpSizeId: 'large', sku: 'B-1' });
    const others = ['large', 'huge'].map((erpSizeId) => size({ erpItemId: 'other', erpSizeId, sku: 'B-1' }));

    expect(found(lost, large, small, ...others).map(([id]) => id)).toEqual([
      small.erpItemSizeId,
      ...others.map((other) => other.erpItemSizeId),
    ]);
  });
});
