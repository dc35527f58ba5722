import {
  copyOrdering,
  copyOrderingToMany,
} from '../../../modules/delivery/configuration/copy-ordering.ts';
import {
  OrderingCopies,
  OrderingCopy,
  OrderingCopyRequest,
  OrderingCopyToMany,
} from '../../../modules/delivery/schemas/hours.ts';
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

export const copyOrderingToManyRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/organizations/{id}/copy-ordering-to',
  operationId: 'copyOrderingToMany',
  summary: 'Copy how an organization takes orders to others',
  description:
    'The same as `POST /organizations/{id}/copy-ordering` for several targets at once: `id` is the organization that ' +
    'is copied. Either all copies are made or none.',
  tags: ['Ordering'],
  permission: 'ordering.manage',
  params: OrganizationParams,
  body: OrderingCopyToMany,
  responses: { 200: OrderingCopies },
  problems: ['not-found', 'version-conflict', 'duplicate'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await copyOrderingToMany(deps, actor, params.id, body),
  }),
});
