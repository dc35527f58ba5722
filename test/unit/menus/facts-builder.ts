import { createHash } from 'node:crypto';
import type { RenditionFile, StoredMedia } from '../../../modules/media/rules/image-reference.ts';
import type * as offers from '../../../modules/menus/rules/offers/facts.ts';
import type * as facts from '../../../modules/menus/rules/snapshot/facts.ts';
import {
  assembleMenu,
  type AssembledMenu,
} from '../../../modules/menus/rules/snapshot/assemble.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
export const assemble = (menu: facts.MenuFacts): AssembledMenu => assembleMenu(menu, digest);

/** A readable uuid: `uuid(7)` ends with 7. */
export const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const rendition = (
  url: string,
  density: number,
  name = 'card',
  format = 'webp',
): RenditionFile => ({
  name,
  density,
  format,
  url,
  width: 400 * density,
  height: 300 * density,
});

export const media = (id: number): StoredMedia => ({
  id,
  renditions: [
    rendition(`/media/${id}-1`, 1),
    rendition(`/media/${id}-2`, 2),
    rendition(`/media/${id}-t`, 1, 'thumb'),
  ],
});

export const category = (
  id: number,
  over: Partial<facts.CategoryFact> = {},
): facts.CategoryFact => ({
  id,
  slug: `category-${id}`,
  name: `Категория ${id}`,
  parentId: null,
  position: id,
  imageId: null,
  isArchived: false,
  seoTitle: null,
  seoDescription: null,
  ...over,
});

export const product = (id: number, over: Partial<facts.ProductFact> = {}): facts.ProductFact => ({
  id,
  slug: `product-${id}`,
  name: `Продукт ${id}`,
  status: 'PUBLISHED',
  mainImageId: 1,
  hoverImageId: null,
  axis: null,
  subtitle: null,
  description: null,
  composition: null,
  seoTitle: null,
  seoDescription: null,
  ...over,
});

/** The variant `id` of a product; its size has the same number, its ERP item is `uuid(id)`. */
export const variant = (
  id: number,
  productId: number,
  over: Partial<facts.VariantFact> = {},
): facts.VariantFact => ({
  id,
  productId,
  itemSizeId: id,
  position: id,
  isDefault: false,
  option: null,
  itemErpId: uuid(id),
  sizeErpId: '',
  sku: `sku-${id}`,
  weightGrams: null,
  nutrition: null,
  allergens: [],
  ...over,
});

export const offer = (
  itemSizeId: number,
  over: Partial<offers.OfferFact> = {},
): offers.OfferFact => ({
  itemSizeId,
  externalMenuId: 1,
  menuRank: 1,
  priceKopecks: 25_000,
  isLive: true,
  isHidden: false,
  ...over,
});

export const group = (
  id: number,
  itemSizeId: number,
  over: Partial<offers.GroupFact> = {},
): offers.GroupFact => ({
  id,
  externalMenuId: 1,
  itemSizeId,
  groupKey: 'sauces',
  name: 'Соусы',
  position: 0,
  isHidden: false,
  min: 0,
  max: 3,
  free: 0,
  hasChildRestrictions: true,
  ...over,
});

export const link = (
  groupId: number,
  itemId: number,
  over: Partial<offers.LinkFact> = {},
): offers.LinkFact => ({
  groupId,
  itemId,
  name: `Соус ${itemId}`,
  position: itemId,
  isHidden: false,
  weightGrams: null,
  min: 0,
  max: 1,
  free: 0,
  default: 0,
  ...over,
});

/** The modifier `itemId`; its ERP item is `uuid(itemId)`. */
export const modifier = (
  itemId: number,
  over: Partial<offers.ModifierFact> = {},
): offers.ModifierFact => ({
  externalMenuId: 1,
  itemId,
  erpId: uuid(itemId),
  sizeErpId: '',
  priceKopecks: 5_000,
  isLive: true,
  ...over,
});

export const stops = (over: Partial<offers.StopFacts> = {}): offers.StopFacts => ({
  rows: [],
  terminalGroups: new Map(),
  terminals: 'ANY',
  ...over,
});

export const stopRow = (itemErpId: string, over: Partial<offers.StopRow> = {}): offers.StopRow => ({
  terminalGroupId: 'till-1',
  itemErpId,
  sizeErpId: '',
  balance: 0,
  ...over,
});

/** Facts of a category with one product; `over` replaces whole lists. */
export const menuFacts = (over: Partial<facts.MenuFacts> = {}): facts.MenuFacts => {
  const products = over.products ?? [product(1)];
  return {
    categories: [category(1)],
    products,
    placements: products.map(({ id }) => ({
      productId: id,
      categoryId: 1,
      position: id,
      isPrimary: true,
    })),
    badges: [],
    gallery: [],
    media: [media(1), media(2), media(3)],
    variants: products.map(({ id }) => variant(id, id, { isDefault: true })),
    offers: (over.variants ?? products.map(({ id }) => variant(id, id))).map((fact) =>
      offer(fact.itemSizeId),
    ),
    groups: [],
    links: [],
    modifiers: [],
    groupProfiles: [],
    modifierProfiles: [],
    stops: stops(),
    stoplistBehaviour: 'SHOW',
    ...over,
  };
};
