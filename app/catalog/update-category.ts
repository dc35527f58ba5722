import { invalidField, Problem } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import type { Sql } from '../database.ts';
import { requiredTexts } from '../required-texts.ts';
import { lastPosition, lockCategoryTree, readParents, requireNesting } from './category-nesting.ts';
import { getCategory, type CategoryView } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';
import { holdSlug } from './reserve-slug.ts';

/** Absent fields stay; `parentId: null` makes a root, `imageId: null` takes the picture away. */
export type CategoryChange = {
  version: number;
  name?: string;
  slug?: string;
  parentId?: number | null;
  position?: number;
  imageId?: number | null;
};

const FIELDS = ['name', 'slug', 'parentId', 'position', 'imageId'] as const;

/**
 * Merges a change into a category. The address stays when the name changes; a new parent puts it last unless a position is
 * named. A change that changes nothing keeps the version. Problems: not-found, version-conflict, validation, duplicate
 * (slug), invalid-transition (archived).
 */
export function updateCategory(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  change: CategoryChange,
): Promise<CategoryView> {
  return commitEdit(deps, async (tx) => {
    await lockCategoryTree(tx);
    await tx.query('select 1 from catalog_category where id = $1 for update', [id]);
    const before = await getCategory(tx, id);
    if (before.version !== change.version)
      throw new Problem('version-conflict', { extra: { currentVersion: before.version } });
    if (before.archivedAt !== null) throw new Problem('invalid-transition', { detail: 'The category is archived.' });
    const after = await merged(tx, before, change);
    if (FIELDS.every((field) => before[field] === after[field])) return before;

    if (after.slug !== before.slug) await holdSlug(tx, 'catalog_category', after.slug);
    await tx.query(
      `update catalog_category set name = $2, slug = $3, parent_id = $4, position = $5, image_id = $6,
              updated_at = now(), version = version + 1 where id = $1`,
      [id, after.name, after.slug, after.parentId, after.position, after.imageId],
    );
    const changed = FIELDS.filter((field) => before[field] !== after[field]);
    const only = (view: CategoryView) => Object.fromEntries(changed.map((field) => [field, view[field]]));
    await recordEdit(tx, actor, {
      entityType: 'category',
      entityId: id,
      action: 'update',
      before: only(before),
      after: only(after),
      outdates: 'category-update',
    });
    return getCategory(tx, id);
  });
}

async function merged(sql: Sql, before: CategoryView, change: CategoryChange): Promise<CategoryView> {
  const { version: _version, ...fields } = change;
  const after: CategoryView = {
    ...before,
    ...fields,
    ...(change.name === undefined ? {} : requiredTexts({ name: change.name }, { name: 200 })),
  };
  if (after.parentId !== before.parentId) {
    requireNesting((await readParents(sql)).set(before.id, after.parentId));
    if (change.position === undefined) after.position = await lastPosition(sql, after.parentId);
  }
  if (after.imageId !== before.imageId && after.imageId !== null) await requirePicture(sql, after.imageId);
  return after;
}

async function requirePicture(sql: Sql, imageId: number): Promise<void> {
  const rows = await sql.query('select 1 from media where id = $1', [imageId]);
  if (rows.length === 0) throw invalidField('imageId', 'not_found', 'No such media.');
}
