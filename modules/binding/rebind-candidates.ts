import type { RebindCandidate } from './schemas/binding.ts';
import { sql, type RawBuilder } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { rankRebinds, type BoundItem, type RebindSize } from './rules/rebind-ranking.ts';
import type { Sql } from '../../platform/db/database.ts';
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

/** Reads free sizes of live dishes with the sku or in the group. */
function readSizes(db: Sql['db'], bound: BoundItem): Promise<RebindSize[]> {
  return db
    .with('near', nearItems(bound))
    .selectFrom('near')
    .innerJoin('mirror_item as item', 'near.id', 'item.id')
    .innerJoin('mirror_item_size as size', 'size.itemId', 'item.id')
    .leftJoin('catalog_item_binding as binding', 'binding.itemId', 'item.id')
    .select(['item.erpId as erpItemId', 'size.id as erpItemSizeId', 'size.erpSizeId'])
    .select((eb) => eb.fn.coalesce('size.sku', 'item.sku').as('sku'))
    .select(['item.name', 'item.productCategoryErpId as productCategoryId'])
    .select([MENU_CATEGORIES.as('menuCategoryIds'), 'binding.productId as boundProductId'])
    .select([ms(sql`item.first_seen_at`).as('firstSeenAt'), LOWEST_PRICE.as('price')])
    .where('item.role', '=', 'DISH')
    .where('item.deletedAt', 'is', null)
    .where('size.deletedAt', 'is', null)
    .where(IS_FREE)
    .execute();
}

const nearItems = ({ sku, productCategoryId, menuCategoryIds }: BoundItem) => sql<{ id: number }>`(
  select id from mirror_item where role = 'DISH' and deleted_at is null and product_category_erp_id = ${productCategoryId}
   union select placed.item_id from mirror_item_placement placed
     join mirror_menu_category category on category.id = placed.menu_category_id
    where ${productCategoryId}::text is null and category.erp_id = any (${menuCategoryIds}::text[])
   union select item_id from mirror_item_size where sku = ${sku}
   union select id from mirror_item where sku = ${sku})`;

const MENU_CATEGORIES = sql<string[]>`
  coalesce((select json_agg(distinct category.erp_id) from mirror_item_placement placed
              join mirror_menu_category category on category.id = placed.menu_category_id
             where placed.item_id = item.id), '[]')`;

const LOWEST_PRICE = sql<number | null>`
  (select min(price.price_kopecks) from mirror_size_menu seen
     join mirror_price price on price.external_menu_id = seen.external_menu_id and price.item_size_id = seen.item_size_id
    where seen.item_size_id = size.id and price.lost_at is null)`;

const IS_FREE = sql<boolean>`not exists (select 1 from catalog_variant variant where variant.item_size_id = size.id)`;
