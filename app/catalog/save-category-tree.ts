import { Problem, type FieldError } from '../../contracts/problem.ts';
import { nestingFaults, type TreeNode } from '../../domain/catalog/category-tree.ts';
import type { Actor } from '../actor.ts';
import { lockCategoryTree, NESTING_MESSAGES, readParents } from './category-nesting.ts';
import { categoryTree, type CategoryView } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';

export type TreePlace = { id: number; parentId: number | null; position: number };

/**
 * Saves nesting and order of many categories at once, all or nothing; categories that are not named stay where they are.
 * Returns the whole tree. Problem `validation` names every node that is unknown, named twice, in a circle or too deep.
 */
export function saveCategoryTree(
  deps: CatalogDeps,
  actor: Actor,
  nodes: readonly TreePlace[],
): Promise<TreeNode<CategoryView>[]> {
  return commitEdit(deps, async (tx) => {
    await lockCategoryTree(tx);
    const present = await readParents(tx);
    const errors = treeErrors(nodes, present);
    if (errors.length > 0) throw new Problem('validation', { errors });

    const moved = await tx.query<TreePlace & { oldParentId: number | null; oldPosition: number }>(
      `update catalog_category category
          set parent_id = node."parentId", position = node.position, updated_at = now(), version = version + 1
         from jsonb_to_recordset($1::jsonb) as node (id bigint, "parentId" bigint, position int)
         join (select id as of_id, parent_id as old_parent, position as old_position from catalog_category) before
           on before.of_id = node.id
        where category.id = node.id and (category.parent_id, category.position) is distinct from (node."parentId", node.position)
       returning category.id, category.parent_id as "parentId", category.position,
                 before.old_parent as "oldParentId", before.old_position as "oldPosition"`,
      [JSON.stringify(nodes)],
    );
    const places = moved.toSorted((a, b) => a.id - b.id);
    if (moved.length > 0)
      await recordEdit(tx, actor, {
        entityType: 'category-tree',
        entityId: 'all',
        action: 'update',
        before: {
          moved: places.map(({ id, oldParentId, oldPosition }) => ({
            id,
            parentId: oldParentId,
            position: oldPosition,
          })),
        },
        after: { moved: places.map(({ id, parentId, position }) => ({ id, parentId, position })) },
        outdates: 'category-tree',
      });
    return categoryTree(tx);
  });
}

function treeErrors(nodes: readonly TreePlace[], present: ReadonlyMap<number, number | null>): FieldError[] {
  // The first of two wins, so that the second is the one to complain about.
  const places = new Map(nodes.map((node, at) => [node.id, at] as const).toReversed());
  const unusable = nodes.flatMap(({ id }, at): FieldError[] => {
    const field = `nodes.${at}.id`;
    if (places.get(id) !== at) return [{ field, code: 'duplicate', message: 'Named twice.' }];
    return present.has(id) ? [] : [{ field, code: 'not_found', message: 'No such category.' }];
  });
  if (unusable.length > 0) return unusable;
  const planned = new Map([...present, ...nodes.map(({ id, parentId }) => [id, parentId] as const)]);
  return nestingFaults(planned).map(({ id, fault }) => {
    const at = places.get(id);
    const field = at === undefined ? 'nodes' : `nodes.${at}.parentId`;
    const { code, message } = NESTING_MESSAGES[fault];
    return { field, code, message: at === undefined ? `Category ${id}: ${message}` : message };
  });
}
