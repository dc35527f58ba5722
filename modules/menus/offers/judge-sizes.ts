import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { OfferFact } from '../rules/offers/facts.ts';
import { judgeOffers, OFFER_CHECKS, type OfferCheck, type Size } from '../rules/offers/judge.ts';
import { stoppedBy, type IsStopped } from '../rules/offers/stops.ts';
import { readOffers } from './read-offers.ts';
import { currentStops } from './read-stops.ts';

/** Whether a size may be sold in an organization now, and the first thing that speaks against it. */
export type Offer = {
  itemSizeId: number;
  isAvailable: boolean;
  /** Kopecks: the price of now, or the last one of what cannot be sold; null when no menu that shows the size has ever priced it. */
  priceKopecks: number | null;
  /** The external menu that prices it; its modifier groups are those of the size. Null without a price. */
  externalMenuId: number | null;
  reason: 'AVAILABLE' | 'ORGANIZATION_ACTIVE' | OfferCheck;
};

/** What decides whether sizes may be sold in an organization. */
export type SellingFacts = {
  isServed: boolean;
  sizes: readonly Size[];
  offers: readonly OfferFact[];
  isStopped: IsStopped;
};

/** Says of each of these sizes whether it may be sold now, at what price, and if not which condition fails (rule SNP-10). */
export function judgeSelling({ isServed, sizes, offers, isStopped }: SellingFacts): Map<number, Offer> {
  const judge = judgeOffers(offers, isStopped);
  return new Map(
    sizes.map((size): [number, Offer] => {
      const { offer, checks } = judge(size);
      const failed = OFFER_CHECKS.find((check) => checks[check] === false);
      const reason = isServed ? (failed ?? 'AVAILABLE') : 'ORGANIZATION_ACTIVE';
      const { itemSizeId } = size;
      const [priceKopecks, externalMenuId] = [offer?.priceKopecks ?? null, offer?.externalMenuId ?? null];
      return [itemSizeId, { itemSizeId, isAvailable: reason === 'AVAILABLE', priceKopecks, externalMenuId, reason }];
    }),
  );
}

/**
 * Says of each of these sizes whether it may be sold in the organization now, at what price, and if not which condition fails: the
 * same rules by which menus are built, read from the tables. A size that does not exist is one that nobody has priced. What staff
 * decide about products (published, shown here) is not asked. Several statements: call it in a transaction whose isolation level shows
 * one state of the database when imports may commit meanwhile.
 */
export async function judgeSizes(
  sql: Sql,
  organizationId: number,
  itemSizeIds: readonly number[],
): Promise<Map<number, Offer>> {
  const { db } = sql;
  const served = await db
    .selectFrom('served_organization')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  const known = await db
    .selectFrom('mirror_item_size as size')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select(['size.id as itemSizeId', 'item.erpId as itemErpId', 'size.erpSizeId as sizeErpId'])
    .where('size.id', '=', anyOf(itemSizeIds))
    .execute();
  const { balance } = await currentStops(sql, organizationId);
  const offers = await readOffers(sql, organizationId, itemSizeIds);
  const sizeOf = new Map(known.map((each) => [each.itemSizeId, each]));
  const sizes = itemSizeIds.map((itemSizeId) => sizeOf.get(itemSizeId) ?? { itemSizeId, itemErpId: '', sizeErpId: '' });
  return judgeSelling({ isServed: served !== undefined, sizes, offers, isStopped: stoppedBy(balance) });
}
