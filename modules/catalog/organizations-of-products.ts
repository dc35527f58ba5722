import type { Sql } from '../../platform/db/database.ts';

/**
 * Returns active organizations that have or had prices for these products. For other organizations,
 * the import of the first price flags the menu.
 */
export async function organizationsOfProducts(
  { db }: Sql,
  productIds: readonly number[],
): Promise<number[]> {
  if (productIds.length === 0) return [];
  const rows = await db
    .selectFrom('mirror_organization')
    .select('id')
    .where('inactiveAt', 'is', null)
    .where('id', 'in', (of) =>
      of
        .selectFrom('catalog_variant as variant')
        .innerJoin('mirror_price as price', 'price.itemSizeId', 'variant.itemSizeId')
        .select('price.organizationId')
        .where('variant.productId', 'in', productIds),
    )
    .orderBy('id')
    .execute();

  return rows.map((row) => row.id);
}
