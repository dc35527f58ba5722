import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { withTexts } from '../violation-texts.ts';
import { publishViolations } from '../rules/publish-rules.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { announceToGuests, commitEdit, recordEdit, type VariantDeps } from '../commit-edit.ts';
import { publishFacts } from '../publish-facts.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextVersion, touchEdited } from '../../../kernel/edits.ts';
import { releaseItem } from './claim-items.ts';
import { holdProductOfVariant, type ProductWithVariants, toOutdated } from './variant-rows.ts';
import { getVariant } from './variant-views.ts';

/** Publication rules that apply after a removal. */
const KEPT_BY_PUBLISHED: readonly string[] = ['NO_VARIANT', 'NO_LIVE_VARIANT'];

/**
 * Removes a variant (BND-4), closes its incidents, archives its binding and releases an unused
 * dish. Problems: not-found; invalid-transition with violations if a published product would lose
 * its last live variant.
 */
export function removeVariant(deps: VariantDeps, actor: Actor, id: number): Promise<void> {
  return commitEdit(deps, async (tx) => {
    // A concurrent evaluation must not open an incident.
    await deps.variantWatch.holdEvaluations(tx);
    const { product, variants } = await holdProductOfVariant(tx, id);
    const { erpItemId, erpItemSizeId, option, isDefault } = await getVariant(tx, id);
    const userId = actor.type === 'USER' ? actor.userId : null;
    // Must run before the removal: restaurants are found by the sizes of variants.
    await announceToGuests(tx, toOutdated(product), actor);

    await deps.variantWatch.beforeRemoval(tx, { id, optionName: option?.name ?? null, userId });
    await tx.db.deleteFrom('catalog_variant').where('id', '=', id).execute();
    await refuseToEmpty(tx, product);
    await releaseItem(tx, product.id, await itemOfSize(tx, erpItemSizeId));
    const [next] = variants.filter((variant) => variant.id !== id);
    if (isDefault && next !== undefined)
      await tx.db
        .updateTable('catalog_variant as variant')
        .set({ isDefault: true, updatedAt: sql`now()`, version: nextVersion('variant') })
        .where('id', '=', next.id)
        .execute();

    await touchEdited(tx, product);
    await recordEdit(tx, actor, {
      entityType: 'variant',
      entityId: id,
      action: 'delete',
      before: {
        productId: product.id,
        erpItemId,
        erpItemSizeId,
        variantOptionId: option?.id ?? null,
        isDefault,
      },
      after: isDefault ? { defaultVariantId: next?.id ?? null } : {},
      outdates: null,
    });
  });
}

async function refuseToEmpty(
  tx: Tx,
  { id, status }: ProductWithVariants['product'],
): Promise<void> {
  if (status !== 'PUBLISHED') return;
  const facts = (await publishFacts(tx, [id])).get(id);
  const violations =
    facts === undefined
      ? []
      : publishViolations(facts).filter((code) => KEPT_BY_PUBLISHED.includes(code));

  if (violations.length > 0)
    throw new Problem('invalid-transition', {
      detail: 'A published product keeps a live variant: unpublish it first, or add another one.',
      violations: withTexts(violations),
    });
}

async function itemOfSize(tx: Tx, sizeId: number): Promise<number> {
  const { itemId } = await tx.db
    .selectFrom('mirror_item_size')
    .select('itemId')
    .where('id', '=', sizeId)
    .executeTakeFirstOrThrow();

  return itemId;
}
