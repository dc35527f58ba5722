import type { NewVariantOption } from '../schemas/catalog-requests.ts';
import { VariantOption } from '../tables/catalog.ts';
import { requiredName } from '../../../kernel/required-texts.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { insertRow } from '../../../kernel/edits.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';
import { getVariantAxis, optionTexts, type VariantAxisView } from './variant-axes.ts';

/**
 * Adds an option to an axis, by default as the last one. Problems: not-found (axis), validation
 * (empty name), duplicate (code).
 */
export function addVariantOption(
  deps: CatalogDeps,
  actor: Actor,
  axisId: number,
  input: NewVariantOption,
  idempotency: Idempotency | null,
): Promise<VariantAxisView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const { options } = await getVariantAxis(tx, axisId);
      const behind = Math.max(-1, ...options.map((entry) => entry.position)) + 1;
      const after = {
        ...optionTexts(input),
        name: requiredName(input.name),
        position: input.position ?? behind,
      };

      const option = await insertRow(tx, VariantOption, { axisId, ...after });
      await recordEdit(tx, actor, {
        entityType: 'variant-option',
        entityId: option.id,
        action: 'create',
        after: { axisId, ...after },
        outdates: null,
      });

      return getVariantAxis(tx, axisId);
    }),
  );
}
