import { expect, test } from '@jest/globals';
import {
  pickPinnedContent,
  restoreVariants,
  shownMediaIds,
  withLastPrices,
} from '../../../modules/menus/rules/snapshot/pinned-content.ts';
import { assemble, category, menuFacts, offer, product, variant } from './facts-builder.ts';

const OPTION = { code: 'L', name: 'Large', shortName: null };
const FACTS = menuFacts({
  variants: [variant(1, 1, { isDefault: true, option: OPTION, position: 4 }), variant(2, 1)],
  offers: [offer(1, { priceKopecks: 700 })],
});
const KEPT = pickPinnedContent(FACTS, assemble(FACTS).content);

test('a build keeps decisions of staff and prices that guests saw, and nothing of the ERP', () => {
  const { categories, products, placements, badges, gallery, groupProfiles, modifierProfiles } =
    FACTS;

  expect(KEPT).toEqual({
    categories,
    products,
    placements,
    badges,
    gallery,
    groupProfiles,
    modifierProfiles,
    variants: [
      {
        id: 1,
        productId: 1,
        itemSizeId: 1,
        position: 4,
        isDefault: true,
        option: OPTION,
        lastPriceKopecks: 700,
      },
      {
        id: 2,
        productId: 1,
        itemSizeId: 2,
        position: 2,
        isDefault: false,
        option: null,
        lastPriceKopecks: null,
      },
    ],
  });
});

test('pictures of all visible content are listed once', () => {
  const profile = { itemId: 1, displayName: null, position: null, isHidden: false };
  const content = {
    ...KEPT,
    products: [product(1, { mainImageId: 4, hoverImageId: 2 }), product(2, { mainImageId: null })],
    gallery: [{ productId: 1, mediaId: 3, position: 1 }],
    categories: [category(1, { imageId: 6 }), category(2)],
    modifierProfiles: [
      { ...profile, imageId: 5 },
      { ...profile, imageId: null },
    ],
  };

  expect(shownMediaIds(content).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
});

test('stored variants have their current binding and weight, and unknown ones are omitted', () => {
  const now = {
    ...variant(1, 1),
    itemSizeId: 8,
    itemErpId: 'now',
    weightGrams: 5,
    isRemoved: true,
  };
  const {
    id,
    itemSizeId,
    itemErpId,
    sizeErpId,
    sku,
    weightGrams,
    nutrition,
    allergens,
    isRemoved,
  } = now;
  const live = {
    id,
    itemSizeId,
    itemErpId,
    sizeErpId,
    sku,
    weightGrams,
    nutrition,
    allergens,
    isRemoved,
  };

  expect(restoreVariants(KEPT.variants, [live])).toEqual([
    { ...live, productId: 1, position: 4, isDefault: true, option: OPTION },
  ]);
});

test('a size without a price has the last price that guests saw, and cannot be sold', () => {
  const variants = [variant(1, 1), variant(2, 1), variant(3, 1)];

  expect(withLastPrices([offer(9)], variants, KEPT.variants)).toEqual([
    offer(9),
    {
      itemSizeId: 1,
      externalMenuId: 0,
      menuRank: Number.MAX_SAFE_INTEGER,
      priceKopecks: 700,
      isLive: false,
      isHidden: false,
    },
  ]);
});

test('a size that a menu prices or hides has only the current offer', () => {
  for (const today of [offer(1), offer(1, { isHidden: true })])
    expect(withLastPrices([today], [variant(1, 1)], KEPT.variants)).toEqual([today]);
});
