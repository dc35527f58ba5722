import type { ProductEdit } from '../schemas/catalog-requests.ts';
import type { InferEntity } from '@mikro-orm/postgresql';
import { Product } from '../tables/catalog.ts';
import {
  changedFields,
  mergeContent,
  organizationsThatDiffer,
  type ContentEdit,
  type ContentField,
  type ProductContent,
} from '../rules/product-content.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { holdForEdit, type Stored } from '../../../kernel/edits.ts';
import {
  commitEdit,
  recordEdit,
  type Announce,
  type CatalogDeps,
  type Outdated,
} from '../commit-edit.ts';
import { MISSING_PRODUCT, readContent, requireContent, writeContent } from './product-content.ts';
import { getProduct, type ProductView } from './product-views.ts';
import { holdSlug } from '../reserve-slug.ts';

/**
 * Changes a product. A published product must keep a main image and a category. Problems:
 * not-found; version-conflict with `currentVersion`; validation with all errors; duplicate (a slug
 * that another product has or had).
 */
export function editProduct(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  edit: ProductEdit,
): Promise<ProductView> {
  const { version, ...given } = edit;
  return commitEdit(deps, async (tx) => {
    await changeContent(tx, actor, {
      ...(await holdProduct(tx, id, version)),
      given,
      action: 'update',
    });

    return getProduct(tx, id);
  });
}

export type ContentChange = {
  product: HeldProduct;
  before: ProductContent;
  given: ContentEdit;
  action: string;
};

/** Changes a locked product. Problems: validation, duplicate. */
export async function changeContent(
  tx: Tx,
  actor: Actor,
  { product, before, given, action }: ContentChange,
  announce?: Announce,
): Promise<void> {
  const { id, status } = product;
  const after = mergeContent(before, given);
  await requireContent(tx, { id, status, before, given, after });
  const changed = changedFields(before, after);
  if (changed.length === 0) return;
  if (changed.includes('slug')) await holdSlug(tx, 'catalog_product', after.slug);
  await writeContent(tx, product, after, changed);
  const only = (content: ProductContent) =>
    Object.fromEntries(changed.map((field) => [field, content[field]]));
  await recordEdit(
    tx,
    actor,
    {
      entityType: 'product',
      entityId: id,
      action,
      before: only(before),
      after: only(after),
      outdates: status === 'PUBLISHED' ? outdatedBy(id, before, after, changed) : null,
    },
    announce,
  );
}

function outdatedBy(
  id: number,
  before: ProductContent,
  after: ProductContent,
  changed: readonly ContentField[],
): Outdated {
  if (changed.every((field) => field === 'organizationVisibility'))
    return {
      source: 'product-visibility',
      organizationIds: organizationsThatDiffer(before, after),
    };

  return { source: 'product-update', productIds: [id] };
}

export type HeldProduct = Stored<InferEntity<typeof Product>>;

/** Locks a product and returns its content. Problems: not-found, version-conflict (`seen`). */
export async function holdProduct(
  tx: Tx,
  id: number,
  seen?: number,
): Promise<{ product: HeldProduct; before: ProductContent }> {
  const product = await holdForEdit(tx, Product, id, { seen, detail: MISSING_PRODUCT });
  // Must be a separate statement: a statement that waits for a lock does not see later commits.
  return { product, before: await readContent(tx, id) };
}
