import type { CheckoutQuestion, CheckoutVerdict } from '../schemas/cart.ts';
import type { CartChange } from '../rules/cart-facts.ts';
import type { Finding } from '../rules/findings.ts';
import { listFindings } from '../rules/gate.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { CardKnowledge } from '../../gifts/cards/client-cards.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { AddressDeps } from '../../delivery/addresses/kept-addresses.ts';
import { ageOfGifts, NOT_READ } from '../cart/card-of-cart.ts';
import { momentText } from '../../delivery/rules/schedule.ts';
import { changeView, giftViews } from '../cart/cart-view.ts';
import { NO_CART, type CartDeps } from '../cart/carts.ts';
import { placeOfCheckout } from './checkout-place.ts';
import { decideCheckout, type Checkout } from './decide-checkout.ts';
import { readCheckout } from './read-checkout.ts';
import { inOneState } from '../cart/in-one-state.ts';
import { toOrigin, readReachedLimits, type OrderingCaller } from './order-limits.ts';
import { saveQuote, type Quote } from './quotes.ts';
import type { CartReading } from '../cart/read-cart-facts.ts';
import { settleCart } from '../cart/settle-cart.ts';

/**
 * Lists what prevents ordering (rules ORD-19 to ORD-24). Removes unavailable content and reports it
 * until the guest sends the new version (rules ORD-28, ORD-70). `card` is the state of the
 * customer's card. Problem `not-found`.
 */
export async function preflight(
  deps: CartDeps & AddressDeps,
  caller: OrderingCaller,
  question: CheckoutQuestion,
  now: Date,
  card: CardKnowledge = NOT_READ,
): Promise<CheckoutVerdict> {
  const place = await placeOfCheckout(deps, caller.customerId, question);
  const origin = toOrigin(caller, { place, phone: null });

  return inOneState(deps, async (tx) => {
    const read = await readCheckout(tx, deps, {
      caller,
      question,
      quoteId: null,
      place: place?.served ?? null,
      readLimits: (from, { organizationId, orderLimits }) =>
        readReachedLimits(from, deps, { ...origin, organizationId }, orderLimits),
      now,
    });
    if (read === null) throw new Problem('not-found', { detail: NO_CART });

    const checkout = decideCheckout(read);
    await settleCart(tx, deps, checkout.stored, checkout.cart);

    return {
      ...(await checkoutVerdict(tx, checkout, now)),
      ...ageOfGifts(card, checkout.reading.facts.timeZone),
    };
  });
}

/** Adds a quote if nothing blocks the order (rule ORD-35). */
export async function checkoutVerdict(
  tx: Sql,
  checkout: Checkout,
  now: Date,
): Promise<CheckoutVerdict> {
  const verdict = toVerdict(checkout);
  return verdict.canSubmit
    ? { ...verdict, quote: quoteView(await saveQuote(tx, checkout, now), checkout) }
    : verdict;
}

const quoteView = (
  { id, validUntil, isBinding, menuRevision }: Quote,
  { reading }: Checkout,
): CheckoutVerdict['quote'] => ({
  id,
  validUntil: momentText(validUntil.getTime(), reading.facts.timeZone),
  binding: isBinding,
  menuRevision,
});

function toVerdict({ facts, findings, evaluated, eta, reading }: Checkout): CheckoutVerdict {
  const findingViews = <F>(kind: 'blocker' | 'warning' | 'adjustment') =>
    listFindings(findings, kind).map((finding) => findingView(finding, reading) as F);
  const blockers = findingViews<CheckoutVerdict['blockers'][number]>('blocker');

  return {
    canSubmit: blockers.length === 0,
    cartVersion: facts.cart.version,
    total: {
      items: evaluated.subtotalKopecks,
      discount: evaluated.discountKopecks,
      delivery: evaluated.deliveryFeeKopecks,
      toPay: evaluated.totalKopecks,
    },
    eta: { minutes: eta.minutes, at: momentText(eta.at, reading.facts.timeZone) },
    blockers,
    warnings: findingViews('warning'),
    adjustments: findingViews('adjustment'),
    compensations: giftViews(evaluated, reading),
    quote: null,
  };
}

/** Fields converted from ms to local time with offset. */
const MOMENTS: readonly string[] = ['opensAt', 'closesAt', 'until', 'availableFrom'];

function findingView({ code, details, repair }: Finding, { texts, facts }: CartReading): unknown {
  const view = (name: string, value: unknown): unknown => {
    if (MOMENTS.includes(name) && typeof value === 'number')
      return momentText(value, facts.timeZone);
    if (name === 'items')
      return (value as readonly object[]).map((item) =>
        Object.fromEntries(
          Object.entries(item).map(([field, detail]) => [field, view(field, detail)]),
        ),
      );

    if (name === 'change') return changeView(texts, value as CartChange);
    if (name === 'changes')
      return (value as readonly CartChange[]).map((change) => changeView(texts, change));

    return value;
  };

  return {
    code,
    message: texts.gate[code],
    ...Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, view(name, value)]),
    ),
    ...(repair === undefined ? {} : { repair }),
  };
}
