import { invalidField, Problem } from '../../contracts/problem.ts';
import { MAX_CATEGORY_LEVELS, nestCategories, type TreeNode } from '../../domain/catalog/category-tree.ts';
import { Category } from '../../db/entities/catalog.ts';
import type { Actor } from '../actor.ts';
import type { Sql } from '../database.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { readPage, type Page, type Paging } from '../pages.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';
import { reserveSlug } from './reserve-slug.ts';

export type CategoryView = {
  id: number;
  slug: string;
  name: string;
  parentId: number | null;
  position: number;
  imageId: number | null;
  archivedAt: Date | null;
  /** Placed products in any status but ARCHIVED. */
  productCount: number;
  createdAt: Date;
  updatedAt: Date;
  version: number;
};
export type NewCategory = { name: string; parentId: number | null; position?: number };

const COLUMNS = `category.id, slug, name, parent_id as "parentId", position, image_id as "imageId",
  archived_at as "archivedAt", created_at as "createdAt", updated_at as "updatedAt", version,
  (select count(*) from catalog_product_category placement
    join catalog_product product on product.id = placement.product_id and product.status <> 'ARCHIVED'
    where placement.category_id = category.id) as "productCount"`;

/**
 * Creates a category at the end of its parent, or at the given position. The address comes from the name; a name that
 * is used twice gets a suffix. Problems: validation (unknown, archived or too deep parent).
 */
export function createCategory(
  deps: CatalogDeps,
  actor: Actor,
  input: NewCategory,
  idempotency: Idempotency | null,
): Promise<CategoryView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const name = input.name.trim();
      if (name === '') throw invalidField('name', 'required', 'The name is empty.');
      if (input.parentId !== null) await requireParent(tx, input.parentId);
      const category = tx.em.create(Category, {
        name,
        slug: await reserveSlug(tx, 'catalog_category', name),
        parentId: input.parentId,
        position: input.position ?? (await nextPosition(tx, input.parentId)),
      });
      await tx.em.persist(category).flush();
      await recordEdit(tx, actor, {
        entityType: 'category',
        entityId: category.id,
        action: 'create',
        after: { name, slug: category.slug, parentId: input.parentId, position: category.position },
        outdates: 'category-create',
      });
      return getCategory(tx, category.id);
    }),
  );
}

/** One category, archived ones included. Problem `not-found`. */
export async function getCategory(sql: Sql, id: number): Promise<CategoryView> {
  const [row] = await sql.query<CategoryView>(
    `select ${COLUMNS} from catalog_category category where category.id = $1`,
    [id],
  );
  if (row === undefined) throw new Problem('not-found', { detail: 'No such category.' });
  return row;
}

/** One page of the categories that are not archived, in menu order. */
export function listCategories(sql: Sql, paging: Paging): Promise<Page<CategoryView>> {
  return readPage(sql, paging, {
    columns: COLUMNS,
    from: 'catalog_category category where archived_at is null',
    order: 'parent_id nulls first, position, category.id',
    params: [],
  });
}

/** The whole tree of categories that are not archived, siblings in menu order; a child of an archived one is a root. */
export async function categoryTree(sql: Sql): Promise<TreeNode<CategoryView>[]> {
  return nestCategories(
    await sql.query<CategoryView>(
      `select ${COLUMNS} from catalog_category category where archived_at is null order by position, category.id`,
    ),
  );
}

async function requireParent(tx: Sql, parentId: number): Promise<void> {
  // The share locks keep the parents from being archived or moved before this commits.
  const rows = await tx.query<{ levels: number }>(
    `with recursive upward as (
       select id, parent_id, 1 as level from catalog_category where id = $1 and archived_at is null
       union all
       select parent.id, parent.parent_id, upward.level + 1 from upward
         join catalog_category parent on parent.id = upward.parent_id where upward.level < $2)
     select (select max(level) from upward) as levels from catalog_category
      where id in (select id from upward) order by id for share`,
    [parentId, MAX_CATEGORY_LEVELS],
  );
  const levels = rows[0]?.levels;
  if (levels === undefined) throw invalidField('parentId', 'not_found', 'No such category.');
  if (levels >= MAX_CATEGORY_LEVELS)
    throw invalidField('parentId', 'too_deep', `Categories nest at most ${MAX_CATEGORY_LEVELS} levels.`);
}

async function nextPosition(tx: Sql, parentId: number | null): Promise<number> {
  const [row] = await tx.query<{ next: number }>(
    'select coalesce(max(position) + 1, 0) as next from catalog_category where parent_id is not distinct from $1 and archived_at is null',
    [parentId],
  );
  return row?.next ?? 0;
}
