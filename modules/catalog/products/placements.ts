import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';

/**
 * Replaces the categories of a product; the first is primary. The product keeps its position in
 * categories that it already had, and becomes the last in new ones. The caller has locked product
 * and categories.
 */
export async function placeProduct(
  tx: Sql,
  productId: number,
  categoryIds: readonly number[],
): Promise<void> {
  const primaryId = categoryIds[0] ?? null;
  const update = () =>
    tx.db.updateTable('catalog_product_category').where('productId', '=', productId);
  // A product never has two primary categories.
  await update()
    .set({ isPrimary: false })
    .where('isPrimary', '=', true)
    .where('categoryId', 'is distinct from', primaryId)
    .execute();

  await sql`delete from catalog_product_category
    where product_id = ${productId} and category_id <> all (${categoryIds}::bigint[])`.execute(
    tx.db,
  );

  await sql`insert into catalog_product_category (product_id, category_id, position)
    select ${productId}::bigint, wanted.category_id,
           coalesce((select max(position) + 1 from catalog_product_category other where other.category_id = wanted.category_id), 0)
      from unnest(${categoryIds}::bigint[]) as wanted (category_id)
     where not exists (select from catalog_product_category placed
                        where placed.product_id = ${productId} and placed.category_id = wanted.category_id)`.execute(
    tx.db,
  );

  await update()
    .set({ isPrimary: true })
    .where('categoryId', '=', primaryId)
    .where('isPrimary', '=', false)
    .execute();
}
