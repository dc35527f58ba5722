import type { NewProductOfItems } from '../schemas/catalog-requests.ts';
import { Problem } from '../../../kernel/problem.ts';
import { anyOf, type Tx } from '../../../platform/db/database.ts';
import { planNewProduct, type NewProductFacts, type NewProductPlan } from '../rules/new-product.ts';
import { EMPTY_CONTENT, mergeContent } from '../rules/product-content.ts';
import type { ProductStatus } from '../rules/states.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';
import { existingMedia } from '../../media/media-rows.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { claimItems } from '../variants/claim-items.ts';
import { insertDraft } from './create-product.ts';
import { existing } from './product-content.ts';
import { rememberLastSeen } from '../variants/last-seen.ts';

export type CreatedProduct = { id: number; slug: string; status: ProductStatus };

/**
 * Creates a DRAFT product of ERP dishes and claims the whole dishes (BND-2). Problems: validation
 * with all errors; item-already-bound.
 */
export function createProductOfItems(
  deps: CatalogDeps,
  actor: Actor,
  request: NewProductOfItems,
  idempotency: Idempotency | null,
): Promise<CreatedProduct> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const facts = await readFacts(tx, request);
      const decision = planNewProduct(request, facts);
      if (decision.kind === 'invalid') throw new Problem('validation', { errors: decision.errors });
      const { plan } = decision;
      const { name, mainImageId, axisId: variantAxisId, categoryIds } = plan;
      const content = mergeContent(EMPTY_CONTENT, {
        name,
        mainImageId,
        variantAxisId,
        categoryIds,
      });

      const product = { ...(await insertDraft(tx, content)), status: 'DRAFT' as const };
      const toFieldPath = (itemId: number): string => {
        const at = request.variants.findIndex(
          (variant) => facts.sizes.get(variant.erpItemSizeId)?.itemId === itemId,
        );
        return `variants.${at}.erpItemSizeId`;
      };

      await claimItems(tx, product.id, plan.itemIds, toFieldPath);
      await insertVariants(tx, product.id, plan);
      await recordEdit(tx, actor, {
        entityType: 'product',
        entityId: product.id,
        action: 'create',
        after: { ...plan, slug: product.slug },
        outdates: null,
      });

      return product;
    }),
  );
}

async function readFacts(tx: Tx, request: NewProductOfItems): Promise<NewProductFacts> {
  const { db } = tx;
  const categoryIds = await existing(tx, 'category', request.categoryIds);
  const axis = await db
    .selectFrom('catalog_variant_axis')
    .select('id')
    .where('code', '=', request.variantAxisCode ?? null)
    .executeTakeFirst();

  const options = await db
    .selectFrom('catalog_variant_option')
    .select(['id', 'code'])
    .where('axisId', '=', axis?.id ?? null)
    .execute();

  const sizes = await db
    .selectFrom('mirror_item_size as size')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select(['size.id', 'size.itemId', 'item.role', 'size.isDefault as isErpDefault'])
    .select((eb) =>
      eb
        .or([eb('item.deletedAt', 'is not', null), eb('size.deletedAt', 'is not', null)])
        .$castTo<boolean>()
        .as('isDeleted'),
    )
    .where('size.id', '=', anyOf(request.variants.map((variant) => variant.erpItemSizeId)))
    .execute();

  const media = await existingMedia(tx, request.mainImageId == null ? [] : [request.mainImageId]);

  return {
    axis: axis === undefined ? null : { id: axis.id, options },
    mainImageExists: media.size > 0,
    categoryIds,
    sizes: new Map(sizes.map((size) => [size.id, size])),
  };
}

async function insertVariants(
  tx: Tx,
  productId: number,
  { variants }: NewProductPlan,
): Promise<void> {
  const rows = await tx.db
    .insertInto('catalog_variant')
    .values(
      variants.map(({ erpItemSizeId, optionId, isDefault }, position) => ({
        productId,
        itemSizeId: erpItemSizeId,
        optionId,
        isDefault,
        position,
      })),
    )
    .returning('id')
    .execute();

  await rememberLastSeen(
    tx,
    rows.map((row) => row.id),
  );
}
