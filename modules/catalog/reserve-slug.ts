import { sql } from 'kysely';
import { advisory } from '../../platform/db/locks.ts';
import { freeSlug, toSlug } from './rules/slug.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';

/** Fallback slugs for names without letters. */
const TABLES = { catalog_category: 'category', catalog_product: 'product' } as const;
type WithSlug = keyof typeof TABLES;

/**
 * Reserves a free slug until the transaction ends. Concurrent requests for the same base wait for
 * each other. Former slugs are not free.
 */
export async function reserveSlug(tx: Sql, table: WithSlug, name: string): Promise<string> {
  const base = toSlug(name, TABLES[table]);
  await holdSlug(tx, table, base);
  const { rows } = await sql<
    Row<'catalog_category_slug' | 'catalog_product_slug', 'slug'>
  >`select slug from ${sql.table(`${table}_slug`)}
    where slug = ${base}
       or starts_with(slug, ${`${base}-`}) and substr(slug, length(${base}::text) + 2) ~ '^[0-9]+$'`.execute(
    tx.db,
  );

  return freeSlug(base, new Set(rows.map((row) => row.slug)));
}

/** Reserves a slug that staff chose, so that no name generates it concurrently. */
export async function holdSlug(tx: Sql, table: WithSlug, slug: string): Promise<void> {
  for (const base of new Set([slug.replace(/-[0-9]+$/, ''), slug])) await holdBase(tx, table, base);
}

async function holdBase(tx: Sql, table: WithSlug, base: string): Promise<void> {
  await advisory.slugs(tx, table, base);
}

/** Returns the product that has or had this slug. */
export async function productOfSlug({ db }: Sql, slug: string): Promise<number | undefined> {
  const query = db.selectFrom('catalog_product_slug').select('productId').where('slug', '=', slug);
  return (await query.executeTakeFirst())?.productId;
}
