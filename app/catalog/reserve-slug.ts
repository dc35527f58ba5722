import { freeSlug, slugOf } from '../../domain/catalog/slug.ts';
import type { Sql } from '../database.ts';

/** Tables whose rows have an address of their own, and the word for a name without letters. */
const TABLES = { catalog_category: 'category', catalog_product: 'product' } as const;

/**
 * Returns a free address for a name, held until the caller's transaction ends: the lock on the base keeps two commands
 * with one name apart, so the unique constraint is never met.
 */
export async function reserveSlug(tx: Sql, table: keyof typeof TABLES, name: string): Promise<string> {
  const base = slugOf(name, TABLES[table]);
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 4201003))', [`${table}/${base}`]);
  const taken = await tx.query<{ slug: string }>(
    `select slug from ${table} where slug = $1 or (starts_with(slug, $1 || '-') and substr(slug, length($1) + 2) ~ '^[0-9]+$')`,
    [base],
  );
  return freeSlug(base, new Set(taken.map((row) => row.slug)));
}
