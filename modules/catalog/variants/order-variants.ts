import { sql } from 'kysely';
import type { VariantOrder } from '../schemas/catalog.ts';
import type { VariantOrderEdit } from '../schemas/catalog-requests.ts';
import { Problem } from '../../../kernel/problem.ts';
import { orderErrors } from '../rules/variant-rules.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';
import { touchEdited } from '../../../kernel/edits.ts';
import { holdWithVariants, refuseArchived, toOutdated } from './variant-rows.ts';

/**
 * Orders all variants. `version` is the version of the product. Problems: not-found;
 * version-conflict with `currentVersion`; validation (missing, duplicate or foreign variant);
 * invalid-transition (archived product).
 */
export function orderVariants(
  deps: CatalogDeps,
  actor: Actor,
  productId: number,
  { version, variantIds }: VariantOrderEdit,
): Promise<VariantOrder> {
  return commitEdit(deps, async (tx) => {
    const { product, variants } = await holdWithVariants(tx, productId, version);
    refuseArchived(product);
    const errors = orderErrors(variantIds, variants);
    if (errors.length > 0) throw new Problem('validation', { errors });
    const before = variants.map((variant) => variant.id);
    if (before.join() === variantIds.join()) return { variantIds: before, version };
    await sql`
      update catalog_variant variant set position = wanted.at - 1
        from unnest(${variantIds}::bigint[]) with ordinality as wanted (id, at) where variant.id = wanted.id`.execute(
      tx.db,
    );

    await touchEdited(tx, product);
    await recordEdit(tx, actor, {
      entityType: 'product',
      entityId: productId,
      action: 'order-variants',
      before: { variantIds: before },
      after: { variantIds: [...variantIds] },
      outdates: toOutdated(product),
    });

    return { variantIds: [...variantIds], version: product.version };
  });
}
