import type { OfferFact } from './facts.ts';
import { by } from '../../../../kernel/pure/lists.ts';

/**
 * Decides for every size which external menu sells it in this organization: a menu that hides it is
 * passed over, a live price comes before a lost one, then the menu of the best rank. A size without
 * an entry is not in the menu: no menu ever priced it, or all that did hide it.
 */
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
