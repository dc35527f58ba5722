import { chooseOffers } from './choose-offers.ts';
import type { OfferFact } from './facts.ts';
import type { IsStopped } from './stops.ts';

/** Checks in the order of evaluation. */
export const OFFER_CHECKS = ['PRICED', 'SHOWN_BY_ERP', 'LIVE', 'NOT_STOPPED'] as const;
export type OfferCheck = (typeof OFFER_CHECKS)[number];

/** `sizeErpId` is empty for an unsized item. */
export type Size = { itemSizeId: number; itemErpId: string; sizeErpId: string };

export type SizeVerdict = {
  /** Null if no showing menu has a price. */
  offer: OfferFact | null;
  /** Checks after a failed one are null. */
  checks: Record<OfferCheck, boolean | null>;
};

export function judgeOffers(
  offers: readonly OfferFact[],
  isStopped: IsStopped,
): (size: Size) => SizeVerdict {
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
