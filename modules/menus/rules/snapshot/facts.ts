import type { StoredMedia } from '../../../media/rules/image-reference.ts';
import type { ModifierGroupUiType } from '../../../catalog/rules/states.ts';
import type { GroupFact, LinkFact, ModifierFact, OfferFact, StopFacts } from '../offers/facts.ts';
import type { Allergen, CardTexts, MenuProduct } from './menu-parts.ts';

/** Facts of one snapshot, with rows in any order. */

export type CategoryFact = {
  id: number;
  slug: string;
  name: string;
  parentId: number | null;
  position: number;
  imageId: number | null;
  isArchived: boolean;
  seoTitle: string | null;
  seoDescription: string | null;
};

/** Texts of the menu, and texts that only product cards contain. */
export const MENU_TEXTS = [
  'subtitle',
  'description',
  'composition',
] as const satisfies readonly (keyof MenuProduct)[];

export const CARD_TEXTS = [
  'seoTitle',
  'seoDescription',
] as const satisfies readonly (keyof CardTexts)[];

type TextFacts = { [F in (typeof MENU_TEXTS | typeof CARD_TEXTS)[number]]: string | null };

export type ProductFact = TextFacts & {
  id: number;
  slug: string;
  name: string;
  status: string;
  mainImageId: number | null;
  hoverImageId: number | null;
  axis: { code: string; name: string; uiType: string } | null;
};

export type PlacementFact = {
  productId: number;
  categoryId: number;
  position: number;
  isPrimary: boolean;
};

export type BadgeFact = { productId: number; code: string; position: number };
export type GalleryFact = { productId: number; mediaId: number; position: number };

export type VariantFact = {
  id: number;
  productId: number;
  itemSizeId: number;
  position: number;
  isDefault: boolean;
  option: { code: string; name: string; shortName: string | null } | null;
  itemErpId: string;
  /** Empty for an unsized item. */
  sizeErpId: string;
  sku: string | null;
  weightGrams: number | null;
  nutrition: Readonly<Record<string, unknown>> | null;
  allergens: readonly Allergen[];
  /** True for a pinned variant that was removed: shown, but not sellable. */
  isRemoved?: boolean;
};

export type GroupProfileFact = {
  groupKey: string;
  displayName: string | null;
  uiType: ModifierGroupUiType | null;
  isHidden: boolean;
  isCollapsed: boolean;
  /** Unlisted items follow. */
  itemOrder: readonly number[];
};

export type ModifierProfileFact = {
  itemId: number;
  displayName: string | null;
  imageId: number | null;
  /** Replaces the ERP's position unless null. */
  position: number | null;
  isHidden: boolean;
};

export type MenuFacts = {
  categories: readonly CategoryFact[];
  products: readonly ProductFact[];
  placements: readonly PlacementFact[];
  badges: readonly BadgeFact[];
  gallery: readonly GalleryFact[];
  media: readonly StoredMedia[];
  variants: readonly VariantFact[];
  offers: readonly OfferFact[];
  groups: readonly GroupFact[];
  links: readonly LinkFact[];
  modifiers: readonly ModifierFact[];
  groupProfiles: readonly GroupProfileFact[];
  modifierProfiles: readonly ModifierProfileFact[];
  stops: StopFacts;
  stoplistBehaviour: 'SHOW' | 'HIDE';
};
