import { sql } from 'kysely';
import { Problem } from '../../contracts/problem.ts';
import { anyOf } from '../../db/database.ts';
import {
  planNewProduct,
  type NewProductFacts,
  type NewProductPlan,
  type NewProductRequest,
} from '../../domain/catalog/new-product.ts';
import type { ProductStatus } from '../../domain/catalog/product-states.ts';
import type { Actor } from '../actor.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../catalog/commit-edit.ts';
import { reserveSlug } from '../catalog/reserve-slug.ts';
import type { Tx } from '../database.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { claimItems } from './claim-items.ts';
import { rememberLastSeen } from './last-seen.ts';

export type CreatedProduct = { id: number; slug: string; status: ProductStatus };

/**
 * Makes a DRAFT product of mirrored dishes in one transaction: address, placements, variants with what was last seen of
 * their sizes, the claim on the whole dishes, triage LINKED, audit (rule BND-2).
 * Problems: validation with every broken field; item-already-bound when another product has one of the dishes.
 */
export function createProductOfItems(
  deps: CatalogDeps,
  actor: Actor,
  request: NewProductRequest,
  idempotency: Idempotency | null,
): Promise<CreatedProduct> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const decision = planNewProduct(request, await readFacts(tx, request));
      if (decision.kind === 'invalid') throw new Problem('validation', { errors: decision.errors });
      const { plan } = decision;
      const product = await insertProduct(tx, plan);
      await claimItems(tx, product.id, plan.itemIds);
      await insertPlacements(tx, product.id, plan);
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

async function readFacts({ db }: Tx, request: NewProductRequest): Promise<NewProductFacts> {
  const categories = await db
    .selectFrom('catalog_category')
    .select('id')
    .where('id', '=', anyOf(request.categoryIds))
    .where('archivedAt', 'is', null)
    .orderBy('id')
    .forShare()
    .execute();
  const axis = await db
    .selectFrom('catalog_variant_axis')
    .select('id')
    .where('code', '=', request.variantAxisCode)
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
    .select((eb) => eb('item.deletedAt', 'is not', null).$castTo<boolean>().as('isDeleted'))
    .where('size.id', '=', anyOf(request.variants.map((variant) => variant.erpItemSizeId)))
    .execute();
  const media = await db.selectFrom('media').select('id').where('id', '=', request.mainImageId).executeTakeFirst();
  return {
    axis: axis === undefined ? null : { id: axis.id, options },
    mainImageExists: media !== undefined,
    categoryIds: new Set(categories.map((each) => each.id)),
    sizes: new Map(sizes.map((size) => [size.id, size])),
  };
}

async function insertProduct(tx: Tx, plan: NewProductPlan): Promise<CreatedProduct> {
  return tx.db
    .insertInto('catalog_product')
    .values({
      slug: await reserveSlug(tx, 'catalog_product', plan.name),
      name: plan.name,
      variantAxisId: plan.axisId,
      mainImageId: plan.mainImageId,
    })
    .returning(['id', 'slug', 'status'])
    .executeTakeFirstOrThrow();
}

async function insertPlacements(tx: Tx, productId: number, plan: NewProductPlan): Promise<void> {
  await sql`
    insert into catalog_product_category (product_id, category_id, is_primary, position)
    select ${productId}, wanted.category_id, wanted.at = 1,
           coalesce((select max(position) + 1 from catalog_product_category other where other.category_id = wanted.category_id), 0)
      from unnest(${plan.categoryIds}::bigint[]) with ordinality as wanted (category_id, at)`.execute(tx.db);
}

async function insertVariants(tx: Tx, productId: number, { variants }: NewProductPlan): Promise<void> {
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
