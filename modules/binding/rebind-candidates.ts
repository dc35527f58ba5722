import type { RebindCandidate } from './schemas/binding.ts';
import { sql, type Nullable, type RawBuilder } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { rankRebinds, type BoundItem, type RebindSize } from './rules/rebind-ranking.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { pageOfItems, type Page, type Paging } from '../../kernel/pages.ts';

const ms = (time: RawBuilder<unknown>) =>
  sql<number>`(extract(epoch from ${time}) * 1000)::double precision`;

/** Lists possible bindings with reasons, most likely first (BND-18). Problem `not-found`. */
export async function rebindCandidates(
  { db }: Sql,
  variantId: number,
  paging: Paging,
): Promise<Page<RebindCandidate>> {
  const bound = await readBound(db, variantId);
  const ranked = rankRebinds(bound, await readSizes(db, bound));
  const page = pageOfItems(ranked, paging, {
    name: ({ name }) => name,
    confidence: ({ confidence }) => confidence,
    firstSeenAt: ({ firstSeenAt }) => firstSeenAt,
  });

  const items = page.items.map((candidate) => ({
    ...candidate,
    firstSeenAt: new Date(candidate.firstSeenAt).toISOString(),
  }));

  return { ...page, items };
}

function readBound(db: Sql['db'], variantId: number): Promise<BoundItem> {
  return db
    .selectFrom('catalog_variant as variant')
    .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select([
      'variant.productId',
      'variant.lastSeenSku as sku',
      'variant.lastSeenName as name',
      'size.erpSizeId',
      'item.productCategoryErpId as productCategoryId',
      sql<string[]>`coalesce(variant.last_seen_snapshot -> 'menuCategoryIds', '[]')`.as(
        'menuCategoryIds',
      ),
      'variant.lastSeenPriceKopecks as price',
      sql<boolean>`variant.binding_state = 'MISSING'`.as('isMissing'),
      sql<number>`coalesce(${ms(sql`variant.last_seen_at`)}, 0)`.as('lastSeenAt'),
    ])
    .where('variant.id', '=', variantId)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such variant.' }));
}

type SizeRow = Row<
  'mirror_item',
  'erpId as erpItemId' | 'name' | 'productCategoryErpId as productCategoryId'
> &
  Row<
    'mirror_item_size',
    'id as erpItemSizeId' | 'erpSizeId' | 'sku',
    { menuCategoryIds: string[]; firstSeenAt: number; price: number | null }
  > &
  Nullable<Row<'catalog_item_binding', 'productId as boundProductId'>>;

/** Reads free sizes of live dishes with the sku or in the group. */
async function readSizes(
  db: Sql['db'],
  { sku, productCategoryId, menuCategoryIds }: BoundItem,
): Promise<RebindSize[]> {
  const { rows } = await sql<SizeRow>`
     with near as (
       select id from mirror_item where role = 'DISH' and deleted_at is null and product_category_erp_id = ${productCategoryId}
       union select placed.item_id from mirror_item_placement placed
         join mirror_menu_category category on category.id = placed.menu_category_id
        where ${productCategoryId}::text is null and category.erp_id = any (${menuCategoryIds}::text[])
       union select item_id from mirror_item_size where sku = ${sku}
       union select id from mirror_item where sku = ${sku})
     select item.erp_id as erp_item_id, size.id as erp_item_size_id, size.erp_size_id,
            coalesce(size.sku, item.sku) as sku, item.name, item.product_category_erp_id as product_category_id,
            coalesce((select json_agg(distinct category.erp_id) from mirror_item_placement placed
                        join mirror_menu_category category on category.id = placed.menu_category_id
                       where placed.item_id = item.id), '[]') as menu_category_ids,
            binding.product_id as bound_product_id, ${ms(sql`item.first_seen_at`)} as first_seen_at,
            (select min(price.price_kopecks) from mirror_size_menu seen
               join mirror_price price on price.external_menu_id = seen.external_menu_id and price.item_size_id = seen.item_size_id
              where seen.item_size_id = size.id and price.lost_at is null) as price
       from near join mirror_item item using (id) join mirror_item_size size on size.item_id = item.id
       left join catalog_item_binding binding on binding.item_id = item.id
      where item.role = 'DISH' and item.deleted_at is null and size.deleted_at is null
        and not exists (select 1 from catalog_variant variant where variant.item_size_id = size.id)`.execute(
    db,
  );

  return rows;
}
