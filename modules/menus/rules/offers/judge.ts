import { chooseOffers } from './choose-offers.ts';
import type { OfferFact } from './facts.ts';
import type { IsStopped } from './stops.ts';

/** The conditions of a size to be sold in an organization, in the order of their checks. */
export const OFFER_CHECKS = ['PRICED', 'SHOWN_BY_ERP', 'LIVE', 'NOT_STOPPED'] as const;
export type OfferCheck = (typeof OFFER_CHECKS)[number];

/**
 * A size of an item as the ERP names both; the size is empty for the only one of an unsized item.
 */
export type Size = { itemSizeId: number; itemErpId: string; sizeErpId: string };

export type SizeVerdict = {
  /**
   * The offer of the menu that sells the size; null when no menu that shows it has ever priced it.
   */
  offer: OfferFact | null;
  /** Null: an earlier check has decided already. */
  checks: Record<OfferCheck, boolean | null>;
};

/**
 * Decides which sizes may be sold now, by the offers of all menus of the organization and its
 * stop-list.
 */
export function judgeOffers(offers: readonly OfferFact[], isStopped: IsStopped): (size: Size) => SizeVerdict {
  const chosen = chooseOffers(offers);
  const priced = new Set(offers.map((offer) => offer.itemSizeId));
  return ({ itemSizeId, itemErpId, sizeErpId }) => {
    const offer = chosen.get(itemSizeId) ?? null;
    const isPriced = priced.has(itemSizeId);
    return {
      offer,
      checks: {
        PRICED: isPriced,
        SHOWN_BY_ERP: isPriced ? offer !== null : null,
        LIVE: offer === null ? null : offer.isLive,
        NOT_STOPPED: !isStopped(itemErpId, sizeErpId),
      },
    };
  };
}
