import type { CheckoutQuestion } from '../schemas/cart.ts';
import type { OrderLimits } from '../../settings/schemas/settings.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { toKopecks } from '../../../kernel/pure/money.ts';
import type { ReachedLimit } from '../rules/order-limits.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { ServedPlace } from '../../delivery/zones/resolve-delivery.ts';
import { isTheirs } from '../cart/cart-access.ts';
import { withoutSeenChanges, type StoredCart } from '../cart/cart-row.ts';
import type { CartDeps } from '../cart/carts.ts';
import { addressOf } from './checkout-place.ts';
import type { Quote } from './quotes.ts';
import { toBuyer, readCartFacts, type CartReading } from '../cart/read-cart-facts.ts';
import { readCartAndOrganization } from '../cart/read-organization.ts';
import { readTimeFacts, type TimeReading, type Wanted } from './read-gate-facts.ts';

/** From the token. */
export type Caller = { customerId: string | null; verifiedPhone: string | null };

type ReadLimits = (
  tx: Sql,
  cart: { organizationId: number; orderLimits: OrderLimits },
) => Promise<readonly ReachedLimit[]>;

export type CheckoutRequest = {
  caller: Caller;
  question: CheckoutQuestion;
  quoteId: string | null;
  /** Null if the address was not found (rule ORD-76). */
  place: ServedPlace | null;
  readLimits: ReadLimits;
  now: Date;
};

export type CheckoutReading = {
  stored: StoredCart;
  /** Has the current delivery, and only changes that the guest has not seen. */
  cart: StoredCart;
  wanted: Wanted;
  now: Date;
  /** The cart's customer, or else the caller. Null for a guest. */
  buyerId: string | null;
  time: TimeReading;
  reading: CartReading;
  reachedLimits: readonly ReachedLimit[];
  /** Possibly expired. */
  quote: Quote | null;
  /** True while the service is being restored. */
  isIntakeClosed: boolean;
};

/**
 * Reads everything that decides an order (rule ORD-19). Requires REPEATABLE READ. Null if the
 * caller has no such cart.
 */
export async function readCheckout(
  tx: Sql,
  deps: CartDeps,
  { caller, question, quoteId, place, readLimits, now }: CheckoutRequest,
): Promise<CheckoutReading | null> {
  const buyer = toBuyer(deps, caller);
  const named = { quoteId: quoteId?.toLowerCase() ?? null };
  const snapshot = await readCartAndOrganization(tx, deps, question.cartId, buyer, named);
  // The cart may have been ordered, or assigned to a customer, since the access check.
  if (snapshot === undefined || !isTheirs(snapshot.stored.customerId, caller.customerId))
    return null;

  const { stored, organization, quote, isIntakeClosed } = snapshot;
  const { organizationId } = stored;
  const wanted = toWanted(question, stored);
  const productIds = stored.lines.map((line) => line.productId);
  const [at, { timeZone }] = [now.getTime(), buyer];
  const time = await readTimeFacts(tx, { organizationId, wanted, place, productIds, at, timeZone });

  const cart = {
    ...withoutSeenChanges(stored, question.cartVersion ?? 0),
    delivery: time.delivery,
  };

  const reading = await readCartFacts(tx, deps, organization, cart, { at, stored: cart });
  const reachedLimits = await readLimits(tx, {
    organizationId,
    orderLimits: organization.orderLimits,
  });

  const buyerId = stored.customerId ?? caller.customerId;

  return {
    stored,
    cart,
    wanted,
    now,
    buyerId,
    time,
    reading,
    reachedLimits,
    quote,
    isIntakeClosed,
  };
}

function toWanted(
  { fulfillment, paymentMethod, options, changeFrom }: CheckoutQuestion,
  cart: StoredCart,
): Wanted {
  const changeFromKopecks = changeFrom == null ? null : toKopecks(changeFrom);
  if (changeFrom != null && changeFromKopecks === null)
    throw invalidField('changeFrom', 'invalid', 'must have at most two decimals');

  return {
    type: fulfillment.type,
    slotId: fulfillment.slotId,
    pickupOrganizationId: fulfillment.organizationId?.toLowerCase() ?? null,
    addressId: addressOf(fulfillment),
    paymentMethod,
    leaveAtDoor:
      options?.leaveAtDoor ?? (fulfillment.type === 'DELIVERY' && cart.options.leaveAtDoor),
    changeFromKopecks,
  };
}
