/** Storefronts show two or three levels. */
export const MAX_CATEGORY_LEVELS = 4;

export type TreeNode<Row> = Row & { children: TreeNode<Row>[] };

/** Keeps the order of siblings. A row whose parent is missing is a root. */
export function nestCategories<Row extends { id: number; parentId: number | null }>(
  rows: readonly Row[],
): TreeNode<Row>[] {
  const nodes = new Map(
    rows.map((row): [number, TreeNode<Row>] => [row.id, { ...row, children: [] }]),
  );
  const roots: TreeNode<Row>[] = [];

  for (const node of nodes.values()) {
    const parent = node.parentId === null ? undefined : nodes.get(node.parentId);
    (parent?.children ?? roots).push(node);
  }

  return roots;
}

/** Excludes archived categories; null for a root. */
export type Parents = ReadonlyMap<number, number | null>;

export type NestingFault = { id: number; fault: 'UNKNOWN_PARENT' | 'CYCLE' | 'TOO_DEEP' };

type Level = number | 'UNKNOWN_PARENT' | 'CYCLE';

export function nestingFaults(parents: Parents): NestingFault[] {
  const levels = new Map<number, Level>();
  for (const id of parents.keys()) findLevels(parents, id, levels);

  return [...parents.keys()].flatMap((id): NestingFault[] => {
    const level = levels.get(id) ?? 'UNKNOWN_PARENT';
    if (typeof level === 'string') return [{ id, fault: level }];
    return level > MAX_CATEGORY_LEVELS ? [{ id, fault: 'TOO_DEEP' }] : [];
  });
}

function findLevels(parents: Parents, from: number, levels: Map<number, Level>): void {
  const way = new Set<number>();
  let at: number | null = from;

  while (at !== null && parents.has(at) && !levels.has(at) && !way.has(at)) {
    way.add(at);
    at = parents.get(at) ?? null;
  }

  let level: Level = at === null ? 0 : way.has(at) ? 'CYCLE' : (levels.get(at) ?? 'UNKNOWN_PARENT');

  for (const id of [...way].toReversed()) {
    if (typeof level === 'number') level += 1;
    levels.set(id, level);
  }
}
