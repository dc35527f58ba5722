import type { Sql } from '../database.ts';

/**
 * Puts a product into exactly these categories, the first of which is its primary one. Where it stands already it keeps its position,
 * elsewhere it comes last. The caller holds the product and the categories.
 */
export async function placeProduct(tx: Sql, productId: number, categoryIds: readonly number[]): Promise<void> {
  // The primary category gives way first: a product never has two.
  await tx.query(
    `update catalog_product_category set is_primary = false
      where product_id = $1 and is_primary and category_id is distinct from $2::bigint`,
    [productId, categoryIds[0] ?? null],
  );
  await tx.query('delete from catalog_product_category where product_id = $1 and category_id <> all ($2::bigint[])', [
    productId,
    categoryIds,
  ]);
  await tx.query(
    `insert into catalog_product_category (product_id, category_id, position)
     select $1, wanted.category_id,
            coalesce((select max(position) + 1 from catalog_product_category other where other.category_id = wanted.category_id), 0)
       from unnest($2::bigint[]) as wanted (category_id)
      where not exists (select from catalog_product_category placed
                         where placed.product_id = $1 and placed.category_id = wanted.category_id)`,
    [productId, categoryIds],
  );
  await tx.query(
    'update catalog_product_category set is_primary = true where product_id = $1 and category_id = $2::bigint and not is_primary',
    [productId, categoryIds[0] ?? null],
  );
}
