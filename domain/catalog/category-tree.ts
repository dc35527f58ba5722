/** Categories nest at most this deep; a storefront shows two or three levels. */
export const MAX_CATEGORY_LEVELS = 4;

export type TreeNode<Row> = Row & { children: TreeNode<Row>[] };

/** Nests rows under their parents and keeps the order of siblings; a row whose parent is absent is a root. */
export function nestCategories<Row extends { id: number; parentId: number | null }>(
  rows: readonly Row[],
): TreeNode<Row>[] {
  const nodes = new Map(rows.map((row): [number, TreeNode<Row>] => [row.id, { ...row, children: [] }]));
  const roots: TreeNode<Row>[] = [];
  for (const node of nodes.values()) {
    const parent = node.parentId === null ? undefined : nodes.get(node.parentId);
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

/** Parent of every category that is not archived; null for a root. */
export type Parents = ReadonlyMap<number, number | null>;

/** Why a category may not stand where it would: its parent does not exist, it would be its own ancestor, or it is too deep. */
export type NestingFault = { id: number; fault: 'UNKNOWN_PARENT' | 'CYCLE' | 'TOO_DEEP' };

/** Every fault of a whole tree, in the order of the map. An empty list means that the tree can be stored. */
export function nestingFaults(parents: Parents): NestingFault[] {
  return [...parents.keys()].flatMap((id): NestingFault[] => {
    const fault = faultOf(parents, id);
    return fault === null ? [] : [{ id, fault }];
  });
}

function faultOf(parents: Parents, id: number): NestingFault['fault'] | null {
  const seen = new Set([id]);
  for (let parent = parents.get(id) ?? null; parent !== null; parent = parents.get(parent) ?? null) {
    if (seen.has(parent)) return 'CYCLE';
    if (!parents.has(parent)) return 'UNKNOWN_PARENT';
    seen.add(parent);
  }
  return seen.size > MAX_CATEGORY_LEVELS ? 'TOO_DEEP' : null;
}
