import { LEAST_BALANCE } from '../../../mirror/rules/values.ts';
import { canBeFilled, type RequiredGroup } from '../offers/required-groups.ts';
import type { WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';
import type { IsOpen } from '../offers/hours.ts';
import type { Balance } from '../offers/stops.ts';

/**
 * A tuple, because the column of a menu contains thousands. `variantId` is null for a modifier.
 * `required` and `hours` are indexes in `StopIndex`.
 */
export type Slot = readonly [
  itemErpId: string,
  sizeErpId: string,
  isSellable: boolean,
  variantId: number | null,
  required?: readonly number[],
  hours?: number,
];

/** Input to update availability without assembling the menu. */
export type StopIndex = {
  /** One slot per `available` in the payload, in the same order. */
  shown: readonly Slot[];
  /** Slots omitted by HIDE; clients with an older menu see them as unavailable. */
  hidden: readonly Slot[];
  required: readonly RequiredGroup[];
  /** Absent if there are none. */
  hours?: readonly WeeklyHours[];
};

export type Availability = {
  /** Flags in the order of `shown`. */
  flags: boolean[];
  /** Sorted ids of items of which nothing can be sold. */
  unavailableItemIds: string[];
  unavailableVariantIds: number[];
  /** With HIDE, true requires a rebuild of the menu. */
  isOtherThanShown: boolean;
};

/** Checks only stock, not hours (SNP-9, SNP-50). */
export function inStock(
  required: StopIndex['required'],
  balance: Balance,
): (slot: Slot) => boolean {
  const cache = new Map<number, boolean>();
  const isFilled = (at: number): boolean => {
    const filled = cache.get(at) ?? canBeFilled([required[at]!], balance);
    cache.set(at, filled);
    return filled;
  };

  return ([item, size, isSellable, , groups = []]) =>
    isSellable && balance(item, size) >= LEAST_BALANCE && groups.every(isFilled);
}

/** Evaluates stock and hours (SNP-9, SNP-75). */
export function evaluateAvailability(
  index: StopIndex,
  balance: Balance,
  isOpen: IsOpen,
): Availability {
  const isInStock = inStock(index.required, balance);
  const open = (index.hours ?? []).map(isOpen);
  const stocked = index.shown.map(isInStock);
  const flags = index.shown.map(
    ([, , , , , hours], at) => stocked[at]! && (hours === undefined || open[hours]!),
  );
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
    unavailableItemIds: [...someAvailable]
      .flatMap(([item, some]) => (some ? [] : [item]))
      .toSorted(),
    unavailableVariantIds: [...variants].toSorted((left, right) => left - right),
    isOtherThanShown: stocked.includes(false) || hidden.includes(true),
  };
}
