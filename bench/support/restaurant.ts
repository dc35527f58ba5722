import { openForOrders } from '../../test/support/open-restaurant.ts';
import { menuRows } from '../../test/support/menu-rows.ts';
import type { Database } from '../../db/database.ts';

/** Dishes of the restaurant, and the sauces that each of them can be had with. */
const [DISHES, SAUCES] = [300, 5];

/**
 * A restaurant that takes orders at every hour and sells many dishes with modifiers, in the mirror and the catalogue; three discounts
 * hold for everybody. Returns its uuid and what it sells.
 */
export async function busyRestaurant(db: Database): Promise<{ organizationErpId: string; variantIds: number[] }> {
  const rows = menuRows(db);
  const place = await rows.restaurant();
  const price = (kopecks: number) => ({ [place.organizationId]: kopecks });
  const sauces = [];
  for (let at = 0; at < SAUCES; at += 1) sauces.push(await rows.modifier(place.menuId, price(3_000 + at)));
  const variantIds: number[] = [];
  for (let at = 0; at < DISHES; at += 1) {
    const dish = await rows.dish({ ...place, prices: price(20_000 + at) });
    const groupId = await rows.group(place.menuId, dish.sizeId, { free_quantity: 1 });
    for (const sauce of sauces)
      await rows.link(groupId, sauce.itemId, { default_quantity: sauce === sauces[0] ? 1 : 0 });
    variantIds.push(dish.variantId);
  }
  for (const code of ['a', 'b', 'c'])
    await rows.insert('discount', { code, name: code, kind: 'PERCENT', value: 5, is_combinable: true });
  await openForOrders(db, place.organizationId);
  await db.query('analyze');
  return { organizationErpId: place.organizationErpId, variantIds };
}
