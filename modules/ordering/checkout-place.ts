import type { CheckoutQuestion } from './schemas/cart.ts';
import { isProblem } from '../../kernel/problem.ts';
import { locateKept, type AddressDeps } from '../delivery/addresses/kept-addresses.ts';
import { servePlace, type ServedPlace } from '../delivery/zones/resolve-delivery.ts';

/** The address that a delivery goes to; null for pickup and while none is chosen. */
export const addressOf = ({ type, addressId }: CheckoutQuestion['fulfillment']): string | null =>
  type === 'DELIVERY' ? (addressId?.toLowerCase() ?? null) : null;

/**
 * Where a checkout goes, ready to be asked who serves it; null when no address is chosen, or one that the caller does not have. A geocoder
 * may be asked, so call it before a transaction begins.
 */
export async function placeOfCheckout(
  deps: AddressDeps,
  customerId: string | null,
  { cartId, fulfillment }: Pick<CheckoutQuestion, 'cartId' | 'fulfillment'>,
): Promise<ServedPlace | null> {
  const addressId = addressOf(fulfillment);
  if (addressId === null) return null;
  const located = await unlessNotFound(locateKept(deps, { cartId: cartId.toLowerCase(), customerId }, addressId));
  return located === null ? null : servePlace(deps, located);
}

/** What is found, or null instead of the problem `not-found`. */
export async function unlessNotFound<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (isProblem(error) && error.kind === 'not-found') return null;
    throw error;
  }
}
