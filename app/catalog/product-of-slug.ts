import type { Sql } from '../database.ts';

/** The product that has, or once had, this address; undefined when no product ever had it. */
export async function productOfSlug(sql: Sql, slug: string): Promise<number | undefined> {
  const [row] = await sql.query<{ id: number }>('select product_id as id from catalog_product_slug where slug = $1', [
    slug,
  ]);
  return row?.id;
}
