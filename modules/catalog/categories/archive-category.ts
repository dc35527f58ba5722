import { Problem } from '../../../kernel/problem.ts';
import { Category } from '../tables/catalog.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { holdForEdit, saveEdit } from '../../../kernel/edits.ts';
import { lockCategoryTree } from './category-nesting.ts';
import { getCategory, MISSING_CATEGORY } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';

/**
 * Archives an empty category; `alongArchived` permits archived products in it (CAT-14). Idempotent.
 * Problems: not-found, category-not-empty with counts of its content.
 */
export function archiveCategory(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  alongArchived = false,
): Promise<void> {
  return commitEdit(deps, async (tx) => {
    await lockCategoryTree(tx);
    const category = await holdForEdit(tx, Category, id, { detail: MISSING_CATEGORY });
    if (category.archivedAt !== null) return;
    const { productCount } = await getCategory(tx, id);
    const categoryCount = await liveChildren(tx, id);
    const archivedProductCount = await archivedProducts(tx, id);
    if (productCount > 0 || categoryCount > 0 || (archivedProductCount > 0 && !alongArchived))
      throw new Problem('category-not-empty', {
        detail:
          productCount + categoryCount > 0
            ? 'Move its products and categories away first.'
            : 'Only archived products are in it. Send `archive_products=true` to archive the category with them.',
        extra: { productCount, archivedProductCount, categoryCount },
      });

    await saveEdit(tx, category, { archivedAt: new Date() });
    await recordEdit(tx, actor, {
      entityType: 'category',
      entityId: id,
      action: 'archive',
      before: { name: category.name, parentId: category.parentId },
      outdates: 'category-archive',
    });
  });
}

async function liveChildren({ db }: Sql, parentId: number): Promise<number> {
  const { count } = await db
    .selectFrom('catalog_category')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('parentId', '=', parentId)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow();

  return count;
}

async function archivedProducts({ db }: Sql, categoryId: number): Promise<number> {
  const { count } = await db
    .selectFrom('catalog_product_category as placement')
    .innerJoin('catalog_product as product', 'product.id', 'placement.productId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('placement.categoryId', '=', categoryId)
    .where('product.status', '=', 'ARCHIVED')
    .executeTakeFirstOrThrow();

  return count;
}
