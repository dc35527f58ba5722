import { forgetPhone } from '../../../modules/gifts/clients/forget-clients.ts';
import {
  ClientForgetting,
  ForgottenClients,
  PersonExport,
  PersonRequest,
} from '../../../modules/gifts/schemas/clients.ts';
import { exportPerson } from '../../../modules/ordering/staff/export-person.ts';
import { eraseErpOrders } from '../../../modules/ordering/at-erp/save-erp-orders.ts';
import { defineRoute } from '../../http/route.ts';

/** Operations of staff on clients with gifts. */
export const compensationClientRoutes = [
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: '/clients/forget',
    operationId: 'forgetClient',
    summary: 'Forget a client with gifts',
    description:
      'Permanently deletes the phone of a client and the undecided excerpts of their comment. Rights are kept without a person ' +
      'attached. Orders from other channels are detached from the phone. Orders from this service are kept, and ' +
      '`POST /orders/{id}/erase` erases them. The customer at the external system stays. While an order has ' +
      'reserved a gift of the client, the request is rejected. Forgetting twice changes nothing.',
    tags: ['Gifts'],
    permission: 'compensations.manage',
    body: ClientForgetting,
    responses: { 200: ForgottenClients },
    problems: ['compensation-taken'],
    handler: async ({ body, actor }, deps) => ({
      status: 200,
      body: { clientIds: await forgetPhone(deps, actor, body, (tx, of) => eraseErpOrders(tx, actor, of)) },
    }),
  }),
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: '/clients/export',
    operationId: 'exportPerson',
    summary: 'Everything that is stored about a person',
    description:
      'For a person who asks for it, by the phone: gifts, orders that name the phone, orders from elsewhere, and what staff have ' +
      'written about them. Make sure who asks. With `customerId` also the cart, the saved addresses and the personal promo codes of ' +
      'that account. ' +
      'The audit keeps the reason and not the phone. A user exports at most 20 persons in an hour.',
    tags: ['Gifts'],
    permission: 'compensations.manage',
    body: PersonRequest,
    responses: { 200: PersonExport },
    handler: async ({ body, actor }, deps) => ({ status: 200, body: await exportPerson(deps, actor, body) }),
  }),
];
