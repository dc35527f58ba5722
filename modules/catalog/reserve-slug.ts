import { sql } from 'kysely';
import { advisory } from '../../platform/db/locks.ts';
import { freeSlug, slugOf } from './rules/slug.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';

/** Tables whose rows have a slug of their own, and the word for a name without letters. */
const TABLES = { catalog_category: 'category', catalog_product: 'product' } as const;
type WithSlug = keyof typeof TABLES;

/**
 * Returns a free slug for a name, reserved until the caller's transaction ends: the lock on the
 * base keeps two commands with one name apart, and a name that ends in a number from the ones it
 * could be a suffix of, so the unique constraint is never met. Slugs of the past are not free.
 */
export async function reserveSlug(tx: Sql, table: WithSlug, name: string): Promise<string> {
  const base = slugOf(name, TABLES[table]);
  await holdSlug(tx, table, base);
  const { rows } = await sql<
    Row<'catalog_category_slug' | 'catalog_product_slug', 'slug'>
  >`select slug from ${sql.table(`${table}_slug`)}
    where slug = ${base}
       or starts_with(slug, ${`${base}-`}) and substr(slug, length(${base}::text) + 2) ~ '^[0-9]+$'`.execute(tx.db);
  return freeSlug(base, new Set(rows.map((row) => row.slug)));
}

/**
 * Reserves a slug that staff have chosen until the transaction ends, so that a name which would
 * lead to it gets another one. Whether it is free is decided by the database when it is written.
 */
export async function holdSlug(tx: Sql, table: WithSlug, slug: string): Promise<void> {
  for (const base of new Set([slug.replace(/-[0-9]+$/, ''), slug])) await holdBase(tx, table, base);
}

async function holdBase(tx: Sql, table: WithSlug, base: string): Promise<void> {
  await advisory.slugs(tx, table, base);
}

/** The product that has, or once had, this slug; undefined when no product ever had it. */
export async function productOfSlug({ db }: Sql, slug: string): Promise<number | undefined> {
  const found = db.selectFrom('catalog_product_slug').select('productId').where('slug', '=', slug);
  return (await found.executeTakeFirst())?.productId;
}
