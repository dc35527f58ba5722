import type { ProductListItem } from '../../contracts/catalog.ts';
import type { ProductStatus } from '../../domain/catalog/product-states.ts';
import { imageReference } from '../../domain/media/image-reference.ts';
import type { Rendition } from '../media/media-rows.ts';
import { folded, searchedText } from '../contains-text.ts';
import type { Sql } from '../database.ts';

/** One line of the product list. */
export type ProductSummary = ProductListItem;

/** Fields the list can be ordered by, and their columns. */
const SORT_COLUMNS = {
  name: 'lower(product.name)',
  status: 'product.status',
  createdAt: 'product.created_at',
  updatedAt: 'product.updated_at',
  publishedAt: 'product.published_at',
  id: 'product.id',
} as const;
export type ProductSortField = keyof typeof SORT_COLUMNS;
export const PRODUCT_SORT_FIELDS = Object.keys(SORT_COLUMNS) as readonly ProductSortField[];

/** Filters combine with and; an absent one does not filter. */
export type ProductFilter = {
  /** Part of the name or the address, any case, е for ё; or a whole address of the past. */
  q?: string | undefined;
  categoryId?: number | undefined;
  status?: ProductStatus | undefined;
  hasImage?: boolean | undefined;
  hasVariants?: boolean | undefined;
  badgeId?: number | undefined;
  /** Products that guests of this organization can be sold once they are published: visible there, with a variant priced there. */
  organizationId?: number | undefined;
  /** A variant whose dish is lost or deleted, or an open incident. */
  erpIssue?: boolean | undefined;
};
type Filter = keyof ProductFilter;

export type ProductQuery = ProductFilter & {
  sort: readonly { field: ProductSortField; direction: 'asc' | 'desc' }[];
  limit: number;
  offset: number;
};

/**
 * Ids of products about whose dishes something needs staff, of all or among some. Incidents belong to `binding`; the list only
 * counts them.
 */
const withErpIssue = (among?: string) => {
  const of = (table: string) => (among === undefined ? '' : `and ${table}.product_id = any (${among})`);
  return `
  select variant.product_id from catalog_variant variant where variant.binding_state = 'MISSING' ${of('variant')}
  union all
  select variant.product_id from mirror_item item join mirror_item_size size on size.item_id = item.id
    join catalog_variant variant on variant.item_size_id = size.id where item.deleted_at is not null ${of('variant')}
  union all
  select incident.product_id from binding_incident incident where incident.status = 'OPEN' ${of('incident')}`;
};

/**
 * Ids of products with a variant that an enabled external menu, not withdrawn by the ERP, prices in the organization now. Naming the
 * menus that count lets the planner see that most prices do, and join them by hash.
 */
const soldIn = (organization: string) => `
  select variant.product_id from mirror_price price join catalog_variant variant on variant.item_size_id = price.item_size_id
   where price.organization_id = ${organization} and price.lost_at is null
     and price.external_menu_id = any (array(
           select menu.id from mirror_external_menu menu left join external_menu_setting setting on setting.external_menu_id = menu.id
            where menu.withdrawn_at is null and coalesce(setting.is_enabled, true)
              and (setting.organization_ids is null or ${organization} = any (setting.organization_ids))))`;

/** Ids of products for which staff have said this about the organization. */
const saidIn = (organization: string, isVisible: boolean) => `
  select said.product_id from catalog_product_visibility said
   where said.organization_id = ${organization} and said.is_visible = ${isVisible}`;

/** The condition of each filter; `$n` is its value. */
const CONDITIONS: Readonly<Record<Filter, (value: string) => string>> = {
  q: (q) => `(strpos(product.search_text, ${folded(`${q}::text`)}) > 0
    or product.id = (select former.product_id from catalog_product_slug former where former.slug = lower(${q}::text)))`,
  categoryId: (id) =>
    `product.id in (select placement.product_id from catalog_product_category placement where placement.category_id = ${id}::bigint)`,
  status: (status) => `product.status = ${status}::text`,
  hasImage: (wanted) => `(product.main_image_id is not null) = ${wanted}::boolean`,
  hasVariants: (wanted) =>
    `(product.id in (select variant.product_id from catalog_variant variant)) = ${wanted}::boolean`,
  badgeId: (id) =>
    `product.id in (select assigned.product_id from catalog_product_badge assigned where assigned.badge_id = ${id}::bigint)`,
  organizationId: (id) => `product.id in (${soldIn(`${id}::bigint`)})
    and case when product.is_visible then product.id not in (${saidIn(`${id}::bigint`, false)})
             else product.id in (${saidIn(`${id}::bigint`, true)}) end`,
  erpIssue: (wanted) => `(product.id in (${withErpIssue()})) = ${wanted}::boolean`,
};

type SummaryRow = Omit<ProductSummary, 'mainImage'> & { main: { id: number; renditions: Rendition[] } | null };

/** One page of products and the number of all; by name unless another order is asked for. Details are read for the page only. */
export async function listProducts(sql: Sql, query: ProductQuery): Promise<{ items: ProductSummary[]; total: number }> {
  const { where, values } = conditionsOf(query);
  const keys = query.sort.length > 0 ? query.sort : [{ field: 'name' as const, direction: 'asc' as const }];
  const columns = keys.map((key, at) => `, ${SORT_COLUMNS[key.field]} as key_${at}`).join('');
  const order = [...keys.map((key, at) => `key_${at} ${key.direction} nulls last`), 'id'].join(', ');
  const [found] = await sql.query<{ total: number; ids: number[] }>(
    `with found as materialized (select product.id ${columns} from catalog_product product ${where})
     select (select count(*) from found) as total,
            array(select id from found order by ${order} limit $${values.length + 1} offset $${values.length + 2}) as ids`,
    [...values, query.limit, query.offset],
  );
  const { total = 0, ids = [] } = found ?? {};
  const rows = await sql.query<SummaryRow>(
    `select product.id, product.slug, product.name, product.status, product.updated_at as "updatedAt", product.version,
            case when media.id is null then null else json_build_object('id', media.id, 'renditions', media.renditions) end as main,
            array(select category_id from catalog_product_category placement
                   where placement.product_id = product.id order by is_primary desc, category_id) as "categoryIds",
            array(select badge_id from catalog_product_badge assigned
                   where assigned.product_id = product.id order by position) as "badgeIds",
            (select count(*) from catalog_variant variant where variant.product_id = product.id) as "variantCount",
            product.id in (${withErpIssue('$1::bigint[]')}) as "hasErpIssue"
       from unnest($1::bigint[]) with ordinality as page (id, at)
       join catalog_product product on product.id = page.id left join media on media.id = product.main_image_id
      order by page.at`,
    [ids],
  );
  const items = rows.map(({ main, ...row }) => ({ ...row, mainImage: main === null ? null : imageReference(main) }));
  return { items, total };
}

function conditionsOf(filter: ProductFilter): { where: string; values: unknown[] } {
  const wanted = { ...filter, q: searchedText(filter.q) ?? undefined };
  const given = (Object.keys(CONDITIONS) as Filter[]).filter((name) => wanted[name] !== undefined);
  const conditions = given.map((name, at) => CONDITIONS[name](`$${at + 1}`));
  return {
    where: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`,
    values: given.map((name) => wanted[name]),
  };
}
