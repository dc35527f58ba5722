import type { ErpItem, TriageState } from './schemas/binding.ts';
import { sql, type RawBuilder } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { contains, searchedText } from '../../kernel/pages.ts';
import { SIZE_PRICES } from '../catalog/variants/size-prices.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';

const TRIAGE = sql<TriageState>`coalesce(triage.status, 'NEW')`;
const DISHES = sql`mirror_item item left join catalog_item_triage triage on triage.item_id = item.id`;

const SORT_COLUMNS = {
  name: sql`lower(item.name)`,
  sku: sql`item.sku`,
  firstSeenAt: sql`item.first_seen_at`,
  triage: TRIAGE,
} as const;

export type ErpItemSortField = keyof typeof SORT_COLUMNS;
export const ERP_ITEM_SORT_FIELDS = Object.keys(SORT_COLUMNS) as readonly ErpItemSortField[];

export type ErpItemFilter = ErpItemConditions & {
  sort: readonly { field: ErpItemSortField; direction: 'asc' | 'desc' }[];
  limit: number;
  offset: number;
};

/** All conditions must match. */
export type ErpItemConditions = {
  /** Part of the name or a sku. Ignores case, and ё equals е. */
  q?: string | undefined;
  bound?: boolean | undefined;
  type?: string | undefined;
  /** ERP ids. */
  productCategoryId?: string | undefined;
  menuCategoryId?: string | undefined;
  triage?: TriageState | undefined;
  /** Selects dishes in an external menu of this organization. */
  organizationId?: number | undefined;
  /** Current price; with `organizationId`, a price in one of its menus. */
  hasPrice?: boolean | undefined;
  /** ISO 8601, inclusive. */
  firstSeenSince?: string | undefined;
};

const SIZES = sql`(select json_agg(json_build_object('erpItemSizeId', size.id, 'name', size.name, 'code', size.code, 'sku', size.sku,
      'weightGrams', size.weight_grams, 'isDefault', size.is_default, 'priceMin', price.lowest, 'priceMax', price.highest)
      order by size.id)
    from mirror_item_size size ${SIZE_PRICES}
   where size.item_id = item.id)`;

const COLUMNS = sql`item.erp_id as item_id, item.name, item.sku, item.type, item.order_item_type, ${TRIAGE} as triage, item.first_seen_at,
  case when item.product_category_erp_id is null then null
       else json_build_object('id', item.product_category_erp_id, 'name', category.name) end as product_category,
  case when product.id is null then null
       else json_build_object('id', product.id, 'name', product.name, 'status', product.status) end as bound_product,
  coalesce(${SIZES}, '[]') as sizes`;

type ItemRow = Row<
  'mirror_item',
  'erpId as itemId' | 'name' | 'sku' | 'type' | 'orderItemType' | 'firstSeenAt',
  Pick<ErpItem, 'triage' | 'productCategory' | 'boundProduct' | 'sizes'>
>;

const JOINS = sql`left join catalog_item_triage triage on triage.item_id = item.id
  left join mirror_product_category category on category.erp_id = item.product_category_erp_id
  left join catalog_item_binding binding on binding.item_id = item.id
  left join catalog_product product on product.id = binding.product_id`;

const selectMenus = (organizationId: number) => sql`(
  select external_menu_id from menu_of_organization where organization_id = ${organizationId} and is_sold)`;

const priced = (organizationId: number | undefined) => sql`exists (
  select from mirror_item_size size join mirror_size_menu seen on seen.item_size_id = size.id
    join mirror_price price on price.external_menu_id = seen.external_menu_id and price.item_size_id = size.id
   where size.item_id = item.id and price.lost_at is null ${
     organizationId === undefined
       ? sql``
       : sql`and price.organization_id = ${organizationId} and price.external_menu_id in ${selectMenus(organizationId)}`
   })`;

type Condition<F extends keyof ErpItemConditions> = (
  value: NonNullable<ErpItemConditions[F]>,
  filter: ErpItemConditions,
) => RawBuilder<unknown>;

const CONDITIONS: { [F in keyof ErpItemConditions]-?: Condition<F> } = {
  q: (q) => {
    const isIn = (text: string) => contains(sql.ref<string | null>(text), q);
    return sql`(${isIn('item.name')} or ${isIn('item.sku')} or exists (
      select 1 from mirror_item_size size where size.item_id = item.id and ${isIn('size.sku')}))`;
  },
  bound: (bound) =>
    sql`${bound} = exists (select 1 from catalog_item_binding binding where binding.item_id = item.id)`,
  type: (type) => sql`item.type = ${type}`,
  productCategoryId: (id) => sql`item.product_category_erp_id = ${id}`,
  menuCategoryId: (id) => sql`item.id in (
    select placement.item_id from mirror_item_placement placement
      join mirror_menu_category category on category.id = placement.menu_category_id where category.erp_id = ${id})`,
  triage: (triage) => sql`${TRIAGE} = ${triage}`,
  organizationId: (id) => sql`item.id in (
    select listed.item_id from mirror_item_menu listed where listed.external_menu_id in ${selectMenus(id)})`,
  hasPrice: (hasPrice, { organizationId }) => sql`${priced(organizationId)} = ${hasPrice}::boolean`,
  firstSeenSince: (moment) => sql`item.first_seen_at >= ${moment}::timestamptz`,
};

function buildCondition(filter: ErpItemConditions): RawBuilder<unknown> {
  const normalFilter = { ...filter, q: searchedText(filter.q) ?? undefined };
  const condition = <F extends keyof ErpItemConditions>(name: F): RawBuilder<unknown>[] => {
    const value: ErpItemConditions[F] = normalFilter[name];
    return value === undefined ? [] : [(CONDITIONS[name] as Condition<F>)(value as never, filter)];
  };

  const conditions = (Object.keys(CONDITIONS) as (keyof ErpItemConditions)[]).flatMap(condition);

  return sql.join(
    [sql`item.role = 'DISH'`, sql`item.deleted_at is null`, ...conditions],
    sql` and `,
  );
}

/** Lists dishes, by default sorted by name. Reads details only for the page. */
export async function listErpItems(
  { db }: Sql,
  filter: ErpItemFilter,
): Promise<{ items: ErpItem[]; total: number }> {
  const where = buildCondition(filter);
  const keys =
    filter.sort.length > 0 ? filter.sort : [{ field: 'name' as const, direction: 'asc' as const }];
  const order = sql.join([
    ...keys.map(
      ({ field, direction }) => sql`${SORT_COLUMNS[field]} ${sql.raw(direction)} nulls last`,
    ),
    sql`item.id`,
  ]);

  const count = sql<number>`(select count(*) from ${DISHES} where ${where})`;
  const page = sql<ItemRow>`
    with chosen as materialized (
      select item.id, row_number() over (order by ${order}) as at from ${DISHES} where ${where}
       order by at limit ${filter.limit} offset ${filter.offset})
    select ${COLUMNS} from chosen join mirror_item item using (id) ${JOINS} order by chosen.at`;

  const { total } = await db.selectNoFrom(count.as('total')).executeTakeFirstOrThrow();

  return { items: (await page.execute(db)).rows, total };
}

/** Returns at most `limit` ERP ids, sorted by our ids. */
export async function matchingItemIds(
  { db }: Sql,
  filter: ErpItemConditions,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<Row<'mirror_item', 'erpId'>>`
    select item.erp_id from ${DISHES} where ${buildCondition(filter)} order by item.id limit ${limit}`.execute(
    db,
  );

  return rows.map(({ erpId }) => erpId);
}

/** Returns one dish by ERP id, even if the ERP no longer has it. Problem `not-found`. */
export async function getErpItem({ db }: Sql, itemId: string): Promise<ErpItem> {
  const { rows } = await sql<ItemRow>`
    select ${COLUMNS} from mirror_item item ${JOINS} where item.role = 'DISH' and item.erp_id = ${itemId}`.execute(
    db,
  );
  const [item] = rows;
  if (item === undefined) throw new Problem('not-found', { detail: 'No such item.' });

  return item;
}
