import type { WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';

/** Offers of the ERP in an organization, from one snapshot. Their order does not matter. */

/** Disabled menus are excluded. */
export type OfferFact = {
  itemSizeId: number;
  externalMenuId: number;
  /** 1 has precedence (rule SNP-5). */
  menuRank: number;
  priceKopecks: number;
  /** The ERP states the price and lists item and size in that menu. */
  isLive: boolean;
  /** The item, its size, or all placements in the ERP's menu are hidden. */
  isHidden: boolean;
  /** Of the showing categories; null or absent if one has none. */
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
  /** By ERP id; false for groups that have disappeared. */
  terminalGroups: ReadonlyMap<string, boolean>;
  /** ANY: one active terminal group stops an item; ALL: all of them must. */
  terminals: 'ANY' | 'ALL';
};
