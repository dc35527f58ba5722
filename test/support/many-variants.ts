import type { Database, Sql } from './text-database.ts';
import { menuRows } from './menu-rows.ts';
import { watched } from './watched.ts';
import { asOwner } from './database-roles.ts';
import { not, updateRows } from './rows.ts';

export type Changes = { vanished: number; renamed: number; replaced: number };

/**
 * Adds published products with one variant, one dish and a price in each of `organizations`.
 * `change` deletes or renames dishes, or replaces their ids.
 */
export async function manyVariants(
  db: Database,
  { variants, organizations }: { variants: number; organizations: number },
): Promise<{ change(changes: Changes): Promise<void>; bringBack(): Promise<void> }> {
  const rows = menuRows(db);
  const connectionId = await rows.connection();
  const menuId = await rows.externalMenu(connectionId, {});
  const categoryId = await rows.insert('mirror_menu_category', {
    external_menu_id: menuId,
    erp_id: 'hot',
    name: 'Горячее',
    position: 0,
    synchronized_run: 1,
  });
  const organizationIds: number[] = [];
  for (let at = 0; at < organizations; at += 1)
    organizationIds.push((await rows.organization(connectionId)).id);
  await addDishes(db, { from: 1, to: variants, menuId, categoryId, organizationIds });
  await db.query(
    `with product as (
       insert into catalog_product (slug, name, status) select 'many-' || size.id, 'Продукт', 'PUBLISHED' from mirror_item_size size
       returning id, substr(slug, 6)::bigint as size_id),
     claim as (
       insert into catalog_item_binding (item_id, product_id)
       select size.item_id, product.id from product join mirror_item_size size on size.id = product.size_id)
     insert into catalog_variant (product_id, item_size_id, is_default, last_seen_name, last_seen_sku, last_seen_at)
     select product.id, size.id, true, item.name, item.sku, now() - interval '1 day'
       from product join mirror_item_size size on size.id = product.size_id join mirror_item item on item.id = size.item_id`,
  );
  await asOwner(db, 'analyze');
  const first = `(select id from mirror_item order by id limit $1)`;
  return {
    async change({ vanished, renamed, replaced }) {
      await db.query(
        `update mirror_item set deleted_at = now() - interval '1 hour' where id in ${first}`,
        [vanished],
      );
      await db.query(
        `update mirror_item set name = name || '!' where id in (select id from mirror_item order by id desc limit $1)`,
        [renamed],
      );
      await db.query(
        `with fresh as (
           insert into mirror_item (erp_id, role, name, sku, first_seen_at, synchronized_at)
           select gen_random_uuid(), 'DISH', 'Новое', sku, now(), now() from mirror_item where id in ${first} returning id)
         insert into mirror_item_size (item_id, first_seen_at) select id, now() from fresh`,
        [replaced],
      );
      await asOwner(db, 'analyze mirror_item, mirror_item_size');
    },
    async bringBack() {
      await updateRows(db, 'mirror_item', { deletedAt: null }, { deletedAt: not(null) });
    },
  };
}

async function addDishes(
  db: Sql,
  of: {
    from: number;
    to: number;
    menuId: number;
    categoryId: number;
    organizationIds: readonly number[];
  },
): Promise<void> {
  await db.query(
    `with item as (
       insert into mirror_item (erp_id, role, name, sku, product_category_erp_id, first_seen_at, synchronized_at)
       select gen_random_uuid(), 'DISH', 'Блюдо ' || at, 'sku-' || at, 'group-' || at % 20, now() - interval '2 days', now()
         from generate_series($1::int, $2) as at returning id, name),
     size as (insert into mirror_item_size (item_id, first_seen_at) select id, now() from item returning id, item_id),
     listed as (
       insert into mirror_item_menu (external_menu_id, item_id, name, synchronized_run) select $3, id, name, 1 from item),
     placed as (
       insert into mirror_item_placement (menu_category_id, item_id, position, synchronized_run) select $4, id, 0, 1 from item),
     seen as (
       insert into mirror_size_menu (external_menu_id, item_size_id, synchronized_run) select $3, id, 1 from size)
     insert into mirror_price (external_menu_id, item_size_id, organization_id, price_kopecks, changed_at)
     select $3, size.id, organization_id, 10000 + size.id, now() from size, unnest($5::bigint[]) as organization_id`,
    [of.from, of.to, of.menuId, of.categoryId, of.organizationIds],
  );
}

export function countingDatabase(db: Database): { db: Database; statements(): number } {
  let count = 0;
  return {
    statements: () => count,
    db: {
      ...db,
      transaction: (work, options) =>
        db.transaction(
          (tx) =>
            work(
              watched(tx, () => {
                count += 1;
              }),
            ),
          options,
        ),
    },
  };
}
