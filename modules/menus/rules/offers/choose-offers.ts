import type { OfferFact } from './facts.ts';
import { by } from '../../../../kernel/pure/lists.ts';

/** Prefers live prices, then the rank of the menu; excludes hidden sizes. */
export function chooseOffers(offers: readonly OfferFact[]): Map<number, OfferFact> {
  const chosen = new Map<number, OfferFact>();
  const best = by<OfferFact>(
    (fact) => (fact.isLive ? 0 : 1),
    (fact) => fact.menuRank,
    (fact) => fact.externalMenuId,
  );

  for (const offer of offers) {
    if (offer.isHidden) continue;
    const rival = chosen.get(offer.itemSizeId);
    if (rival === undefined || best(offer, rival) < 0) chosen.set(offer.itemSizeId, offer);
  }

  return chosen;
}
