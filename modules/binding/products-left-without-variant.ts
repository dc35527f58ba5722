import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';

export type ProductLeft = { id: number; name: string };

/** Limits the listed products; the total counts all. */
const NAMED = 200;

/**
 * Returns published products that have one of these items and whose dishes are all deleted (CAT-9).
 * Includes uncommitted changes.
 */
export async function productsLeftWithoutVariant(
  { db }: Sql,
  deletedItemIds: readonly number[],
): Promise<{ total: number; items: ProductLeft[] }> {
  const { rows } = await sql<Row<'catalog_product', 'id' | 'name', { total: number }>>`
    select product.id, product.name, count(*) over () as total from catalog_product product
      where product.status = 'PUBLISHED'
        and exists (select 1 from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
                     where variant.product_id = product.id and size.item_id = any (${deletedItemIds}::bigint[]))
        and not exists (select 1 from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
                          join mirror_item item on item.id = size.item_id
                         where variant.product_id = product.id and item.deleted_at is null and size.deleted_at is null)
      order by product.name, product.id limit ${NAMED}`.execute(db);

  return { total: rows[0]?.total ?? 0, items: rows.map(({ id, name }) => ({ id, name })) };
}
