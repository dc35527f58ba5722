import type { Category, CategoryList, ProductListItem } from '../schemas/catalog.ts';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { nestCategories, type TreeNode } from '../rules/category-tree.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { listProducts, type ProductIssue, type ProductQuery } from '../products/list-products.ts';

export type CategoryView = Category;

const PRODUCT_COUNT = sql<number>`(select count(*) from catalog_product_category placement
  join catalog_product product on product.id = placement.product_id and product.status <> 'ARCHIVED'
 where placement.category_id = category.id)`;

function selectCategories({ db }: Sql) {
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

/** Returns a category, even if archived. Problem `not-found`. */
export function getCategory(sql: Sql, id: number): Promise<CategoryView> {
  return selectCategories(sql)
    .where('category.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: MISSING_CATEGORY }));
}

/**
 * Returns the sum of all versions, which never decreases: categories are never deleted (CAT-58).
 */
export async function treeVersion({ db }: Sql): Promise<number> {
  const { version } = await db
    .selectFrom('catalog_category')
    .select(sql<number>`coalesce(sum(version), 0)::bigint`.as('version'))
    .executeTakeFirstOrThrow();

  return version;
}

/**
 * Returns one page of categories with the tree's version. Archived categories are sorted latest
 * first (CAT-59).
 */
export async function listCategories(
  tx: Sql,
  isArchived: boolean,
  paging: Paging,
): Promise<CategoryList> {
  // Read first: after a concurrent change, only the version is outdated, not the categories.
  const version = await treeVersion(tx);
  const categories = selectCategories(tx)
    .where('archivedAt', isArchived ? 'is not' : 'is', null)
    .$if(isArchived, (query) => query.orderBy('archivedAt', 'desc'))
    .orderBy('parentId', (order) => order.asc().nullsFirst())
    .orderBy('position')
    .orderBy('category.id');

  return { ...(await readPage(categories, paging)), version };
}

type CategoryTree = { items: TreeNode<CategoryView>[]; version: number };

/** Returns the tree with its version. A child of an archived category is a root. */
export async function categoryTree(tx: Sql): Promise<CategoryTree> {
  const version = await treeVersion(tx);
  const categories = selectCategories(tx)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .orderBy('category.id');

  return { items: nestCategories(await categories.execute()), version };
}

type ProductPaging = Pick<ProductQuery, 'status' | 'sort' | 'limit' | 'offset'>;

/**
 * Returns one page of products, including archived ones, by default in the order of the category
 * (CAT-60). Problem `not-found`.
 */
export async function listCategoryProducts(
  tx: Sql,
  id: number,
  { page, size, ...paging }: ProductPaging & Pick<Paging, 'page' | 'size'>,
  issues: readonly ProductIssue[],
): Promise<Page<ProductListItem>> {
  await getCategory(tx, id);
  const query = { ...paging, categoryId: id, inOrderOf: id };
  return { ...(await listProducts(tx, query, issues)), page, size };
}
