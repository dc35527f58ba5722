import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readFacts } from '../../../modules/menus/snapshot/read-facts.ts';
import type { Database } from '../../../platform/db/database.ts';
import { assembleMenu } from '../../../modules/menus/rules/snapshot/assemble.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { watched } from '../../support/watched.ts';
import { addRow, databaseNow, deleteRows, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;

beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
});
afterAll(async () => database.close());
beforeEach(async () => {
  await updateRows(database.db, 'catalog_product', { status: 'ARCHIVED' });
  place = await rows.restaurant();
});

const sql = (text: string, params: unknown[] = []) => database.db.query(text, params);
const dish = (kopecks = 25_000) =>
  rows.dish({ ...place, prices: { [place.organizationId]: kopecks } });

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

async function shown(organizationId = place.organizationId) {
  const facts = await readFacts(database.db, organizationId);
  const { content } = assembleMenu(facts!.menu, digest);
  return content.products.flatMap((product) =>
    product.variants.map(({ id, price, available }) => ({ id, price, available })),
  );
}

describe('items that the ERP hides or removes', () => {
  test.each<[string, string]>([
    ['the item', 'update mirror_item_menu set is_hidden = true where item_id = $1'],
    [
      'the size',
      'update mirror_size_menu set is_hidden = true where item_size_id in (select id from mirror_item_size where item_id = $1)',
    ],
  ])('exclude the variant from the menu: %s hidden', async (_, statement) => {
    const { itemId } = await dish();
    expect(await shown()).toHaveLength(1);

    await sql(statement, [itemId]);

    expect(await shown()).toEqual([]);
  });

  test.each(['erp_item_id', 'variant_id'])(
    '[ORD-79] exclude the item of a delivery fee, named by %s',
    async (named) => {
      const { erpId, variantId } = await dish();
      await sql(`insert into service_role (role, ${named}) values ('DELIVERY_FEE', $1)`, [
        named === 'variant_id' ? variantId : erpId,
      ]);
      const asFee = await shown();
      await updateRows(database.db, 'service_role', { role: 'PAID_SOY' });
      const asSoy = await shown();
      await deleteRows(database.db, 'service_role');

      expect([asFee.length, asSoy.length]).toEqual([0, 1]);
    },
  );

  test.each([
    ['erp_item_id', 'FREE_SOY', 0],
    ['variant_id', 'FREE_WASABI', 0],
    ['variant_id', 'CUTLERY', 0],
    ['erp_item_id', 'LEAVE_AT_DOOR', 0],
    ['erp_item_id', 'GINGER', 0],
    ['variant_id', 'PAID_GINGER', 1],
  ])(
    '[ORD-92] include the item that %s gives the role %s %i times',
    async (named, role, expected) => {
      const { erpId, variantId } = await dish();
      await sql(`insert into service_role (role, ${named}) values ($1, $2)`, [
        role,
        named === 'variant_id' ? variantId : erpId,
      ]);
      const dishes = await shown();
      await deleteRows(database.db, 'service_role');

      expect(dishes).toHaveLength(expected);
    },
  );

  test('[CMP-11] exclude the item of an active reward', async () => {
    const { erpId } = await dish();
    await addRow(database.db, 'reward', { code: 'tart', name: 'Тарт', erpItemId: erpId });
    const asGift = await shown();
    await updateRows(database.db, 'reward', { isActive: false });
    const asDish = await shown();
    await deleteRows(database.db, 'reward');

    expect([asGift.length, asDish.length]).toEqual([0, 1]);
  });

  test('exclude an item that is hidden everywhere or only in hidden categories', async () => {
    const { itemId, variantId } = await dish();
    const category = (erpId: string, isHidden: boolean) =>
      rows.insert('mirror_menu_category', {
        external_menu_id: place.menuId,
        erp_id: erpId,
        name: erpId,
        is_hidden: isHidden,
        position: 0,
        synchronized_run: 1,
      });
    const put = (categoryId: number, isHidden: boolean) =>
      rows.insert(
        'mirror_item_placement',
        {
          menu_category_id: categoryId,
          item_id: itemId,
          position: 0,
          is_hidden: isHidden,
          synchronized_run: 1,
        },
        'item_id',
      );
    await put(await category('hidden category', true), false);
    const open = await category('open category', false);
    await put(open, true);
    expect(await shown()).toEqual([]);

    await updateRows(
      database.db,
      'mirror_item_placement',
      { isHidden: false },
      { menuCategoryId: open },
    );

    expect(await shown()).toEqual([{ id: variantId, price: 25_000, available: true }]);
  });

  test.each<[string, string]>([
    [
      'a lost price',
      'update mirror_price set lost_at = now() where item_size_id in (select id from mirror_item_size where item_id = $1)',
    ],
    ['a deleted item', 'update mirror_item set deleted_at = now() where id = $1'],
    ['an ended membership of the item', 'delete from mirror_item_menu where item_id = $1'],
    [
      'an ended membership of the size',
      'delete from mirror_size_menu where item_size_id in (select id from mirror_item_size where item_id = $1)',
    ],
  ])('keep the variant unavailable with its last price: %s', async (_, statement) => {
    const { itemId, variantId } = await dish();

    await sql(statement, [itemId]);

    expect(await shown()).toEqual([{ id: variantId, price: 25_000, available: false }]);
  });

  test('[SNP-4] ignore prices of another organization', async () => {
    await dish();
    const other = await rows.organization(place.connectionId);

    expect(await shown(other.id)).toEqual([]);
  });
});

describe('several external menus', () => {
  async function soldTwice(settings: {
    first?: { priority?: number; isEnabled?: boolean; organizationIds?: number[] };
    second?: object;
  }) {
    const { itemId, sizeId } = await dish(100);
    const second = await rows.externalMenu(place.connectionId, {
      priority: 100,
      ...settings.second,
    });
    await rows.offer(second, { itemId, sizeId }, { [place.organizationId]: 200 });
    if (settings.first !== undefined)
      await database.db.db
        .updateTable('external_menu_setting')
        .set(settings.first)
        .where('externalMenuId', '=', place.menuId)
        .execute();
    return second;
  }
  const price = async () => (await shown()).map((entry) => entry.price);

  test.each<[string, Parameters<typeof soldTwice>[0], number]>([
    ['equal priority: the lower id', {}, 100],
    ['the lower number of priority', { second: { priority: 5 } }, 200],
    ['one that is switched off does not count', { first: { isEnabled: false } }, 200],
    [
      'one that is not for this organization does not count',
      { first: { organizationIds: [-1] } },
      200,
    ],
  ])('%s', async (_, settings, expected) => {
    await soldTwice(settings);

    expect(await price()).toEqual([expected]);
  });

  test('[SNP-5] keep the rank of a menu that a list lacks until it is withdrawn, and then rank it last', async () => {
    const second = await soldTwice({});
    await updateRows(
      database.db,
      'mirror_external_menu',
      { inactiveAt: databaseNow() },
      { id: place.menuId },
    );
    const missedOnce = await price();
    await updateRows(
      database.db,
      'mirror_external_menu',
      { withdrawnAt: databaseNow() },
      { id: place.menuId },
    );
    const withdrawn = await price();
    await updateRows(
      database.db,
      'mirror_price',
      { lostAt: databaseNow() },
      { externalMenuId: second },
    );
    const neitherLive = await price();

    expect([missedOnce, withdrawn, neitherLive]).toEqual([[100], [200], [200]]);
  });

  test('[MIR-18] sell nothing from a withdrawn menu, modifiers included, unless another menu has the price', async () => {
    const { itemId, sizeId } = await dish(100);
    const groupId = await rows.group(place.menuId, sizeId);
    const { itemId: sauce } = await rows.modifier(place.menuId, { [place.organizationId]: 50 });
    await rows.link(groupId, sauce);
    const sold = async () => {
      const { content } = assembleMenu(
        (await readFacts(database.db, place.organizationId))!.menu,
        digest,
      );
      const { price, available } = content.products[0]!.variants[0]!;
      return [
        price,
        available,
        content.modifierGroups.flatMap((group) => group.modifiers).map((entry) => entry.available),
      ];
    };
    const listed = await sold();
    await updateRows(
      database.db,
      'mirror_external_menu',
      { inactiveAt: databaseNow() },
      { id: place.menuId },
    );
    const missedOnce = await sold();
    await updateRows(
      database.db,
      'mirror_external_menu',
      { withdrawnAt: databaseNow() },
      { id: place.menuId },
    );
    const withdrawn = await sold();
    const second = await rows.externalMenu(place.connectionId, { priority: 500 });
    await rows.offer(second, { itemId, sizeId }, { [place.organizationId]: 200 });

    expect([listed, missedOnce, withdrawn]).toEqual([
      [100, true, [true]],
      [100, true, [true]],
      [100, false, [false]],
    ]);
    expect(await sold()).toEqual([200, true, []]);
  });
});

describe('the reading of facts', () => {
  test('includes an import that commits concurrently either completely or not at all', async () => {
    const first = await dish(100);
    const second = await dish(100);
    const importing: Promise<unknown>[] = [];
    // Commits the change of both prices between the reads of variants and prices.
    const meddling: Database = {
      ...database.db,
      transaction: (work) =>
        database.db.transaction((tx) =>
          work(
            watched(tx, async (statement) => {
              if (statement.has('"catalog_variant"') && statement.has('"size_erp_id"'))
                importing.push(
                  updateRows(
                    database.db,
                    'mirror_price',
                    { priceKopecks: 999 },
                    { itemSizeId: [first.sizeId, second.sizeId] },
                  ),
                );
              await Promise.all(importing);
            }),
          ),
        ),
    };

    const facts = await readFacts(meddling, place.organizationId);

    expect(importing).toHaveLength(1);
    expect(facts!.menu.offers.map((offer) => offer.priceKopecks)).toEqual([100, 100]);
    expect((await shown()).map((entry) => entry.price)).toEqual([999, 999]);
  });

  test('returns nothing for an unknown organization', async () => {
    expect(await readFacts(database.db, 999_999)).toBeNull();
  });
});
