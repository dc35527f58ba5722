import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** The lowest price of all organizations. */
const PRICED = sql`
  select listed.item_size_id, min(price.price_kopecks) as lowest
    from (select distinct item_size_id from bound) wanted
    join mirror_size_menu listed on listed.item_size_id = wanted.item_size_id
    join mirror_price price on price.external_menu_id = listed.external_menu_id and price.item_size_id = listed.item_size_id
   where price.lost_at is null group by 1`;

const BOUND_ITEMS = sql`select size.item_id from bound join mirror_item_size size on size.id = bound.item_size_id`;

const PLACED = sql`
  select placement.item_id, jsonb_agg(distinct category.erp_id) as categories
    from mirror_item_placement placement join mirror_menu_category category on category.id = placement.menu_category_id
   where placement.item_id in (${BOUND_ITEMS})
   group by 1`;

const LISTED = sql`
  select membership.item_id, jsonb_agg(membership.external_menu_id order by membership.external_menu_id) as menus
    from mirror_item_menu membership
   where membership.item_id in (${BOUND_ITEMS})
   group by 1`;

/** Used to find a replacement and during the grace period after a loss. */
const SNAPSHOT = sql`jsonb_build_object('erpItemId', item.erp_id, 'erpSizeId', size.erp_size_id,
  'productCategoryId', item.product_category_erp_id, 'menuCategoryIds', coalesce(placed.categories, '[]'),
  'externalMenuIds', coalesce(listed.menus, '[]'))`;

/**
 * CTEs with the mirror state of bound sizes: `bound` (a query with `id` and `item_size_id`) and
 * `seen` with the columns of `last_seen_*`.
 */
export const seenNow = (bound: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  bound as materialized (${bound}), priced as (${PRICED}), placed as (${PLACED}), listed as (${LISTED}),
  seen as (
    select bound.id as variant_id, item.name, coalesce(size.sku, item.sku) as sku, priced.lowest as price_kopecks,
           ${SNAPSHOT} as snapshot
      from bound join mirror_item_size size on size.id = bound.item_size_id join mirror_item item on item.id = size.item_id
      left join priced on priced.item_size_id = bound.item_size_id
      left join placed on placed.item_id = item.id left join listed on listed.item_id = item.id)`;

const WRITE_LAST_SEEN = sql`
  update catalog_variant variant
     set last_seen_name = seen.name, last_seen_sku = seen.sku, last_seen_price_kopecks = seen.price_kopecks,
         last_seen_snapshot = seen.snapshot, last_seen_at = now()`;

/** Copies the current mirror state to `last_seen_*`. */
export async function rememberLastSeen(tx: Tx, variantIds: readonly number[]): Promise<void> {
  const bound = sql`select id, item_size_id from catalog_variant where id = any (${variantIds}::bigint[])`;
  await sql`with ${seenNow(bound)} ${WRITE_LAST_SEEN} from seen where variant.id = seen.variant_id`.execute(
    tx.db,
  );
}

/** Copies mirror state to `last_seen_*` from a relation with `id` and the columns of `seen`. */
export async function writeLastSeen(
  tx: Tx,
  variantIds: readonly number[],
  relation: string,
): Promise<void> {
  await sql`
    ${WRITE_LAST_SEEN} from ${sql.table(relation)} as seen
     where seen.id = variant.id and variant.id = any (${variantIds}::bigint[])`.execute(tx.db);
}
