import type { CategoryEdit } from '../schemas/catalog-requests.ts';
import { Problem } from '../../../kernel/problem.ts';
import { Category } from '../tables/catalog.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { holdForEdit, saveEdit } from '../../../kernel/edits.ts';
import { requireMedia } from '../../media/media-rows.ts';
import { omitUndefined } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { lastPosition, lockCategoryTree, readParents, requireNesting } from './category-nesting.ts';
import { storedTexts } from './create-category.ts';
import { getCategory, MISSING_CATEGORY, type CategoryView } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';
import { holdSlug } from '../reserve-slug.ts';

/**
 * Changes a category. `parentId: null` makes it a root. A new name keeps the slug. Problems:
 * not-found, version-conflict, validation, duplicate (slug), invalid-transition (archived).
 */
export function updateCategory(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  { version, ...change }: CategoryEdit,
): Promise<CategoryView> {
  return commitEdit(deps, async (tx) => {
    await lockCategoryTree(tx);
    const category = await holdForEdit(tx, Category, id, {
      seen: version,
      detail: MISSING_CATEGORY,
    });
    if (category.archivedAt !== null)
      throw new Problem('invalid-transition', { detail: 'The category is archived.' });

    const { slug: oldSlug } = category;
    const edit = await checked(tx, category, omitUndefined(change));
    if (edit.slug !== undefined && edit.slug !== oldSlug)
      await holdSlug(tx, 'catalog_category', edit.slug);
    const changed = await saveEdit(tx, category, edit);
    if (changed !== null)
      await recordEdit(tx, actor, {
        entityType: 'category',
        entityId: id,
        action: 'update',
        ...changed,
        outdates: 'category-update',
      });

    return getCategory(tx, id);
  });
}

type Fields = Omit<CategoryEdit, 'version'>;

/** Problem `validation`. */
async function checked(
  tx: Tx,
  before: Required<Fields> & { id: number },
  change: Fields,
): Promise<Fields> {
  const { name, parentId, imageId } = change;
  const after = {
    ...change,
    ...storedTexts(change),
    ...(name === undefined ? {} : requiredTexts({ name }, { name: 200 })),
  };

  if (parentId !== undefined && parentId !== before.parentId) {
    requireNesting((await readParents(tx)).set(before.id, parentId));
    after.position ??= await lastPosition(tx, parentId);
  }

  if (imageId !== undefined && imageId !== before.imageId)
    await requireMedia(tx, 'imageId', imageId);

  return after;
}
