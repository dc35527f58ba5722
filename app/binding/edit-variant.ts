import { invalidField, Problem } from '../../contracts/problem.ts';
import { optionErrors } from '../../domain/binding/variant-rules.ts';
import type { Actor } from '../actor.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../catalog/commit-edit.ts';
import type { Tx } from '../database.ts';
import {
  clearDefault,
  lockVariantOfProduct,
  outdatesOf,
  readOption,
  refuseArchived,
  takeAxis,
  type LockedProduct,
  type LockedVariant,
} from './variant-rows.ts';
import { getVariant, type VariantView } from './variant-views.ts';

/** Fields of a variant that an update may carry; absent leaves the field, null clears it (rule HTTP-4). */
export type VariantEdit = { version: number; variantOptionId?: number | null; isDefault?: boolean };

/**
 * Gives a variant another option, or makes it the default one, which takes the mark from the old one. An edit that changes nothing
 * keeps the version and writes nothing. What it is bound to is changed by a rebind.
 * Problems: not-found; version-conflict with `currentVersion`; validation; invalid-transition for an archived product.
 */
export function editVariant(deps: CatalogDeps, actor: Actor, id: number, edit: VariantEdit): Promise<VariantView> {
  return commitEdit(deps, async (tx) => {
    const { product, variant } = await lockVariantOfProduct(tx, id);
    if (variant.version !== edit.version)
      throw new Problem('version-conflict', { extra: { currentVersion: variant.version } });
    refuseArchived(product);
    if (edit.isDefault === false && variant.isDefault)
      throw invalidField('isDefault', 'invalid', 'Make another variant the default one instead.');

    const after = await change(tx, product, variant, edit);
    if (Object.keys(after).length === 0) return getVariant(tx, id);
    await recordEdit(tx, actor, {
      entityType: 'variant',
      entityId: id,
      action: 'update',
      before: {
        ...('variantOptionId' in after ? { variantOptionId: variant.optionId } : {}),
        ...('isDefault' in after
          ? { defaultVariantId: product.variants.find((each) => each.isDefault)?.id ?? null }
          : {}),
      },
      after,
      outdates: outdatesOf(product),
    });
    return getVariant(tx, id);
  });
}

/** Writes what differs and returns it. */
async function change(
  tx: Tx,
  product: LockedProduct,
  variant: LockedVariant,
  { variantOptionId = variant.optionId, isDefault }: VariantEdit,
): Promise<Record<string, unknown>> {
  const isOtherOption = variantOptionId !== variant.optionId;
  const becomesDefault = isDefault === true && !variant.isDefault;
  if (isOtherOption) {
    const option = await readOption(tx, variantOptionId);
    const errors = optionErrors(variantOptionId, option, product, variant.id);
    if (errors.length > 0) throw new Problem('validation', { errors });
    await takeAxis(tx, product, option);
  }
  if (becomesDefault) await clearDefault(tx, product.id);
  if (isOtherOption || becomesDefault)
    await tx.query(
      `update catalog_variant set option_id = $2, is_default = is_default or $3, updated_at = now(), version = version + 1
        where id = $1`,
      [variant.id, variantOptionId, becomesDefault],
    );
  return {
    ...(isOtherOption ? { variantOptionId } : {}),
    ...(becomesDefault ? { isDefault: true, defaultVariantId: variant.id } : {}),
  };
}
