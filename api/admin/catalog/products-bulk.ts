import { bulkProducts } from '../../../modules/catalog/products/bulk-products.ts';
import { BulkRequest } from '../../../modules/catalog/schemas/catalog-requests.ts';
import { BulkResult } from '../../../modules/catalog/schemas/catalog.ts';
import { defineRoute } from '../../http/route.ts';

export const bulkProductsRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/products/bulk',
  operationId: 'bulkProducts',
  summary: 'Change many products at once',
  description:
    'Name the products by `productIds` or by a `filter` that matches at most 500. `dryRun` returns the result and changes nothing. ' +
    'The action is applied to each product separately. A product that does not allow it does not change and is ' +
    'listed in `failed` with the first reason. ADD_TO_CATEGORY and REMOVE_FROM_CATEGORY need `payload.categoryId`. ' +
    'SET_BADGES needs `badgeIds`, which replace the old badges. SET_VISIBILITY needs `isVisible` and takes ' +
    '`organizationIds`; without them it applies to all organizations and removes their exceptions. A published ' +
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
  body: BulkRequest,
  responses: { 200: BulkResult },
  handler: async ({ body, actor }, deps) => ({
    status: 200,
    body: await bulkProducts(deps, actor, body),
  }),
});
