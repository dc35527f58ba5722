import type { CategoryFact } from './facts.ts';
import { by } from '../../../../kernel/pure/lists.ts';

/** Sorts by position, parents first, without archived branches. */
export function categoryTree(categories: readonly CategoryFact[]): CategoryFact[] {
  const children = Map.groupBy(
    categories.filter((category) => !category.isArchived),
    (fact) => fact.parentId,
  );
  const ordered: CategoryFact[] = [];
  const visit = (parentId: number | null) => {
    const siblings = (children.get(parentId) ?? []).toSorted(
      by(
        (fact) => fact.position,
        (fact) => fact.id,
      ),
    );
    for (const category of siblings) {
      ordered.push(category);
      visit(category.id);
    }
  };
  visit(null);
  return ordered;
}

/** Returns categories with products, also in descendants; `tree` has parents first. */
export function categoriesWithContent(
  tree: readonly CategoryFact[],
  holding: ReadonlySet<number>,
): Set<number> {
  const kept = new Set<number>();
  for (const category of tree.toReversed()) {
    if (!holding.has(category.id) && !kept.has(category.id)) continue;
    kept.add(category.id);
    if (category.parentId !== null) kept.add(category.parentId);
  }
  return kept;
}
