import type { CheckoutQuestion, CheckoutVerdict } from '../../contracts/ordering.ts';
import { invalidField, Problem } from '../../contracts/problem.ts';
import { kopecksOf } from '../../domain/money.ts';
import {
  evaluateCart,
  isOfContent,
  type CartChange,
  type EvaluatedCart,
  type ServerChange,
} from '../../domain/ordering/evaluate-cart.ts';
import { findingsOf, judgeOrder, type Told } from '../../domain/ordering/gate.ts';
import type { GateFacts } from '../../domain/ordering/gate-facts.ts';
import { acceptChanges, findCart, type StoredCart } from './cart-row.ts';
import { changeView, momentText } from './cart-view.ts';
import { inOneState, NO_CART, settle, type CartDeps } from './carts.ts';
import { readCartFacts, type CartReading } from './read-cart-facts.ts';
import { categoriesOf, isErpEnabled, readTimeFacts, type Eta, type Wanted } from './read-gate-facts.ts';

/**
 * Says whether the cart could be ordered like this now, and everything that speaks against it (rules ORD-19 to ORD-24). What cannot be
 * sold and a promocode whose conditions are not met are taken out of the cart, and told until the guest names the version without them
 * (rules ORD-28, ORD-70). Problem `not-found`.
 */
export function preflight(deps: CartDeps, question: CheckoutQuestion, now: Date): Promise<CheckoutVerdict> {
  const wanted = wantedOf(question);
  return inOneState(deps, async (tx) => {
    const found = await findCart(tx, deps, { id: question.cartId });
    if (found === undefined) throw new Problem('not-found', { detail: NO_CART });
    const stored = await acceptChanges(tx, found, question.cartVersion ?? 0);
    const asked = { at: now.getTime(), customerId: stored.customerId, timeZone: deps.env.SYNC_TIME_ZONE };
    const read = await readCartFacts(tx, stored.organizationId, stored, asked);
    if (read === null) throw new Error('A cart refers to an organization that does not exist');
    const changes = unmetPromocodes(evaluateCart(withDoor(stored, wanted), typed(read, wanted)));
    const [cart, reading] = changes.length === 0 ? [stored, read] : withoutPromocode(stored, read);
    const { settled } = await settle(tx, deps, cart, reading, { now, isPosted: false, changes });
    const evaluated = evaluateCart(withDoor(cart, wanted), typed(reading, wanted));
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
      cart: cartFacts(settled, evaluated),
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
  const discounts = reading.facts.discounts.filter((each) => !each.isByPromocode);
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
