/**
 * The part of a cart item in the service items of an order; counts are whole numbers for one unit.
 */
export type ServedItem = {
  quantity: number;
  /** For how many persons one unit is. */
  personCount: number;
  /** True when the item counts towards the persons of the order. */
  personSplittingEnabled: boolean;
  /** The sets of cutlery and portions of sugar that one unit allows. */
  toolCount: number;
  sugarCount: number;
};

/**
 * For every `everyPersons` persons beyond the first, `freeUnits` units of the item with this role
 * are free (rule ORD-2). A hidden item is neither shown in the cart nor counted.
 */
export type CompositionRule = { role: string; everyPersons: number; freeUnits: number; isHidden: boolean };

/** The default rules: soy for each person, wasabi for two, and the leave-at-door mark is hidden. */
export const DEFAULT_COMPOSITION: readonly CompositionRule[] = [
  { role: 'FREE_SOY', everyPersons: 1, freeUnits: 1, isHidden: false },
  { role: 'FREE_WASABI', everyPersons: 2, freeUnits: 1, isHidden: false },
  { role: 'LEAVE_AT_DOOR', everyPersons: 1, freeUnits: 0, isHidden: true },
];

/** Additions and options of the server for an order, by the items in the cart. */
export type Composition = {
  persons: number;
  /** Free units by role. */
  free: ReadonlyMap<string, number>;
  /** Limit of requested sets of cutlery and portions of sugar. */
  cutleryLimit: number;
  sugarLimit: number;
};

const total = (items: readonly ServedItem[], count: (item: ServedItem) => number): number =>
  items.reduce((sum, item) => sum + count(item) * item.quantity, 0);

/** Persons, free units and limits of an order (rules ORD-1, ORD-2, ORD-3). */
export function compositionOf(items: readonly ServedItem[], rules: readonly CompositionRule[]): Composition {
  const counted = items.filter((item) => item.personSplittingEnabled);
  const persons = total(counted, (item) => item.personCount) + 1;
  const units = ({ everyPersons, freeUnits }: CompositionRule): number =>
    Math.ceil((persons - 1) / everyPersons) * freeUnits;
  return {
    persons,
    free: new Map(rules.map((rule) => [rule.role, units(rule)])),
    cutleryLimit: total(items, (item) => item.toolCount),
    sugarLimit: total(items, (item) => item.sugarCount),
  };
}

/**
 * The units that a guest pays for of something that is partly free: soy beyond the free one (rule
 * ORD-2).
 */
export const paidUnits = (wanted: number, free: number): number => Math.max(0, wanted - free);
