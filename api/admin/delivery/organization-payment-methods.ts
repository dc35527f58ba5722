import {
  getOrganizationPayments,
  setOrganizationPayments,
} from '../../../modules/delivery/organization-payment-methods.ts';
import {
  OrganizationPayments,
  OrganizationPaymentsEdit,
} from '../../../modules/delivery/schemas/context.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationParams } from '../../http/schemas.ts';

const shared = {
  api: 'admin',
  tags: ['Ordering'],
  path: '/organizations/{id}/payment-methods',
  params: OrganizationParams,
} as const;

export const organizationPaymentRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    permission: 'ordering.read',
    operationId: 'getOrganizationPayments',
    summary: 'Ways to pay of an organization',
    description:
      'Each way to pay with the kinds of fulfillment for which the organization offers it.',
    responses: { 200: OrganizationPayments },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({
      status: 200,
      body: await getOrganizationPayments(db, params.id),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    permission: 'ordering.manage',
    operationId: 'setOrganizationPayments',
    summary: 'Set the ways to pay of an organization',
    description: 'Other organizations keep theirs, and so does a way to pay that is left out.',
    body: OrganizationPaymentsEdit,
    responses: { 200: OrganizationPayments },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await setOrganizationPayments(deps, actor, params.id, body),
    }),
  }),
];
