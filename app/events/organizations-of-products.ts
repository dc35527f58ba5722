import type { Sql } from '../../db/database.ts';

/**
 * The active organizations whose menus can contain one of these products: a size of it has a price there, or had one. Without such a
 * row no menu shows it, and the import that writes the first one makes the menu dirty itself.
 */
export async function organizationsOfProducts(sql: Sql, productIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `select id from mirror_organization where inactive_at is null and id in (
       select price.organization_id from catalog_variant variant
         join mirror_price price on price.item_size_id = variant.item_size_id
        where variant.product_id = any ($1::bigint[])) order by id`,
    [productIds],
  );
  return rows.map((row) => row.id);
}
