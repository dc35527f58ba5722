import type { Category } from '../schemas/catalog.ts';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { nestCategories, type TreeNode } from '../rules/category-tree.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';

export type CategoryView = Category;

const PRODUCT_COUNT = sql<number>`(select count(*) from catalog_product_category placement
  join catalog_product product on product.id = placement.product_id and product.status <> 'ARCHIVED'
 where placement.category_id = category.id)`;

function categoriesOf({ db }: Sql) {
  return db
    .selectFrom('catalog_category as category')
    .select([
      'category.id',
      'slug',
      'name',
      'parentId',
      'position',
      'imageId',
      'seoTitle',
      'seoDescription',
      'archivedAt',
    ])
    .select(['createdAt', 'updatedAt', 'version', PRODUCT_COUNT.as('productCount')]);
}

export const MISSING_CATEGORY = 'No such category.';

/** One category, archived ones included. Problem `not-found`. */
export function getCategory(sql: Sql, id: number): Promise<CategoryView> {
  return categoriesOf(sql)
    .where('category.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: MISSING_CATEGORY }));
}

/** One page of the categories that are not archived, in menu order. */
export function listCategories(tx: Sql, paging: Paging): Promise<Page<CategoryView>> {
  const categories = categoriesOf(tx)
    .where('archivedAt', 'is', null)
    .orderBy('parentId', (order) => order.asc().nullsFirst())
    .orderBy('position')
    .orderBy('category.id');
  return readPage(categories, paging);
}

/**
 * The whole tree of categories that are not archived, siblings in menu order; a child of an
 * archived one is a root.
 */
export async function categoryTree(tx: Sql): Promise<TreeNode<CategoryView>[]> {
  const categories = categoriesOf(tx).where('archivedAt', 'is', null).orderBy('position').orderBy('category.id');
  return nestCategories(await categories.execute());
}
