import { preflight } from '../../app/ordering/preflight.ts';
import { CheckoutQuestion, CheckoutVerdict } from '../../contracts/ordering.ts';
import { defineRoute } from '../http/route.ts';

/** The one gate of every order, asked beforehand. */
export const preflightRoute = defineRoute({
  api: 'public',
  method: 'POST',
  path: '/checkout/preflight',
  operationId: 'checkCheckout',
  summary: 'Whether a cart can be ordered like this now',
  description:
    'Everything that speaks against the order is told at once, each with a code of a closed list, a text, its details and what a program can ' +
    'do about it. What cannot be sold and a promocode whose conditions are not met are taken out of the cart, which then has ' +
    'another `cartVersion`. They are told until a request names that version as `cartVersion`, or a newer cart is posted, so an ' +
    'answer that is lost loses nothing. A slot that has expired is for the client to replace. ' +
    'A delivery names an address of `POST /addresses`: its zone is looked for at the time of the slot. The cart remembers what was found, so that ' +
    'its `deliveryFee` and its unavailable dishes are those of this delivery until the next preflight.',
  tags: ['Checkout'],
  permission: 'cart',
  body: CheckoutQuestion,
  responses: { 200: CheckoutVerdict },
  problems: ['not-found'],
  rateLimit: 'ordering',
  handler: async ({ body, actor }, deps) => ({
    status: 200,
    body: await preflight(deps, actor.customerId, body, new Date()),
  }),
});
