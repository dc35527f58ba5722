import type { WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';
import type { OfferFact } from './facts.ts';
import { offerHours } from './hours.ts';
import { judgeOffers, OFFER_CHECKS, type OfferCheck, type Size } from './judge.ts';
import type { IsStopped } from './stops.ts';

/** `reason` is the first failed condition. */
export type Offer = {
  itemSizeId: number;
  isAvailable: boolean;
  /** May be the last price of an unavailable size. */
  priceKopecks: number | null;
  /** Null without a price. */
  externalMenuId: number | null;
  /** Does not affect `isAvailable`. */
  hours: WeeklyHours | null;
  reason: 'AVAILABLE' | 'ORGANIZATION_ACTIVE' | OfferCheck;
};

export type SellingFacts = {
  isServed: boolean;
  sizes: readonly Size[];
  offers: readonly OfferFact[];
  isStopped: IsStopped;
};

/** Returns the price or the failed condition of each size (SNP-10). */
export function judgeSelling({
  isServed,
  sizes,
  offers,
  isStopped,
}: SellingFacts): Map<number, Offer> {
  const judge = judgeOffers(offers, isStopped);
  return new Map(
    sizes.map((size): [number, Offer] => {
      const { offer, checks } = judge(size);
      const failed = OFFER_CHECKS.find((check) => checks[check] === false);
      const reason = isServed ? (failed ?? 'AVAILABLE') : 'ORGANIZATION_ACTIVE';
      const { itemSizeId } = size;
      const [priceKopecks, externalMenuId] = [
        offer?.priceKopecks ?? null,
        offer?.externalMenuId ?? null,
      ];

      const hours = offer === null ? null : offerHours(offer);

      return [
        itemSizeId,
        {
          itemSizeId,
          isAvailable: reason === 'AVAILABLE',
          priceKopecks,
          externalMenuId,
          hours,
          reason,
        },
      ];
    }),
  );
}
