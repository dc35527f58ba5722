import { Problem } from '../../contracts/problem.ts';
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
import type { Sql, Tx } from '../database.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { claimItems } from './claim-items.ts';
import { rememberSight } from './sight.ts';

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

async function readFacts(tx: Sql, request: NewProductRequest): Promise<NewProductFacts> {
  const categories = await tx.query<{ id: number }>(
    'select id from catalog_category where id = any ($1::bigint[]) and archived_at is null order by id for share',
    [request.categoryIds],
  );
  const [axis] = await tx.query<{ id: number; options: { id: number; code: string }[] }>(
    `select axis.id, coalesce(json_agg(json_build_object('id', option.id, 'code', option.code))
         filter (where option.id is not null), '[]') as options
       from catalog_variant_axis axis left join catalog_variant_option option on option.axis_id = axis.id
      where axis.code = $1 group by axis.id`,
    [request.variantAxisCode],
  );
  const sizes = await tx.query<{
    id: number;
    itemId: number;
    role: 'DISH' | 'MODIFIER';
    isDeleted: boolean;
    isErpDefault: boolean;
  }>(
    `select size.id, size.item_id as "itemId", item.role, item.deleted_at is not null as "isDeleted",
            size.is_default as "isErpDefault"
       from mirror_item_size size join mirror_item item on item.id = size.item_id where size.id = any ($1::bigint[])`,
    [request.variants.map((variant) => variant.erpItemSizeId)],
  );
  const media = await tx.query('select 1 from media where id = $1', [request.mainImageId]);
  return {
    axis: axis ?? null,
    mainImageExists: media.length > 0,
    categoryIds: new Set(categories.map((each) => each.id)),
    sizes: new Map(sizes.map((size) => [size.id, size])),
  };
}

async function insertProduct(tx: Tx, plan: NewProductPlan): Promise<CreatedProduct> {
  const [product] = await tx.query<CreatedProduct>(
    `insert into catalog_product (slug, name, variant_axis_id, main_image_id) values ($1, $2, $3, $4)
     returning id, slug, status`,
    [await reserveSlug(tx, 'catalog_product', plan.name), plan.name, plan.axisId, plan.mainImageId],
  );
  if (product === undefined) throw new Error('The insert of a product returned no row');
  return product;
}

async function insertPlacements(tx: Sql, productId: number, plan: NewProductPlan): Promise<void> {
  await tx.query(
    `insert into catalog_product_category (product_id, category_id, is_primary, position)
     select $1, wanted.category_id, wanted.at = 1,
            coalesce((select max(position) + 1 from catalog_product_category other where other.category_id = wanted.category_id), 0)
       from unnest($2::bigint[]) with ordinality as wanted (category_id, at)`,
    [productId, plan.categoryIds],
  );
}

async function insertVariants(tx: Sql, productId: number, { variants }: NewProductPlan): Promise<void> {
  const rows = await tx.query<{ id: number }>(
    `insert into catalog_variant (product_id, item_size_id, option_id, is_default, position)
     select $1, wanted.size_id, wanted.option_id, wanted.is_default, wanted.at - 1
       from unnest($2::bigint[], $3::bigint[], $4::boolean[]) with ordinality
              as wanted (size_id, option_id, is_default, at) returning id`,
    [
      productId,
      variants.map((variant) => variant.erpItemSizeId),
      variants.map((variant) => variant.optionId),
      variants.map((variant) => variant.isDefault),
    ],
  );
  await rememberSight(
    tx,
    rows.map((row) => row.id),
  );
}
