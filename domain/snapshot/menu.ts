import type { ImageReference } from '../media/image-reference.ts';

/** The public menu of one organization (rule SNP-1). Prices are whole kopecks until they are written. */

export type MenuCategory = {
  id: number;
  slug: string;
  name: string;
  parentId: number | null;
  position: number;
  image: ImageReference | null;
  productIds: number[];
};

export type NutritionPer100g = { proteins: number; fats: number; carbs: number; energy: number };

export type MenuVariant = {
  id: number;
  option: { code: string; name: string; shortName?: string } | null;
  erpItemId: string;
  sku?: string;
  price: number;
  weightGrams?: number;
  nutritionPer100g?: NutritionPer100g;
  available: boolean;
  isDefault: boolean;
  modifierGroupIds: string[];
};

export type Allergen = { code: string; name: string };

export type MenuProduct = {
  id: number;
  slug: string;
  name: string;
  subtitle?: string;
  description?: string;
  composition?: string;
  categoryIds: number[];
  primaryCategoryId: number;
  badges: string[];
  images: { main: ImageReference; hover: ImageReference | null; gallery: ImageReference[] };
  variantAxis: { code: string; name: string; uiType: string } | null;
  variants: MenuVariant[];
  allergens: Allergen[];
};

export type MenuModifier = {
  id: string;
  name: string;
  price: number;
  image: ImageReference | null;
  weightGrams?: number;
  available: boolean;
  isDefault: boolean;
};

export type ModifierGroupUiType = 'RADIO' | 'CHECKBOX' | 'COUNTER';

export type MenuModifierGroup = {
  id: string;
  name: string;
  uiType: ModifierGroupUiType;
  min: number;
  max: number;
  free: number;
  collapsed: boolean;
  modifiers: MenuModifier[];
};

/** Texts of a product that only its card has: the menu would be a fifth larger with them. */
export type CardTexts = { seoTitle?: string; seoDescription?: string };

/** What a menu shows, without what publishing adds (revision and time). */
export type MenuContent = {
  categories: MenuCategory[];
  products: MenuProduct[];
  modifierGroups: MenuModifierGroup[];
};
