import { evaluateCart } from './evaluate-cart.ts';
import type { CartContent, CartFacts, EvaluatedCart } from './cart-facts.ts';
import type { GateFacts } from './gate-facts.ts';

type Chosen = Pick<GateFacts['wanted'], 'type' | 'leaveAtDoor'>;

/** Evaluates with the order's fulfillment type and door option. */
export const evaluateAsOrdered = (
  cart: CartContent,
  facts: CartFacts,
  { type, leaveAtDoor }: Chosen,
): EvaluatedCart =>
  evaluateCart(
    { ...cart, options: { ...cart.options, leaveAtDoor } },
    { ...facts, fulfillmentType: type },
  );

/** Ignores an order's options. Returns `ordered` if they make no difference. */
export function evaluateAsAnswered(
  cart: CartContent,
  facts: CartFacts,
  { leaveAtDoor }: Chosen,
  ordered: EvaluatedCart,
): EvaluatedCart {
  const isDoorTheSame = cart.options.leaveAtDoor === leaveAtDoor;
  const isTypeIrrelevant = facts.discounts.every(
    ({ fulfillmentTypes }) => fulfillmentTypes === null,
  );
  return isDoorTheSame && isTypeIrrelevant ? ordered : evaluateCart(cart, facts);
}
