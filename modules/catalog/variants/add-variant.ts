import { sql } from 'kysely';
import type { NewVariant } from '../schemas/catalog-requests.ts';
import { Problem } from '../../../kernel/problem.ts';
import { newVariantErrors, type NewVariantFacts } from '../rules/variant-rules.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { commitEdit, recordEdit, type VariantDeps } from '../commit-edit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { touchEdited } from '../../../kernel/edits.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { claimItems } from './claim-items.ts';
import { rememberLastSeen } from './last-seen.ts';
import {
  clearDefault,
  holdWithVariants,
  toOutdated,
  readOption,
  refuseArchived,
  takeAxis,
  type ProductWithVariants,
} from './variant-rows.ts';
import { getVariant, type VariantView } from './variant-views.ts';

type Size = NonNullable<NewVariantFacts['size']> & { itemId: number };

/**
 * Adds a size of a dish as the last variant and claims the whole dish (BND-1). Problems: not-found;
 * validation with all errors; item-already-bound; invalid-transition (archived product).
 */
export function addVariant(
  deps: VariantDeps,
  actor: Actor,
  productId: number,
  request: NewVariant,
  idempotency: Idempotency | null,
): Promise<VariantView> {
  const { variantOptionId = null } = request;
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      // A concurrent evaluation must not hide the product.
      await deps.variantWatch.holdEvaluations(tx);
      const parent = await holdWithVariants(tx, productId);
      const { product, variants } = parent;
      refuseArchived(product);
      const size = await readSize(tx, request.erpItemSizeId);
      const option = await readOption(tx, variantOptionId);
      const errors = newVariantErrors(request, {
        axisId: product.variantAxisId,
        variants,
        size: size ?? null,
        option,
        itemExists:
          size?.erpItemId === request.erpItemId.toLowerCase() ||
          (await itemExists(tx, request.erpItemId)),
      });
      if (errors.length > 0 || size === undefined) throw new Problem('validation', { errors });

      await claimItems(tx, productId, [size.itemId]);
      takeAxis(parent, option);
      const id = await insertVariant(tx, parent, request);
      await rememberLastSeen(tx, [id]);
      // A new version rejects edits of the former list.
      await touchEdited(tx, product);
      const variant = await getVariant(tx, id);
      await recordEdit(tx, actor, {
        entityType: 'variant',
        entityId: id,
        action: 'create',
        after: {
          productId,
          erpItemId: size.erpItemId,
          erpItemSizeId: request.erpItemSizeId,
          variantOptionId,
          isDefault: variant.isDefault,
        },
        outdates: toOutdated(product),
      });

      return variant;
    }),
  );
}

function readSize({ db }: Tx, sizeId: number): Promise<Size | undefined> {
  return db
    .selectFrom('mirror_item_size as size')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select(['item.id as itemId', 'item.erpId as erpItemId', 'item.role'])
    .select((eb) =>
      eb
        .or([eb('item.deletedAt', 'is not', null), eb('size.deletedAt', 'is not', null)])
        .$castTo<boolean>()
        .as('isDeleted'),
    )
    .where('size.id', '=', sizeId)
    .executeTakeFirst();
}

async function itemExists({ db }: Tx, erpItemId: string): Promise<boolean> {
  const item = await db
    .selectFrom('mirror_item')
    .select('id')
    .where('erpId', '=', erpItemId)
    .executeTakeFirst();

  return item !== undefined;
}

async function insertVariant(
  tx: Tx,
  { product, variants }: ProductWithVariants,
  request: NewVariant,
): Promise<number> {
  const isDefault = request.isDefault === true || !variants.some((variant) => variant.isDefault);
  if (isDefault) await clearDefault(tx, product.id);
  const { id } = await tx.db
    .insertInto('catalog_variant')
    .values({
      productId: product.id,
      itemSizeId: request.erpItemSizeId,
      optionId: request.variantOptionId ?? null,
      isDefault,
      position: sql`(select coalesce(max(position) + 1, 0) from catalog_variant where product_id = ${product.id})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

  return id;
}
