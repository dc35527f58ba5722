import type { Anomaly } from './anomalies.ts';
import type { WeeklyHours } from './weekly-hours.ts';

/** Amounts in kopecks and grams, lower-case UUIDs. */
export type MenuRows = {
  revision: number | null;
  productCategories: { erpId: string; name: string; isDeleted: boolean }[];
  menuCategories: {
    erpId: string;
    name: string;
    description: string | null;
    isHidden: boolean;
    position: number;
    hours: WeeklyHours | null;
  }[];
  items: ItemRow[];
  placements: { categoryErpId: string; itemErpId: string; position: number; isHidden: boolean }[];
  sizes: SizeRow[];
  prices: PriceRow[];
  groups: GroupRow[];
  links: LinkRow[];
  unreadItems: UnreadRow[];
  anomalies: Anomaly[];
};

export type ItemRole = 'DISH' | 'MODIFIER';

export type ItemRow = {
  erpId: string;
  role: ItemRole;
  name: string;
  description: string | null;
  sku: string | null;
  type: string | null;
  orderItemType: string | null;
  measureUnit: string | null;
  productCategoryErpId: string | null;
  allergens: { code: string; name: string }[];
  labels: string[];
  /** True if all placements or their categories are hidden. */
  isHidden: boolean;
};

/** A null `erpId` may be each item of the role that the response lacks (MIR-71). */
export type UnreadRow = { role: ItemRole; erpId: string | null };

export type Nutrition = { proteins: number; fats: number; carbs: number; energy: number };

export type SizeRow = {
  itemErpId: string;
  role: ItemRole;
  /** Empty for an unsized item. */
  erpSizeId: string;
  name: string | null;
  code: string | null;
  sku: string | null;
  weightGrams: number | null;
  nutrition: Nutrition | null;
  isDefault: boolean;
  isHidden: boolean;
};

/** `priceKopecks` null: listed, but not for sale. */
export type PriceRow = {
  itemErpId: string;
  role: ItemRole;
  erpSizeId: string;
  organizationId: number;
  priceKopecks: number | null;
};

export type Quantities = {
  minQuantity: number;
  maxQuantity: number;
  freeQuantity: number;
  defaultQuantity: number;
};

/** Applies to all sizes of the dish. */
export type GroupRow = Quantities & {
  itemErpId: string;
  groupKey: string;
  erpId: string | null;
  name: string;
  sku: string | null;
  position: number;
  isHidden: boolean;
  /** False means that quantities of links are 0/0 without a limit. */
  hasChildRestrictions: boolean;
};

export type LinkRow = Quantities & {
  itemErpId: string;
  groupKey: string;
  modifierErpId: string;
  position: number;
  name: string;
  isHidden: boolean;
  weightGrams: number | null;
};
