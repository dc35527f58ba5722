import { Type, type TSchema } from 'typebox';
import { categoryTree, createCategory, getCategory, listCategories } from '../../../app/catalog/categories.ts';
import { MAX_CATEGORY_LEVELS } from '../../../domain/catalog/category-tree.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdParams, Nullable, Page, pageOf, pageQuery, Strict, Timestamp } from '../../http/schemas.ts';

const fields = {
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  parentId: Nullable(Id),
  position: Type.Integer(),
  imageId: Nullable(Id),
  archivedAt: Nullable(Timestamp),
  productCount: Type.Integer({ description: 'Placed products that are not archived' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Type.Integer(),
};
const Category = Type.Object(fields);

/** A category with its children, down to the deepest level that can exist. */
const nodeWith = (levelsBelow: number): TSchema =>
  Type.Object({
    ...fields,
    children: Type.Optional(levelsBelow === 0 ? Type.Array(Category) : Type.Array(nodeWith(levelsBelow - 1))),
  });

const tags = ['Categories'];

const listCategoriesRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/categories',
  operationId: 'listCategories',
  summary: 'Categories, as pages or as the whole tree',
  description: 'Categories that are not archived, in menu order. `tree=true` answers all of them at once, nested.',
  tags,
  permission: 'catalog.read',
  query: Strict({ ...pageQuery, tree: Type.Optional(Type.Boolean({ default: false })) }),
  responses: { 200: Page(nodeWith(MAX_CATEGORY_LEVELS - 1)) },
  async handler({ query }, { db }) {
    if (query.tree === true) {
      const items = await categoryTree(db);
      return { status: 200, body: { items, page: 1, size: items.length, total: items.length } };
    }
    return { status: 200, body: await listCategories(db, pageOf(query)) };
  },
});

const getCategoryRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/categories/{id}',
  operationId: 'getCategory',
  summary: 'One category',
  description: 'Archived categories are answered as well.',
  tags,
  permission: 'catalog.read',
  params: IdParams,
  responses: { 200: Category },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getCategory(db, params.id) }),
});

const createCategoryRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/categories',
  operationId: 'createCategory',
  summary: 'Create a category',
  description: 'The address (slug) is made of the name. Without `position` the category comes last under its parent.',
  tags,
  permission: 'catalog.write',
  idempotent: true,
  body: Strict({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    parentId: Type.Optional(Nullable(Id)),
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  }),
  responses: { 201: Category },
  async handler({ body, actor, idempotency }, deps) {
    const { name, parentId = null, position } = body;
    const input = { name, parentId, ...(position === undefined ? {} : { position }) };
    return { status: 201, body: await createCategory(deps, actor, input, idempotency) };
  },
});

export const categoryRoutes = [listCategoriesRoute, getCategoryRoute, createCategoryRoute];
