import type { WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';

/** From one snapshot, in any order. */

/** Excludes disabled menus. */
export type OfferFact = {
  itemSizeId: number;
  externalMenuId: number;
  /** 1 has precedence (SNP-5). */
  menuRank: number;
  priceKopecks: number;
  /** The ERP states the price and lists item and size. */
  isLive: boolean;
  /** The item, its size, or all placements in the ERP's menu are hidden. */
  isHidden: boolean;
  /** Null or absent if a showing category has no hours. */
  hours?: readonly WeeklyHours[] | null;
};

export type GroupFact = {
  id: number;
  externalMenuId: number;
  itemSizeId: number;
  groupKey: string;
  name: string;
  position: number;
  isHidden: boolean;
  min: number;
  max: number;
  free: number;
  /** False ignores min and max of single modifiers. */
  hasChildRestrictions: boolean;
};

export type LinkFact = {
  groupId: number;
  itemId: number;
  name: string;
  position: number;
  isHidden: boolean;
  weightGrams: number | null;
  min: number;
  max: number;
  free: number;
  default: number;
};

/** Always has a price, possibly a former one. */
export type ModifierFact = {
  externalMenuId: number;
  itemId: number;
  erpId: string;
  sizeErpId: string;
  priceKopecks: number;
  isLive: boolean;
};

export type StopRow = {
  terminalGroupId: string;
  itemErpId: string;
  sizeErpId: string;
  balance: number;
};

export type StopFacts = {
  rows: readonly StopRow[];
  /** By ERP id; false for a removed group. */
  terminalGroups: ReadonlyMap<string, boolean>;
  /** ANY: one active group stops an item; ALL: all of them must. */
  terminals: 'ANY' | 'ALL';
};
