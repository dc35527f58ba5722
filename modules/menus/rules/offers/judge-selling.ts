import type { WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';
import type { OfferFact } from './facts.ts';
import { offerHours } from './hours.ts';
import { judgeOffers, OFFER_CHECKS, type OfferCheck, type Size } from './judge.ts';
import type { IsStopped } from './stops.ts';

/** A size in an organization: its price, and the first condition that prevents its sale. */
export type Offer = {
  itemSizeId: number;
  isAvailable: boolean;
  /**
   * Kopecks: the current price, or the last one of an unavailable size; null when no menu that
   * shows the size has ever priced it.
   */
  priceKopecks: number | null;
  /**
   * The external menu that prices it; its modifier groups are those of the size. Null without a
   * price.
   */
  externalMenuId: number | null;
  /** Times at which it is sold; null for all hours. They do not decide `isAvailable`. */
  hours: WeeklyHours | null;
  reason: 'AVAILABLE' | 'ORGANIZATION_ACTIVE' | OfferCheck;
};

/** The facts that decide whether sizes may be sold in an organization. */
export type SellingFacts = {
  isServed: boolean;
  sizes: readonly Size[];
  offers: readonly OfferFact[];
  isStopped: IsStopped;
};

/**
 * Judges for each size if it may be sold now, at what price, and otherwise which condition fails
 * (rule SNP-10).
 */
export function judgeSelling({ isServed, sizes, offers, isStopped }: SellingFacts): Map<number, Offer> {
  const judge = judgeOffers(offers, isStopped);
  return new Map(
    sizes.map((size): [number, Offer] => {
      const { offer, checks } = judge(size);
      const failed = OFFER_CHECKS.find((check) => checks[check] === false);
      const reason = isServed ? (failed ?? 'AVAILABLE') : 'ORGANIZATION_ACTIVE';
      const { itemSizeId } = size;
      const [priceKopecks, externalMenuId] = [offer?.priceKopecks ?? null, offer?.externalMenuId ?? null];
      const hours = offer === null ? null : offerHours(offer);
      return [
        itemSizeId,
        { itemSizeId, isAvailable: reason === 'AVAILABLE', priceKopecks, externalMenuId, hours, reason },
      ];
    }),
  );
}
