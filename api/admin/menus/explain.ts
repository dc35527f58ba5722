import { Type } from 'typebox';
import { invalidField } from '../../../kernel/problem.ts';
import { explainEverywhere } from '../../../modules/menus/snapshot/explain-everywhere.ts';
import { explainProduct } from '../../../modules/menus/snapshot/explain-product.ts';
import { missingProducts } from '../../../modules/menus/snapshot/missing-products.ts';
import { previewProduct } from '../../../modules/menus/snapshot/preview-product.ts';
import {
  ExplanationAnswer,
  MissingProducts,
  MissingReason,
  ProductPreview,
} from '../../../modules/menus/schemas/snapshot.ts';
import { ProductStatus } from '../../../modules/catalog/schemas/catalog.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationId, Strict } from '../../../kernel/pure/schemas.ts';
import { IdParams, OrganizationParams, pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const explainProductRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/products/{id}/explain',
  restaurants: 'LISTED',
  operationId: 'explainProduct',
  summary: 'Explain why a product is in the menu of a restaurant or is not',
  description:
    'Returns for each variant whether it is in the menu, whether it is available, and its price, by the ' +
    'same rules that build the menu. It lists the facts that decide this with their times: status, categories, ' +
    'external menus, prices and the run that wrote them, stop-list rows, settings. `reason` is the first condition ' +
    'that is not met, or AVAILABLE when all are met. For a product without variants only the `facts` of the product ' +
    'are listed: find the first with `holds: false`. `served` is what guests see at this moment.\n\n' +
    'With `all=true` the answer has one entry for each active restaurant instead, sorted by name: the reason and a ' +
    'sentence for staff. `page`, `size` and `sort`, by the restaurant, apply to it only.',
  tags: ['Products'],
  permission: 'catalog.read',
  params: IdParams,
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'id']),
    organization_id: Type.Optional({
      ...OrganizationId,
      description: 'The restaurant. Required without `all`.',
    }),
    all: Type.Optional(
      Type.Boolean({ description: 'True for an overview of all active restaurants.' }),
    ),
  }),
  responses: { 200: ExplanationAnswer },
  problems: ['not-found'],
  async handler({ params, query, actor: { scope } }, { db }) {
    if (query.all === true)
      return {
        status: 200,
        body: await explainEverywhere(db, params.id, { ...toPage(query), scope }),
      };

    if (query.organization_id === undefined)
      throw invalidField('organization_id', 'required', 'Name a restaurant, or send `all=true`.');

    return { status: 200, body: await explainProduct(db, params.id, query.organization_id) };
  },
});

const missingProductsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/organizations/{id}/missing-products',
  operationId: 'listMissingProducts',
  summary: 'Products that guests of a restaurant do not see or cannot order',
  description:
    'Products that are not archived are listed by name, each with the first condition that is not met and a sentence ' +
    'for staff, by the same rules that build the menu. Send `status=PUBLISHED` for products that should be on sale. ' +
    '`counts` has the number of products by reason. `GET /products/{id}/explain` returns the facts of one of them.',
  tags: ['Products'],
  permission: 'catalog.read',
  params: OrganizationParams,
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'reason']),
    reason: Type.Optional(
      Type.Array(MissingReason, { description: 'Keeps products with one of these reasons.' }),
    ),
    status: Type.Optional(ProductStatus),
    q: Type.Optional(Type.String({ maxLength: 200, description: 'A part of the name or slug.' })),
  }),
  responses: { 200: MissingProducts },
  problems: ['not-found'],
  handler: async ({ params, query: { reason: reasons, status, q, ...paging } }, { db }) => ({
    status: 200,
    body: await missingProducts(db, params.id, { ...toPage(paging), reasons, status, q }),
  }),
});

const previewProductRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/products/{id}/preview',
  operationId: 'previewProduct',
  summary: 'Preview a product as guests of a restaurant would see it',
  description:
    'The product is shown as if it were published now, in any status, with current prices, stops and hours. The menu ' +
    'of the restaurant does not change, and a pin of it is ignored. If guests would not see the product, `card` is null, ' +
    'and `reason` is the first condition that is not met.',
  tags: ['Products'],
  permission: 'catalog.read',
  restaurants: 'NAMED',
  params: IdParams,
  query: Strict({ organization_id: OrganizationId }),
  responses: { 200: ProductPreview },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await previewProduct(db, params.id, query.organization_id),
  }),
});

export const explainRoutes = [explainProductRoute, previewProductRoute, missingProductsRoute];
