import { Type } from 'typebox';
import { archiveCategory } from '../../../modules/catalog/archive-category.ts';
import { categoryTree, getCategory, listCategories } from '../../../modules/catalog/category-views.ts';
import { createCategory } from '../../../modules/catalog/create-category.ts';
import { orderCategoryProducts } from '../../../modules/catalog/order-category-products.ts';
import { saveCategoryTree } from '../../../modules/catalog/save-category-tree.ts';
import { updateCategory } from '../../../modules/catalog/update-category.ts';
import { NewCategory, CategoryEdit, CategoryTreeEdit } from '../../../modules/catalog/schemas/catalog-requests.ts';
import {
  Category,
  CategoryProducts,
  NestedCategory,
  SavedCategoryTree,
} from '../../../modules/catalog/schemas/catalog.ts';
import { Id, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, pageOf, sortQuery } from '../../http/schemas.ts';

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
    'them at once, nested.',
  tags,
  permission: 'catalog.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'position', 'productCount', 'createdAt', 'updatedAt']),
    tree: Type.Optional(Type.Boolean({ default: false })),
  }),
  responses: { 200: Page(NestedCategory) },
  async handler({ query }, { db }) {
    if (query.tree === true) {
      const items = await categoryTree(db);
      return { status: 200, body: { items, page: 1, size: items.length, total: items.length } };
    }
    return { status: 200, body: await listCategories(db, pageOf(query)) };
  },
});

const getCategoryRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/categories/{id}',
  restaurants: 'SHARED',
  operationId: 'getCategory',
  summary: 'One category',
  description: 'The answer shows archived categories as well.',
  tags,
  permission: 'catalog.read',
  params: IdParams,
  responses: { 200: Category },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getCategory(db, params.id) }),
});

const createCategoryRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/categories',
  operationId: 'createCategory',
  summary: 'Create a category',
  description:
    'Without `slug` the slug is made of the name and gets a number when it is taken. Without `position` the category ' +
    'comes last under its parent.',
  tags,
  permission: 'catalog.write',
  idempotent: true,
  body: NewCategory,
  responses: { 201: Category },
  problems: ['duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createCategory(deps, actor, body, idempotency),
  }),
});

const updateCategoryRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/categories/{id}',
  operationId: 'updateCategory',
  summary: 'Change a category',
  description:
    'An absent field keeps its value. The slug stays when the name changes. `parentId: null` moves the category to ' +
    'the top level. A category with a new parent comes last there unless `position` is given.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  body: CategoryEdit,
  responses: { 200: Category },
  problems: ['not-found', 'version-conflict', 'duplicate', 'invalid-transition'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await updateCategory(deps, actor, params.id, body),
  }),
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
    'Saves all changes or none. Categories that are not in the request do not move. The answer is the ' + 'whole tree.',
  tags,
  permission: 'catalog.write',
  // 2,000 nodes of the longest numbers have 160 KB, and some blanks are allowed.
  bodyLimit: 262_144,
  body: CategoryTreeEdit,
  responses: { 200: SavedCategoryTree },
  handler: async ({ body, actor }, deps) => ({
    status: 200,
    body: { items: await saveCategoryTree(deps, actor, body.nodes) },
  }),
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
  getCategoryRoute,
  createCategoryRoute,
  updateCategoryRoute,
  archiveCategoryRoute,
  orderCategoryProductsRoute,
];
