import { isOfContent, type EvaluatedCart, type ServerChange } from '../rules/cart-facts.ts';
import { freeAmount } from '../rules/evaluate-cart.ts';
import { evaluateAsAnswered, evaluateAsOrdered } from '../rules/evaluate-as-ordered.ts';
import type { DiscountReason } from '../rules/discounts.ts';
import { judgeOrder, type RuleResult } from '../rules/gate.ts';
import type { GateFacts } from '../rules/gate-facts.ts';
import { allAvailableFrom, linesOutsideHours } from '../rules/line-hours.ts';
import { toQuotedTerms } from '../rules/quote.ts';
import type { StoredCart } from '../cart/cart-row.ts';
import { termsDigest, type Quote } from './quotes.ts';
import type { CartReading } from '../cart/read-cart-facts.ts';
import type { CheckoutReading } from './read-checkout.ts';
import { paymentFacts, type Eta, type TimeReading } from './read-gate-facts.ts';
import { evaluatedCart, hasOtherServices } from '../rules/answered-cart.ts';
import { isTerminalAlive } from '../cart/terminal-alive.ts';

type OrderableCart = {
  /** The cart to store, without unavailable content. */
  cart: StoredCart;
  evaluated: EvaluatedCart;
  reading: CartReading;
  /** Total without fulfillment type and slot. Null while a quote is honored. */
  answeredKopecks: number | null;
};

export type Checkout = OrderableCart &
  Pick<CheckoutReading, 'stored' | 'buyerId' | 'quote' | 'isIntakeClosed'> & {
    /** Null without a quote that is still valid. */
    honored: Quote | null;
    facts: GateFacts;
    findings: readonly RuleResult[];
    eta: Eta;
    withoutQuote: () => Checkout;
  };

/** Decides a checkout (rule ORD-19). Pure. */
export function decideCheckout(read: CheckoutReading): Checkout {
  return decide(read, read.quote);
}

function decide(read: CheckoutReading, quote: Quote | null): Checkout {
  const { stored, buyerId, time, isIntakeClosed } = read;
  const evaluated = evaluateAsOrdered(read.cart, read.reading.facts, read.wanted);
  const honored = quote !== null && isOwed(quote, read, evaluated) ? quote : null;
  const orderable =
    honored === null ? withoutUnorderable(read, evaluated) : asQuoted(read, evaluated, honored);
  const facts = gateFacts(read, orderable);

  const checkout: Checkout = {
    ...orderable,
    stored,
    buyerId,
    quote: read.quote,
    isIntakeClosed,
    honored,
    facts,
    findings: judgeOrder(facts),
    eta: time.eta,
    withoutQuote: () => (honored === null ? checkout : decide(read, null)),
  };

  return checkout;
}

const asQuoted = (
  { cart, reading }: CheckoutReading,
  evaluated: EvaluatedCart,
  { sums }: Quote,
): OrderableCart => ({
  cart,
  evaluated: { ...evaluated, ...sums },
  reading,
  answeredKopecks: null,
});

function withoutUnorderable(
  { wanted, now, ...read }: CheckoutReading,
  evaluated: EvaluatedCart,
): OrderableCart {
  const changes = unmetPromocodes(evaluated);
  const isUnmet = changes.length > 0;
  const [changed, reading] = isUnmet
    ? withoutPromocode(read.cart, read.reading)
    : [read.cart, read.reading];
  const ordered = isUnmet ? evaluateAsOrdered(changed, reading.facts, wanted) : evaluated;
  const answered = evaluateAsAnswered(changed, reading.facts, wanted, ordered);
  const cart = evaluatedCart(changed, answered, { now, isPosted: false, changes });

  return { cart, reading, evaluated: ordered, answeredKopecks: answered.totalKopecks };
}

function gateFacts(
  { stored, wanted, buyerId, time, reachedLimits }: CheckoutReading,
  { cart, evaluated, reading }: OrderableCart,
): GateFacts {
  const { organization } = reading;
  const terminal = time.delivery?.terminalGroupErpId ?? null;

  return {
    wanted,
    organization: {
      id: organization.erpId,
      isServed: reading.facts.isServed,
      isErpEnabled: organization.isErpEnabled,
      isTerminalAlive: isTerminalAlive(organization.knownTerminals, terminal),
    },
    cart: { ...cartFacts(cart, evaluated), outsideHours: hoursFacts(evaluated, reading, time) },
    buyer: {
      isSignedIn: buyerId !== null,
      guestSumKopecks: organization.guestSumKopecks,
      reachedLimits,
    },
    address: time.address,
    time: time.time,
    paymentMethods: paymentFacts(time.paymentMethods, {
      organizationId: stored.organizationId,
      type: wanted.type,
      names: organization.erpNames,
    }),
    gifts: { undecided: evaluated.gifts.undecided, unavailable: evaluated.gifts.unavailable },
  };
}

/** Reasons that apply even with a quote. */
const USED_UP: readonly (DiscountReason | null)[] = ['ALREADY_USED', 'LIMIT_REACHED'];

/** Rule ORD-36. */
function isOwed(
  { isBinding, validUntil, digest, sums }: Quote,
  { cart, reading, wanted, now, buyerId }: CheckoutReading,
  evaluated: EvaluatedCart,
): boolean {
  const terms = toQuotedTerms(evaluated, cart, {
    wanted,
    organization: { id: reading.organization.erpId },
  });

  const isUsedUp = sums.discounts.some(
    ({ discountId, reason }) =>
      reason === null &&
      evaluated.discounts.some(
        (discount) => discount.discountId === discountId && USED_UP.includes(discount.reason),
      ),
  );

  const isAsQuoted =
    termsDigest(terms, buyerId) === digest &&
    evaluated.changes.length === 0 &&
    !hasOtherServices(cart.answered, evaluated);

  // Otherwise the ERP would reject the order.
  const isSendable = reading.facts.takesDiscounts || sums.discountKopecks === freeAmount(evaluated);

  return isBinding && validUntil > now && isAsQuoted && !isUsedUp && isSendable;
}

/** Omits promo codes that a better discount has replaced. */
function unmetPromocodes({ discounts }: EvaluatedCart): ServerChange[] {
  return discounts.flatMap(({ isByPromocode, code, reason }) =>
    !isByPromocode || reason === null || reason === 'NOT_COMBINABLE'
      ? []
      : [{ action: 'PROMOCODE_REMOVED', promocode: code, reason }],
  );
}

function withoutPromocode(cart: StoredCart, reading: CartReading): [StoredCart, CartReading] {
  const discounts = reading.facts.discounts.flatMap((discount) => {
    if (!discount.isByPromocode) return [discount];
    return discount.codeWithout === null
      ? []
      : [{ ...discount, code: discount.codeWithout, isByPromocode: false }];
  });

  return [
    { ...cart, promocode: null },
    { ...reading, facts: { ...reading.facts, discounts } },
  ];
}

/** Rule ORD-157. */
function hoursFacts(
  { lines }: EvaluatedCart,
  { facts }: CartReading,
  { orderedFor, slots }: TimeReading,
): NonNullable<GateFacts['cart']['outsideHours']> {
  const items = linesOutsideHours(lines, facts, orderedFor);
  if (items.length === 0) return { items, availableFrom: null, slotId: null };
  const fitting = slots.filter(
    ({ startsAt }) => linesOutsideHours(lines, facts, startsAt).length === 0,
  );
  const slot = fitting.find(({ startsAt }) => startsAt >= orderedFor) ?? fitting[0];

  return {
    items,
    availableFrom: allAvailableFrom(lines, facts, orderedFor),
    slotId: slot?.id ?? null,
  };
}

function cartFacts(
  { version, promocode, changes }: StoredCart,
  evaluated: EvaluatedCart,
): GateFacts['cart'] {
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
        change.action === 'PROMOCODE_REMOVED'
          ? [{ code: change.promocode, reason: change.reason }]
          : [],
      ),
    ],
    subtotalKopecks: evaluated.subtotalKopecks,
    toPayKopecks: evaluated.totalKopecks,
  };
}
