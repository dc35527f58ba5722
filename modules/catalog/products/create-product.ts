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
 * Creates a DRAFT product without variants (rule CAT-4). Without `slug` it comes from the name; a
 * name that is used twice gets a suffix. Problems: validation with every broken field; duplicate (a
 * chosen slug that another product has or had).
 */
export function createProduct(
  deps: CatalogDeps,
  actor: Actor,
  given: NewProduct,
  idempotency: Idempotency | null,
): Promise<ProductView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const content = mergeContent(EMPTY_CONTENT, given);
      await requireContent(tx, { id: null, status: 'DRAFT', before: EMPTY_CONTENT, given, after: content });
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
 * Inserts a product with its content, the only way there is to make one: a DRAFT under the chosen
 * slug, or under one that comes from its name. The caller has checked the content and locked the
 * objects that it refers to. Problem `duplicate` (the chosen slug).
 */
export async function insertDraft(tx: Tx, content: ProductContent): Promise<{ id: number; slug: string }> {
  if (content.slug !== '') await holdSlug(tx, 'catalog_product', content.slug);
  const slug = content.slug === '' ? await reserveSlug(tx, 'catalog_product', content.name) : content.slug;
  return { id: await insertContent(tx, { ...content, slug }), slug };
}
