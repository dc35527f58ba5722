import { Problem } from '../../contracts/problem.ts';
import { decideMove, type ProductMove, type ProductStatus } from '../../domain/catalog/product-states.ts';
import { publishViolations, type PublishFacts } from '../../domain/catalog/publish-rules.ts';
import type { Product } from '../../db/entities/catalog.ts';
import type { Actor } from '../actor.ts';
import type { Sql, Tx } from '../database.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';
import { lockProduct } from './edit-product.ts';

export type ProductState = {
  id: number;
  status: ProductStatus;
  statusReason: string | null;
  publishedAt: Date | null;
  version: number;
};

/**
 * Publishes, unpublishes or archives a product (design section 6, Product statuses). Rules of publication are evaluated
 * first, in any status; a move into the present status changes nothing.
 * Problems: not-found; publish-blocked with every violation; invalid-transition.
 */
export function moveProduct(deps: CatalogDeps, actor: Actor, id: number, move: ProductMove): Promise<ProductState> {
  return commitEdit(deps, async (tx) => {
    const product = await lockProduct(tx, id);
    if (move === 'publish') await refuseViolations(tx, product);
    const decision = decideMove(product.status, move);
    if (decision.kind === 'refused')
      throw new Problem('invalid-transition', { detail: `A product that is ${product.status} cannot be moved so.` });
    if (decision.kind === 'moves') await applyMove(tx, actor, product, move, decision.to);
    return stateOf(product);
  });
}

async function refuseViolations(tx: Tx, product: Product): Promise<void> {
  const violations = publishViolations(await publishFacts(tx, product));
  if (violations.length > 0) throw new Problem('publish-blocked', { violations });
}

async function applyMove(tx: Tx, actor: Actor, product: Product, move: ProductMove, to: ProductStatus): Promise<void> {
  const from = product.status;
  tx.em.assign(product, {
    status: to,
    statusReason: null,
    ...(to === 'PUBLISHED' ? { publishedAt: new Date() } : {}),
  });
  await tx.em.flush();
  await recordEdit(tx, actor, {
    entityType: 'product',
    entityId: product.id,
    action: move,
    before: { status: from },
    after: { status: to },
    visibleToGuests: from === 'PUBLISHED' || to === 'PUBLISHED',
  });
}

async function publishFacts(tx: Sql, product: Product): Promise<PublishFacts> {
  const [facts] = await tx.query<Omit<PublishFacts, 'hasMainImage'>>(
    `select (select count(*) from catalog_product_category placement
               join catalog_category category on category.id = placement.category_id and category.archived_at is null
              where placement.product_id = $1) as placements,
            count(*) as variants,
            count(*) filter (where item.deleted_at is null) as "liveVariants",
            count(*) filter (where variant.is_default) as "defaultVariants"
       from catalog_variant variant
       join mirror_item_size size on size.id = variant.item_size_id
       join mirror_item item on item.id = size.item_id
      where variant.product_id = $1`,
    [product.id],
  );
  if (facts === undefined) throw new Error('An aggregate returned no row');
  return { hasMainImage: product.mainImageId !== null, ...facts };
}

function stateOf({ id, status, statusReason, publishedAt, version }: Product): ProductState {
  return {
    id,
    status,
    statusReason: statusReason ?? null,
    publishedAt: publishedAt ?? null,
    version,
  };
}
