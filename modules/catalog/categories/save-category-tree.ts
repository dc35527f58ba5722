import { sql } from 'kysely';
import type { CategoryTreeEdit, CategoryTreeNode } from '../schemas/catalog-requests.ts';
import { Problem, type FieldError } from '../../../kernel/problem.ts';
import { nestingFaults } from '../rules/category-tree.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextVersion, requireVersion } from '../../../kernel/edits.ts';
import { lockCategoryTree, NESTING_MESSAGES, readNodes } from './category-nesting.ts';
import { categoryTree, treeVersion } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';

/**
 * Saves nesting and order, all or nothing. Unlisted categories do not move. Problems:
 * `version-conflict` if any category changed (CAT-58); `validation` for each unknown, duplicate,
 * cyclic or too deep node.
 */
export function saveCategoryTree(
  deps: CatalogDeps,
  actor: Actor,
  { version, nodes }: CategoryTreeEdit,
): ReturnType<typeof categoryTree> {
  return commitEdit(deps, async (tx) => {
    await lockCategoryTree(tx);
    requireVersion(await treeVersion(tx), version);
    const present = new Map((await readNodes(tx)).map((node) => [node.id, node]));
    const errors = treeErrors(
      nodes,
      new Map([...present.values()].map(({ id, parentId }) => [id, parentId])),
    );
    if (errors.length > 0) throw new Problem('validation', { errors });

    const moved = nodes
      .flatMap(({ id, parentId, position }) => {
        const before = present.get(id);
        if (before === undefined || (before.parentId === parentId && before.position === position))
          return [];
        return [{ before, after: { id, parentId, position } }];
      })
      .toSorted((a, b) => a.after.id - b.after.id);

    if (moved.length > 0) {
      const after = moved.map((entry) => entry.after);
      await writeNodes(tx, after);
      await recordEdit(tx, actor, {
        entityType: 'category-tree',
        entityId: 'all',
        action: 'update',
        before: { moved: moved.map((entry) => entry.before) },
        after: { moved: after },
        outdates: 'category-tree',
      });
    }

    return categoryTree(tx);
  });
}

async function writeNodes(tx: Tx, nodes: readonly CategoryTreeNode[]): Promise<void> {
  await sql`update catalog_category category
      set parent_id = node.parent_id, position = node.position, updated_at = now(), version = ${nextVersion('category')}
     from unnest(${nodes.map((node) => node.id)}::bigint[], ${nodes.map((node) => node.parentId)}::bigint[],
                 ${nodes.map((node) => node.position)}::int[]) as node (id, parent_id, position)
    where category.id = node.id`.execute(tx.db);
}

function treeErrors(
  nodes: readonly CategoryTreeNode[],
  present: ReadonlyMap<number, number | null>,
): FieldError[] {
  // Errors are reported for the second occurrence of an id.
  const firstIndexes = new Map(nodes.map((node, at) => [node.id, at] as const).toReversed());
  const unusable = nodes.flatMap(({ id }, at): FieldError[] => {
    const field = `nodes.${at}.id`;
    if (firstIndexes.get(id) !== at) return [{ field, code: 'duplicate', message: 'Named twice.' }];
    return present.has(id) ? [] : [{ field, code: 'not_found', message: 'No such category.' }];
  });
  if (unusable.length > 0) return unusable;

  const planned = new Map([
    ...present,
    ...nodes.map(({ id, parentId }) => [id, parentId] as const),
  ]);

  return nestingFaults(planned).map(({ id, fault }) => {
    const at = firstIndexes.get(id);
    const field = at === undefined ? 'nodes' : `nodes.${at}.parentId`;
    const { code, message } = NESTING_MESSAGES[fault];
    return { field, code, message: at === undefined ? `Category ${id}: ${message}` : message };
  });
}
