import { LEAST_BALANCE } from '../../../mirror/rules/values.ts';
import { canBeFilled, type RequiredGroup } from '../offers/required-groups.ts';
import type { WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';
import type { IsOpen } from '../offers/hours.ts';
import type { Balance } from '../offers/stops.ts';

/**
 * One thing that is sold: ERP item, its ERP size, whether it could be sold if nothing were stopped
 * (it has a price), and our variant id, or null for a modifier. `required` are places in
 * `StopIndex.required`, absent when guests need not choose anything. A tuple, because a menu has
 * thousands of them in one column. `hours` is a place in `StopIndex.hours`,
 * absent for all hours.
 */
export type Slot = readonly [
  itemErpId: string,
  sizeErpId: string,
  isSellable: boolean,
  variantId: number | null,
  required?: readonly number[],
  hours?: number,
];

/** The data to update availability in a published menu without assembling it again. */
export type StopIndex = {
  /** One per `available` of the payload, in the order of the text. */
  shown: readonly Slot[];
  /**
   * Left out of the payload by the setting HIDE; clients with an older menu still get them as
   * unavailable.
   */
  hidden: readonly Slot[];
  /** Groups that guests must choose from, each once. */
  required: readonly RequiredGroup[];
  /** Hours of dishes, each once; absent without any. */
  hours?: readonly WeeklyHours[];
};

export type Availability = {
  /** Values of `available`, in the order of `shown`. */
  flags: boolean[];
  /** ERP items of which nothing in this menu can be sold now, sorted. */
  unavailableItemIds: string[];
  unavailableVariantIds: number[];
  /**
   * True when a hidden thing is in stock again or a shown one is not: with HIDE the menu must be
   * built again.
   */
  isOtherThanShown: boolean;
};

/** Finds whether one thing can be sold, at its hours (rules SNP-9, SNP-50). */
export function inStock(required: StopIndex['required'], balance: Balance): (slot: Slot) => boolean {
  const cache = new Map<number, boolean>();
  const isFilled = (at: number): boolean => {
    const filled = cache.get(at) ?? canBeFilled([required[at]!], balance);
    cache.set(at, filled);
    return filled;
  };
  return ([item, size, isSellable, , groups = []]) =>
    isSellable && balance(item, size) >= LEAST_BALANCE && groups.every(isFilled);
}

/**
 * Determines the available content of a menu: in stock, and inside its hours (rules SNP-9, SNP-75).
 */
export function availabilityOf(index: StopIndex, balance: Balance, isOpen: IsOpen): Availability {
  const isInStock = inStock(index.required, balance);
  const open = (index.hours ?? []).map(isOpen);
  const stocked = index.shown.map(isInStock);
  const flags = index.shown.map(([, , , , , hours], at) => stocked[at]! && (hours === undefined || open[hours]!));
  const hidden = index.hidden.map(isInStock);
  const someAvailable = new Map<string, boolean>();
  const variants = new Set<number>();
  const count = ([item, , , variantId]: Slot, available: boolean) => {
    someAvailable.set(item, (someAvailable.get(item) ?? false) || available);
    if (variantId !== null && !available) variants.add(variantId);
  };
  index.shown.forEach((slot, at) => count(slot, flags[at] === true));
  index.hidden.forEach((slot, at) => count(slot, hidden[at] === true));
  return {
    flags,
    unavailableItemIds: [...someAvailable].flatMap(([item, some]) => (some ? [] : [item])).toSorted(),
    unavailableVariantIds: [...variants].toSorted((left, right) => left - right),
    isOtherThanShown: stocked.includes(false) || hidden.includes(true),
  };
}
