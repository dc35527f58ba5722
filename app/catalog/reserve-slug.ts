import { freeSlug, slugOf } from '../../domain/catalog/slug.ts';
import type { Sql } from '../database.ts';

/** Tables whose rows have an address of their own, and the word for a name without letters. */
const TABLES = { catalog_category: 'category', catalog_product: 'product' } as const;
type Addressed = keyof typeof TABLES;

/**
 * Returns a free address for a name, held until the caller's transaction ends: the lock on the base keeps two commands
 * with one name apart, and a name that ends in a number from the ones it could be a suffix of, so the unique constraint is never
 * met. Addresses of the past are not free.
 */
export async function reserveSlug(tx: Sql, table: Addressed, name: string): Promise<string> {
  const base = slugOf(name, TABLES[table]);
  await holdSlug(tx, table, base);
  const taken = await tx.query<{ slug: string }>(
    `select slug from ${table}_slug where slug = $1 or (starts_with(slug, $1 || '-') and substr(slug, length($1) + 2) ~ '^[0-9]+$')`,
    [base],
  );
  return freeSlug(base, new Set(taken.map((row) => row.slug)));
}

/**
 * Holds an address that staff have chosen until the transaction ends, so that a name which would lead to it gets another one. Whether
 * it is free says the database, when it is written.
 */
export async function holdSlug(tx: Sql, table: Addressed, slug: string): Promise<void> {
  for (const base of new Set([slug.replace(/-[0-9]+$/, ''), slug])) await holdBase(tx, table, base);
}

async function holdBase(tx: Sql, table: Addressed, base: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 4201003))', [`${table}/${base}`]);
}
