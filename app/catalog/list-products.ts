import type { ProductStatus } from '../../domain/catalog/product-states.ts';
import { imageReference, type ImageReference } from '../../domain/media/image-reference.ts';
import type { Rendition } from '../media/media-rows.ts';
import type { Sql } from '../database.ts';

/** One line of the product list. */
export type ProductSummary = {
  id: number;
  slug: string;
  name: string;
  status: ProductStatus;
  mainImage: ImageReference | null;
  categoryIds: number[];
  variantCount: number;
  updatedAt: Date;
  version: number;
};

/** Fields the list can be ordered by, and their columns. */
const SORT_COLUMNS = {
  name: 'lower(product.name)',
  status: 'product.status',
  createdAt: 'product.created_at',
  updatedAt: 'product.updated_at',
  id: 'product.id',
} as const;
export type ProductSortField = keyof typeof SORT_COLUMNS;
export const PRODUCT_SORT_FIELDS = Object.keys(SORT_COLUMNS) as readonly ProductSortField[];

export type ProductFilter = {
  /** Part of the name or the address, any case. */
  q?: string | undefined;
  categoryId?: number | undefined;
  status?: ProductStatus | undefined;
  sort: readonly { field: ProductSortField; direction: 'asc' | 'desc' }[];
  limit: number;
  offset: number;
};

type SummaryRow = Omit<ProductSummary, 'mainImage'> & {
  total: number;
  main: { id: number; renditions: Rendition[] } | null;
};

const WHERE = `($1::text is null or strpos(lower(product.name), lower($1)) > 0 or strpos(product.slug, lower($1)) > 0)
  and ($2::bigint is null or exists (select 1 from catalog_product_category placement
        where placement.product_id = product.id and placement.category_id = $2))
  and ($3::text is null or product.status = $3)`;

/** One page of products; by name unless another order is asked for. Details are read for the page only. */
export async function listProducts(
  sql: Sql,
  filter: ProductFilter,
): Promise<{ items: ProductSummary[]; total: number }> {
  const conditions = [filter.q ?? null, filter.categoryId ?? null, filter.status ?? null];
  const keys = filter.sort.length > 0 ? filter.sort : [{ field: 'name' as const, direction: 'asc' as const }];
  const order = [...keys.map((key) => `${SORT_COLUMNS[key.field]} ${key.direction}`), 'product.id'].join(', ');
  const [count] = await sql.query<{ total: number }>(
    `select count(*) as total from catalog_product product where ${WHERE}`,
    conditions,
  );
  const rows = await sql.query<SummaryRow>(
    `with chosen as (
       select product.id, row_number() over (order by ${order}) as at from catalog_product product where ${WHERE}
        order by at limit $4 offset $5)
     select product.id, product.slug, product.name, product.status, product.updated_at as "updatedAt", product.version,
            case when media.id is null then null else json_build_object('id', media.id, 'renditions', media.renditions) end as main,
            coalesce((select json_agg(category_id order by is_primary desc, category_id) from catalog_product_category placement
              where placement.product_id = product.id), '[]') as "categoryIds",
            (select count(*) from catalog_variant variant where variant.product_id = product.id) as "variantCount"
       from chosen join catalog_product product using (id) left join media on media.id = product.main_image_id
      order by chosen.at`,
    [...conditions, filter.limit, filter.offset],
  );
  const items = rows.map(({ main, ...row }) => ({ ...row, mainImage: main === null ? null : imageReference(main) }));
  return { items, total: count?.total ?? 0 };
}
