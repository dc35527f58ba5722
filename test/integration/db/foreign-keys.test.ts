import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { judgeSizes } from '../../../modules/menus/offers/judge-sizes.ts';
import { asOwner } from '../../support/database-roles.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

/** Foreign keys that a deletion follows without an index. */
const UNFOLLOWED = `
  select conrelid::regclass || ' (' || attname || ')' as reference
    from pg_constraint reference join pg_attribute on attrelid = conrelid and attnum = conkey[1]
   where contype = 'f' and confdeltype in ('c', 'n') and cardinality(conkey) = 1 and not exists (
     select 1 from pg_index where indrelid = conrelid and indkey[0] = conkey[1]
       and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%s IS NOT NULL)', attname)))
   order by 1`;
const unfollowed = async () =>
  (await database.db.query<{ reference: string }>(UNFOLLOWED)).map(({ reference }) => reference);

test('deletions find the rows that they follow by an index, in any number', async () => {
  expect(await unfollowed()).toEqual([]);
  await asOwner(database.db, 'drop index discount_use_order_id');
  expect(await unfollowed()).toEqual(['discount_use (order_id)']);
});

test('a price lookup reads only rows of its dish, in any number of menus', async () => {
  const { db } = database;
  const rows = menuRows(db);
  const place = await rows.restaurant();
  const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } });
  await db.query(
    `with category as (
       insert into mirror_menu_category (external_menu_id, erp_id, name, position, synchronized_run)
       values ($1, 'category', 'Category', 1, 1) returning id),
     other as (
       insert into mirror_item (erp_id, role, name, first_seen_at, synchronized_at)
       select gen_random_uuid(), 'DISH', 'dish ' || at, now(), now() from generate_series(1, 5000) at returning id)
     insert into mirror_item_placement (menu_category_id, item_id, position, synchronized_run)
     select category.id, other.id, 1, 1 from category, other`,
    [place.menuId],
  );
  await asOwner(db, 'analyze mirror_item_placement');

  const read = await db.transaction(async (tx) => {
    await judgeSizes(tx, place.organizationId, [dish.sizeId]);
    return tx.query<{ read: number }>(
      `select seq_tup_read::int as read from pg_stat_xact_user_tables where relname = 'mirror_item_placement'`,
    );
  });

  expect(read).toEqual([{ read: 0 }]);
});
