import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { judgeSizes } from '../../../modules/menus/offers/judge-sizes.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: ReturnType<typeof menuRows>;
beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
});
afterAll(() => database.close());

async function oneOffer() {
  const place = await rows.restaurant();
  return { place, dish: await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } }) };
}
const judge = async (organizationId: number, sizeId: number) =>
  (await judgeSizes(database.db, organizationId, [sizeId])).get(sizeId);
const change = (text: string, id: number) => database.db.query(text, [id]);

type Offer = Awaited<ReturnType<typeof oneOffer>>;

describe('a size of a dish', () => {
  test('sells at its price in a menu without a stop', async () => {
    const { place, dish } = await oneOffer();

    expect(await judge(place.organizationId, dish.sizeId)).toEqual({
      itemSizeId: dish.sizeId,
      isAvailable: true,
      hours: null,
      priceKopecks: 10_000,
      externalMenuId: place.menuId,
      reason: 'AVAILABLE',
    });
  });

  test.each<[string, string, number | null, (of: Offer) => Promise<unknown>]>([
    [
      'a stopped size',
      'NOT_STOPPED',
      10_000,
      ({ place, dish }) => rows.stop(place.organizationId, dish.erpId),
    ],
    [
      'a size of a withdrawn menu',
      'LIVE',
      10_000,
      ({ place }) =>
        change('update mirror_external_menu set withdrawn_at = now() where id = $1', place.menuId),
    ],
    [
      'a size hidden by the ERP',
      'SHOWN_BY_ERP',
      null,
      ({ dish }) =>
        change('update mirror_size_menu set is_hidden = true where item_size_id = $1', dish.sizeId),
    ],
    [
      'a size of a disabled menu',
      'PRICED',
      null,
      ({ place }) =>
        change(
          'update external_menu_setting set is_enabled = false where external_menu_id = $1',
          place.menuId,
        ),
    ],
    [
      'a size in an organization that the ERP no longer lists',
      'ORGANIZATION_ACTIVE',
      10_000,
      ({ place }) =>
        change(
          'update mirror_organization set inactive_at = now() where id = $1',
          place.organizationId,
        ),
    ],
  ])('%s cannot be sold: %s', async (_, reason, priceKopecks, happens) => {
    const offer = await oneOffer();
    await happens(offer);

    expect(await judge(offer.place.organizationId, offer.dish.sizeId)).toMatchObject({
      isAvailable: false,
      priceKopecks,
      reason,
    });
  });

  test('costs what the first of two menus shows, or the second if the first loses the price', async () => {
    const { place, dish } = await oneOffer();
    const first = await rows.externalMenu(place.connectionId, { priority: 1 });
    await rows.offer(first, dish, { [place.organizationId]: 20_000 });
    const before = await judge(place.organizationId, dish.sizeId);
    await change('update mirror_price set lost_at = now() where external_menu_id = $1', first);

    expect(before).toMatchObject({ isAvailable: true, priceKopecks: 20_000 });
    expect(await judge(place.organizationId, dish.sizeId)).toMatchObject({
      isAvailable: true,
      priceKopecks: 10_000,
    });
  });

  test('costs nothing if it does not exist, and every requested size has a result', async () => {
    const { place, dish } = await oneOffer();
    const verdicts = await judgeSizes(database.db, place.organizationId, [dish.sizeId, 999_999]);

    expect([...verdicts.keys()]).toEqual([dish.sizeId, 999_999]);
    expect(verdicts.get(999_999)).toMatchObject({
      isAvailable: false,
      priceKopecks: null,
      reason: 'PRICED',
    });
    expect(await judgeSizes(database.db, place.organizationId, [])).toEqual(new Map());
  });
});
