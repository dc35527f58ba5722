import { randomUUID } from 'node:crypto';
import type { CheckoutVerdict } from './schemas/cart.ts';
import type { NewOrder, PlacedOrder } from './schemas/orders.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { erpText } from '../../kernel/pure/erp-text.ts';
import { findingsOf, judgeOrder } from './rules/gate.ts';
import { normalPhone } from '../access/rules/phone.ts';
import { differencesOf, sumsOf, termsOf, type QuoteDifference } from './rules/quote.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Sql, Tx } from '../../platform/db/database.ts';
import { once, type Idempotency } from '../../kernel/idempotency.ts';
import { readAddress, type AddressDeps } from '../delivery/addresses/kept-addresses.ts';
import { momentText } from './cart-view.ts';
import { inOneState, NO_CART, type CartDeps } from './carts.ts';
import { addressOf, placeOfCheckout, unlessNotFound } from './checkout-place.ts';
import { examine, type Caller, type Examined } from './examine.ts';
import { checkoutVerdict, preflight } from './preflight.ts';
import { findQuote, isQuoted, type Quote } from './quotes.ts';
import { writeOrder, type Orderer } from './write-order.ts';

export type OrderDeps = CartDeps & AddressDeps & { metrics: Pick<Metrics, 'ordersAccepted' | 'checkoutsBlocked'> };

/** Characters of a name. */
const LONGEST_NAME = 60;

/** What is answered instead of an order: every reason, the gate of this moment, and what differs from the quote that was named. */
export type Refusal = { reasons: readonly string[]; preflight: CheckoutVerdict; differences: QuoteDifference[] | null };

/** The order is another one than the guest has seen, or something speaks against it. */
class NotAsSeen extends Error {
  readonly codes: readonly string[];
  readonly differences: QuoteDifference[] | null;
  /** What the refusal tells; null when it has to be found out anew, because what was found does not stay. */
  readonly examined: Examined | null;
  constructor(codes: readonly string[], differences: QuoteDifference[] | null, examined: Examined | null) {
    super('The order is not what the guest has seen');
    this.codes = codes;
    this.differences = differences;
    this.examined = examined;
  }
}

/**
 * Makes an order of a cart (rules ORD-34 to ORD-37): every check of preflight is made again in the transaction that writes the order, and nothing
 * is accepted that the guest has not seen. The order is a row afterwards, and the cart is gone; the ERP is told later. The same key
 * and request again give the same order. Returns a refusal when the gate, the version of the cart or the quote speak against it.
 * Problems: not-found, cart-already-ordered, validation, idempotency-key-reused, idempotency-in-flight.
 */
export async function placeOrder(
  deps: OrderDeps,
  caller: Caller,
  posted: NewOrder,
  idempotency: Idempotency,
  now: Date,
): Promise<{ order: PlacedOrder } | { refusal: Refusal }> {
  const { customer, comment, quoteId, ...question } = posted;
  const phone = phoneOf(customer.phone, caller.verifiedPhone);
  const name = erpText(customer.name, LONGEST_NAME);
  if (name === '') throw invalidField('customer.name', 'required', 'The restaurant needs a name to call.');
  const place = await placeOfCheckout(deps, caller.customerId, question);
  let isNew = false;
  const make = (tx: Tx): Promise<PlacedOrder> =>
    once(tx, idempotency, async () => {
      isNew = true;
      const quote = quoteId == null ? null : ((await findQuote(tx, question.cartId, quoteId)) ?? null);
      const examined = await unlessNotFound(examine(tx, deps, caller, question, place, now, quote));
      if (examined === null) throw await withoutCart(tx, question.cartId);
      await requireAsSeen(tx, examined, { cartVersion: question.cartVersion, quoteId: quoteId ?? null, quote });
      const address = await addressToSend(tx, deps, caller.customerId, question);
      const orderer = { customer: { name, phone }, address, comment: comment ?? null };
      return acceptOrder(tx, deps, examined, orderer, now);
    });
  try {
    const result = await inOneState(deps, async (tx) => {
      isNew = false;
      try {
        return { order: await make(tx) };
      } catch (error) {
        if (!(error instanceof NotAsSeen) || error.examined === null) throw error;
        // What was taken out of the cart stays out, so that the next request is about what the guest sees now.
        return { refused: error, preflight: await checkoutVerdict(tx, error.examined, now) };
      }
    });
    if (result.refused !== undefined) return refusal(deps, result.refused, result.preflight);
    // The first answer again is no other order.
    if (isNew) deps.metrics.ordersAccepted.inc({ fulfillment: question.fulfillment.type });
    return result;
  } catch (error) {
    if (!(error instanceof NotAsSeen)) throw error;
    return refusal(deps, error, await preflight(deps, caller, question, now));
  }
}

function refusal(
  { metrics }: OrderDeps,
  { codes, differences }: NotAsSeen,
  verdict: CheckoutVerdict,
): { refusal: Refusal } {
  for (const code of codes) metrics.checkoutsBlocked.inc({ code });
  return { refusal: { reasons: codes, preflight: verdict, differences } };
}

/** The phone of an order. Whoever has one that the provider vouches for may leave it out. */
function phoneOf(typed: string | undefined, verified: string | null): string {
  if (typed === undefined) {
    if (verified !== null) return verified;
    throw invalidField('customer.phone', 'required', 'The restaurant needs a phone to call.');
  }
  const phone = normalPhone(typed);
  if (phone === null)
    throw invalidField('customer.phone', 'format', 'must be a phone with its country: +7 999 000 11 22');
  return phone;
}

/** Why there is no cart. It becomes one order, which ends it: another key for the same cart is told which. */
async function withoutCart({ db }: Sql, cartId: string): Promise<Problem> {
  const order = await db.selectFrom('customer_order').select('id').where('cartId', '=', cartId).executeTakeFirst();
  return order === undefined
    ? new Problem('not-found', { detail: NO_CART })
    : new Problem('cart-already-ordered', { extra: { orderId: order.id } });
}

type Seen = { cartVersion: number | undefined; quoteId: string | null; quote: Quote | null };

/** Throws unless the gate lets the order pass as it is, and it is what the guest has seen: this version of the cart, this quote. */
async function requireAsSeen(tx: Sql, examined: Examined, { cartVersion, quoteId, quote }: Seen): Promise<void> {
  const { found, cart, honoured, evaluated, facts } = examined;
  const results = judgeOrder(facts);
  const codes = [...findingsOf(results, 'blocker'), ...findingsOf(results, 'adjustment')].map(({ code }) => code);
  const seen =
    honoured === null || cartVersion !== honoured.cartVersion ? (cartVersion ?? found.version) : cart.version;
  if (seen !== cart.version) codes.push('CART_VERSION');
  const differences =
    quoteId === null || honoured !== null ? null : differencesFrom(quote, quoteId, { evaluated, cart, facts });
  const areAnswered =
    differences === null ? honoured !== null || (await wereAnswered(tx, examined)) : differences.length === 0;
  if (!areAnswered) codes.push('QUOTE');
  // A refusal is no reason to promise the sums of a quote for longer: those are looked at anew.
  if (codes.length > 0) throw new NotAsSeen(codes, differences, honoured === null ? examined : null);
}

/**
 * True when the guest was answered these sums: by the cart, which knows neither the way to get the order nor its slot, or by a preflight for
 * these terms, whether it still holds or not.
 */
async function wereAnswered(tx: Sql, examined: Examined): Promise<boolean> {
  return examined.answeredKopecks === examined.evaluated.totalKopecks || isQuoted(tx, examined);
}

function differencesFrom(
  quote: Quote | null,
  quoteId: string,
  { evaluated, cart, facts }: Pick<Examined, 'evaluated' | 'cart' | 'facts'>,
): QuoteDifference[] {
  if (quote === null) return [{ field: 'quoteId', quoted: quoteId, now: null }];
  return differencesOf(quote, { terms: termsOf(evaluated, cart, facts), sums: sumsOf(evaluated) });
}

/** The address of an order as the restaurant is told it; null when the guest fetches the order. */
async function addressToSend(
  tx: Sql,
  deps: CartDeps,
  customerId: string | null,
  { cartId, fulfillment }: Pick<NewOrder, 'cartId' | 'fulfillment'>,
): Promise<Orderer['address']> {
  const addressId = addressOf(fulfillment);
  if (addressId === null) return null;
  const owners = { cartId: cartId.toLowerCase(), customerId };
  const found = await unlessNotFound(readAddress(tx, deps, owners, addressId));
  // It was there before the transaction began: it was erased meanwhile.
  if (found === null) throw new NotAsSeen(['ADDRESS_REQUIRED'], null, null);
  const { parts, coords } = found;
  const { city, street, house } = parts;
  if (city === null || street === null || house === null)
    throw new Error('The gate let a place pass that has no words');
  return { ...parts, city, street, house, coords };
}

async function acceptOrder(
  tx: Sql,
  deps: CartDeps,
  examined: Examined,
  orderer: Orderer,
  now: Date,
): Promise<PlacedOrder> {
  const { evaluated, eta, reading } = examined;
  const orderId = randomUUID();
  const number = await writeOrder(tx, deps, { orderId, examined, orderer, now });
  if (number === null) throw new NotAsSeen(['QUOTE'], null, null);
  const { timeZone } = reading.facts;
  return {
    orderId,
    number,
    status: 'ACCEPTED',
    total: evaluated.totalKopecks,
    eta: { minutes: eta.minutes, at: momentText(eta.at, timeZone) },
    createdAt: momentText(now.getTime(), timeZone),
  };
}
