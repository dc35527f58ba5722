import { Problem } from '../../contracts/problem.ts';
import {
  rankRebinds,
  type BoundItem,
  type RebindCandidate,
  type RebindSize,
} from '../../domain/binding/rebind-ranking.ts';
import type { Sql } from '../database.ts';
import type { Page, Paging } from '../pages.ts';

export type RebindCandidateView = Omit<RebindCandidate, 'firstSeenAt'> & { firstSeenAt: string };

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::double precision`;

/**
 * One page of what a variant could be bound to, the surest first, with the reasons (rule BND-18): free sizes with its sku,
 * and those of its group with the same or a similar name. Problem `not-found`.
 */
export async function rebindCandidates(
  sql: Sql,
  variantId: number,
  { page, size }: Paging,
): Promise<Page<RebindCandidateView>> {
  const bound = await readBound(sql, variantId);
  const ranked = rankRebinds(bound, await readSizes(sql, bound));
  const items = ranked.slice((page - 1) * size, page * size).map((each) => ({
    ...each,
    firstSeenAt: new Date(each.firstSeenAt).toISOString(),
  }));
  return { items, page, size, total: ranked.length };
}

async function readBound(sql: Sql, variantId: number): Promise<BoundItem> {
  const [bound] = await sql.query<BoundItem>(
    `select variant.product_id as "productId", variant.last_seen_sku as sku, variant.last_seen_name as name,
            size.erp_size_id as "erpSizeId", item.product_category_erp_id as "productCategoryId",
            coalesce(variant.last_seen_snapshot -> 'menuCategoryIds', '[]') as "menuCategoryIds",
            variant.last_seen_price_kopecks as price, variant.binding_state = 'MISSING' as "isMissing",
            coalesce(${ms('variant.last_seen_at')}, 0) as "lastSeenAt"
       from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
       join mirror_item item on item.id = size.item_id where variant.id = $1`,
    [variantId],
  );
  if (bound === undefined) throw new Problem('not-found', { detail: 'No such variant.' });
  return bound;
}

/** Free sizes of live dishes with the sku or in the group of a bound one. */
function readSizes(sql: Sql, { sku, productCategoryId, menuCategoryIds }: BoundItem): Promise<RebindSize[]> {
  return sql.query<RebindSize>(
    `with near as (
       select id from mirror_item where role = 'DISH' and deleted_at is null and product_category_erp_id = $2
       union select placed.item_id from mirror_item_placement placed
         join mirror_menu_category category on category.id = placed.menu_category_id
        where $2::text is null and category.erp_id = any ($3::text[])
       union select item_id from mirror_item_size where sku = $1
       union select id from mirror_item where sku = $1)
     select item.erp_id as "erpItemId", size.id as "erpItemSizeId", size.erp_size_id as "erpSizeId",
            coalesce(size.sku, item.sku) as sku, item.name, item.product_category_erp_id as "productCategoryId",
            coalesce((select json_agg(distinct category.erp_id) from mirror_item_placement placed
                        join mirror_menu_category category on category.id = placed.menu_category_id
                       where placed.item_id = item.id), '[]') as "menuCategoryIds",
            binding.product_id as "boundProductId", ${ms('item.first_seen_at')} as "firstSeenAt",
            (select min(price.price_kopecks) from mirror_size_menu seen
               join mirror_price price on price.external_menu_id = seen.external_menu_id and price.item_size_id = seen.item_size_id
              where seen.item_size_id = size.id and price.lost_at is null) as price
       from near join mirror_item item using (id) join mirror_item_size size on size.item_id = item.id
       left join catalog_item_binding binding on binding.item_id = item.id
      where item.role = 'DISH' and item.deleted_at is null
        and not exists (select 1 from catalog_variant variant where variant.item_size_id = size.id)`,
    [sku, productCategoryId, menuCategoryIds],
  );
}
