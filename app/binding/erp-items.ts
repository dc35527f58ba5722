import { Problem } from '../../contracts/problem.ts';
import type { ProductStatus } from '../../domain/catalog/product-states.ts';
import { containsText, searchedText } from '../contains-text.ts';
import type { Sql } from '../database.ts';

export const TRIAGE_STATES = ['NEW', 'LINKED', 'IGNORED'] as const;
export type TriageState = (typeof TRIAGE_STATES)[number];

export type ErpItemSizeView = {
  /** Our id of (item, size): what create-product takes. */
  erpItemSizeId: number;
  name: string | null;
  code: string | null;
  sku: string | null;
  weightGrams: number | null;
  isDefault: boolean;
  /** Lowest and highest price of all organizations, kopecks; null when no organization has a price. */
  priceMin: number | null;
  priceMax: number | null;
};

/** One mirrored dish as staff see it when they make products of dishes. */
export type ErpItemView = {
  /** Id of the ERP. */
  itemId: string;
  name: string;
  sku: string | null;
  type: string | null;
  productCategory: { id: string; name: string | null } | null;
  triage: TriageState;
  firstSeenAt: Date;
  boundProduct: { id: number; name: string; status: ProductStatus } | null;
  sizes: ErpItemSizeView[];
};

/** A dish nobody has decided about is new. */
const TRIAGE = `coalesce(triage.status, 'NEW')`;
const DISHES = 'mirror_item item left join catalog_item_triage triage on triage.item_id = item.id';

const SORT_COLUMNS = {
  name: 'lower(item.name)',
  sku: 'item.sku',
  firstSeenAt: 'item.first_seen_at',
  triage: TRIAGE,
} as const;
export type ErpItemSortField = keyof typeof SORT_COLUMNS;
export const ERP_ITEM_SORT_FIELDS = Object.keys(SORT_COLUMNS) as readonly ErpItemSortField[];

export type ErpItemFilter = {
  /** Part of the name or of a sku, any case, е for ё. */
  q?: string | undefined;
  bound?: boolean | undefined;
  type?: string | undefined;
  /** Ids of the ERP. */
  productCategoryId?: string | undefined;
  menuCategoryId?: string | undefined;
  triage?: TriageState | undefined;
  sort: readonly { field: ErpItemSortField; direction: 'asc' | 'desc' }[];
  limit: number;
  offset: number;
};

const WHERE = `item.role = 'DISH' and item.deleted_at is null
  and ($1::text is null or ${containsText('item.name', '$1')} or ${containsText('item.sku', '$1')}
    or exists (select 1 from mirror_item_size size where size.item_id = item.id and ${containsText('size.sku', '$1')}))
  and ($2::boolean is null or $2 = exists (select 1 from catalog_item_binding binding where binding.item_id = item.id))
  and ($3::text is null or item.type = $3)
  and ($4::text is null or item.product_category_erp_id = $4)
  and ($5::text is null or item.id in (select placement.item_id from mirror_item_placement placement
        join mirror_menu_category category on category.id = placement.menu_category_id where category.erp_id = $5))
  and ($6::text is null or ${TRIAGE} = $6)`;

// Prices are reached through the menus a size is in: the key of the price table starts with the menu.
const SIZES = `(select json_agg(json_build_object('erpItemSizeId', size.id, 'name', size.name, 'code', size.code, 'sku', size.sku,
      'weightGrams', size.weight_grams, 'isDefault', size.is_default, 'priceMin', price.lowest, 'priceMax', price.highest)
      order by size.id)
    from mirror_item_size size
    left join lateral (
      select min(price.price_kopecks) as lowest, max(price.price_kopecks) as highest from mirror_size_menu seen
        join mirror_price price on price.external_menu_id = seen.external_menu_id and price.item_size_id = seen.item_size_id
       where seen.item_size_id = size.id and price.lost_at is null) price on true
   where size.item_id = item.id)`;

const COLUMNS = `item.erp_id as "itemId", item.name, item.sku, item.type, ${TRIAGE} as triage, item.first_seen_at as "firstSeenAt",
  case when item.product_category_erp_id is null then null
       else json_build_object('id', item.product_category_erp_id, 'name', category.name) end as "productCategory",
  case when product.id is null then null
       else json_build_object('id', product.id, 'name', product.name, 'status', product.status) end as "boundProduct",
  coalesce(${SIZES}, '[]') as sizes`;

const JOINS = `left join catalog_item_triage triage on triage.item_id = item.id
  left join mirror_product_category category on category.erp_id = item.product_category_erp_id
  left join catalog_item_binding binding on binding.item_id = item.id
  left join catalog_product product on product.id = binding.product_id`;

/** One page of the dishes the ERP has now; by name unless another order is asked for. Details are read for the page only. */
export async function listErpItems(sql: Sql, filter: ErpItemFilter): Promise<{ items: ErpItemView[]; total: number }> {
  const conditions = [
    searchedText(filter.q),
    filter.bound ?? null,
    filter.type ?? null,
    filter.productCategoryId ?? null,
    filter.menuCategoryId ?? null,
    filter.triage ?? null,
  ];
  const keys = filter.sort.length > 0 ? filter.sort : [{ field: 'name' as const, direction: 'asc' as const }];
  const order = [...keys.map((key) => `${SORT_COLUMNS[key.field]} ${key.direction} nulls last`), 'item.id'].join(', ');
  const [count] = await sql.query<{ total: number }>(
    `select count(*) as total from ${DISHES} where ${WHERE}`,
    conditions,
  );
  const items = await sql.query<ErpItemView>(
    `with chosen as materialized (
       select item.id, row_number() over (order by ${order}) as at from ${DISHES} where ${WHERE}
        order by at limit $7 offset $8)
     select ${COLUMNS} from chosen join mirror_item item using (id) ${JOINS} order by chosen.at`,
    [...conditions, filter.limit, filter.offset],
  );
  return { items, total: count?.total ?? 0 };
}

/** One dish by the id of the ERP, also when the ERP no longer has it. Problem `not-found`. */
export async function getErpItem(sql: Sql, itemId: string): Promise<ErpItemView> {
  const [item] = await sql.query<ErpItemView>(
    `select ${COLUMNS} from mirror_item item ${JOINS} where item.role = 'DISH' and item.erp_id = $1`,
    [itemId],
  );
  if (item === undefined) throw new Problem('not-found', { detail: 'No such item.' });
  return item;
}
