import {
  editOrderSending,
  getOrderSending,
} from '../../../modules/delivery/configuration/order-sending.ts';
import { OrderSending, OrderSendingEdit } from '../../../modules/delivery/schemas/order-sending.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams } from '../../http/schemas.ts';

const shared = {
  api: 'admin',
  tags: ['Orders'],
  permission: 'ordering.manage',
  path: '/connections/{id}/order-sending',
  params: IdParams,
} as const;

export const orderSendingRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    permission: 'ordering.read',
    operationId: 'getOrderSending',
    summary: 'Get the ERP names in orders of a connection',
    description:
      'Ways to pay and the discount that staff have chosen, and those that the ERP listed last. `missing` lists the orders that would wait.',
    responses: { 200: OrderSending },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({
      status: 200,
      body: await getOrderSending(db, params.id),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    operationId: 'editOrderSending',
    summary: 'Choose what orders of a connection name at the ERP',
    description:
      'An absent field keeps its value; null leaves the choice to what the ERP lists. Orders that wait for it are sent with their next try.',
    body: OrderSendingEdit,
    responses: { 200: OrderSending },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editOrderSending(deps, actor, params.id, body),
    }),
  }),
];
