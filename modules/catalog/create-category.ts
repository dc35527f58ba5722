import type { NewCategory } from './schemas/catalog-requests.ts';
import { Category } from './tables/catalog.ts';
import type { Actor } from '../../kernel/actor.ts';
import { once, type Idempotency } from '../../kernel/idempotency.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { insertRow } from '../../kernel/edits.ts';
import { lastPosition, lockCategoryTree, readParents, requireNesting } from './category-nesting.ts';
import { storedTexts } from './category-texts.ts';
import { getCategory, type CategoryView } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';
import { reserveSlug } from './reserve-slug.ts';

/** An id that no row has: the new category stands in the tree before it is stored. */
const NEW = 0;

/**
 * Creates a category at the end of its parent, or at the given position. The slug comes from the name; when it
 * is taken, it gets a suffix. Problems: validation (unknown, archived or too deep parent).
 */
export function createCategory(
  deps: CatalogDeps,
  actor: Actor,
  { parentId = null, ...input }: NewCategory,
  idempotency: Idempotency | null,
): Promise<CategoryView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const { name } = requiredTexts({ name: input.name }, { name: 200 });
      await lockCategoryTree(tx);
      if (parentId !== null) requireNesting((await readParents(tx)).set(NEW, parentId));
      const category = await insertRow(tx, Category, {
        name,
        slug: await reserveSlug(tx, 'catalog_category', name),
        parentId,
        position: input.position ?? (await lastPosition(tx, parentId)),
        ...storedTexts(input),
      });
      await recordEdit(tx, actor, {
        entityType: 'category',
        entityId: category.id,
        action: 'create',
        after: { name, slug: category.slug, parentId, position: category.position },
        outdates: 'category-create',
      });
      return getCategory(tx, category.id);
    }),
  );
}
