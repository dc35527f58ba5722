import { explainProduct } from '../../../modules/menus/snapshot/explain-product.ts';
import { Explanation } from '../../../modules/menus/schemas/snapshot.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationId, Strict } from '../../../kernel/pure/schemas.ts';
import { IdParams } from '../../http/schemas.ts';

export const explainRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/products/{id}/explain',
  operationId: 'explainProduct',
  summary: 'Explain why a product is in the menu of a restaurant or is not',
  description:
    'The answer says for each variant whether it is in the menu, whether it is available and what it costs, by the ' +
    'same rules that build the menu. It lists the facts that decide this with their times: status, categories, ' +
    'external menus, prices and the run that wrote them, stop-list rows, settings. `reason` is the first condition ' +
    'that is not met, or AVAILABLE when all are met. For a product without variants only the `facts` of the product ' +
    'are listed: look for the first with `holds: false`. `served` is what guests see at this moment.',
  tags: ['Products'],
  permission: 'catalog.read',
  params: IdParams,
  query: Strict({ organization_id: OrganizationId }),
  responses: { 200: Explanation },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await explainProduct(db, params.id, query.organization_id),
  }),
});
