import type { CheckoutQuestion, CheckoutVerdict } from '../../contracts/ordering.ts';
import { invalidField, Problem } from '../../contracts/problem.ts';
import { kopecksOf } from '../../domain/money.ts';
import { evaluateCart, type CartChange, type EvaluatedCart } from '../../domain/ordering/evaluate-cart.ts';
import { findingsOf, judgeOrder, type Told } from '../../domain/ordering/gate.ts';
import type { GateFacts } from '../../domain/ordering/gate-facts.ts';
import { answeredServices, findCart, type StoredCart } from './cart-row.ts';
import { changeView, momentText } from './cart-view.ts';
import { inOneState, NO_CART, settle, type CartDeps } from './carts.ts';
import { readCartFacts, type CartReading } from './read-cart-facts.ts';
import { categoriesOf, isErpEnabled, readTimeFacts, type Eta, type Wanted } from './read-gate-facts.ts';

/**
 * Says whether the cart could be ordered like this now, and everything that speaks against it (rules ORD-19 to ORD-24). What cannot be
 * sold and a promocode whose conditions are not met are taken out of the cart, so the next call is clean. Problem `not-found`.
 */
export function preflight(deps: CartDeps, question: CheckoutQuestion, now: Date): Promise<CheckoutVerdict> {
  const wanted = wantedOf(question);
  return inOneState(deps, async (tx) => {
    const stored = await findCart(tx, deps, { id: question.cartId });
    if (stored === undefined) throw new Problem('not-found', { detail: NO_CART });
    const asked = { at: now.getTime(), customerId: stored.customerId, timeZone: deps.env.SYNC_TIME_ZONE };
    const reading = await readCartFacts(tx, stored.organizationId, stored, asked);
    if (reading === null) throw new Error('A cart refers to an organization that does not exist');
    const typed = { ...reading.facts, fulfillmentType: wanted.type };
    const asSent = evaluateCart(withDoor(stored, wanted), typed);
    const promocode = unmetPromocode(asSent);

    const cart = promocode?.reason == null ? stored : { ...stored, promocode: null };
    const { settled } = await settle(tx, deps, cart, reading, { now, isPosted: cart !== stored });
    const evaluated = evaluateCart(withDoor(cart, wanted), typed);
    const time = await readTimeFacts(tx, {
      organizationId: stored.organizationId,
      wanted,
      categoryIds: await categoriesOf(
        tx,
        evaluated.lines.map((line) => line.productId),
      ),
      ...asked,
    });
    const facts: GateFacts = {
      wanted,
      organization: {
        id: reading.organization.erpId,
        isServed: reading.facts.isServed,
        isErpEnabled: await isErpEnabled(tx, stored.organizationId),
        isTerminalAlive: null,
      },
      cart: { ...cartFacts(stored, evaluated, asSent.changes), version: settled.version, promocode },
      address: null,
      time: time.time,
      paymentMethods: time.paymentMethods,
      gifts: { undecided: [], unavailable: [] },
    };
    return verdictOf(facts, evaluated, time.eta, reading);
  });
}

function wantedOf({ fulfillment, paymentMethod, options, changeFrom }: CheckoutQuestion): Wanted {
  const changeFromKopecks = changeFrom == null ? null : kopecksOf(changeFrom);
  if (changeFrom != null && changeFromKopecks === null)
    throw invalidField('changeFrom', 'invalid', 'must have at most two decimals');
  return {
    type: fulfillment.type,
    slotId: fulfillment.slotId,
    pickupOrganizationId: fulfillment.organizationId?.toLowerCase() ?? null,
    addressId: null,
    paymentMethod,
    leaveAtDoor: options?.leaveAtDoor ?? false,
    changeFromKopecks,
  };
}

/** The cart with the wish of this order about the door. */
const withDoor = (cart: StoredCart, { leaveAtDoor }: Wanted): StoredCart => ({
  ...cart,
  options: { ...cart.options, leaveAtDoor },
});

/** The promocode of a cart; a better discount that it gives way to is no unmet condition. */
function unmetPromocode({ discounts }: EvaluatedCart): GateFacts['cart']['promocode'] {
  const found = discounts.find((each) => each.isByPromocode);
  if (found === undefined) return null;
  return { code: found.code, reason: found.reason === 'NOT_COMBINABLE' ? null : found.reason };
}

function cartFacts(
  stored: StoredCart,
  evaluated: EvaluatedCart,
  changes: readonly CartChange[],
): Omit<GateFacts['cart'], 'version' | 'promocode'> {
  const door = ({ role }: { role: string }) => role !== 'LEAVE_AT_DOOR';
  const services = evaluated.serviceItems.filter(door).map(({ role, quantity }) => ({ role, quantity }));
  return {
    lineCount: evaluated.lines.length,
    changes,
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
    areServiceItemsChanged: JSON.stringify(services) !== JSON.stringify(answeredServices(stored.answered).filter(door)),
    subtotalKopecks: evaluated.subtotalKopecks,
    toPayKopecks: evaluated.totalKopecks,
  };
}

function verdictOf(facts: GateFacts, evaluated: EvaluatedCart, eta: Eta, reading: CartReading): CheckoutVerdict {
  const results = judgeOrder(facts);
  const told = (kind: 'blocker' | 'warning' | 'adjustment') =>
    findingsOf(results, kind).map((each) => findingView(each, reading));
  const blockers = told('blocker');
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
    warnings: told('warning'),
    adjustments: told('adjustment'),
    compensations: [],
  };
}

/** Details that are moments: milliseconds inside, texts with the offset of the organization outside. */
const MOMENTS: readonly string[] = ['opensAt', 'closesAt', 'until'];

function findingView(
  { code, details, repair }: Told,
  { texts, facts }: CartReading,
): CheckoutVerdict['blockers'][number] {
  const view = (name: string, value: unknown): unknown => {
    if (MOMENTS.includes(name) && typeof value === 'number') return momentText(value, facts.timeZone);
    if (name === 'change') return changeView(texts, value as CartChange);
    if (name === 'changes') return (value as readonly CartChange[]).map((change) => changeView(texts, change));
    return value;
  };
  return {
    code,
    message: texts.gate[code] ?? code,
    ...Object.fromEntries(Object.entries(details).map(([name, value]) => [name, view(name, value)])),
    ...(repair === undefined ? {} : { repair: repair as CheckoutVerdict['blockers'][number]['repair'] & object }),
  };
}
