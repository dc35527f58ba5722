import { invalidField } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';
import { getVariantAxis, type NewVariantOption, type VariantAxisView } from './variant-axes.ts';

/**
 * Adds an option to an axis that may be in use, behind its others unless a position is given. Guests see it once a variant has it.
 * Problems: not-found (the axis), validation (empty name), duplicate (the axis has an option of this code).
 */
export function addVariantOption(
  deps: CatalogDeps,
  actor: Actor,
  axisId: number,
  input: NewVariantOption & { position?: number },
  idempotency: Idempotency | null,
): Promise<VariantAxisView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const { options } = await getVariantAxis(tx, axisId);
      const behind = Math.max(-1, ...options.map((each) => each.position)) + 1;
      const after = {
        code: input.code,
        name: input.name.trim(),
        shortName: input.shortName?.trim() || null,
        position: input.position ?? behind,
      };
      if (after.name === '') throw invalidField('name', 'required', 'The name is empty.');
      const [option] = await tx.query<{ id: number }>(
        `insert into catalog_variant_option (axis_id, code, name, short_name, position) values ($1, $2, $3, $4, $5) returning id`,
        [axisId, after.code, after.name, after.shortName, after.position],
      );
      if (option === undefined) throw new Error('The insert of an option returned no row');
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
