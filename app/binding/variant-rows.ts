import { Problem } from '../../contracts/problem.ts';
import type { ProductStatus } from '../../domain/catalog/product-states.ts';
import type { OptionFacts, VariantOfProduct } from '../../domain/binding/variant-rules.ts';
import type { Outdated } from '../catalog/commit-edit.ts';
import type { Sql, Tx } from '../database.ts';

export type LockedProduct = {
  id: number;
  status: ProductStatus;
  axisId: number | null;
  version: number;
  /** In their order. */
  variants: LockedVariant[];
};
export type LockedVariant = VariantOfProduct & { isDefault: boolean; version: number };

/**
 * The product with its variants, locked until the transaction ends: commands about the variants of one product follow each other,
 * and nobody publishes or archives it meanwhile. Problem `not-found`.
 */
export async function lockProduct(tx: Tx, id: number): Promise<LockedProduct> {
  const [product] = await tx.query<Omit<LockedProduct, 'variants'>>(
    `select id, status, variant_axis_id as "axisId", version from catalog_product where id = $1 for update`,
    [id],
  );
  if (product === undefined) throw new Problem('not-found', { detail: 'No such product.' });
  const variants = await tx.query<LockedVariant>(
    `select id, item_size_id as "itemSizeId", option_id as "optionId", is_default as "isDefault", version
       from catalog_variant where product_id = $1 order by position, id`,
    [id],
  );
  return { ...product, variants };
}

/** A variant with its product, locked as above. Problem `not-found`, also when it was removed while the lock was waited for. */
export async function lockVariantOfProduct(
  tx: Tx,
  variantId: number,
): Promise<{ product: LockedProduct; variant: LockedVariant }> {
  const [row] = await tx.query<{ productId: number }>(
    'select product_id as "productId" from catalog_variant where id = $1',
    [variantId],
  );
  const product = row && (await lockProduct(tx, row.productId));
  const variant = product?.variants.find((each) => each.id === variantId);
  if (product === undefined || variant === undefined) throw new Problem('not-found', { detail: 'No such variant.' });
  return { product, variant };
}

/** Problem `invalid-transition` for a product that is archived: it is taken apart, not extended. */
export function refuseArchived({ status }: Pick<LockedProduct, 'status'>): void {
  if (status === 'ARCHIVED') throw new Problem('invalid-transition', { detail: 'The product is archived.' });
}

/** What guests of a published product see otherwise. */
export function outdatesOf({ id, status }: LockedProduct): Outdated {
  return status === 'PUBLISHED' ? { source: 'product-update', productIds: [id] } : null;
}

/** Null when there is no such option. */
export async function readOption(tx: Sql, optionId: number | null): Promise<OptionFacts | null> {
  const [option] = await tx.query<OptionFacts>(
    'select id, axis_id as "axisId" from catalog_variant_option where id = $1',
    [optionId],
  );
  return option ?? null;
}

/** Gives a product without an axis that of the option its variant gets. */
export async function takeAxis(tx: Sql, product: LockedProduct, option: OptionFacts | null): Promise<void> {
  if (option === null || product.axisId !== null) return;
  await tx.query('update catalog_product set variant_axis_id = $2 where id = $1', [product.id, option.axisId]);
}

/** Marks that the list of variants is another one: whoever edits by the version from before is told. Returns the new version. */
export async function touchProduct(tx: Sql, productId: number): Promise<number> {
  const [product] = await tx.query<{ version: number }>(
    'update catalog_product set version = version + 1, updated_at = now() where id = $1 returning version',
    [productId],
  );
  if (product === undefined) throw new Error(`product ${productId} is locked and gone`);
  return product.version;
}

/** Takes the mark of the default from the variant that has it, because a product has one default at any moment. */
export async function clearDefault(tx: Sql, productId: number): Promise<void> {
  await tx.query(
    `update catalog_variant set is_default = false, updated_at = now(), version = version + 1
      where product_id = $1 and is_default`,
    [productId],
  );
}
