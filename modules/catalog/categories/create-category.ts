import type { NewCategory, CategoryEdit } from '../schemas/catalog-requests.ts';
import { Category } from '../tables/catalog.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { insertRow } from '../../../kernel/edits.ts';
import { requireMedia } from '../../media/media-rows.ts';
import { lastPosition, lockCategoryTree, readParents, requireNesting } from './category-nesting.ts';
import { getCategory, type CategoryView } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';
import { holdSlug, reserveSlug } from '../reserve-slug.ts';

/** A placeholder id for checks of the tree before the category is stored. */
const NEW = 0;

/**
 * Creates a category, by default as the last child (CAT-21). Problems: validation (parent unknown,
 * archived or too deep; unknown image), duplicate (slug).
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
      if (input.imageId != null) await requireMedia(tx, 'imageId', input.imageId);
      if (input.slug !== undefined) await holdSlug(tx, 'catalog_category', input.slug);
      const category = await insertRow(tx, Category, {
        name,
        slug: input.slug ?? (await reserveSlug(tx, 'catalog_category', name)),
        imageId: input.imageId ?? null,
        parentId,
        position: input.position ?? (await lastPosition(tx, parentId)),
        ...storedTexts(input),
      });

      await recordEdit(tx, actor, {
        entityType: 'category',
        entityId: category.id,
        action: 'create',
        after: {
          name,
          slug: category.slug,
          parentId,
          position: category.position,
          imageId: category.imageId,
        },
        outdates: 'category-create',
      });

      return getCategory(tx, category.id);
    }),
  );
}

type Texts = Pick<CategoryEdit, 'seoTitle' | 'seoDescription'>;

/** Trims texts and replaces empty ones with null. */
export function storedTexts({ seoTitle, seoDescription }: Texts): Texts {
  return {
    ...(seoTitle === undefined ? {} : { seoTitle: textOrNull(seoTitle) }),
    ...(seoDescription === undefined ? {} : { seoDescription: textOrNull(seoDescription) }),
  };
}

const textOrNull = (text: string | null): string | null => text?.trim() || null;
