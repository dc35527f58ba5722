import { Type, type Static } from 'typebox';
import { checkPublish } from '../../../modules/catalog/products/check-publish.ts';
import { createProduct } from '../../../modules/catalog/products/create-product.ts';
import { editProduct } from '../../../modules/catalog/products/edit-product.ts';
import {
  listProducts,
  PRODUCT_SORT_FIELDS,
  type ProductFilter,
} from '../../../modules/catalog/products/list-products.ts';
import { moveProduct } from '../../../modules/catalog/products/move-product.ts';
import { getProduct } from '../../../modules/catalog/products/product-views.ts';
import { EN } from '../../../kernel/pure/messages/en.ts';
import { PUBLISH_RULES } from '../../../modules/catalog/rules/publish-rules.ts';
import type { ProductMove } from '../../../modules/catalog/rules/states.ts';
import { NewProduct, ProductEdit } from '../../../modules/catalog/schemas/catalog-requests.ts';
import {
  Product,
  ProductListItem,
  ProductState,
  ProductStatus,
  PublishCheck,
} from '../../../modules/catalog/schemas/catalog.ts';
import { Id, OrganizationId, Strict } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams } from '../../http/schemas.ts';
import { importTextsRoute } from './import-texts.ts';
import { bulkProductsRoute } from './products-bulk.ts';

const tags = ['Products'];

export const productFilterQuery = {
  q: Type.Optional(Type.String({ maxLength: 200 })),
  category_id: Type.Optional(Id),
  status: Type.Optional(ProductStatus),
  has_image: Type.Optional(
    Type.Boolean({
      description: 'Keeps products with a main image (true) or without one (false).',
    }),
  ),
  has_variants: Type.Optional(Type.Boolean()),
  badge_id: Type.Optional(Id),
  organization_id: Type.Optional({
    ...OrganizationId,
    description:
      'Keeps products that are visible in this organization and have a variant with a price there. It is the number ' +
      '`id` of `GET /organizations` or its `erpId`, the UUID that storefronts use.',
  }),
  erp_issue: Type.Optional(
    Type.Boolean({
      description: 'True when a dish of the product was lost or deleted, or an incident is open.',
    }),
  ),
  updated_since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Keeps products that were changed at this moment or later.',
    }),
  ),
};

const ProductFilterQuery = Strict(productFilterQuery);

export const toProductFilters = (query: Static<typeof ProductFilterQuery>): ProductFilter => ({
  q: query.q,
  categoryId: query.category_id,
  status: query.status,
  hasImage: query.has_image,
  hasVariants: query.has_variants,
  badgeId: query.badge_id,
  organizationId: query.organization_id,
  erpIssue: query.erp_issue,
  updatedSince: query.updated_since,
});

const resourceRoutes = defineResource({
  path: '/products',
  tags,
  permission: { reads: 'catalog.read', writes: 'catalog.write' },
  restaurants: 'SHARED',
  item: Product,
  list: {
    operationId: 'listProducts',
    summary: 'Products',
    description:
      'All given filters must match. `q` is a part of the name or slug, a former slug, or a part of the name or article ' +
      'number that the ERP has for a dish of the product. Products are sorted by name unless `sort` is given.',
    sort: PRODUCT_SORT_FIELDS,
    filters: productFilterQuery,
    item: ProductListItem,
    async run({ db, productIssues }, { page, size, limit, offset, sort }, query) {
      const products = await listProducts(
        db,
        { ...toProductFilters(query), sort, limit, offset },
        productIssues,
      );

      return { ...products, page, size };
    },
  },
  create: {
    operationId: 'createProduct',
    summary: 'Create a product',
    description:
      'The product is created as a DRAFT without variants. Without `slug` the slug is made of the name and gets a ' +
      'number when it is taken.',
    bodyLimit: 262_144,
    problems: ['duplicate'],
    body: NewProduct,
    run: createProduct,
  },
  get: {
    operationId: 'getProduct',
    summary: 'One product',
    description:
      'The answer shows everything that staff can edit. An update has to name `version`.',
    run: ({ db }, id) => getProduct(db, id),
  },
  edit: {
    operationId: 'editProduct',
    summary: 'Change a product',
    description:
      'An absent field keeps its value, `null` clears it, and a list replaces the old list. `categoryIds` places the ' +
      'product; its first category is the primary one. The slug stays when the name changes. A former slug still ' +
      'leads to the product and is never given to another one. When `version` is not the stored one, the answer is ' +
      '`version-conflict` with `currentVersion`: read the product again, review the other change, and send yours ' +
      'with the new version.',
    bodyLimit: 262_144,
    problems: ['duplicate'],
    body: ProductEdit,
    run: editProduct,
  },
});

const checkPublishRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/products/{id}/publish-check',
  operationId: 'checkPublish',
  summary: 'Check whether a product can be published',
  description:
    'Evaluates every rule of publication without publishing. `violations` names all broken ones, in any status of ' +
    'the product. An archived product must be restored first, so `canPublish` is false for it.',
  tags,
  permission: 'catalog.read',
  restaurants: 'SHARED',
  params: IdParams,
  responses: { 200: PublishCheck },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await checkPublish(db, params.id) }),
});

const moveRoute = (move: ProductMove, summary: string, description: string) =>
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: `/products/{id}/${move}`,
    operationId: `${move}Product`,
    summary,
    description,
    tags,
    permission: 'catalog.publish',
    params: IdParams,
    responses: { 200: ProductState },
    problems: [
      'not-found',
      'invalid-transition',
      ...(move === 'publish' ? (['publish-blocked'] as const) : []),
    ],
    handler: async ({ params, actor }, deps) => ({
      status: 200,
      body: await moveProduct(deps, actor, params.id, move),
    }),
  });

export const productRoutes = [
  bulkProductsRoute,
  importTextsRoute,
  ...resourceRoutes,
  checkPublishRoute,
  moveRoute(
    'publish',
    'Show a product to guests',
    'Every rule of publication is evaluated first; `violations` names all broken ones: ' +
      PUBLISH_RULES.map(({ code }) => `${code} (${EN[`violation.${code}`]})`).join(', ') +
      '. A product that is published already and breaks none stays as it is.',
  ),
  moveRoute(
    'unpublish',
    'Hide a published product',
    'A product that is hidden already stays as it is.',
  ),
  moveRoute('archive', 'Archive a product', 'Possible in any status.'),
  moveRoute(
    'restore',
    'Restore an archived product',
    'The product becomes a DRAFT with everything it had; it is published like a new one. A draft stays as it is, and any other status is `invalid-transition`.',
  ),
];
