import { evaluateCart } from './evaluate-cart.ts';
import type { CartContent, CartFacts, EvaluatedCart } from './cart-facts.ts';
import type { GateFacts } from './gate-facts.ts';

type Chosen = Pick<GateFacts['wanted'], 'type' | 'leaveAtDoor'>;

/**
 * Evaluates a cart for an order: with its fulfillment type, and with the choice of this order to
 * leave it at the door.
 */
export const evaluateAsOrdered = (cart: CartContent, facts: CartFacts, { type, leaveAtDoor }: Chosen): EvaluatedCart =>
  evaluateCart({ ...cart, options: { ...cart.options, leaveAtDoor } }, { ...facts, fulfillmentType: type });

/**
 * Evaluates a cart as it answers by itself, without an order. Returns `ordered`, its evaluation for
 * an order, if the choices of the order make no difference.
 */
export function evaluateAsAnswered(
  cart: CartContent,
  facts: CartFacts,
  { leaveAtDoor }: Chosen,
  ordered: EvaluatedCart,
): EvaluatedCart {
  const isDoorTheSame = cart.options.leaveAtDoor === leaveAtDoor;
  const isTypeIrrelevant = facts.discounts.every(({ fulfillmentTypes }) => fulfillmentTypes === null);
  return isDoorTheSame && isTypeIrrelevant ? ordered : evaluateCart(cart, facts);
}
