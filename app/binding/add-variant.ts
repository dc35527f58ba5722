import { Problem } from '../../contracts/problem.ts';
import { newVariantErrors, type NewVariantFacts, type NewVariantRequest } from '../../domain/binding/variant-rules.ts';
import type { Actor } from '../actor.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../catalog/commit-edit.ts';
import type { Tx } from '../database.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { claimItems } from './claim-items.ts';
import { holdEvaluations } from './evaluation-facts.ts';
import { rememberSight } from './sight.ts';
import {
  clearDefault,
  lockProduct,
  outdatesOf,
  readOption,
  refuseArchived,
  takeAxis,
  touchProduct,
  type LockedProduct,
} from './variant-rows.ts';
import { getVariant, type VariantView } from './variant-views.ts';

type Size = NonNullable<NewVariantFacts['size']> & { itemId: number };

/**
 * Adds a size of a dish to a product as its last variant and claims the whole dish for it (rule BND-1). The
 * first variant is the default one; a new default takes the mark from the old one.
 * Problems: not-found; validation with every broken field; item-already-bound; invalid-transition for an archived product.
 */
export function addVariant(
  deps: CatalogDeps,
  actor: Actor,
  productId: number,
  request: NewVariantRequest & { isDefault: boolean },
  idempotency: Idempotency | null,
): Promise<VariantView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      // An evaluation that has read the variants must not hide the product for want of a live one.
      await holdEvaluations(tx);
      const product = await lockProduct(tx, productId);
      refuseArchived(product);
      const size = await readSize(tx, request.erpItemSizeId);
      const option = await readOption(tx, request.variantOptionId);
      const errors = newVariantErrors(request, {
        ...product,
        size: size ?? null,
        option,
        itemExists: size?.erpItemId === request.erpItemId.toLowerCase() || (await itemExists(tx, request.erpItemId)),
      });
      if (errors.length > 0 || size === undefined) throw new Problem('validation', { errors });

      await claimItems(tx, productId, [size.itemId]);
      await takeAxis(tx, product, option);
      const id = await insertVariant(tx, product, request);
      await rememberSight(tx, [id]);
      await touchProduct(tx, productId);
      const { erpItemSizeId, variantOptionId } = request;
      const variant = await getVariant(tx, id);
      await recordEdit(tx, actor, {
        entityType: 'variant',
        entityId: id,
        action: 'create',
        after: { productId, erpItemId: size.erpItemId, erpItemSizeId, variantOptionId, isDefault: variant.isDefault },
        outdates: outdatesOf(product),
      });
      return variant;
    }),
  );
}

async function readSize(tx: Tx, sizeId: number): Promise<Size | undefined> {
  const [size] = await tx.query<Size>(
    `select item.id as "itemId", item.erp_id as "erpItemId", item.role, item.deleted_at is not null as "isDeleted"
       from mirror_item_size size join mirror_item item on item.id = size.item_id where size.id = $1`,
    [sizeId],
  );
  return size;
}

async function itemExists(tx: Tx, erpItemId: string): Promise<boolean> {
  return (await tx.query('select 1 from mirror_item where erp_id = $1', [erpItemId])).length > 0;
}

async function insertVariant(
  tx: Tx,
  { id: productId, variants }: LockedProduct,
  request: NewVariantRequest & { isDefault: boolean },
): Promise<number> {
  const isDefault = request.isDefault || !variants.some((each) => each.isDefault);
  if (isDefault) await clearDefault(tx, productId);
  const [variant] = await tx.query<{ id: number }>(
    `insert into catalog_variant (product_id, item_size_id, option_id, is_default, position)
     select $1, $2, $3, $4, coalesce(max(position) + 1, 0) from catalog_variant where product_id = $1 returning id`,
    [productId, request.erpItemSizeId, request.variantOptionId, isDefault],
  );
  if (variant === undefined) throw new Error('The insert of a variant returned no row');
  return variant.id;
}
