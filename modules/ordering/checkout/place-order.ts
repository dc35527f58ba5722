import { randomUUID } from 'node:crypto';
import type { CheckoutQuestion, CheckoutVerdict } from '../schemas/cart.ts';
import type { NewOrder, PlacedOrder } from '../schemas/orders.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { erpText } from '../../../kernel/pure/erp-text.ts';
import { listFindings } from '../rules/gate.ts';
import type { ReachedLimit } from '../rules/order-limits.ts';
import { readPersonal } from '../../access/customers/personal-data.ts';
import type { OrderPersonal } from '../orders/order-personal.ts';
import { typedPhone, type TypedPhone } from '../../access/rules/phone.ts';
import { findDifferences, pickSums, toQuotedTerms, type QuoteDifference } from '../rules/quote.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import { answerRow, findAnswer, type Idempotency } from '../../../kernel/idempotency.ts';
import {
  isAddressKept,
  type AddressDeps,
  type KeptAddress,
} from '../../delivery/addresses/kept-addresses.ts';
import { momentText } from '../../delivery/rules/schedule.ts';
import { NO_CART, type CartDeps } from '../cart/carts.ts';
import { placeOfCheckout, type CheckoutPlace } from './checkout-place.ts';
import { decideCheckout, type Checkout } from './decide-checkout.ts';
import { readCheckout, type Caller } from './read-checkout.ts';
import { inOneState, Undone } from '../cart/in-one-state.ts';
import { claimOrder, toOrigin, releaseClaims, type OrderingCaller } from './order-limits.ts';
import { checkoutVerdict, preflight } from './preflight.ts';
import { isQuoted, type Quote } from './quotes.ts';
import { intakeClosed, keepIntake, requireOpenIntake } from '../orders/intake.ts';
import { settleCart } from '../cart/settle-cart.ts';
import { newNumber, writeOrder, type Orderer } from './write-order.ts';

export type OrderDeps = CartDeps &
  AddressDeps & { metrics: Pick<Metrics, 'ordersAccepted' | 'checkoutsBlocked'> };

const LONGEST_NAME = 60;

export type Refusal = {
  reasons: readonly string[];
  preflight: CheckoutVerdict;
  differences: QuoteDifference[] | null;
};

type Outcome =
  | { order: PlacedOrder; isNew: boolean }
  | { refusal: Refusal; organizationId: string }
  | { isDiscountUsedUp: true; organizationId: string };

/**
 * Creates an order and deletes its cart (rules ORD-34 to ORD-37). Repeats preflight in the
 * transaction. Returns a rejection if preflight, the cart version or the quote fails. Problems:
 * not-found, cart-already-ordered, validation, idempotency-key-reused, idempotency-in-flight.
 */
export async function placeOrder(
  deps: OrderDeps,
  caller: OrderingCaller & { name: string | null },
  posted: NewOrder,
  idempotency: Idempotency,
  now: Date,
): Promise<{ order: PlacedOrder } | { refusal: Refusal }> {
  const { customer = {}, comment = null, quoteId = null, ...question } = posted;
  const { number: phone, extension } = choosePhone(customer.phone, caller.verifiedPhone);
  const name = erpText(customer.name ?? (await knownName(deps, caller)), LONGEST_NAME);
  if (name === '')
    throw invalidField('customer.name', 'required', 'The restaurant needs a name to call.');
  const place = await placeOfCheckout(deps, caller.customerId, question);
  const buyer = { name, phone, ...(extension === null ? {} : { phoneExtension: extension }) };
  const submission: Wanted = { question, comment, quoteId, buyer, place };
  const orderId = randomUUID();
  const reachedLimits = await claimOrder(deps, {
    ...toOrigin(caller, { place, phone }),
    cartId: question.cartId,
    orderId,
  });

  const outcome = await keepingClaims(deps, orderId, () =>
    writeUnlessRefused(deps, caller, { ...submission, orderId, reachedLimits }, idempotency, now),
  );

  if ('order' in outcome) {
    if (outcome.isNew) deps.metrics.ordersAccepted.inc({ fulfillment: question.fulfillment.type });
    return { order: outcome.order };
  }

  const refusal =
    'refusal' in outcome
      ? outcome.refusal
      : {
          reasons: ['QUOTE'],
          preflight: await preflight(deps, caller, question, now),
          differences: null,
        };

  for (const code of refusal.reasons)
    deps.metrics.checkoutsBlocked.inc({ code, organization: outcome.organizationId });

  return { refusal };
}

type Wanted = {
  question: CheckoutQuestion;
  comment: string | null;
  quoteId: string | null;
  buyer: Orderer['customer'];
  place: CheckoutPlace | null;
};

type Claimed = { orderId: string; reachedLimits: readonly ReachedLimit[] };

/** Releases the reservations unless `work` places the order. */
async function keepingClaims(
  deps: OrderDeps,
  orderId: string,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  let outcome: Outcome;

  try {
    outcome = await work();
  } catch (error) {
    // Reservations expire after a minute.
    await Promise.allSettled([releaseClaims(deps.db.prepared, orderId)]);
    throw error;
  }

  if (!('order' in outcome) || outcome.order.orderId !== orderId)
    await releaseClaims(deps.db.prepared, orderId);

  return outcome;
}

async function writeUnlessRefused(
  deps: OrderDeps,
  caller: Caller,
  submission: Wanted & Claimed,
  idempotency: Idempotency,
  now: Date,
): Promise<Outcome> {
  const { question, quoteId, place, reachedLimits } = submission;
  const readLimits = () => Promise.resolve(reachedLimits);
  const request = { caller, question, quoteId, place: place?.served ?? null, readLimits, now };

  return inOneState<Outcome>(deps, async (tx) => {
    await keepIntake(tx);
    const earlier = await findAnswer<PlacedOrder>(tx, idempotency);
    if (earlier !== null) return { order: earlier.answer, isNew: false };

    const read = await readCheckout(tx, deps, request);
    if (read === null) {
      await requireOpenIntake(tx);
      throw await withoutCart(tx, question.cartId);
    }

    if (read.isIntakeClosed) throw intakeClosed();

    const checkout = decideCheckout(read);
    const { reasons, differences } = await reasonsAgainst(
      tx,
      checkout,
      question.cartVersion,
      quoteId,
    );
    if (reasons.length > 0) return refuse(tx, deps, checkout, { reasons, differences }, now);

    const owners = { cartId: question.cartId.toLowerCase(), customerId: caller.customerId };
    if (place !== null && !(await isAddressKept(tx, owners, place.address.id))) {
      // The address was erased after this request read it.
      const without = await readCheckout(tx, deps, { ...request, place: null, quoteId: null });
      const lacking = { reasons: ['ADDRESS_REQUIRED'], differences: null };
      return refuse(tx, deps, decideCheckout(without ?? read), lacking, now);
    }

    return accept(tx, deps, checkout, submission, { idempotency, now });
  });
}

/** Rolls back if a quoted discount has been used up. */
async function accept(
  tx: Tx,
  deps: OrderDeps,
  checkout: Checkout,
  { orderId, buyer, comment, place }: Wanted & Claimed,
  { idempotency, now }: { idempotency: Idempotency; now: Date },
): Promise<Outcome | Undone<Outcome>> {
  const address = place === null ? null : addressToSend(place.address);
  const orderer = { customer: buyer, address, comment };
  const order = placedOrder(orderId, checkout, now);
  const answer = answerRow(idempotency, order);

  const isWritten = await writeOrder(tx, deps, { ...order, checkout, orderer, answer, now });
  const organizationId = checkout.facts.organization.id;

  return isWritten
    ? { order, isNew: true }
    : new Undone({ isDiscountUsedUp: true, organizationId });
}

/** Stores removals, so that the next request sees the current cart. */
async function refuse(
  tx: Tx,
  deps: OrderDeps,
  checkout: Checkout,
  why: Omit<Refusal, 'preflight'>,
  now: Date,
): Promise<Outcome> {
  // A rejection must not extend a quote.
  const fresh = checkout.withoutQuote();
  await settleCart(tx, deps, fresh.stored, fresh.cart);

  const refusal = { ...why, preflight: await checkoutVerdict(tx, fresh, now) };
  return { refusal, organizationId: checkout.facts.organization.id };
}

function choosePhone(typed: string | undefined, verified: string | null): TypedPhone {
  if (typed === undefined) {
    if (verified !== null) return { number: verified, extension: null };
    throw invalidField('customer.phone', 'required', 'The restaurant needs a phone to call.');
  }

  const phone = typedPhone(typed);
  if (phone === null)
    throw invalidField(
      'customer.phone',
      'format',
      'must be a phone with its country: +7 999 000 11 22',
    );

  return phone;
}

/**
 * Returns the name from the identity provider or the last order (rule ORD-107). Empty for guests.
 */
async function knownName(
  deps: OrderDeps,
  { name, customerId }: Caller & { name: string | null },
): Promise<string> {
  if (name !== null && erpText(name, LONGEST_NAME) !== '') return name;
  if (customerId === null) return '';
  const last = await deps.db.db
    .selectFrom('customer_order')
    .select('personalDataId')
    .where('customerId', '=', customerId)
    .where('personalDataId', 'is not', null)
    .orderBy('acceptedAt', 'desc')
    .limit(1)
    .executeTakeFirst();

  const ids = [last?.personalDataId].filter((id) => id != null);
  const [personal] = (await readPersonal<OrderPersonal>(deps.db, deps, ids)).values();

  return personal?.customer.name ?? '';
}

/** With another idempotency key, the problem contains the id of the order made from the cart. */
async function withoutCart({ db }: Sql, cartId: string): Promise<Problem> {
  const order = await db
    .selectFrom('customer_order')
    .select('id')
    .where('cartId', '=', cartId)
    .executeTakeFirst();

  return order === undefined
    ? new Problem('not-found', { detail: NO_CART })
    : new Problem('cart-already-ordered', { extra: { orderId: order.id } });
}

/**
 * Returns codes of checkout rules, and `CART_VERSION` or `QUOTE` if the guest has not seen this
 * version or these totals.
 */
async function reasonsAgainst(
  tx: Sql,
  checkout: Checkout,
  cartVersion: number | undefined,
  quoteId: string | null,
): Promise<Omit<Refusal, 'preflight'>> {
  const { stored, cart, honored, findings, quote } = checkout;
  const reasons: string[] = [
    ...listFindings(findings, 'blocker'),
    ...listFindings(findings, 'adjustment'),
  ].map(({ code }) => code);

  const seen =
    honored !== null && cartVersion === honored.cartVersion
      ? cart.version
      : (cartVersion ?? stored.version);
  if (seen !== cart.version) reasons.push('CART_VERSION');

  const differences =
    quoteId === null || honored !== null ? null : differencesFrom(quote, quoteId, checkout);
  const areTotalsSeen =
    differences === null
      ? honored !== null || (await wereAnswered(tx, checkout))
      : differences.length === 0;
  if (!areTotalsSeen) reasons.push('QUOTE');

  return { reasons, differences };
}

/**
 * True if the guest has seen the totals in the cart or a preflight, even if the quote has expired.
 */
async function wereAnswered(tx: Sql, checkout: Checkout): Promise<boolean> {
  return checkout.answeredKopecks === checkout.evaluated.totalKopecks || isQuoted(tx, checkout);
}

function differencesFrom(
  quote: Quote | null,
  quoteId: string,
  { evaluated, cart, facts }: Pick<Checkout, 'evaluated' | 'cart' | 'facts'>,
): QuoteDifference[] {
  if (quote === null) return [{ field: 'quoteId', quoted: quoteId, now: null }];
  return findDifferences(quote, {
    terms: toQuotedTerms(evaluated, cart, facts),
    sums: pickSums(evaluated),
  });
}

function addressToSend({ parts, coords }: KeptAddress): NonNullable<Orderer['address']> {
  const { city, street, house } = parts;
  if (city === null || street === null || house === null)
    throw new Error('The gate accepted a place without an address');
  return { ...parts, city, street, house, coords };
}

function placedOrder(
  orderId: string,
  { evaluated, eta, reading }: Checkout,
  now: Date,
): PlacedOrder {
  const { timeZone } = reading.facts;
  return {
    orderId,
    number: newNumber(),
    status: 'ACCEPTED',
    total: evaluated.totalKopecks,
    eta: { minutes: eta.minutes, at: momentText(eta.at, timeZone) },
    createdAt: momentText(now.getTime(), timeZone),
  };
}
