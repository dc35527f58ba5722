import { Type } from 'typebox';
import { archiveCategory } from '../../../modules/catalog/categories/archive-category.ts';
import {
  categoryTree,
  getCategory,
  listCategories,
  listCategoryProducts,
} from '../../../modules/catalog/categories/category-views.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { PRODUCT_SORT_FIELDS } from '../../../modules/catalog/products/list-products.ts';
import { orderCategoryProducts } from '../../../modules/catalog/categories/order-category-products.ts';
import { restoreCategory } from '../../../modules/catalog/categories/restore-category.ts';
import { saveCategoryTree } from '../../../modules/catalog/categories/save-category-tree.ts';
import { updateCategory } from '../../../modules/catalog/categories/update-category.ts';
import {
  NewCategory,
  CategoryEdit,
  CategoryTreeEdit,
} from '../../../modules/catalog/schemas/catalog-requests.ts';
import {
  Category,
  CategoryList,
  CategoryProducts,
  ProductListItem,
  ProductStatus,
  SavedCategoryTree,
} from '../../../modules/catalog/schemas/catalog.ts';
import { Id, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, toPage, sortQuery } from '../../http/schemas.ts';

const tags = ['Categories'];

const listCategoriesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/categories',
  restaurants: 'SHARED',
  operationId: 'listCategories',
  summary: 'Categories',
  description:
    'The list shows the categories that are not archived, in menu order. With `tree=true` the answer has all of ' +
    'them at once, nested. With `archived=true` it shows the archived ones instead, the latest first. `version` is ' +
    'that of the whole tree: `PUT /categories/tree` needs it.',
  tags,
  permission: 'catalog.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'position', 'productCount', 'createdAt', 'updatedAt']),
    tree: Type.Optional(Type.Boolean({ default: false })),
    archived: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True for the archived categories. `tree` is ignored then.',
      }),
    ),
  }),
  responses: { 200: CategoryList },
  async handler({ query: { tree, archived = false, ...paging } }, { db }) {
    if (tree === true && !archived) {
      const { items, version } = await categoryTree(db);
      return {
        status: 200,
        body: { items, page: 1, size: items.length, total: items.length, version },
      };
    }

    return { status: 200, body: await listCategories(db, archived, toPage(paging)) };
  },
});

const resourceRoutes = defineResource({
  path: '/categories',
  tags,
  permission: { reads: 'catalog.read', writes: 'catalog.write' },
  restaurants: 'SHARED',
  item: Category,
  create: {
    operationId: 'createCategory',
    summary: 'Create a category',
    description:
      'Without `slug` the slug is made of the name and gets a number when it is taken. Without `position` the category ' +
      'comes last under its parent.',
    problems: ['duplicate'],
    body: NewCategory,
    run: createCategory,
  },
  get: {
    operationId: 'getCategory',
    summary: 'One category',
    description: 'The answer shows archived categories as well.',
    run: ({ db }, id) => getCategory(db, id),
  },
  edit: {
    operationId: 'updateCategory',
    summary: 'Change a category',
    description:
      'An absent field keeps its value. The slug stays when the name changes. `parentId: null` moves the category to ' +
      'the top level. A category with a new parent comes last there unless `position` is given.',
    problems: ['duplicate', 'invalid-transition'],
    body: CategoryEdit,
    run: updateCategory,
  },
});

const archiveCategoryRoute = defineRoute({
  api: 'admin',
  method: 'DELETE',
  path: '/categories/{id}',
  operationId: 'archiveCategory',
  summary: 'Archive an empty category',
  description:
    'The request is rejected while the category contains products or categories; `productCount`, `archivedProductCount` ' +
    'and `categoryCount` of the problem are their numbers. A second call changes nothing.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  query: Strict({
    archive_products: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'True archives the category even if it contains archived products. Products in other states still prevent it.',
      }),
    ),
  }),
  responses: { 204: null },
  problems: ['not-found', 'category-not-empty'],
  async handler({ params, query, actor }, deps) {
    await archiveCategory(deps, actor, params.id, query.archive_products === true);
    return { status: 204 };
  },
});

const saveCategoryTreeRoute = defineRoute({
  api: 'admin',
  method: 'PUT',
  path: '/categories/tree',
  operationId: 'saveCategoryTree',
  summary: 'Save order and nesting of many categories',
  description:
    'Saves all changes or none. Categories that are not in the request do not move. The answer is the whole tree ' +
    'with its new version. When a category was created, changed, archived or restored since the tree was read, the ' +
    'answer is `version-conflict` with `currentVersion`: read the tree again and repeat the changes in it.',
  tags,
  permission: 'catalog.write',
  // 2,000 nodes have up to 160 KB.
  bodyLimit: 262_144,
  body: CategoryTreeEdit,
  responses: { 200: SavedCategoryTree },
  problems: ['version-conflict'],
  handler: async ({ body, actor }, deps) => ({
    status: 200,
    body: await saveCategoryTree(deps, actor, body),
  }),
});

const restoreCategoryRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/categories/{id}/restore',
  operationId: 'restoreCategory',
  summary: 'Restore an archived category',
  description:
    'The category comes last under its former parent, or at the top level if the parent is archived or four levels ' +
    'deep. It keeps its slug, texts, image and products. A category that is not archived stays as it is.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  responses: { 200: Category },
  problems: ['not-found'],
  handler: async ({ params, actor }, deps) => ({
    status: 200,
    body: await restoreCategory(deps, actor, params.id),
  }),
});

const listCategoryProductsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/categories/{id}/products',
  operationId: 'listCategoryProducts',
  summary: 'Products of a category in their order',
  description:
    'Products in any status are listed, also archived ones, in the order that `PUT /categories/{id}/products/order` ' +
    'sets, unless `sort` is given. Guests see the published ones in this order.',
  tags,
  permission: 'catalog.read',
  restaurants: 'SHARED',
  params: IdParams,
  query: Strict({
    ...pageQuery,
    ...sortQuery(PRODUCT_SORT_FIELDS),
    status: Type.Optional(ProductStatus),
  }),
  responses: { 200: Page(ProductListItem) },
  problems: ['not-found'],
  async handler({ params, query }, { db, productIssues }) {
    const paging = { ...toPage(query), status: query.status };
    return { status: 200, body: await listCategoryProducts(db, params.id, paging, productIssues) };
  },
});

const orderCategoryProductsRoute = defineRoute({
  api: 'admin',
  method: 'PUT',
  path: '/categories/{id}/products/order',
  operationId: 'orderCategoryProducts',
  summary: 'Order the products of a category',
  description:
    'Products that the request does not name follow in their old order. The answer lists all products of the ' +
    'category in the new order.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  bodyLimit: 131_072,
  body: Strict({ productIds: Type.Array(Id, { minItems: 1, maxItems: 5000 }) }),
  responses: { 200: CategoryProducts },
  problems: ['not-found'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await orderCategoryProducts(deps, actor, params.id, body.productIds),
  }),
});

export const categoryRoutes = [
  listCategoriesRoute,
  saveCategoryTreeRoute,
  ...resourceRoutes,
  archiveCategoryRoute,
  restoreCategoryRoute,
  listCategoryProductsRoute,
  orderCategoryProductsRoute,
];
