import {
  getOrder,
  listOwnOrders,
  ORDER_COLUMNS,
} from '../../../modules/ordering/orders/order-view.ts';
import { placeOrder, type Refusal } from '../../../modules/ordering/checkout/place-order.ts';
import { repeatOrder } from '../../../modules/ordering/checkout/repeat-order.ts';
import { cancelOrder } from '../../../modules/ordering/orders/cancel-order.ts';
import { isAmount, type QuoteDifference } from '../../../modules/ordering/rules/quote.ts';
import { Cart } from '../../../modules/ordering/schemas/cart.ts';
import {
  ListedOrder,
  NewOrder,
  Order,
  OrderCancellation,
  PlacedOrder,
} from '../../../modules/ordering/schemas/orders.ts';
import { Problem } from '../../../kernel/problem.ts';
import { Page, Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { orderStreamRoute } from './order-stream.ts';
import { countingNewCart } from '../../http/limits/new-carts.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, sortQuery, toPage } from '../../http/schemas.ts';
import { moneyJson } from '../../http/serializer.ts';

const tags = ['Orders'];
const OrderParams = Strict({ order_id: Uuid });
const ofOrder = (...operationIds: string[]) =>
  Object.fromEntries(operationIds.map((id) => [id, { order_id: 'orderId' }]));

const placeOrderRoute = defineRoute({
  api: 'public',
  method: 'POST',
  path: '/orders',
  operationId: 'placeOrder',
  summary: 'Order a cart',
  description:
    'The body is that of preflight with the guest and, when preflight gave one, its `quoteId`. Every check of preflight is made again. Nothing is ' +
    'accepted that the guest has not seen: a blocker, an adjustment, another version of the cart or sums other than those of the quote are ' +
    'answered with 409 and the fresh answer of preflight. `Idempotency-Key` is required; the same key and body get the first response again. ' +
    'We accept an order first and pass it to the restaurant afterwards; its status shows which has happened. The cart no longer exists. ' +
    'A phone is written with its country; a Russian one may begin with 8.',
  tags,
  permission: 'cart',
  idempotent: 'required',
  body: NewOrder,
  responses: { 201: PlacedOrder },
  problems: ['not-found', 'checkout-blocked', 'cart-already-ordered'],
  rateLimit: 'ordering',
  links: ofOrder('getOrder', 'cancelOrder', 'repeatOrder'),
  handler: async ({ body, actor, clientAddress, idempotency }, deps) => {
    const result = await placeOrder(
      deps,
      { ...actor, clientAddress },
      body,
      idempotency!,
      new Date(),
    );
    if ('refusal' in result) throw blocked(result.refusal);

    return { status: 201, body: result.order };
  },
});

const blocked = ({ reasons, preflight, differences }: Refusal): Problem =>
  new Problem('checkout-blocked', {
    extra: {
      preflight,
      reasons,
      ...(differences === null ? {} : { differences: differences.map(shownDifference) }),
    },
  });

/** Amounts in rubles (rule ORD-37). */
function shownDifference({ field, quoted, now }: QuoteDifference) {
  const shown = (value: QuoteDifference['now']) =>
    typeof value === 'number' && isAmount(field) ? moneyJson(value) : value;
  return { field, quoted: shown(quoted), now: shown(now) };
}

const listOrdersRoute = defineRoute({
  api: 'public',
  method: 'GET',
  path: '/orders',
  operationId: 'listOrders',
  summary: 'Orders of the customer',
  description:
    'The newest comes first. Orders that were placed without signing in are not listed. With a verified phone the list includes ' +
    'orders that were made elsewhere, for example by phone (`channel: ERP`).',
  tags,
  permission: 'customer',
  query: Strict({ ...pageQuery, ...sortQuery(['createdAt', 'number', 'status', 'total']) }),
  responses: { 200: Page(ListedOrder) },
  handler: async ({ query, actor }, deps) => ({
    status: 200,
    body: await listOwnOrders(deps, actor, toPage(query, ORDER_COLUMNS)),
  }),
});

const getOrderRoute = defineRoute({
  api: 'public',
  method: 'GET',
  path: '/orders/{order_id}',
  operationId: 'getOrder',
  summary: 'An order and its status',
  description:
    'The response has no personal data: no name, phone or address. `statusHistory` begins with the acceptance.',
  tags,
  permission: 'order',
  params: OrderParams,
  responses: { 200: Order },
  links: ofOrder('cancelOrder', 'repeatOrder'),
  handler: async ({ actor }, { db }) => ({ status: 200, body: await getOrder(db, actor.orderId) }),
});

const repeatOrderRoute = defineRoute({
  api: 'public',
  method: 'POST',
  path: '/orders/{order_id}/repeat',
  operationId: 'repeatOrder',
  summary: 'Make a cart of an order',
  description:
    'The new cart has what can be sold now, at the prices of now; its `changes` list the rest. It is the cart of a guest: a customer who posts ' +
    'it with their token joins it to their own.',
  tags,
  permission: 'order',
  idempotent: true,
  params: OrderParams,
  responses: { 201: Cart },
  rateLimit: 'ordering',
  links: { getCart: { cart_id: 'cartId' } },
  handler: async ({ actor, clientAddress, idempotency }, deps) => ({
    status: 201,
    body: await countingNewCart(deps, clientAddress, () =>
      repeatOrder(deps, actor.orderId, idempotency, new Date()),
    ),
  }),
});

const cancelOrderRoute = defineRoute({
  api: 'public',
  method: 'POST',
  path: '/orders/{order_id}/cancel',
  operationId: 'cancelOrder',
  summary: 'Cancel an order that was not passed to the restaurant yet',
  description:
    'Later only the restaurant can cancel it, and the answer is 409. To cancel a second time answers the same.',
  tags,
  permission: 'order',
  params: OrderParams,
  body: OrderCancellation,
  responses: { 200: Order },
  problems: ['order-not-cancellable'],
  rateLimit: 'ordering',
  links: ofOrder('getOrder', 'repeatOrder'),
  handler: async ({ actor, body }, deps) => ({
    status: 200,
    body: await cancelOrder(deps, actor.orderId, body.reason ?? null),
  }),
});

export const orderRoutes = [
  placeOrderRoute,
  listOrdersRoute,
  getOrderRoute,
  orderStreamRoute,
  repeatOrderRoute,
  cancelOrderRoute,
];
