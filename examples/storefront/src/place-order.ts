import { isProblem, type CheckoutVerdict, type NewOrder } from '@carte/client/storefront';
import { api, asCustomer, attempt } from './api.ts';
import { forgetCart } from './cart.ts';
import { keepOrder } from './parts/kept-order.ts';
import { showsProblem, type FieldProblems } from './parts/guest.tsx';
import { textOfCode } from './texts.ts';

export type Outcome =
  | { orderId: string }
  | { verdict: CheckoutVerdict }
  | { problems: FieldProblems };

/**
 * The order that was sent without an answer. A retry sends the same key, so that the order is never
 * placed twice.
 */
let pending: { key: string; body: string } | null = null;

/**
 * Places an order. If a problem belongs to no form field, shows it to the guest and returns null.
 */
export async function placeOrder(body: NewOrder): Promise<Outcome | null> {
  const text = JSON.stringify(body);
  if (pending?.body !== text) pending = { key: crypto.randomUUID(), body: text };
  const { key } = pending;
  return attempt(async () => {
    try {
      const { data } = await api.placeOrder(body, { ...asCustomer(), idempotencyKey: key });
      return ordered(data.orderId);
    } catch (error) {
      if (!isProblem(error)) throw error;
      // The server has answered, so the next click places a new order.
      pending = null;
      const { preflight, orderId, errors = [] } = error.problem;
      if (isProblem(error, 'checkout-blocked') && preflight !== undefined)
        return { verdict: preflight as CheckoutVerdict };
      if (isProblem(error, 'cart-already-ordered') && orderId !== undefined)
        return ordered(orderId);
      if (errors.length > 0 && errors.every(({ field }) => showsProblem(field)))
        return {
          problems: Object.fromEntries(
            errors.map(({ field, message }) => [field, textOfCode('field', field) ?? message]),
          ),
        };
      throw error;
    }
  });
}

function ordered(orderId: string): Outcome {
  pending = null;
  keepOrder(orderId);
  forgetCart();
  return { orderId };
}
