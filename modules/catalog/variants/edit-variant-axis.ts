import type { VariantAxisEdit, VariantOptionEdit } from '../schemas/catalog-requests.ts';
import { requiredName } from '../../../kernel/required-texts.ts';
import { VariantAxis, VariantOption } from '../tables/catalog.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { holdForEdit, saveEdit } from '../../../kernel/edits.ts';
import { omitUndefined } from '../../../kernel/pages.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';
import { getVariantAxis, type VariantAxisView } from './variant-axes.ts';

/** Changes an axis. Problems: not-found, version-conflict, validation (empty name). */
export function editVariantAxis(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  edit: VariantAxisEdit,
): Promise<VariantAxisView> {
  return commitEdit(deps, async (tx) => {
    const axis = await holdForEdit(tx, VariantAxis, id, {
      seen: edit.version,
      detail: 'No such axis.',
    });

    const changed = await saveEdit(
      tx,
      axis,
      omitUndefined({ name: validateName(edit), uiType: edit.uiType }),
    );

    if (changed !== null)
      await recordEdit(tx, actor, {
        entityType: 'variant-axis',
        entityId: id,
        action: 'update',
        ...changed,
        outdates: { source: 'variant-axis-update', productIds: await publishedOfAxis(tx, id) },
      });

    return getVariantAxis(tx, id);
  });
}

/** Changes an option. Problems: not-found, version-conflict, validation (empty name). */
export function editVariantOption(
  deps: CatalogDeps,
  actor: Actor,
  { axisId, optionId }: { axisId: number; optionId: number },
  edit: VariantOptionEdit,
): Promise<VariantAxisView> {
  return commitEdit(deps, async (tx) => {
    const option = await holdForEdit(
      tx,
      VariantOption,
      { id: optionId, axisId },
      { seen: edit.version, detail: 'No such option of this axis.' },
    );

    const shortName = edit.shortName === undefined ? undefined : edit.shortName?.trim() || null;
    const changed = await saveEdit(
      tx,
      option,
      omitUndefined({ name: validateName(edit), shortName, position: edit.position }),
    );

    if (changed !== null)
      await recordEdit(tx, actor, {
        entityType: 'variant-option',
        entityId: optionId,
        action: 'update',
        ...changed,
        outdates: {
          source: 'variant-axis-update',
          productIds: await publishedOfOption(tx, optionId),
        },
      });

    return getVariantAxis(tx, axisId);
  });
}

const validateName = ({ name }: { name?: string }): string | undefined =>
  name === undefined ? undefined : requiredName(name);

async function publishedOfAxis({ db }: Sql, axisId: number): Promise<number[]> {
  const products = await db
    .selectFrom('catalog_product')
    .select('id')
    .where('status', '=', 'PUBLISHED')
    .where('variantAxisId', '=', axisId)
    .orderBy('id')
    .execute();

  return products.map((product) => product.id);
}

async function publishedOfOption({ db }: Sql, optionId: number): Promise<number[]> {
  const products = await db
    .selectFrom('catalog_variant as variant')
    .innerJoin('catalog_product as product', 'product.id', 'variant.productId')
    .select('product.id')
    .distinct()
    .where('product.status', '=', 'PUBLISHED')
    .where('variant.optionId', '=', optionId)
    .orderBy('product.id')
    .execute();

  return products.map((product) => product.id);
}
