import type { Sql } from '../database.ts';

/**
 * What the mirror says now of the sizes that variants are bound to, as CTEs for a statement: `bound` (given as a select of `id` and
 * `item_size_id`) and `sight`, one row per bound size, with the columns that `last_seen_*` keeps. The price is the lowest of
 * all organizations; `snapshot` holds what a search for a replacement and the grace window need when the item is gone: its
 * group and its menus.
 */
export const sightOf = (bound: string): string => `bound as materialized (${bound}),
  priced as (
    select seen.item_size_id, min(price.price_kopecks) as lowest
      from (select distinct item_size_id from bound) wanted
      join mirror_size_menu seen on seen.item_size_id = wanted.item_size_id
      join mirror_price price on price.external_menu_id = seen.external_menu_id and price.item_size_id = seen.item_size_id
     where price.lost_at is null group by 1),
  placed as (
    select place.item_id, jsonb_agg(distinct category.erp_id) as categories
      from mirror_item_placement place join mirror_menu_category category on category.id = place.menu_category_id
     where place.item_id in (select size.item_id from bound join mirror_item_size size on size.id = bound.item_size_id)
     group by 1),
  listed as (
    select membership.item_id, jsonb_agg(membership.external_menu_id order by membership.external_menu_id) as menus
      from mirror_item_menu membership
     where membership.item_id in (select size.item_id from bound join mirror_item_size size on size.id = bound.item_size_id)
     group by 1),
  sight as (
    select bound.id as variant_id, item.name, coalesce(size.sku, item.sku) as sku, priced.lowest as price_kopecks,
           jsonb_build_object('erpItemId', item.erp_id, 'erpSizeId', size.erp_size_id,
             'productCategoryId', item.product_category_erp_id, 'menuCategoryIds', coalesce(placed.categories, '[]'),
             'externalMenuIds', coalesce(listed.menus, '[]')) as snapshot
      from bound join mirror_item_size size on size.id = bound.item_size_id join mirror_item item on item.id = size.item_id
      left join priced on priced.item_size_id = bound.item_size_id
      left join placed on placed.item_id = item.id left join listed on listed.item_id = item.id)`;

/** Writes what the mirror says now of the sizes of these variants into their `last_seen_*`. */
export async function rememberSight(tx: Sql, variantIds: readonly number[]): Promise<void> {
  await tx.query(
    `with ${sightOf('select id, item_size_id from catalog_variant where id = any ($1::bigint[])')}
     update catalog_variant variant
        set last_seen_name = sight.name, last_seen_sku = sight.sku, last_seen_price_kopecks = sight.price_kopecks,
            last_seen_snapshot = sight.snapshot, last_seen_at = now()
       from sight where variant.id = sight.variant_id`,
    [variantIds],
  );
}
