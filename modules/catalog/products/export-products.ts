import { sql } from 'kysely';
import type { ExportColumns } from '../../../kernel/exports.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import {
  BADGE_IDS,
  buildProductCondition,
  CATEGORY_IDS,
  VARIANT_COUNT,
  type ProductFilter,
  type ProductIssue,
} from './list-products.ts';
import {
  SHEET_TEXTS,
  TEXT_COLUMNS,
  type SheetText,
  type READ_ONLY_COLUMNS,
} from '../rules/product-sheet.ts';

const PAGE = 500;

type ExportedProduct = Row<
  'catalog_product',
  'id' | 'slug' | 'status' | 'updatedAt' | 'version' | SheetText,
  { categoryIds: number[]; badgeIds: number[]; variantCount: number; skus: string[] }
>;

const READ_ONLY: Record<
  (typeof READ_ONLY_COLUMNS)[number],
  ExportColumns<ExportedProduct>[string]
> = {
  skus: ({ skus }) => skus,
  slug: ({ slug }) => slug,
  status: ({ status }) => status,
  category_ids: ({ categoryIds }) => categoryIds,
  badge_ids: ({ badgeIds }) => badgeIds,
  variant_count: ({ variantCount }) => variantCount,
  updated_at: ({ updatedAt }) => updatedAt,
  version: ({ version }) => version,
};

/** Columns of the export (CAT-25): the id and texts that an import reads come first. */
export const PRODUCT_EXPORT: ExportColumns<ExportedProduct> = {
  id: ({ id }) => id,
  ...Object.fromEntries(
    SHEET_TEXTS.map(
      (text) => [TEXT_COLUMNS[text], (product: ExportedProduct) => product[text]] as const,
    ),
  ),
  ...READ_ONLY,
};

const TEXTS = SHEET_TEXTS.map((text) => `product.${text}` as const);

const SKUS = sql<string[]>`array(
  select distinct number.sku from catalog_variant variant
    join mirror_item_size size on size.id = variant.item_size_id join mirror_item item on item.id = size.item_id
   cross join lateral (values (item.sku), (size.sku)) as number (sku)
   where variant.product_id = product.id and number.sku is not null order by number.sku)`;

/** Yields pages of products by id (CAT-25). */
export async function* exportProducts(
  { db }: Sql,
  filter: ProductFilter,
  issues: readonly ProductIssue[],
): AsyncGenerator<ExportedProduct[]> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const rows: ExportedProduct[] = await db
      .selectFrom('catalog_product as product')
      .select(['product.id', 'product.slug', 'product.status', ...TEXTS])
      .select(['product.updatedAt', 'product.version'])
      .select([CATEGORY_IDS.as('categoryIds'), BADGE_IDS.as('badgeIds')])
      .select([VARIANT_COUNT.as('variantCount'), SKUS.as('skus')])
      .where('product.id', '>', after)
      .where(buildProductCondition(filter, issues))
      .orderBy('product.id')
      .limit(PAGE)
      .execute();

    yield rows;
    after = rows.length < PAGE ? undefined : rows.at(-1)?.id;
  }
}
