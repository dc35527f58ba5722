import type { CheckoutQuestion } from '../schemas/cart.ts';
import {
  findLocated,
  type AddressDeps,
  type KeptAddress,
} from '../../delivery/addresses/kept-addresses.ts';
import { servePlace, type ServedPlace } from '../../delivery/zones/resolve-delivery.ts';

export const addressOf = ({ type, addressId }: CheckoutQuestion['fulfillment']): string | null =>
  type === 'DELIVERY' ? (addressId?.toLowerCase() ?? null) : null;

export type CheckoutPlace = { address: KeptAddress; served: ServedPlace };

/** Must run outside of transactions, because it may call a geocoder. */
export async function placeOfCheckout(
  deps: AddressDeps,
  customerId: string | null,
  { cartId, fulfillment }: Pick<CheckoutQuestion, 'cartId' | 'fulfillment'>,
): Promise<CheckoutPlace | null> {
  const addressId = addressOf(fulfillment);
  if (addressId === null) return null;
  const place = await findLocated(deps, { cartId: cartId.toLowerCase(), customerId }, addressId);

  return place === null
    ? null
    : { address: place.address, served: await servePlace(deps, place.located) };
}
