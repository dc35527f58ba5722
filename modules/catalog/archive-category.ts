import { Problem } from '../../kernel/problem.ts';
import { Category } from './tables/catalog.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Sql } from '../../platform/db/database.ts';
import { holdForEdit, saveEdit } from '../../kernel/edits.ts';
import { lockCategoryTree } from './category-nesting.ts';
import { getCategory, MISSING_CATEGORY } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';

/**
 * Archives an empty category: it leaves tree and menus, its row stays for old orders and the audit. Products that are archived
 * themselves do not count. A second call changes nothing. Problems: not-found, category-not-empty (products or categories).
 */
export function archiveCategory(deps: CatalogDeps, actor: Actor, id: number): Promise<void> {
  return commitEdit(deps, async (tx) => {
    await lockCategoryTree(tx);
    // Whoever places a product here holds a share lock on this row.
    const category = await holdForEdit(tx, Category, id, { detail: MISSING_CATEGORY });
    if (category.archivedAt !== null) return;
    const { productCount } = await getCategory(tx, id);
    const categoryCount = await liveChildren(tx, id);
    if (productCount > 0 || categoryCount > 0)
      throw new Problem('category-not-empty', {
        detail: 'Move its products and categories away first.',
        extra: { productCount, categoryCount },
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
