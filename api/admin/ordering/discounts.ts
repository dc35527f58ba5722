import { Type } from 'typebox';
import {
  createDiscount,
  deleteDiscount,
  editDiscount,
  getDiscount,
  listDiscounts,
} from '../../../modules/ordering/promotions/discounts.ts';
import { restaurantsOfDiscount, restaurantsOfPromocode } from '../../../modules/ordering/staff/restaurants-of-rows.ts';
import { bulkPromocodes } from '../../../modules/ordering/promotions/bulk-promocodes.ts';
import {
  createPromocode,
  deletePromocode,
  editPromocode,
  getPromocode,
  listPromocodes,
} from '../../../modules/ordering/promotions/promocodes.ts';
import {
  Discount,
  DiscountEdit,
  NewDiscount,
  NewPromocode,
  Promocode,
  PromocodeBulk,
  PromocodeBulkResult,
  PromocodeEdit,
} from '../../../modules/ordering/schemas/requests.ts';
import { Id, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

const shared = { api: 'admin', tags: ['Discounts'], permission: 'ordering.manage' } as const;

const discountRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/discounts',
    permission: 'ordering.read',
    restaurants: 'LISTED',
    operationId: 'listDiscounts',
    summary: 'Discounts',
    description: 'The newest comes first.',
    query: Strict({
      ...pageQuery,
      ...sortQuery(['code', 'name', 'isActive', 'startsAt', 'endsAt', 'createdAt', 'updatedAt']),
    }),
    responses: { 200: Page(Discount) },
    handler: async ({ query, actor: { scope } }, { db }) => ({
      status: 200,
      body: await listDiscounts(db, { ...pageOf(query), scope }),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/discounts',
    restaurants: 'NAMED',
    operationId: 'createDiscount',
    summary: 'Create a discount',
    description:
      'It takes off `percent` of the subtotal or an `amount`, exactly one of them, and applies at once to every cart that meets its ' +
      'conditions. Days and hours are those of the organization; hours that end before they begin end on the next day. Guests get the ' +
      'best allowed combination: one discount alone, or all that are combinable.',
    idempotent: true,
    body: NewDiscount,
    responses: { 201: Discount },
    problems: ['duplicate'],
    handler: async ({ body, actor, idempotency }, deps) => ({
      status: 201,
      body: await createDiscount(deps, actor, body, idempotency),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/discounts/{id}',
    permission: 'ordering.read',
    restaurants: ({ params }, { db }) => restaurantsOfDiscount(db, params.id),
    operationId: 'getDiscount',
    summary: 'One discount',
    description: 'An update has to name `version`.',
    params: IdParams,
    responses: { 200: Discount },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({ status: 200, body: await getDiscount(db, params.id) }),
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: '/discounts/{id}',
    restaurants: ({ params }, { db }) => restaurantsOfDiscount(db, params.id),
    operationId: 'editDiscount',
    summary: 'Change a discount',
    description:
      'An absent field keeps its value, `null` clears a condition. The code cannot be changed. Carts follow at their next request.',
    params: IdParams,
    body: DiscountEdit,
    responses: { 200: Discount },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editDiscount(deps, actor, params.id, body),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/discounts/{id}',
    restaurants: ({ params }, { db }) => restaurantsOfDiscount(db, params.id),
    operationId: 'deleteDiscount',
    summary: 'Delete a discount',
    description: 'One to which promocodes lead, or that orders have used, is switched off instead.',
    params: IdParams,
    responses: { 204: null },
    problems: ['not-found', 'invalid-transition'],
    async handler({ params, actor }, deps) {
      await deleteDiscount(deps, actor, params.id);
      return { status: 204 };
    },
  }),
];

const promocodeRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/promocodes',
    permission: 'ordering.read',
    restaurants: 'LISTED',
    operationId: 'listPromocodes',
    summary: 'Promocodes',
    description: 'Promocodes of one discount or of all, sorted by code.',
    query: Strict({
      ...pageQuery,
      ...sortQuery(['code', 'isActive', 'createdAt', 'updatedAt']),
      discount_id: Type.Optional(Id),
    }),
    responses: { 200: Page(Promocode) },
    handler: async ({ query, actor: { scope } }, { db }) => ({
      status: 200,
      body: await listPromocodes(db, { ...pageOf(query), discountId: query.discount_id, scope }),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/promocodes',
    restaurants: ({ body }, { db }) => restaurantsOfDiscount(db, body.discountId),
    operationId: 'createPromocode',
    summary: 'Create a promo code',
    description:
      'It applies a discount that needs a promo code, for all guests or for one customer. Upper and lower case do not matter.',
    idempotent: true,
    body: NewPromocode,
    responses: { 201: Promocode },
    problems: ['duplicate'],
    handler: async ({ body, actor, idempotency }, deps) => ({
      status: 201,
      body: await createPromocode(deps, actor, body, idempotency),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/promocodes/bulk',
    restaurants: ({ body }, { db }) => restaurantsOfDiscount(db, body.discountId),
    operationId: 'bulkPromocodes',
    summary: 'Create many promo codes',
    description:
      'Either the `codes` of a list, or `count` random ones: a `prefix` and `length` letters and digits that nobody takes for each ' +
      'other. They apply one discount that needs a promo code, for all guests. Codes that exist, or that are in the list twice, are in ' +
      '`failed` with their row; the others are created. A dry run answers the same and creates nothing.',
    idempotent: true,
    bodyLimit: 2_097_152,
    body: PromocodeBulk,
    responses: { 200: PromocodeBulkResult },
    handler: async ({ body, actor, idempotency }, deps) => ({
      status: 200,
      body: await bulkPromocodes(deps, actor, body, idempotency),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/promocodes/{id}',
    permission: 'ordering.read',
    restaurants: ({ params }, { db }) => restaurantsOfPromocode(db, params.id),
    operationId: 'getPromocode',
    summary: 'One promocode',
    description: 'An update has to name `version`.',
    params: IdParams,
    responses: { 200: Promocode },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({ status: 200, body: await getPromocode(db, params.id) }),
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: '/promocodes/{id}',
    restaurants: ({ params, body }, { db }) => restaurantsOfPromocode(db, params.id, body.discountId),
    operationId: 'editPromocode',
    summary: 'Change a promo code',
    description: 'An absent field keeps its value. The code cannot be changed.',
    params: IdParams,
    body: PromocodeEdit,
    responses: { 200: Promocode },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editPromocode(deps, actor, params.id, body),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/promocodes/{id}',
    restaurants: ({ params }, { db }) => restaurantsOfPromocode(db, params.id),
    operationId: 'deletePromocode',
    summary: 'Delete a promo code',
    description: 'Carts that have it report it as unknown at their next request.',
    params: IdParams,
    responses: { 204: null },
    problems: ['not-found'],
    async handler({ params, actor }, deps) {
      await deletePromocode(deps, actor, params.id);
      return { status: 204 };
    },
  }),
];

/** Operations on discounts. */
export const discountAdminRoutes = [...discountRoutes, ...promocodeRoutes];
