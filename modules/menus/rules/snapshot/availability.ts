import type { IsStopped } from '../offers/stops.ts';

/**
 * One thing that is sold: ERP item, its ERP size, whether it could be sold if nothing were stopped (it has a price),
 * and our variant id, or null for a modifier. A tuple, because a menu has thousands of them in one column.
 */
export type Slot = readonly [itemErpId: string, sizeErpId: string, isSellable: boolean, variantId: number | null];

/** What is needed to bring a published menu up to date with the stop-list without assembling it again. */
export type StopIndex = {
  /** One per `available` of the payload, in the order of the text. */
  shown: readonly Slot[];
  /** Left out of the payload by the setting HIDE; clients with an older menu still learn that they are unavailable. */
  hidden: readonly Slot[];
};

export type Availability = {
  /** Values of `available`, in the order of `shown`. */
  flags: boolean[];
  /** ERP items of which nothing in this menu can be sold now, sorted. */
  unavailableItemIds: string[];
  unavailableVariantIds: number[];
  /** True when a hidden thing can be sold again or a shown one cannot: with HIDE the menu must be built again. */
  isOtherThanShown: boolean;
};

/** Decides what of a menu can be sold now (rule SNP-9). */
export function availabilityOf(index: StopIndex, isStopped: IsStopped): Availability {
  const isAvailable = ([item, size, isSellable]: Slot) => isSellable && !isStopped(item, size);
  const flags = index.shown.map(isAvailable);
  const hidden = index.hidden.map(isAvailable);
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
    isOtherThanShown: flags.includes(false) || hidden.includes(true),
  };
}
