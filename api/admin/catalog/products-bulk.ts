import { Type } from 'typebox';
import { bulkProducts } from '../../../app/catalog/bulk-products.ts';
import { BULK_ACTION_NAMES } from '../../../domain/catalog/bulk-actions.ts';
import { BulkResult } from '../../../contracts/catalog.ts';
import { Id, Nullable, Words } from '../../../contracts/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { Strict } from '../../http/schemas.ts';

const Payload = Strict({
  categoryId: Type.Optional(Id),
  badgeIds: Type.Optional(Type.Array(Id, { maxItems: 20 })),
  isVisible: Type.Optional(Type.Boolean()),
  organizationIds: Type.Optional(Nullable(Type.Array(Id, { minItems: 1, maxItems: 1000 }))),
});

export const bulkProductsRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/products/bulk',
  operationId: 'bulkProducts',
  summary: 'Change many products at once',
  description:
    'The action is done for each product separately. A product for which it is not possible does not change and is ' +
    'listed in `failed` with the first reason. ADD_TO_CATEGORY and REMOVE_FROM_CATEGORY need `payload.categoryId`. ' +
    'SET_BADGES needs `badgeIds`, which replace the old badges. SET_VISIBILITY needs `isVisible` and takes ' +
    '`organizationIds`; without them it acts for all organizations and removes their exceptions. A published ' +
    'product must keep a category.',
  tags: ['Products'],
  permission: {
    field: 'action',
    needs: {
      PUBLISH: 'catalog.publish',
      UNPUBLISH: 'catalog.publish',
      ARCHIVE: 'catalog.publish',
      ADD_TO_CATEGORY: 'catalog.write',
      REMOVE_FROM_CATEGORY: 'catalog.write',
      SET_BADGES: 'catalog.write',
      SET_VISIBILITY: 'catalog.write',
    },
  },
  body: Strict({
    productIds: Type.Array(Id, { minItems: 1, maxItems: 500 }),
    action: Words(BULK_ACTION_NAMES),
    payload: Type.Optional(Nullable(Payload)),
  }),
  responses: { 200: BulkResult },
  handler: async ({ body, actor }, deps) => ({ status: 200, body: await bulkProducts(deps, actor, body) }),
});
