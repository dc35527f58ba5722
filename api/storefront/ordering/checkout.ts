import { readCardOfCart } from '../../../modules/ordering/cart/card-of-cart.ts';
import { preflight } from '../../../modules/ordering/checkout/preflight.ts';
import { CheckoutQuestion, CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import { defineRoute } from '../../http/route.ts';

export const preflightRoute = defineRoute({
  api: 'public',
  method: 'POST',
  path: '/checkout/preflight',
  operationId: 'checkCheckout',
  summary: 'Check if a cart can be ordered now',
  description:
    'The response lists everything that prevents the order, each item with a code of a closed list, a text, its details and what a program can ' +
    'do about it. Unavailable dishes and a promo code with unmet conditions are removed from the cart, which then has ' +
    'another `cartVersion`. The answer lists them until a request sends that version as `cartVersion` or a newer cart is posted, so a lost ' +
    'answer loses nothing. The client replaces a slot that has expired. ' +
    'A delivery names an address of `POST /addresses`. Its zone is resolved for the time of the slot. The cart stores the result, so ' +
    'its `deliveryFee` and its unavailable dishes are those of this delivery until the next preflight.',
  tags: ['Checkout'],
  permission: 'cart',
  body: CheckoutQuestion,
  responses: { 200: CheckoutVerdict },
  problems: ['not-found'],
  rateLimit: 'ordering',
  handler: async ({ body, actor, clientAddress }, deps) => {
    const { customerId, verifiedPhone } = actor;
    const card = await readCardOfCart(deps, { cartId: body.cartId, customerId, verifiedPhone });

    return {
      status: 200,
      body: await preflight(deps, { ...actor, clientAddress }, body, new Date(), card),
    };
  },
});
