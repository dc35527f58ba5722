import type { Actor } from '../../../kernel/actor.ts';
import { holdForEdit, saveEdit } from '../../../kernel/edits.ts';
import { lastPosition, lockCategoryTree, readParents } from './category-nesting.ts';
import { getCategory, MISSING_CATEGORY, type CategoryView } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';
import { nestingFaults } from '../rules/category-tree.ts';
import { Category } from '../tables/catalog.ts';

/**
 * Restores a category as the last child of its former parent, or as a root (CAT-59). Idempotent.
 * Problem `not-found`.
 */
export function restoreCategory(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
): Promise<CategoryView> {
  return commitEdit(deps, async (tx) => {
    await lockCategoryTree(tx);
    const category = await holdForEdit(tx, Category, id, { detail: MISSING_CATEGORY });
    if (category.archivedAt === null) return getCategory(tx, id);
    const planned = (await readParents(tx)).set(id, category.parentId);
    const parentId = nestingFaults(planned).length === 0 ? category.parentId : null;
    const position = await lastPosition(tx, parentId);
    await saveEdit(tx, category, { archivedAt: null, parentId, position });
    await recordEdit(tx, actor, {
      entityType: 'category',
      entityId: id,
      action: 'restore',
      after: { name: category.name, parentId, position },
      outdates: 'category-restore',
    });

    return getCategory(tx, id);
  });
}
