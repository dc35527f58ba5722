import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { judgeSelling, type Offer } from '../rules/offers/judge-selling.ts';
import { stoppedBy } from '../rules/offers/stops.ts';
import { readOffers } from './read-offers.ts';
import { currentStops } from './read-stops.ts';

/**
 * Returns the price of each size, or why it is not sold. Ignores publication of products. Requires
 * a transaction with one snapshot, because imports are concurrent.
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

  const existing = await db
    .selectFrom('mirror_item_size as size')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select(['size.id as itemSizeId', 'item.erpId as itemErpId', 'size.erpSizeId as sizeErpId'])
    .where('size.id', '=', anyOf(itemSizeIds))
    .execute();

  const { balance } = await currentStops(sql, organizationId);
  const offers = await readOffers(sql, organizationId, itemSizeIds);
  const sizeOf = new Map(existing.map((entry) => [entry.itemSizeId, entry]));
  const sizes = itemSizeIds.map(
    (itemSizeId) => sizeOf.get(itemSizeId) ?? { itemSizeId, itemErpId: '', sizeErpId: '' },
  );

  return judgeSelling({
    isServed: served !== undefined,
    sizes,
    offers,
    isStopped: stoppedBy(balance),
  });
}
