import { Type, type Static } from 'typebox';
import {
  cancelStaffOrder,
  eraseStaffOrder,
  getDecision,
  getStaffOrder,
  settleOrderGifts,
} from '../../../modules/ordering/staff/staff-orders.ts';
import { sendOrderAgain } from '../../../modules/ordering/staff/send-again.ts';
import { restaurantsOfOrder } from '../../../modules/ordering/staff/restaurants-of-rows.ts';
import {
  listStaffOrders,
  type StaffOrderFilters,
} from '../../../modules/ordering/staff/list-staff-orders.ts';
import {
  OrderAttempt,
  OrderDecision,
  OrderGiftsOutcome,
  OrderReason,
  type OrderChannel,
  StaffListedOrder,
  StaffOrder,
  StaffOrderSentAgain,
} from '../../../modules/ordering/schemas/orders.ts';
import { listAttempts } from '../../../modules/ordering/at-erp/order-attempts.ts';
import { listCodes } from '../../../kernel/pure/codes.ts';
import {
  CursorPage,
  OrganizationId,
  Page,
  Strict,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';
import { defineRoute, type UserActor } from '../../http/route.ts';
import { ORDER_COLUMNS } from '../../../modules/ordering/orders/order-view.ts';
import { cursorQuery, pageQuery, sortQuery, toCursorPage, toPage } from '../../http/schemas.ts';

const reads = { api: 'admin', method: 'GET', tags: ['Orders'], permission: 'orders.read' } as const;

const manages = {
  api: 'admin',
  method: 'POST',
  tags: ['Orders'],
  permission: 'orders.manage',
} as const;

const Moment = Type.String({ format: 'date-time' });
const OrderParams = Strict({
  id: Type.Unsafe<string>({ ...Uuid, description: 'Id of the order.' }),
});

export const orderFilterQuery = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description:
        "Keeps orders with this number, id, or number or id of the ERP. With the permission `orders.manage` also a guest's phone.",
    }),
  ),
  from: Type.Optional({ ...Moment, description: 'Keeps orders created from this moment on.' }),
  to: Type.Optional({ ...Moment, description: 'Keeps orders created before this moment.' }),
  organization_id: Type.Optional(OrganizationId),
  status: Type.Optional(
    Type.Array(Words(listCodes('OrderStatus')), {
      description: 'Keeps orders with one of these statuses.',
    }),
  ),
  problem: Type.Optional(
    Type.Array(Words(listCodes('OrderProblem')), {
      description: 'Keeps orders with one of these problems.',
    }),
  ),
  open: Type.Optional(
    Type.Boolean({
      description: 'Keeps orders that have not ended (true) or that have ended (false).',
    }),
  ),
  at_erp: Type.Optional(
    Type.Boolean({
      description:
        'False keeps orders that the ERP does not have as far as it has reported: not sent yet, without an answer, failed, or ' +
        'withdrawn before they were sent. True keeps the others.',
    }),
  ),
  fulfillment: Type.Optional({
    ...Words(listCodes('FulfillmentType')),
    description: 'Keeps orders for delivery or for pickup.',
  }),
  due_from: Type.Optional({ ...Moment, description: 'Keeps orders for this moment or later.' }),
  due_to: Type.Optional({ ...Moment, description: 'Keeps orders for a time before this moment.' }),
  channel: Type.Optional(
    Type.Unsafe<OrderChannel>({
      ...Words(listCodes('OrderChannel')),
      description: 'Channel in which the order was placed.',
    }),
  ),
  customer_id: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Keeps orders of this customer. The id reveals nothing about the person.',
    }),
  ),
};

const OrderFilterQuery = Strict(orderFilterQuery);

/** Only users who may manage orders can search by phone. */
export const toOrderFilters = (
  query: Static<typeof OrderFilterQuery>,
  { permissions, scope }: UserActor,
): StaffOrderFilters => ({
  q: query.q,
  mayFindPhones: permissions.includes('orders.manage'),
  from: query.from,
  to: query.to,
  organizationId: query.organization_id,
  scope,
  states: query.status,
  problems: query.problem,
  open: query.open,
  atErp: query.at_erp,
  fulfillmentType: query.fulfillment,
  dueFrom: query.due_from,
  dueTo: query.due_to,
  customerId: query.customer_id,
  channel: query.channel,
});

export const staffOrderRoutes = [
  defineRoute({
    ...reads,
    path: '/orders',
    restaurants: 'LISTED',
    operationId: 'listStaffOrders',
    summary: 'Orders',
    description:
      'The newest comes first, those that the ERP reports from elsewhere included. Names and phones are not listed. ' +
      'Continue with `after`. A request without `page` answers fast over any number of orders, unless it sorts by ' +
      'another field than `createdAt`.',
    query: Strict({
      ...cursorQuery,
      ...sortQuery(['createdAt', 'number', 'status', 'total']),
      ...orderFilterQuery,
    }),
    responses: { 200: CursorPage(StaffListedOrder) },
    handler: async ({ query, actor }, deps) => ({
      status: 200,
      body: await listStaffOrders(
        deps,
        toOrderFilters(query, actor),
        // Cursors may be logged. A digest would allow guessing the phone.
        toCursorPage(query, ORDER_COLUMNS, {
          ...query,
          q: query.q === undefined ? undefined : deps.secrets.digest('order.search', query.q),
        }),
      ),
    }),
  }),
  defineRoute({
    ...reads,
    path: '/orders/{id}',
    restaurants: ({ params }, { db }) => restaurantsOfOrder(db, params.id.toLowerCase()),
    operationId: 'getStaffOrder',
    summary: 'One order',
    description: 'Only users who may manage orders see who ordered.',
    params: OrderParams,
    responses: { 200: StaffOrder },
    problems: ['not-found'],
    handler: async ({ params, actor }, deps) => ({
      status: 200,
      body: await getStaffOrder(
        deps,
        params.id.toLowerCase(),
        actor.permissions.includes('orders.manage'),
      ),
    }),
  }),
  defineRoute({
    ...reads,
    path: '/orders/{id}/decision',
    restaurants: ({ params }, { db }) => restaurantsOfOrder(db, params.id.toLowerCase()),
    operationId: 'getOrderDecision',
    summary: 'Why an order was accepted',
    description:
      'Every rule of the gate with its input and findings. The facts are those of the acceptance; `sameToday` is true if the current rules return the same findings. Kept for 90 days.',
    params: OrderParams,
    responses: { 200: OrderDecision },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({
      status: 200,
      body: await getDecision(db, params.id.toLowerCase()),
    }),
  }),
  defineRoute({
    ...reads,
    path: '/orders/{id}/attempts',
    restaurants: ({ params }, { db }) => restaurantsOfOrder(db, params.id.toLowerCase()),
    operationId: 'listOrderAttempts',
    summary: 'Calls by which an order was sent to the ERP',
    description:
      'The first call comes first, each with the answer of the ERP in words. An order made elsewhere has none. Kept for 90 days.',
    params: OrderParams,
    query: Strict({ ...pageQuery, ...sortQuery(['begunAt', 'outcome']) }),
    responses: { 200: Page(OrderAttempt) },
    problems: ['not-found'],
    handler: async ({ params, query }, { db }) => ({
      status: 200,
      body: await listAttempts(db, params.id.toLowerCase(), toPage(query)),
    }),
  }),
  defineRoute({
    ...manages,
    path: '/orders/{id}/cancel',
    restaurants: ({ params }, { db }) => restaurantsOfOrder(db, params.id.toLowerCase()),
    operationId: 'cancelStaffOrder',
    summary: 'Cancel an order before it is sent to the restaurant',
    description: 'Afterwards only the restaurant can cancel it, in its own system.',
    params: OrderParams,
    body: OrderReason,
    responses: { 200: StaffOrder },
    problems: ['not-found', 'order-not-cancellable'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await cancelStaffOrder(deps, actor, params.id.toLowerCase(), body.reason),
    }),
  }),
  defineRoute({
    ...manages,
    path: '/orders/{id}/send-again',
    restaurants: ({ params }, { db }) => restaurantsOfOrder(db, params.id.toLowerCase()),
    operationId: 'sendOrderAgain',
    summary: 'Send a failed order to the restaurant again',
    description:
      'Only if it is proven that the ERP does not have the order: each call was rejected or never left, or the ERP has no order of ' +
      'this id two minutes after the last call without an answer. Its time must still be possible; an order for as soon as possible is ' +
      'sent again within three hours. Id, sums and discounts stay those that the guest accepted. Gifts are reserved again; ' +
      '`giftsLeftOut` are those that could not be. Otherwise the `detail` of the problem says why. The reason is shown with the order ' +
      'and in the audit. Check that the guest has not ordered again meanwhile.',
    params: OrderParams,
    idempotent: true,
    body: OrderReason,
    responses: { 200: StaffOrderSentAgain },
    problems: ['not-found', 'invalid-transition', 'unavailable'],
    handler: async ({ params, body, actor, idempotency }, deps) => ({
      status: 200,
      body: await sendOrderAgain(deps, actor, params.id.toLowerCase(), body.reason, idempotency),
    }),
  }),
  defineRoute({
    ...manages,
    path: '/orders/{id}/erase',
    restaurants: ({ params }, { db }) => restaurantsOfOrder(db, params.id.toLowerCase()),
    operationId: 'eraseStaffOrder',
    summary: 'Erase the personal data of the guest',
    description:
      'Name, phone, address and comments are permanently deleted; the order and its sums are kept. Of an order made elsewhere, the digest of the phone and the customer of the ERP are deleted, and later reports do not restore them. An order that has not ended is rejected. Erasing twice changes nothing.',
    params: OrderParams,
    body: OrderReason,
    responses: { 200: StaffOrder },
    problems: ['not-found', 'invalid-transition'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await eraseStaffOrder(deps, actor, params.id.toLowerCase(), body.reason),
    }),
  }),
  defineRoute({
    ...manages,
    permission: 'compensations.manage',
    path: '/orders/{id}/settle-gifts',
    restaurants: ({ params }, { db }) => restaurantsOfOrder(db, params.id.toLowerCase()),
    operationId: 'settleOrderGifts',
    summary: 'Resolve the gifts of an order with an unknown result',
    description:
      'For an order that has ended here although it is unknown whether the ERP has it: its gifts stay reserved. Check the ERP, and send whether the order was created there. If so, the gifts are redeemed, otherwise they are returned to their clients. Only users who may manage orders see who ordered.',
    params: OrderParams,
    body: OrderGiftsOutcome,
    responses: { 200: StaffOrder },
    problems: ['not-found', 'invalid-transition'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await settleOrderGifts(deps, actor, params.id.toLowerCase(), {
        isCreated: body.outcome === 'CREATED',
        reason: body.reason,
        mayManage: actor.permissions.includes('orders.manage'),
      }),
    }),
  }),
];
