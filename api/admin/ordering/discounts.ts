import { Type } from 'typebox';
import {
  createDiscount,
  deleteDiscount,
  editDiscount,
  getDiscount,
  listDiscounts,
} from '../../../modules/ordering/promotions/discounts.ts';
import {
  restaurantsOfDiscount,
  restaurantsOfPromocode,
} from '../../../modules/ordering/staff/restaurants-of-rows.ts';
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
import { Id } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';

const shared = {
  tags: ['Discounts'],
  permission: { reads: 'ordering.read', writes: 'ordering.manage' },
} as const;

const discountRoutes = defineResource({
  ...shared,
  path: '/discounts',
  restaurants: restaurantsOfDiscount,
  item: Discount,
  list: {
    operationId: 'listDiscounts',
    summary: 'Discounts',
    description: 'The newest comes first.',
    sort: ['code', 'name', 'isActive', 'startsAt', 'endsAt', 'createdAt', 'updatedAt'],
    run: ({ db }, page) => listDiscounts(db, page),
  },
  create: {
    operationId: 'createDiscount',
    summary: 'Create a discount',
    description:
      'It takes off `percent` of the subtotal or an `amount`, exactly one of them, and applies at once to every cart that meets its ' +
      'conditions. Days and hours are those of the organization; hours that end before they begin end on the next day. Guests get the ' +
      'best allowed combination: one discount alone, or all that are combinable.',
    problems: ['duplicate'],
    body: NewDiscount,
    run: createDiscount,
  },
  get: {
    operationId: 'getDiscount',
    summary: 'One discount',
    run: ({ db }, id) => getDiscount(db, id),
  },
  edit: {
    operationId: 'editDiscount',
    summary: 'Change a discount',
    description:
      'An absent field keeps its value, `null` clears a condition. The code cannot be changed. Carts follow at their next request.',
    body: DiscountEdit,
    run: editDiscount,
  },
  remove: {
    operationId: 'deleteDiscount',
    summary: 'Delete a discount',
    description: 'One to which promocodes lead, or that orders have used, is switched off instead.',
    problems: ['invalid-transition'],
    run: deleteDiscount,
  },
});

const promocodeRoutes = defineResource({
  ...shared,
  path: '/promocodes',
  restaurants: restaurantsOfPromocode,
  item: Promocode,
  list: {
    operationId: 'listPromocodes',
    summary: 'Promocodes',
    description: 'Promocodes of one discount or of all, sorted by code.',
    sort: ['code', 'isActive', 'createdAt', 'updatedAt'],
    filters: { discount_id: Type.Optional(Id) },
    run: ({ db }, page, query) => listPromocodes(db, { ...page, discountId: query.discount_id }),
  },
  create: {
    operationId: 'createPromocode',
    summary: 'Create a promo code',
    description:
      'It applies a discount that needs a promo code, for all guests or for one customer. Upper and lower case do not matter.',
    problems: ['duplicate'],
    body: NewPromocode,
    restaurants: (db, body) => restaurantsOfDiscount(db, body.discountId),
    run: createPromocode,
  },
  get: {
    operationId: 'getPromocode',
    summary: 'One promocode',
    run: ({ db }, id) => getPromocode(db, id),
  },
  edit: {
    operationId: 'editPromocode',
    summary: 'Change a promo code',
    description: 'An absent field keeps its value. The code cannot be changed.',
    body: PromocodeEdit,
    restaurants: (db, id, body) => restaurantsOfPromocode(db, id, body.discountId),
    run: editPromocode,
  },
  remove: {
    operationId: 'deletePromocode',
    summary: 'Delete a promo code',
    description: 'Carts that have it report it as unknown at their next request.',
    run: deletePromocode,
  },
});

const bulkPromocodesRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/promocodes/bulk',
  restaurants: ({ body }, { db }) => restaurantsOfDiscount(db, body.discountId),
  operationId: 'bulkPromocodes',
  summary: 'Create many promo codes',
  description:
    'Either the `codes` of a list, or `count` random ones: a `prefix` and `length` letters and digits that people do not mistake for each ' +
    'other. They apply one discount that needs a promo code, for all guests. Codes that exist, or that are in the list twice, are in ' +
    '`failed` with their row; the others are created. A dry run answers the same and creates nothing.',
  tags: shared.tags,
  permission: shared.permission.writes,
  idempotent: true,
  bodyLimit: 2_097_152,
  body: PromocodeBulk,
  responses: { 200: PromocodeBulkResult },
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 200,
    body: await bulkPromocodes(deps, actor, body, idempotency),
  }),
});

export const discountAdminRoutes = [...discountRoutes, ...promocodeRoutes, bulkPromocodesRoute];
