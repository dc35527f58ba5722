import type { Sql } from '../../platform/db/database.ts';

/** The product that has, or once had, this slug; undefined when no product ever had it. */
export async function productOfSlug({ db }: Sql, slug: string): Promise<number | undefined> {
  const found = db.selectFrom('catalog_product_slug').select('productId').where('slug', '=', slug);
  return (await found.executeTakeFirst())?.productId;
}
