import type { WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';

/**
 * The offers of the ERP in one organization, all read in one database snapshot. Order never
 * matters.
 */

/**
 * The offer of one size by one external menu in this organization. Menus that are switched off are
 * not read.
 */
export type OfferFact = {
  itemSizeId: number;
  externalMenuId: number;
  /** 1 is the menu that decides when several price one size (rule SNP-5). */
  menuRank: number;
  priceKopecks: number;
  /** True while the ERP states the price and lists item and size in that menu. */
  isLive: boolean;
  /** True when the item, its size, or all its placements in the ERP's menu are hidden. */
  isHidden: boolean;
  /** Hours of the categories that show it; null or absent if one of them has none. */
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
  /** False: min and max of the single modifiers do not apply. */
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

/**
 * A modifier as one external menu prices it in this organization. Without a price there was never
 * one.
 */
export type ModifierFact = {
  externalMenuId: number;
  itemId: number;
  erpId: string;
  sizeErpId: string;
  priceKopecks: number;
  isLive: boolean;
};

export type StopRow = { terminalGroupId: string; itemErpId: string; sizeErpId: string; balance: number };

export type StopFacts = {
  rows: readonly StopRow[];
  /**
   * Terminal groups of the organization by ERP id; false when a group has disappeared from the ERP.
   */
  terminalGroups: ReadonlyMap<string, boolean>;
  /**
   * ANY: stopped in one active terminal group is stopped; ALL: only when every active one has
   * stopped it.
   */
  terminals: 'ANY' | 'ALL';
};
