import type { CategoryFact } from './facts.ts';
import { by } from '../../../../kernel/pure/lists.ts';

/** Returns categories by position, parents first, excluding archived branches. */
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

/**
 * Returns categories that contain products, directly or in descendants; `tree` has parents first.
 */
export function categoriesWithContent(
  tree: readonly CategoryFact[],
  holding: ReadonlySet<number>,
): Set<number> {
  const categoryIds = new Set<number>();
  for (const category of tree.toReversed()) {
    if (!holding.has(category.id) && !categoryIds.has(category.id)) continue;
    categoryIds.add(category.id);
    if (category.parentId !== null) categoryIds.add(category.parentId);
  }

  return categoryIds;
}
