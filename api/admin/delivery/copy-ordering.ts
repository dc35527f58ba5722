import { copyOrdering } from '../../../modules/delivery/configuration/copy-ordering.ts';
import { OrderingCopy, OrderingCopyRequest } from '../../../modules/delivery/schemas/hours.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationParams } from '../../http/schemas.ts';

export const copyOrderingRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/organizations/{id}/copy-ordering',
  operationId: 'copyOrdering',
  summary: 'Copy how another organization takes orders',
  description:
    'Send `mode: PLAN` first: it writes nothing and returns the changes. CONFIG are switches and minutes, without time ' +
    'zone, code and city; EXCEPTIONS are those of dates to come, and those that only this organization has stay; ' +
    'PAYMENT_METHODS are the ways to pay with their kinds of fulfillment.',
  tags: ['Ordering'],
  permission: 'ordering.manage',
  params: OrganizationParams,
  body: OrderingCopyRequest,
  responses: { 200: OrderingCopy },
  problems: ['not-found', 'version-conflict', 'duplicate'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await copyOrdering(deps, actor, params.id, body),
  }),
});
