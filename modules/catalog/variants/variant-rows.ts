import type { InferEntity } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { Product } from '../tables/catalog.ts';
import type { OptionFacts, VariantOfProduct } from '../rules/variant-rules.ts';
import type { ProductStatus } from '../rules/states.ts';
import type { Outdated } from '../commit-edit.ts';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import { holdForEdit, nextVersion, type Stored } from '../../../kernel/edits.ts';

export type ProductWithVariants = {
  product: Stored<InferEntity<typeof Product>>;
  variants: (VariantOfProduct & { isDefault: boolean })[];
};

/**
 * Locks a product and returns its variants. The lock serializes commands on variants and freezes
 * the product's status. Problems: not-found; version-conflict (`seen`).
 */
export async function holdWithVariants(
  tx: Tx,
  id: number,
  seen?: number,
): Promise<ProductWithVariants> {
  const product = await holdForEdit(tx, Product, id, { seen, detail: 'No such product.' });
  // Must be a separate statement: a statement that waits for a lock does not see later commits.
  const variants = await tx.db
    .selectFrom('catalog_variant')
    .select(['id', 'itemSizeId', 'optionId', 'isDefault'])
    .where('productId', '=', id)
    .orderBy('position')
    .orderBy('id')
    .execute();

  return { product, variants };
}

/**
 * Locks the product of a variant. Problem `not-found`, also if the variant was removed during the
 * wait.
 */
export async function holdProductOfVariant(
  tx: Tx,
  variantId: number,
): Promise<ProductWithVariants> {
  const row = await tx.db
    .selectFrom('catalog_variant')
    .select('productId')
    .where('id', '=', variantId)
    .executeTakeFirst();

  const parent = row && (await holdWithVariants(tx, row.productId));
  if (parent?.variants.some((variant) => variant.id === variantId) !== true)
    throw new Problem('not-found', { detail: 'No such variant.' });

  return parent;
}

/** Throws `invalid-transition` for an archived product, because only removals are allowed. */
export function refuseArchived({ status }: { status: ProductStatus }): void {
  if (status === 'ARCHIVED')
    throw new Problem('invalid-transition', { detail: 'The product is archived.' });
}

export function toOutdated({ id, status }: { id: number; status: ProductStatus }): Outdated {
  return status === 'PUBLISHED' ? { source: 'product-update', productIds: [id] } : null;
}

export async function readOption(
  { db }: Sql,
  optionId: number | null,
): Promise<OptionFacts | null> {
  if (optionId === null) return null;
  const option = await db
    .selectFrom('catalog_variant_option')
    .select(['id', 'axisId'])
    .where('id', '=', optionId)
    .executeTakeFirst();

  return option ?? null;
}

/** Sets a missing axis from the option. The caller stores it. */
export function takeAxis({ product }: ProductWithVariants, option: OptionFacts | null): void {
  if (option !== null) product.variantAxisId ??= option.axisId;
}

/** A product never has two defaults. */
export async function clearDefault({ db }: Tx, productId: number): Promise<void> {
  await db
    .updateTable('catalog_variant as variant')
    .set({ isDefault: false, updatedAt: sql`now()`, version: nextVersion('variant') })
    .where('productId', '=', productId)
    .where('isDefault', '=', true)
    .execute();
}
