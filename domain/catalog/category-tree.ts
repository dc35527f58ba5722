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
