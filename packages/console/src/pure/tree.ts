/** Siblings are ordered by position. */
export type TreeNode = { id: number; parentId: number | null; position: number };

export type Target = { id: number; place: 'before' | 'after' | 'on' };

const listChildren = <Node extends TreeNode>(
  nodes: readonly Node[],
  parentId: number | null,
): Node[] =>
  nodes
    .filter((node) => node.parentId === parentId)
    .toSorted((one, other) => one.position - other.position);

/** Returns true for a descendant and for the node itself. */
function isBelow(nodes: readonly TreeNode[], id: number | null, ancestor: number): boolean {
  if (id === null) return false;
  return (
    id === ancestor ||
    isBelow(nodes, nodes.find((node) => node.id === id)?.parentId ?? null, ancestor)
  );
}

/**
 * Moves a node before, after or into another. Changes nothing if the target is the node itself or a
 * descendant.
 */
export function moved<Node extends TreeNode>(
  nodes: readonly Node[],
  id: number,
  { id: targetId, place }: Target,
): readonly Node[] {
  const node = nodes.find((entry) => entry.id === id);
  const target = nodes.find((entry) => entry.id === targetId);
  if (node === undefined || target === undefined || isBelow(nodes, targetId, id)) return nodes;
  const parentId = place === 'on' ? target.id : target.parentId;
  const siblings = listChildren(nodes, parentId).filter((entry) => entry.id !== id);
  const at =
    place === 'on'
      ? siblings.length
      : siblings.findIndex((entry) => entry.id === targetId) + (place === 'after' ? 1 : 0);

  const ordered = siblings
    .toSpliced(at, 0, node)
    .map((entry, position) => ({ ...entry, parentId, position }));
  const changed = new Map(ordered.map((entry) => [entry.id, entry]));

  return nodes.map((entry) => changed.get(entry.id) ?? entry);
}

/** Returns the target of a step, or null at an edge. `in` moves into the node above. */
export function findTarget(
  nodes: readonly TreeNode[],
  id: number,
  step: 'up' | 'down' | 'out' | 'in',
): Target | null {
  const node = nodes.find((entry) => entry.id === id);
  if (node === undefined) return null;
  if (step === 'out') return node.parentId === null ? null : { id: node.parentId, place: 'after' };
  const siblings = listChildren(nodes, node.parentId);
  const at = siblings.findIndex((entry) => entry.id === id);
  const other = siblings[step === 'down' ? at + 1 : at - 1];
  if (other === undefined) return null;

  return { id: other.id, place: step === 'in' ? 'on' : step === 'up' ? 'before' : 'after' };
}

export type Nested<Node> = Node & { children: Nested<Node>[] };

export function nested<Node extends TreeNode>(
  nodes: readonly Node[],
  parentId: number | null = null,
): Nested<Node>[] {
  return listChildren(nodes, parentId).map((node) => ({
    ...node,
    children: nested(nodes, node.id),
  }));
}

export function placesChanged(before: readonly TreeNode[], after: readonly TreeNode[]): TreeNode[] {
  const old = new Map(before.map((node) => [node.id, node]));
  return after
    .filter(
      ({ id, parentId, position }) =>
        old.get(id)?.parentId !== parentId || old.get(id)?.position !== position,
    )
    .map(({ id, parentId, position }) => ({ id, parentId, position }));
}
