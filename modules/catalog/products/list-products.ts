import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ProductListItem } from '../schemas/catalog.ts';
import type { ProductStatus } from '../rules/states.ts';
import { imageReference } from '../../media/rules/image-reference.ts';
import { contains, searchedText } from '../../../kernel/pages.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';

/**
 * Selects the `product_id` of products that need attention. Other modules declare their own,
 * because the catalog does not depend on them.
 */
export type ProductIssue = RawBuilder<unknown>;

/** Products with dishes that are missing or deleted in the ERP. */
export const CATALOG_ISSUES: readonly ProductIssue[] = [
  sql`select variant.product_id from catalog_variant variant where variant.binding_state = 'MISSING'`,
  sql`select variant.product_id from mirror_item item join mirror_item_size size on size.item_id = item.id
        join catalog_variant variant on variant.item_size_id = size.id
       where item.deleted_at is not null or size.deleted_at is not null`,
];

const SORT_COLUMNS = {
  name: sql`lower(product.name)`,
  status: sql`product.status`,
  createdAt: sql`product.created_at`,
  updatedAt: sql`product.updated_at`,
  publishedAt: sql`product.published_at`,
  id: sql`product.id`,
} as const;

export type ProductSortField = keyof typeof SORT_COLUMNS;
export const PRODUCT_SORT_FIELDS = Object.keys(SORT_COLUMNS) as readonly ProductSortField[];

/** Products must match all conditions. */
export type ProductFilter = {
  /** Part of a product name or slug, or of a dish name or SKU; or a complete former slug. */
  q?: string | undefined;
  categoryId?: number | undefined;
  status?: ProductStatus | undefined;
  hasImage?: boolean | undefined;
  hasVariants?: boolean | undefined;
  badgeId?: number | undefined;
  /** Products that are visible and have a price in this organization. */
  organizationId?: number | undefined;
  /** Products with a missing or deleted dish, or an open incident. */
  erpIssue?: boolean | undefined;
  /** ISO 8601, inclusive. */
  updatedSince?: string | undefined;
};

type Filter = keyof ProductFilter;

export type ProductQuery = ProductFilter & {
  sort: readonly { field: ProductSortField; direction: 'asc' | 'desc' }[];
  /** Category that determines the default order. */
  inOrderOf?: number | undefined;
  limit: number;
  offset: number;
};

const soldIn = (organizationId: number) => sql`
  select variant.product_id from mirror_price price join catalog_variant variant on variant.item_size_id = price.item_size_id
   where price.organization_id = ${organizationId} and price.lost_at is null
     and price.external_menu_id = any (array(
           select external_menu_id from menu_of_organization where organization_id = ${organizationId} and is_sold))`;

/** Also searches the last seen names and SKUs. */
const ofDishes = (q: string) => {
  const texts = [
    'item.name',
    'item.sku',
    'size.sku',
    'variant.last_seen_name',
    'variant.last_seen_sku',
  ];

  const matches = texts.map((text) => contains(sql.ref<string | null>(text), q));

  return sql`select variant.product_id from catalog_variant variant
    join mirror_item_size size on size.id = variant.item_size_id join mirror_item item on item.id = size.item_id
   where ${sql.join(matches, sql` or `)}`;
};

const withVisibility = (organizationId: number, isVisible: boolean) => sql`
  select product_id from catalog_product_visibility
   where organization_id = ${organizationId} and is_visible = ${isVisible}`;

/**
 * Applies the conditions of the `organizationId` filter (CAT-31). The first menu of an organization
 * sets the price of a size.
 */
const soldEverywhere = (ids: readonly number[]) => sql`
  bound as materialized (
    select product_id, item_size_id from catalog_variant where product_id = any (${ids}::bigint[])),
  menu as materialized (
    select of.organization_id, of.external_menu_id, of.rank
      from menu_of_organization of join mirror_organization organization on organization.id = of.organization_id
     where of.is_sold and organization.inactive_at is null),
  cost as (
    select distinct on (bound.product_id, price.item_size_id, price.organization_id)
           bound.product_id, price.organization_id, price.price_kopecks
      from bound join mirror_price price on price.item_size_id = bound.item_size_id and price.lost_at is null
      join menu on menu.organization_id = price.organization_id and menu.external_menu_id = price.external_menu_id
      join catalog_product product on product.id = bound.product_id
      left join catalog_product_visibility here
        on here.product_id = bound.product_id and here.organization_id = price.organization_id
     where coalesce(here.is_visible, product.is_visible)
     order by bound.product_id, price.item_size_id, price.organization_id, menu.rank),
  sold as (
    select product_id, min(price_kopecks) as min, max(price_kopecks) as max,
           array_agg(distinct organization_id order by organization_id) as organization_ids
      from cost group by product_id)`;

type Conditions = {
  readonly [F in Filter]: (
    value: NonNullable<ProductFilter[F]>,
    issues: readonly ProductIssue[],
  ) => RawBuilder<SqlBool>;
};

const CONDITIONS: Conditions = {
  q: (q) => sql`(${contains(sql.ref('product.search_text'), q)}
    or product.id = (select former.product_id from catalog_product_slug former where former.slug = lower(${q}::text))
    or product.id in (${ofDishes(q)}))`,
  categoryId: (id) =>
    sql`product.id in (select placement.product_id from catalog_product_category placement where placement.category_id = ${id})`,
  status: (status) => sql`product.status = ${status}`,
  hasImage: (hasImage) => sql`(product.main_image_id is not null) = ${hasImage}::boolean`,
  hasVariants: (hasVariants) =>
    sql`(product.id in (select variant.product_id from catalog_variant variant)) = ${hasVariants}::boolean`,
  badgeId: (id) =>
    sql`product.id in (select assigned.product_id from catalog_product_badge assigned where assigned.badge_id = ${id})`,
  organizationId: (id) => sql`product.id in (${soldIn(id)})
    and case when product.is_visible then product.id not in (${withVisibility(id, false)})
             else product.id in (${withVisibility(id, true)}) end`,
  updatedSince: (moment) => sql`product.updated_at >= ${moment}::timestamptz`,
  erpIssue: (hasIssue, issues) =>
    sql`(product.id in (${uniteIssues(issues)})) = ${hasIssue}::boolean`,
};

type SummaryRow = Row<
  'catalog_product',
  'id' | 'slug' | 'name' | 'status' | 'updatedAt' | 'version',
  Pick<
    ProductListItem,
    'categoryIds' | 'badgeIds' | 'variantCount' | 'price' | 'organizationIds' | 'hasErpIssue'
  > & {
    main: Row<'media', 'id' | 'renditions'> | null;
  }
>;

/** Returns one page and the total (CAT-31). Details are read only for products of the page. */
export async function listProducts(
  { db }: Sql,
  query: ProductQuery,
  issues: readonly ProductIssue[],
): Promise<{ items: ProductListItem[]; total: number }> {
  const keys = sortKeys(query);
  const columns = keys.map(({ column }, at) => sql`, ${column} as ${sql.raw(`key_${at}`)}`);
  const order = keys.map(({ direction }, at) => sql.raw(`key_${at} ${direction} nulls last`));
  const {
    rows: [page],
  } = await sql<{ total: number; ids: number[] }>`
    with found as materialized (
      select product.id ${sql.join(columns, sql``)} from catalog_product product where ${buildProductCondition(query, issues)})
    select (select count(*) from found) as total,
           array(select id from found order by ${sql.join(order)}, id limit ${query.limit} offset ${query.offset}) as ids`.execute(
    db,
  );

  const { total = 0, ids = [] } = page ?? {};
  const { rows } = await sql<SummaryRow>`
    with ${soldEverywhere(ids)}
    select product.id, product.slug, product.name, product.status, product.updated_at, product.version,
           case when media.id is null then null else json_build_object('id', media.id, 'renditions', media.renditions) end as main,
           array(select category_id from catalog_product_category placement
                  where placement.product_id = product.id order by is_primary desc, category_id) as category_ids,
           array(select badge_id from catalog_product_badge assigned
                  where assigned.product_id = product.id order by position) as badge_ids,
           (select count(*) from catalog_variant variant where variant.product_id = product.id) as variant_count,
           case when sold.min is null then null else json_build_object('min', sold.min, 'max', sold.max) end as price,
           coalesce(sold.organization_ids, '{}') as organization_ids,
           product.id in (select issue.product_id from (${uniteIssues(issues)}) issue
                           where issue.product_id = any (${ids}::bigint[])) as has_erp_issue
      from unnest(${ids}::bigint[]) with ordinality as page (id, at)
      join catalog_product product on product.id = page.id left join media on media.id = product.main_image_id
      left join sold on sold.product_id = product.id
     order by page.at`.execute(db);

  const items = rows.map(({ main, ...row }) => ({
    ...row,
    mainImage: main === null ? null : imageReference(main),
  }));

  return { items, total };
}

function sortKeys({
  sort,
  inOrderOf,
}: ProductQuery): { column: RawBuilder<unknown>; direction: 'asc' | 'desc' }[] {
  if (sort.length > 0)
    return sort.map(({ field, direction }) => ({ column: SORT_COLUMNS[field], direction }));
  if (inOrderOf === undefined) return [{ column: SORT_COLUMNS.name, direction: 'asc' }];
  const position = sql`(select position from catalog_product_category placement
    where placement.category_id = ${inOrderOf} and placement.product_id = product.id)`;

  return [{ column: position, direction: 'asc' }];
}

export async function matchingProductIds(
  { db }: Sql,
  filter: ProductFilter,
  issues: readonly ProductIssue[],
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<Row<'catalog_product', 'id'>>`
    select product.id from catalog_product product where ${buildProductCondition(filter, issues)}
     order by product.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

function uniteIssues(issues: readonly ProductIssue[]): RawBuilder<unknown> {
  return sql.join(issues, sql` union all `);
}

export function buildProductCondition(
  filter: ProductFilter,
  issues: readonly ProductIssue[],
): RawBuilder<unknown> {
  const normalFilter = { ...filter, q: searchedText(filter.q) ?? undefined };
  const condition = <F extends Filter>(name: F): RawBuilder<SqlBool>[] => {
    const value: ProductFilter[F] = normalFilter[name];
    return value === undefined ? [] : [CONDITIONS[name](value, issues)];
  };

  return sql.join(
    [sql`true`, ...(Object.keys(CONDITIONS) as Filter[]).flatMap(condition)],
    sql` and `,
  );
}
