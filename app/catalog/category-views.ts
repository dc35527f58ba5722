import { Problem } from '../../contracts/problem.ts';
import { nestCategories, type TreeNode } from '../../domain/catalog/category-tree.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

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

const COLUMNS = `category.id, slug, name, parent_id as "parentId", position, image_id as "imageId",
  archived_at as "archivedAt", created_at as "createdAt", updated_at as "updatedAt", version,
  (select count(*) from catalog_product_category placement
    join catalog_product product on product.id = placement.product_id and product.status <> 'ARCHIVED'
    where placement.category_id = category.id) as "productCount"`;

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
  return readPageOfText(sql, paging, {
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
