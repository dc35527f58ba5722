/** Counts are per unit. */
export type ServedItem = {
  quantity: number;
  personCount: number;
  /** True if the item counts for persons. */
  personSplittingEnabled: boolean;
  toolCount: number;
  sugarCount: number;
};

/**
 * `freeUnits` are added per `everyPersons` after the first person (rule ORD-2). Hidden items are
 * neither shown nor counted.
 */
export type CompositionRule = {
  role: string;
  everyPersons: number;
  freeUnits: number;
  isHidden: boolean;
};

/** Applies to roles without a rule from staff. */
export const DEFAULT_COMPOSITION: readonly CompositionRule[] = [
  { role: 'FREE_SOY', everyPersons: 1, freeUnits: 1, isHidden: false },
  { role: 'FREE_WASABI', everyPersons: 2, freeUnits: 1, isHidden: false },
  { role: 'LEAVE_AT_DOOR', everyPersons: 1, freeUnits: 0, isHidden: true },
];

export type Composition = {
  persons: number;
  /** By role. */
  free: ReadonlyMap<string, number>;
  /** Maximum that a guest may request. */
  cutleryLimit: number;
  sugarLimit: number;
};

const total = (items: readonly ServedItem[], count: (item: ServedItem) => number): number =>
  items.reduce((sum, item) => sum + count(item) * item.quantity, 0);

/** Calculates persons, free units and limits (rules ORD-1 to ORD-3). */
export function computeComposition(
  items: readonly ServedItem[],
  rules: readonly CompositionRule[],
): Composition {
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

/** Returns the units that exceed the free ones (rule ORD-2). */
export const paidUnits = (quantity: number, free: number): number => Math.max(0, quantity - free);
