import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { Sitemap } from '../schemas/menu.ts';
import type { MenuView } from './menu-views.ts';

/** Reads the last edits of products and categories (SNP-56). */
export async function readSitemap({ db }: Sql, { revision, content }: MenuView): Promise<Sitemap> {
  return {
    revision,
    categories: await readChanges({ db }, 'catalog_category', content.categories),
    products: await readChanges({ db }, 'catalog_product', content.products),
  };
}

async function readChanges(
  { db }: Sql,
  table: 'catalog_category' | 'catalog_product',
  entries: readonly { id: number; slug: string }[],
): Promise<Sitemap['products']> {
  const ids = entries.map(({ id }) => id);
  const rows = await db
    .selectFrom(table)
    .select(['id', 'updatedAt'])
    .where('id', '=', anyOf(ids))
    .execute();

  const changes = new Map(rows.map(({ id, updatedAt }) => [id, updatedAt]));

  return entries.flatMap(({ id, slug }) => {
    const updatedAt = changes.get(id);
    return updatedAt === undefined ? [] : [{ id, slug, updatedAt }];
  });
}
