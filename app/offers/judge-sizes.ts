import type { Sql } from '../../db/database.ts';
import { judgeOffers, OFFER_CHECKS, type OfferCheck } from '../../domain/offers/judge.ts';
import type { IsStopped } from '../../domain/offers/stops.ts';
import { readOffers } from './read-offers.ts';
import { currentStops, type StopSettings } from './read-stops.ts';

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

/** What an organization offers of some sizes, with the stop rule and the settings that this was judged by. */
export type Offering = { isServed: boolean; offers: Map<number, Offer>; isStopped: IsStopped; settings: StopSettings };

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
  return (await readOffering(sql, organizationId, itemSizeIds)).offers;
}

/**
 * The same with what else follows from those reads, for whoever judges modifiers too. `servedBy` is the terminal group that serves the
 * order, whose stop-list then counts alone.
 */
export async function readOffering(
  sql: Sql,
  organizationId: number,
  itemSizeIds: readonly number[],
  servedBy: string | null = null,
): Promise<Offering> {
  const { db } = sql;
  const served = await db
    .selectFrom('served_organization')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  const sizes = await db
    .selectFrom('mirror_item_size as size')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select(['size.id as itemSizeId', 'item.erpId as itemErpId', 'size.erpSizeId as sizeErpId'])
    .where('size.id', 'in', itemSizeIds.length === 0 ? [0] : itemSizeIds)
    .execute();
  const { isStopped, settings } = await currentStops(sql, organizationId, servedBy);
  const judge = judgeOffers(await readOffers(sql, organizationId, itemSizeIds), isStopped);
  const known = new Map(sizes.map((each) => [each.itemSizeId, each]));
  const offers = new Map(
    itemSizeIds.map((itemSizeId): [number, Offer] => {
      const { offer, checks } = judge(known.get(itemSizeId) ?? { itemSizeId, itemErpId: '', sizeErpId: '' });
      const reason =
        served === undefined
          ? 'ORGANIZATION_ACTIVE'
          : (OFFER_CHECKS.find((check) => checks[check] === false) ?? 'AVAILABLE');
      const [priceKopecks, externalMenuId] = [offer?.priceKopecks ?? null, offer?.externalMenuId ?? null];
      return [itemSizeId, { itemSizeId, isAvailable: reason === 'AVAILABLE', priceKopecks, externalMenuId, reason }];
    }),
  );
  return { isServed: served !== undefined, offers, isStopped, settings };
}
