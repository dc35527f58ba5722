import { Type } from 'typebox';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { getErpItemCard } from '../../../modules/binding/erp-item-card.ts';
import { ERP_ITEM_SORT_FIELDS, listErpItems } from '../../../modules/binding/erp-items.ts';
import { bulkTriage } from '../../../modules/binding/bulk-triage.ts';
import { listErpCategories } from '../../../modules/binding/erp-categories.ts';
import { triageItem } from '../../../modules/binding/triage-item.ts';
import { NewProductOfItems } from '../../../modules/catalog/schemas/catalog-requests.ts';
import {
  CreatedProduct,
  ErpCategory,
  ErpItem,
  ErpItemCard,
  Triage,
  TRIAGE_STATES,
  TriageBulk,
  TriageBulkResult,
} from '../../../modules/binding/schemas/binding.ts';
import { OrganizationId, Page, Strict, Uuid, Words } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, toPage, sortQuery } from '../../http/schemas.ts';

const tags = ['ERP items'];
const ExternalId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 100, description: 'Id of a category in the ERP.' }),
);

const listErpItemsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/erp/items',
  restaurants: 'SHARED',
  operationId: 'listErpItems',
  summary: 'Dishes of the ERP',
  description:
    'The list shows the dishes that the ERP has now, each with its sizes, its lowest and highest price over all ' +
    'organizations, the product that it is bound to, and its triage. All given filters must match. `q` is a part of ' +
    'the name or of a sku.',
  tags,
  permission: 'catalog.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(ERP_ITEM_SORT_FIELDS),
    q: Type.Optional(Type.String({ maxLength: 200 })),
    bound: Type.Optional(Type.Boolean()),
    type: Type.Optional(
      Type.String({ maxLength: 50, description: 'Type of the item in the ERP, for example DISH.' }),
    ),
    product_category_id: ExternalId,
    menu_category_id: ExternalId,
    triage: Type.Optional(Words(TRIAGE_STATES)),
    organization_id: Type.Optional({
      ...OrganizationId,
      description: 'Keeps dishes that an external menu of this organization lists.',
    }),
    has_price: Type.Optional(
      Type.Boolean({
        description:
          'Keeps dishes with a current price, or without one; with `organization_id` in this organization.',
      }),
    ),
    first_seen_since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Keeps dishes that the ERP had first at this moment or later.',
      }),
    ),
  }),
  responses: { 200: Page(ErpItem) },
  async handler({ query }, { db }) {
    const { page, size, limit, offset, sort } = toPage(query);
    const { q, bound, type, triage } = query;
    const filter = {
      q,
      bound,
      type,
      triage,
      sort,
      limit,
      offset,
      productCategoryId: query.product_category_id,
      menuCategoryId: query.menu_category_id,
      organizationId: query.organization_id,
      hasPrice: query.has_price,
      firstSeenSince: query.first_seen_since,
    };

    return { status: 200, body: { ...(await listErpItems(db, filter)), page, size } };
  },
});

const getErpItemRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/erp/items/{item_id}',
  restaurants: 'SHARED',
  operationId: 'getErpItem',
  summary: 'One dish of the ERP',
  description:
    'The answer shows the dish with its prices in every organization and its modifier groups, as the external menus ' +
    'have them. Dishes that the ERP no longer has are shown as well.',
  tags,
  permission: 'catalog.read',
  params: Strict({ item_id: Uuid }),
  responses: { 200: ErpItemCard },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({
    status: 200,
    body: await getErpItemCard(db, params.item_id),
  }),
});

const createProductOfItemsRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/erp/items/create-product',
  operationId: 'createProductOfItems',
  summary: 'Make a product of dishes of the ERP',
  description:
    'The product is created as a DRAFT with its variants. The first category is the primary one. A single variant ' +
    'needs no axis; several variants need `variantAxisCode` and an option each. Without `isDefault` the default ' +
    'size of the ERP becomes the default variant, and the first variant when the ERP names none. All sizes of a ' +
    'dish belong to one product: when another product has the dish, the answer is `item-already-bound` with `code` ' +
    'and `boundProduct`.',
  tags,
  permission: 'catalog.write',
  idempotent: true,
  body: NewProductOfItems,
  responses: { 201: CreatedProduct },
  problems: ['item-already-bound'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createProductOfItems(deps, actor, body, idempotency),
  }),
});

const triageItemRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/erp/items/{item_id}/triage',
  operationId: 'triageErpItem',
  summary: 'Mark a dish as not needed in the storefront, or as new again',
  description:
    'With `IGNORED` the dish leaves the list of new dishes; `NEW` brings it back there and clears the note. When a ' +
    'product uses the dish, the answer is `invalid-transition`.',
  tags,
  permission: 'catalog.write',
  params: Strict({ item_id: Uuid }),
  body: Triage,
  responses: { 200: ErpItem },
  problems: ['not-found', 'invalid-transition'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await triageItem(deps, actor, params.item_id, {
      status: body.status,
      note: body.note ?? null,
    }),
  }),
});

const bulkTriageRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/erp/items/bulk',
  operationId: 'bulkTriageErpItems',
  summary: 'Mark many dishes as not needed, or as new again',
  description:
    'Name the dishes by `itemIds` or by a `filter` of the list that matches at most 1,000. Dishes that a product uses ' +
    'do not change and are listed in `failed`. `dryRun` returns the result and changes nothing.',
  tags,
  permission: 'catalog.write',
  bodyLimit: 131_072,
  body: TriageBulk,
  responses: { 200: TriageBulkResult },
  handler: async ({ body, actor }, deps) => ({
    status: 200,
    body: await bulkTriage(deps, actor, body),
  }),
});

const listErpCategoriesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/erp/categories',
  operationId: 'listErpCategories',
  summary: 'Categories of the ERP with dishes',
  description:
    'Categories are sorted by name: those of products, and those of external menus. Categories without dishes are ' +
    'left out. `q` is a part of the name.',
  tags,
  permission: 'catalog.read',
  restaurants: 'SHARED',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'kind', 'itemCount', 'newItemCount']),
    q: Type.Optional(Type.String({ maxLength: 200 })),
    kind: Type.Optional(Words(['PRODUCT', 'MENU'])),
  }),
  responses: { 200: Page(ErpCategory) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listErpCategories(db, { ...toPage(query), q: query.q, kind: query.kind }),
  }),
});

export const erpItemRoutes = [
  listErpItemsRoute,
  listErpCategoriesRoute,
  getErpItemRoute,
  createProductOfItemsRoute,
  triageItemRoute,
  bulkTriageRoute,
];
