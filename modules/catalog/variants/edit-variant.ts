import { VARIANT_COUNTS } from '../schemas/catalog.ts';
import type { VariantEdit } from '../schemas/catalog-requests.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { optionErrors } from '../rules/variant-rules.ts';
import { Variant } from '../tables/catalog.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { holdForEdit, saveEdit } from '../../../kernel/edits.ts';
import {
  clearDefault,
  holdProductOfVariant,
  toOutdated,
  readOption,
  refuseArchived,
  takeAxis,
  type ProductWithVariants,
} from './variant-rows.ts';
import { getVariant, type VariantView } from './variant-views.ts';

/**
 * Changes a variant except its binding. Problems: not-found; version-conflict with
 * `currentVersion`; validation; invalid-transition (archived product).
 */
export function editVariant(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  edit: VariantEdit,
): Promise<VariantView> {
  return commitEdit(deps, async (tx) => {
    const parent = await holdProductOfVariant(tx, id);
    const variant = await holdForEdit(tx, Variant, id, {
      seen: edit.version,
      detail: 'No such variant.',
    });

    refuseArchived(parent.product);
    if (edit.isDefault === false && variant.isDefault)
      throw invalidField('isDefault', 'invalid', 'Make another variant the default one instead.');

    const { variantOptionId = variant.optionId, isDefault = variant.isDefault } = edit;
    const becomesDefault = isDefault && !variant.isDefault;
    if (variantOptionId !== variant.optionId) await takeOption(tx, parent, id, variantOptionId);
    if (becomesDefault) await clearDefault(tx, parent.product.id);
    const changed = await saveEdit(tx, variant, {
      optionId: variantOptionId,
      isDefault,
      ...countsIn(edit),
    });
    if (changed === null) return getVariant(tx, id);

    const isOtherOption = 'optionId' in changed.after;
    await recordEdit(tx, actor, {
      entityType: 'variant',
      entityId: id,
      action: 'update',
      before: {
        ...(isOtherOption ? { variantOptionId: changed.before.optionId } : {}),
        ...(becomesDefault
          ? { defaultVariantId: parent.variants.find((entry) => entry.isDefault)?.id ?? null }
          : {}),
        ...countsIn(changed.before),
      },
      after: {
        ...(isOtherOption ? { variantOptionId } : {}),
        ...(becomesDefault ? { isDefault: true, defaultVariantId: id } : {}),
        ...countsIn(changed.after),
      },
      outdates: isOtherOption || becomesDefault ? toOutdated(parent.product) : null,
    });

    return getVariant(tx, id);
  });
}

type Counts = Pick<VariantView, keyof typeof VARIANT_COUNTS>;
const COUNTS = Object.keys(VARIANT_COUNTS) as (keyof Counts)[];

function countsIn(fields: { [K in keyof Counts]?: Counts[K] | undefined }): Partial<Counts> {
  return Object.fromEntries(
    COUNTS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}

/** Sets the product's axis if it has none. Problem `validation`. */
async function takeOption(
  tx: Tx,
  parent: ProductWithVariants,
  variantId: number,
  optionId: number | null,
): Promise<void> {
  const option = await readOption(tx, optionId);
  const { product, variants } = parent;
  const errors = optionErrors(
    optionId,
    option,
    { axisId: product.variantAxisId, variants },
    variantId,
  );
  if (errors.length > 0) throw new Problem('validation', { errors });

  takeAxis(parent, option);
}
