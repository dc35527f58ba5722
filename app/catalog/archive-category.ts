import { Problem } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import type { Sql } from '../database.ts';
import { lockCategoryTree } from './category-nesting.ts';
import { getCategory } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';

/**
 * Archives an empty category: it leaves tree and menus, its row stays for old orders and the audit. Products that are archived
 * themselves do not count. A second call changes nothing. Problems: not-found, category-not-empty (products or categories).
 */
export function archiveCategory(deps: CatalogDeps, actor: Actor, id: number): Promise<void> {
  return commitEdit(deps, async (tx) => {
    await lockCategoryTree(tx);
    // Whoever places a product here holds a share lock on this row.
    await tx.query('select 1 from catalog_category where id = $1 for update', [id]);
    const before = await getCategory(tx, id);
    if (before.archivedAt !== null) return;
    const categoryCount = await liveChildren(tx, id);
    if (before.productCount > 0 || categoryCount > 0)
      throw new Problem('category-not-empty', {
        detail: 'Move its products and categories away first.',
        extra: { productCount: before.productCount, categoryCount },
      });
    await tx.query(
      'update catalog_category set archived_at = now(), updated_at = now(), version = version + 1 where id = $1',
      [id],
    );
    await recordEdit(tx, actor, {
      entityType: 'category',
      entityId: id,
      action: 'archive',
      before: { name: before.name, parentId: before.parentId },
      outdates: 'category-archive',
    });
  });
}

async function liveChildren(sql: Sql, id: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*) as count from catalog_category where parent_id = $1 and archived_at is null',
    [id],
  );
  return row?.count ?? 0;
}
