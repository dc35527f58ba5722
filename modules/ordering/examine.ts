import type { CheckoutQuestion } from './schemas/cart.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { kopecksOf } from '../../kernel/pure/money.ts';
import { evaluateCart } from './rules/evaluate-cart.ts';
import { isOfContent, type EvaluatedCart, type ServerChange } from './rules/cart-facts.ts';
import type { DiscountReason } from './rules/discounts.ts';
import type { GateFacts } from './rules/gate-facts.ts';
import { termsOf } from './rules/quote.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { ServedPlace } from '../delivery/zones/resolve-delivery.ts';
import { isTheirs } from './cart-access.ts';
import { acceptChanges, findCart, hasOtherServices, rememberDelivery, type StoredCart } from './cart-row.ts';
import { NO_CART, settle, type CartDeps } from './carts.ts';
import { addressOf } from './checkout-place.ts';
import { termsDigest, type Quote } from './quotes.ts';
import { readCartFacts, type CartReading } from './read-cart-facts.ts';
import { paymentFacts, readTimeFacts, type Eta, type Wanted } from './read-gate-facts.ts';
import { isTerminalAlive } from './terminal-alive.ts';

/** Who asks: the customer that a token proves, with a phone that its provider vouches for; null where there is none. */
export type Caller = { customerId: string | null; verifiedPhone: string | null };

/** A cart as it would be ordered now, with everything that decides whether it can be. */
export type Examined = {
  /** The cart as it was found, with what the guest has accepted. */
  found: StoredCart;
  /** The cart as it is now. */
  cart: StoredCart;
  /** The promise whose sums hold; null when none was named, or it holds no more. */
  honoured: Quote | null;
  evaluated: EvaluatedCart;
  /** The total that the cart itself answers, which knows neither the way to get the order nor its slot; null while a promise holds. */
  answeredKopecks: number | null;
  facts: GateFacts;
  eta: Eta;
  reading: CartReading;
  /** Whose order it would be: the customer of the cart, else the one who asks; null for a guest. */
  buyerId: string | null;
};

/**
 * Examines what a guest means to order: the one look that preflight and orders share (rule ORD-19). What cannot be sold and a promocode whose
 * conditions are not met are taken out of the cart, which is written. Call it in a transaction that sees one state of the database.
 * `place` is where the delivery goes (`placeOfCheckout`): an address without one is not chosen (rule ORD-76). Problem `not-found`.
 */
export async function examine(
  tx: Sql,
  deps: CartDeps,
  { customerId: callerId, verifiedPhone }: Caller,
  question: CheckoutQuestion,
  place: ServedPlace | null,
  now: Date,
  quote: Quote | null = null,
): Promise<Examined> {
  const stored = await findCart(tx, deps, { id: question.cartId });
  // It may have become somebody's since the request was let in, or an order.
  if (stored === undefined || !isTheirs(stored.customerId, callerId))
    throw new Problem('not-found', { detail: NO_CART });
  const wanted = wantedOf(question, stored);
  const accepted = await acceptChanges(tx, stored, question.cartVersion ?? 0);
  const { organizationId } = accepted;
  const buyerId = accepted.customerId ?? callerId;
  const when = { at: now.getTime(), timeZone: deps.env.SYNC_TIME_ZONE };
  const { delivery, ...timely } = await readTimeFacts(tx, {
    organizationId,
    wanted,
    place,
    productIds: accepted.lines.map((line) => line.productId),
    ...when,
  });
  const found = await rememberDelivery(tx, accepted, delivery);
  const read = await readCartFacts(tx, deps, { id: organizationId }, found, {
    ...when,
    customerId: buyerId,
    verifiedPhone,
    stored: found,
  });
  if (read === null) throw new Error('A cart refers to an organization that does not exist');
  const asNow = evaluateCart(withDoor(found, wanted), typed(read, wanted));
  const honoured = quote !== null && holds(quote, { found, wanted, read, asNow, now, buyerId }) ? quote : null;
  const { cart, evaluated, reading, answeredKopecks } =
    honoured === null
      ? await settleCheckout(tx, deps, { found, wanted, read, asNow, now, buyerId })
      : { cart: found, evaluated: { ...asNow, ...honoured.sums }, reading: read, answeredKopecks: null };
  const facts: GateFacts = {
    wanted,
    organization: {
      id: reading.organization.erpId,
      isServed: reading.facts.isServed,
      isErpEnabled: reading.organization.isErpEnabled,
      isTerminalAlive: isTerminalAlive(reading.organization.askedTerminals, delivery?.terminalGroupErpId ?? null),
    },
    cart: cartFacts(cart, evaluated),
    address: timely.address,
    time: timely.time,
    paymentMethods: paymentFacts(timely.paymentMethods, {
      organizationId,
      type: wanted.type,
      names: reading.organization.erpNames,
    }),
    gifts: { undecided: evaluated.gifts.undecided, unavailable: evaluated.gifts.unavailable },
  };
  return { found, cart, honoured, evaluated, answeredKopecks, facts, eta: timely.eta, reading, buyerId };
}

/** A cart that is being examined: as it was found, and as it would be ordered now if nothing were taken out of it. */
type Found = Pick<Examined, 'found' | 'buyerId'> & {
  wanted: Wanted;
  read: CartReading;
  asNow: EvaluatedCart;
  now: Date;
};

/** Takes out what cannot be sold and a promocode whose conditions are not met, and writes the cart when it is another one then. */
async function settleCheckout(tx: Sql, deps: CartDeps, { found, wanted, read, asNow, now }: Found) {
  const changes = unmetPromocodes(asNow);
  const [changed, reading] = changes.length === 0 ? [found, read] : withoutPromocode(found, read);
  const { settled: cart, evaluated: answered } = await settle(tx, deps, changed, reading, {
    now,
    isPosted: false,
    changes,
  });
  const evaluated = evaluateCart(withDoor(changed, wanted), typed(reading, wanted));
  return { cart, reading, evaluated, answeredKopecks: answered.totalKopecks };
}

/** Conditions that no promise overrules: what was given away meanwhile cannot be given a second time. */
const USED_UP: readonly (DiscountReason | null)[] = ['ALREADY_USED', 'LIMIT_REACHED'];

/** True while the sums of a quote are owed: it has not expired, everything is as it was quoted, and its discounts are not used up (rule ORD-36). */
function holds(
  { isBinding, validUntil, digest, sums }: Quote,
  { found, wanted, read, asNow, now, buyerId }: Found,
): boolean {
  const terms = termsOf(asNow, found, { wanted, organization: { id: read.organization.erpId } });
  const isUsedUp = sums.discounts.some(
    ({ discountId, reason }) =>
      reason === null &&
      asNow.discounts.some((each) => each.discountId === discountId && USED_UP.includes(each.reason)),
  );
  const isAsQuoted =
    termsDigest(terms, buyerId) === digest && asNow.changes.length === 0 && !hasOtherServices(found.answered, asNow);
  // An order that could not reach the ERP helps nobody.
  const isSendable = sums.discountKopecks === 0 || read.facts.takesDiscounts;
  return isBinding && validUntil > now && isAsQuoted && !isUsedUp && isSendable;
}

function wantedOf({ fulfillment, paymentMethod, options, changeFrom }: CheckoutQuestion, cart: StoredCart): Wanted {
  const changeFromKopecks = changeFrom == null ? null : kopecksOf(changeFrom);
  if (changeFrom != null && changeFromKopecks === null)
    throw invalidField('changeFrom', 'invalid', 'must have at most two decimals');
  return {
    type: fulfillment.type,
    slotId: fulfillment.slotId,
    pickupOrganizationId: fulfillment.organizationId?.toLowerCase() ?? null,
    addressId: addressOf(fulfillment),
    paymentMethod,
    leaveAtDoor: options?.leaveAtDoor ?? (fulfillment.type === 'DELIVERY' && cart.options.leaveAtDoor),
    changeFromKopecks,
  };
}

/** The cart with the wish of this order about the door. */
const withDoor = (cart: StoredCart, { leaveAtDoor }: Wanted): StoredCart => ({
  ...cart,
  options: { ...cart.options, leaveAtDoor },
});

/** What is judged by, with the way in which the guest gets the order. */
const typed = ({ facts }: CartReading, { type }: Wanted) => ({ ...facts, fulfillmentType: type });

/** The promocode of a cart as a change when its conditions are not met; that it gives way to a better discount is no such condition. */
function unmetPromocodes({ discounts }: EvaluatedCart): ServerChange[] {
  return discounts.flatMap(({ isByPromocode, code, reason }) =>
    !isByPromocode || reason === null || reason === 'NOT_COMBINABLE'
      ? []
      : [{ action: 'PROMOCODE_REMOVED', promocode: code, reason }],
  );
}

/** The cart without its promocode, and what it is judged by then. */
function withoutPromocode(cart: StoredCart, reading: CartReading): [StoredCart, CartReading] {
  const discounts = reading.facts.discounts.flatMap((each) => {
    if (!each.isByPromocode) return [each];
    return each.codeWithout === null ? [] : [{ ...each, code: each.codeWithout, isByPromocode: false }];
  });
  return [
    { ...cart, promocode: null },
    { ...reading, facts: { ...reading.facts, discounts } },
  ];
}

function cartFacts({ version, promocode, changes }: StoredCart, evaluated: EvaluatedCart): GateFacts['cart'] {
  return {
    version,
    lineCount: evaluated.lines.length,
    changes: changes.filter(isOfContent),
    brokenLimits: evaluated.lines.flatMap(({ lineId, brokenLimits }) =>
      brokenLimits.map((each) => ({ ...each, lineId })),
    ),
    priceChanges: evaluated.lines
      .filter((line) => line.priceChanged)
      .map(({ lineId, seenPriceKopecks, unitPriceKopecks }) => ({
        lineId,
        beforeKopecks: seenPriceKopecks ?? unitPriceKopecks,
        afterKopecks: unitPriceKopecks,
      })),
    areServiceItemsChanged: changes.some(({ action }) => action === 'SERVICE_ITEMS_CHANGED'),
    promocodes: [
      ...(promocode === null ? [] : [{ code: promocode, reason: null }]),
      ...changes.flatMap((each) =>
        each.action === 'PROMOCODE_REMOVED' ? [{ code: each.promocode, reason: each.reason }] : [],
      ),
    ],
    subtotalKopecks: evaluated.subtotalKopecks,
    toPayKopecks: evaluated.totalKopecks,
  };
}
