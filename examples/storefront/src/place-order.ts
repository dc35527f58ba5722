import { isProblem, type CheckoutVerdict, type NewOrder } from '@carte/client/storefront';
import { api, asCustomer, attempt } from './api.ts';
import { forgetCart } from './cart.ts';
import { keepOrder } from './parts/kept-order.ts';
import { showsProblemOf, type FieldProblems } from './parts/guest.tsx';
import { textOfCode } from './texts.ts';

export type Outcome =
  | { orderId: string }
  | { verdict: CheckoutVerdict }
  | { problems: FieldProblems };

/**
 * The order that has been sent and not answered. It is sent again with its key, so that it is never
 * placed twice.
 */
let pending: { key: string; body: string } | null = null;

/**
 * Places an order. A problem without a field in the form is shown to the guest and returned as
 * null.
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
      // The server has answered, so the next press is another order.
      pending = null;
      const { preflight, orderId, errors = [] } = error.problem;
      if (isProblem(error, 'checkout-blocked') && preflight !== undefined)
        return { verdict: preflight as CheckoutVerdict };
      if (isProblem(error, 'cart-already-ordered') && orderId !== undefined)
        return ordered(orderId);
      if (errors.length > 0 && errors.every(({ field }) => showsProblemOf(field)))
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
