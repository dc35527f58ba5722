import type { Dictionaries } from './data/dictionaries.ts';
import type { Guest } from './guests.ts';

/** Fields that are sent unchanged and never edited by control calls. */
export type Wire = Readonly<Record<string, unknown>>;

/** Rubles by organization id. Null means listed but not for sale, missing means not listed. */
export type Prices = Map<string, number | null>;

export type TerminalGroup = {
  readonly id: string;
  readonly name: string;
  readonly timeZone: string;
  readonly asleep: boolean;
};

export type Organization = {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly address: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Factor of base prices, so that organizations differ. */
  readonly priceLevel: number;
  readonly terminalGroups: readonly TerminalGroup[];
  removed: boolean;
};

export type Modifier = {
  id: string;
  readonly sku: string;
  name: string;
  isHidden: boolean;
  readonly prices: Prices;
  readonly wire: Wire;
};

/** `wire` contains restrictions and overrides. */
export type Link = { readonly modifier: Modifier; isHidden: boolean | null; wire: Wire };

export type Group = {
  readonly id: string | null;
  readonly name: string;
  readonly sku: string;
  isHidden: boolean;
  readonly links: readonly Link[];
  readonly wire: Wire;
};

export type DishSize = {
  readonly sizeId: string | null;
  readonly name: string | null;
  readonly sku: string;
  isDefault: boolean;
  isHidden: boolean;
  readonly prices: Prices;
  wire: Wire;
};

export type Dish = {
  id: string;
  readonly sku: string;
  name: string;
  description: string | null;
  sizes: DishSize[];
  groups: Group[];
  /** Fields of the product dictionary. */
  product: Wire;
  /** Fields of every placement. */
  item: Wire;
};

/** `dish` is null for a combo. */
export type Placement = {
  readonly key: string;
  readonly dish: Dish | null;
  isHidden: boolean;
  readonly picture: string | null;
  wire: Wire;
};

export type Category = {
  id: string;
  readonly name: string;
  isHidden: boolean;
  readonly placements: Placement[];
  wire: Wire;
};

export type Menu = {
  readonly id: string;
  readonly name: string;
  organizationIds: string[];
  revision: number;
  /** Grows with every change, even if the revision stays. */
  version: number;
  readonly categories: readonly Category[];
  readonly modifiers: readonly Modifier[];
  /** Ids of dishes and modifiers that answers lack now. */
  readonly absent: Set<string>;
  dictionaries: Wire;
  readonly extra: Wire;
};

export type PriceCategory = { readonly id: string; readonly name: string; readonly factor: number };

export type StopRow = {
  readonly productId: string;
  readonly sizeId: string | null;
  readonly sku: string | null;
  readonly balance: number;
  readonly dateAdd: string | null;
};

export type Account = {
  readonly name: string;
  readonly login: string;
  readonly organizationIds: readonly string[];
  menuIds: readonly string[];
};

export type Dataset = {
  readonly seed: number;
  readonly organizations: readonly Organization[];
  readonly menus: Map<string, Menu>;
  readonly priceCategories: readonly PriceCategory[];
  readonly accounts: readonly Account[];
  /** Stop rows by terminal group id. */
  readonly stops: Map<string, StopRow[]>;
  readonly dictionaries: Dictionaries;
  readonly guests: readonly Guest[];
};

/** Returns the dishes in the order of their first placement. */
export function listDishes(menu: Menu): Dish[] {
  const dishes = new Set<Dish>();
  for (const category of menu.categories) {
    for (const placement of category.placements) if (placement.dish) dishes.add(placement.dish);
  }
  return [...dishes];
}
