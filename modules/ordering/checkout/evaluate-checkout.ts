import type { CheckoutQuestion } from '../schemas/cart.ts';
import type { OrderLimits } from '../../settings/schemas/settings.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { kopecksOf } from '../../../kernel/pure/money.ts';
import { isOfContent, type EvaluatedCart, type ServerChange } from '../rules/cart-facts.ts';
import { freeAmount } from '../rules/evaluate-cart.ts';
import { evaluateAsAnswered, evaluateAsOrdered } from '../rules/evaluate-as-ordered.ts';
import type { DiscountReason } from '../rules/discounts.ts';
import { judgeOrder, type RuleResult } from '../rules/gate.ts';
import type { GateFacts } from '../rules/gate-facts.ts';
import { allAvailableFrom, linesOutsideHours } from '../rules/line-hours.ts';
import type { ReachedLimit } from '../rules/order-limits.ts';
import { termsOf } from '../rules/quote.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { ServedPlace } from '../../delivery/zones/resolve-delivery.ts';
import { isTheirs } from '../cart/cart-access.ts';
import { withoutSeenChanges, type StoredCart } from '../cart/cart-row.ts';
import type { CartDeps } from '../cart/carts.ts';
import { addressOf } from './checkout-place.ts';
import { termsDigest, type Quote } from './quotes.ts';
import { buyerOf, readCartFacts, type CartReading } from '../cart/read-cart-facts.ts';
import { readCartAndOrganization } from '../cart/read-organization.ts';
import { paymentFacts, readTimeFacts, type Eta, type TimeReading, type Wanted } from './read-gate-facts.ts';
import { evaluatedCart, hasOtherServices } from '../rules/answered-cart.ts';
import { isTerminalAlive } from '../cart/terminal-alive.ts';

/**
 * The caller: the customer that a token proves, with a phone that its provider vouches for; null
 * where there is none.
 */
export type Caller = { customerId: string | null; verifiedPhone: string | null };

/** Reads the limits that one more order would exceed; `order_limits` is passed. */
type ReadLimits = (
  tx: Sql,
  cart: { organizationId: number; orderLimits: OrderLimits },
) => Promise<readonly ReachedLimit[]>;

/** Everything that a checkout is decided by, read in one state of the database. */
type CheckoutReading = {
  /** The cart as it is stored. */
  stored: StoredCart;
  /** The same without the changes that the guest has accepted, and with the delivery of now. */
  found: StoredCart;
  wanted: Wanted;
  now: Date;
  /** The customer of the cart, or else the caller; null for a guest. */
  buyerId: string | null;
  time: TimeReading;
  read: CartReading;
  reachedLimits: readonly ReachedLimit[];
  /** The quote that the guest names, even if it has lapsed; null without one. */
  quote: Quote | null;
  /** True while the service is being restored. */
  isIntakeClosed: boolean;
};

/**
 * A cart as it would be ordered now, with everything that decides about the order. Nothing of it is
 * written.
 */
export type Checkout = Pick<CheckoutReading, 'stored' | 'buyerId' | 'quote' | 'isIntakeClosed'> & {
  /** The cart as it must be stored (`settleCart`): without unavailable content. */
  cart: StoredCart;
  /** The quote being honored, or null if none was given or it has lapsed. */
  honored: Quote | null;
  evaluated: EvaluatedCart;
  /**
   * Total that the cart answers by itself, without the order's fulfillment type and slot; null
   * while a quote is honored.
   */
  answeredKopecks: number | null;
  facts: GateFacts;
  findings: readonly RuleResult[];
  eta: Eta;
  reading: CartReading;
  /** The same checkout as it is without the quote. */
  withoutQuote: () => Checkout;
};

/**
 * Evaluates a requested order, for both preflight and orders (rule ORD-19). Reads and decides;
 * `settleCart` writes the changes of the cart. Call it in a REPEATABLE READ transaction. `place` is
 * the destination of the delivery (`placeOfCheckout`): an address without one is not chosen (rule
 * ORD-76). Returns null if the caller has no such cart.
 */
export async function evaluateCheckout(
  tx: Sql,
  deps: CartDeps,
  { customerId: callerId, verifiedPhone }: Caller,
  question: CheckoutQuestion,
  { place, readLimits }: { place: ServedPlace | null; readLimits: ReadLimits },
  now: Date,
  quoteId: string | null = null,
): Promise<Checkout | null> {
  const caller = buyerOf(deps, { customerId: callerId, verifiedPhone });
  const named = { quoteId: quoteId?.toLowerCase() ?? null };
  const found = await readCartAndOrganization(tx, deps, question.cartId, caller, named);
  // It may have been assigned to a customer or ordered since the access check.
  if (found === undefined || !isTheirs(found.stored.customerId, callerId)) return null;
  const { stored, organization, quote, isIntakeClosed } = found;
  const wanted = wantedOf(question, stored);
  const { organizationId } = stored;
  const buyerId = stored.customerId ?? callerId;
  const at = now.getTime();
  const productIds = stored.lines.map((line) => line.productId);
  const { timeZone } = caller;
  const time = await readTimeFacts(tx, { organizationId, wanted, place, productIds, at, timeZone });
  const asOrdered = { ...withoutSeenChanges(stored, question.cartVersion ?? 0), delivery: time.delivery };
  const read = await readCartFacts(tx, deps, organization, asOrdered, { at, stored: asOrdered });
  const reachedLimits = await readLimits(tx, { organizationId, orderLimits: read.organization.orderLimits });
  const reading = { stored, found: asOrdered, wanted, now, buyerId, time, read, reachedLimits, quote, isIntakeClosed };
  return decide(reading, quote);
}

/** Decides about a checkout. Pure. */
function decide(given: CheckoutReading, quote: Quote | null): Checkout {
  const { stored, found, wanted, buyerId, time, read, reachedLimits } = given;
  const asNow = evaluateAsOrdered(found, read.facts, wanted);
  const honored = quote !== null && holds(quote, given, asNow) ? quote : null;
  const { cart, evaluated, reading, answeredKopecks } =
    honored === null
      ? withoutUnorderable(given, asNow)
      : { cart: found, evaluated: { ...asNow, ...honored.sums }, reading: read, answeredKopecks: null };
  const facts: GateFacts = {
    wanted,
    organization: {
      id: reading.organization.erpId,
      isServed: reading.facts.isServed,
      isErpEnabled: reading.organization.isErpEnabled,
      isTerminalAlive: isTerminalAlive(reading.organization.knownTerminals, time.delivery?.terminalGroupErpId ?? null),
    },
    cart: { ...cartFacts(cart, evaluated), outsideHours: hoursFacts(evaluated, reading, time) },
    buyer: {
      isSignedIn: buyerId !== null,
      guestSumKopecks: reading.organization.guestSumKopecks,
      reachedLimits,
    },
    address: time.address,
    time: time.time,
    paymentMethods: paymentFacts(time.paymentMethods, {
      organizationId: stored.organizationId,
      type: wanted.type,
      names: reading.organization.erpNames,
    }),
    gifts: { undecided: evaluated.gifts.undecided, unavailable: evaluated.gifts.unavailable },
  };
  const checkout: Checkout = {
    stored,
    quote: given.quote,
    isIntakeClosed: given.isIntakeClosed,
    cart,
    honored,
    evaluated,
    answeredKopecks,
    facts,
    findings: judgeOrder(facts),
    eta: time.eta,
    reading,
    buyerId,
    withoutQuote: () => (honored === null ? checkout : decide(given, null)),
  };
  return checkout;
}

/** Removes unavailable content, and a promo code with unmet conditions. */
function withoutUnorderable({ found, wanted, read, now }: CheckoutReading, asNow: EvaluatedCart) {
  const changes = unmetPromocodes(asNow);
  const [changed, reading] = changes.length === 0 ? [found, read] : withoutPromocode(found, read);
  const evaluated = changes.length === 0 ? asNow : evaluateAsOrdered(changed, reading.facts, wanted);
  const answered = evaluateAsAnswered(changed, reading.facts, wanted, evaluated);
  const cart = evaluatedCart(changed, answered, { now, isPosted: false, changes });
  return { cart, reading, evaluated, answeredKopecks: answered.totalKopecks };
}

/**
 * Conditions that apply even with a quote: a use that was consumed meanwhile cannot be granted
 * twice.
 */
const USED_UP: readonly (DiscountReason | null)[] = ['ALREADY_USED', 'LIMIT_REACHED'];

/**
 * True while the sums of a quote are owed: it has not expired, everything is as it was quoted, and
 * its discounts are not used up (rule ORD-36).
 */
function holds(
  { isBinding, validUntil, digest, sums }: Quote,
  { found, wanted, read, now, buyerId }: CheckoutReading,
  asNow: EvaluatedCart,
): boolean {
  const terms = termsOf(asNow, found, { wanted, organization: { id: read.organization.erpId } });
  const isUsedUp = sums.discounts.some(
    ({ discountId, reason }) =>
      reason === null &&
      asNow.discounts.some((discount) => discount.discountId === discountId && USED_UP.includes(discount.reason)),
  );
  const isAsQuoted =
    termsDigest(terms, buyerId) === digest && asNow.changes.length === 0 && !hasOtherServices(found.answered, asNow);
  // An order that cannot reach the ERP is useless.
  const isSendable = read.facts.takesDiscounts || sums.discountKopecks === freeAmount(asNow);
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

/**
 * The promocode of a cart as a change when its conditions are not met; that a better discount
 * replaces it is no such condition.
 */
function unmetPromocodes({ discounts }: EvaluatedCart): ServerChange[] {
  return discounts.flatMap(({ isByPromocode, code, reason }) =>
    !isByPromocode || reason === null || reason === 'NOT_COMBINABLE'
      ? []
      : [{ action: 'PROMOCODE_REMOVED', promocode: code, reason }],
  );
}

/** The cart without its promo code, and its facts then. */
function withoutPromocode(cart: StoredCart, reading: CartReading): [StoredCart, CartReading] {
  const discounts = reading.facts.discounts.flatMap((discount) => {
    if (!discount.isByPromocode) return [discount];
    return discount.codeWithout === null ? [] : [{ ...discount, code: discount.codeWithout, isByPromocode: false }];
  });
  return [
    { ...cart, promocode: null },
    { ...reading, facts: { ...reading.facts, discounts } },
  ];
}

/** The lines that are not sold at the time of the order, and when they are (rule ORD-157). */
function hoursFacts(
  { lines }: EvaluatedCart,
  { facts }: CartReading,
  { orderedFor, slots }: TimeReading,
): NonNullable<GateFacts['cart']['outsideHours']> {
  const items = linesOutsideHours(lines, facts, orderedFor);
  if (items.length === 0) return { items, availableFrom: null, slotId: null };
  const fitting = slots.filter(({ startsAt }) => linesOutsideHours(lines, facts, startsAt).length === 0);
  const slot = fitting.find(({ startsAt }) => startsAt >= orderedFor) ?? fitting[0];
  return { items, availableFrom: allAvailableFrom(lines, facts, orderedFor), slotId: slot?.id ?? null };
}

function cartFacts({ version, promocode, changes }: StoredCart, evaluated: EvaluatedCart): GateFacts['cart'] {
  return {
    version,
    lineCount: evaluated.lines.length,
    changes: changes.filter(isOfContent),
    brokenLimits: evaluated.lines.flatMap(({ lineId, brokenLimits }) =>
      brokenLimits.map((limit) => ({ ...limit, lineId })),
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
      ...changes.flatMap((change) =>
        change.action === 'PROMOCODE_REMOVED' ? [{ code: change.promocode, reason: change.reason }] : [],
      ),
    ],
    subtotalKopecks: evaluated.subtotalKopecks,
    toPayKopecks: evaluated.totalKopecks,
  };
}
