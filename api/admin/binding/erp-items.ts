import { Type } from 'typebox';
import { createProductOfItems } from '../../../modules/catalog/create-product-of-items.ts';
import { getErpItemCard } from '../../../modules/binding/erp-item-card.ts';
import { ERP_ITEM_SORT_FIELDS, listErpItems } from '../../../modules/binding/erp-items.ts';
import { TRIAGE_DECISIONS, TRIAGE_NOTE_LENGTH, triageItem } from '../../../modules/binding/triage-item.ts';
import { NewProductOfItems } from '../../../modules/catalog/schemas/catalog-requests.ts';
import { CreatedProduct, ErpItem, ErpItemCard, TRIAGE_STATES } from '../../../modules/binding/schemas/binding.ts';
import { Nullable, Page, Strict, Uuid, Words } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, pageOf, sortQuery } from '../../http/schemas.ts';

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
    type: Type.Optional(Type.String({ maxLength: 50, description: 'Type of the item in the ERP, for example DISH.' })),
    product_category_id: ExternalId,
    menu_category_id: ExternalId,
    triage: Type.Optional(Words(TRIAGE_STATES)),
  }),
  responses: { 200: Page(ErpItem) },
  async handler({ query }, { db }) {
    const { page, size, limit, offset, sort } = pageOf(query);
    const { q, bound, type, triage, product_category_id: productCategoryId, menu_category_id: menuCategoryId } = query;
    const filter = { q, bound, type, triage, productCategoryId, menuCategoryId, sort, limit, offset };
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
  handler: async ({ params }, { db }) => ({ status: 200, body: await getErpItemCard(db, params.item_id) }),
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
  body: Strict({
    status: Words(TRIAGE_DECISIONS),
    note: Type.Optional(Nullable(Type.String({ maxLength: TRIAGE_NOTE_LENGTH }))),
  }),
  responses: { 200: ErpItem },
  problems: ['not-found', 'invalid-transition'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await triageItem(deps, actor, params.item_id, { status: body.status, note: body.note ?? null }),
  }),
});

export const erpItemRoutes = [listErpItemsRoute, getErpItemRoute, createProductOfItemsRoute, triageItemRoute];
