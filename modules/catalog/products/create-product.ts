import type { NewProduct } from '../schemas/catalog-requests.ts';
import { EMPTY_CONTENT, mergeContent, type ProductContent } from '../rules/product-content.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';
import { insertContent, requireContent } from './product-content.ts';
import { getProduct, type ProductView } from './product-views.ts';
import { holdSlug, reserveSlug } from '../reserve-slug.ts';

/**
 * Creates a DRAFT product without variants (CAT-4). Problems: validation with all errors; duplicate
 * (a slug that another product has or had).
 */
export function createProduct(
  deps: CatalogDeps,
  actor: Actor,
  request: NewProduct,
  idempotency: Idempotency | null,
): Promise<ProductView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const content = mergeContent(EMPTY_CONTENT, request);
      await requireContent(tx, {
        id: null,
        status: 'DRAFT',
        before: EMPTY_CONTENT,
        given: request,
        after: content,
      });

      const { id, slug } = await insertDraft(tx, content);
      await recordEdit(tx, actor, {
        entityType: 'product',
        entityId: id,
        action: 'create',
        after: { ...content, slug },
        outdates: null,
      });

      return getProduct(tx, id);
    }),
  );
}

/**
 * Inserts a product for all commands that create one. The caller has validated the content and
 * locked its references. Problem `duplicate` (slug).
 */
export async function insertDraft(
  tx: Tx,
  content: ProductContent,
): Promise<{ id: number; slug: string }> {
  if (content.slug !== '') await holdSlug(tx, 'catalog_product', content.slug);
  const slug =
    content.slug === '' ? await reserveSlug(tx, 'catalog_product', content.name) : content.slug;
  return { id: await insertContent(tx, { ...content, slug }), slug };
}
