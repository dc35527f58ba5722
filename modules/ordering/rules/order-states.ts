import type { CodeOf } from '../../../kernel/pure/codes.ts';

/** In order; each state may be skipped. */
export const ORDER_PATH = [
  'ACCEPTED',
  'SENT',
  'CONFIRMED',
  'COOKING',
  'READY',
  'ON_THE_WAY',
  'DELIVERED',
  'CLOSED',
] as const satisfies readonly CodeOf<'OrderStatus'>[];

/** ACCEPTED is the stored order, SENT a call with an unknown result; the ERP reports the others. */
export type OrderState = CodeOf<'OrderStatus'>;

/** A problem, or the reason of the end. */
export type OrderProblem = CodeOf<'OrderProblem'>;

/** Only a failed order can continue, if staff send it again. */
export const FINAL_STATES: ReadonlySet<OrderState> = new Set(['CLOSED', 'CANCELLED', 'FAILED']);

export type MovedBy = 'CARTE' | 'ERP' | 'CUSTOMER' | 'STAFF';

type Step = { by: readonly MovedBy[]; from: readonly OrderState[]; to: readonly OrderState[] };

/** States of an order that its restaurant has accepted. */
export const AT_RESTAURANT = ['CONFIRMED', 'COOKING', 'READY', 'ON_THE_WAY', 'DELIVERED'] as const;

/** All allowed state changes (rules ORD-30, ORD-31). */
export const ORDER_STEPS = {
  /** Before each create call. */
  SEND: { by: ['CARTE'], from: ['ACCEPTED', 'SENT'], to: ['SENT'] },
  /** While the ERP certainly does not have the order, also after a call that never arrived. */
  WITHDRAW: { by: ['CUSTOMER', 'STAFF'], from: ['ACCEPTED', 'SENT'], to: ['CANCELLED'] },
  /** The deadline has passed without the order reaching the ERP. */
  GIVE_UP: { by: ['CARTE'], from: ['ACCEPTED', 'SENT'], to: ['FAILED'] },
  /** The ERP has not ended the order for days. */
  ABANDON: { by: ['CARTE'], from: AT_RESTAURANT, to: ['CLOSED'] },
  /** Not possible after the restaurant has accepted. */
  REJECT: { by: ['ERP'], from: ['ACCEPTED', 'SENT'], to: ['FAILED'] },
  /** The ERP certainly does not have the order (rule ORD-180). */
  SEND_AGAIN: { by: ['STAFF'], from: ['FAILED'], to: ['ACCEPTED'] },
  /** May skip states and return to earlier ones. */
  REPORT: {
    by: ['ERP'],
    from: ['ACCEPTED', 'SENT', ...AT_RESTAURANT],
    to: [...AT_RESTAURANT, 'CLOSED', 'CANCELLED'],
  },
} as const satisfies Record<string, Step>;
export type OrderStep = keyof typeof ORDER_STEPS;

/** Returns the step between two states, or null. */
export function stepBetween(from: OrderState, to: OrderState, by: MovedBy): OrderStep | null {
  const steps = Object.entries(ORDER_STEPS) as [OrderStep, Step][];
  return (
    steps.find(
      ([, step]) => step.by.includes(by) && step.from.includes(from) && step.to.includes(to),
    )?.[0] ?? null
  );
}

/** `Waiting` only applies to a cooked order. Other statuses leave the state unchanged. */
export const STATES_OF_STATUSES: Readonly<Record<string, OrderState>> = {
  Unconfirmed: 'CONFIRMED',
  WaitCooking: 'CONFIRMED',
  ReadyForCooking: 'CONFIRMED',
  CookingStarted: 'COOKING',
  CookingCompleted: 'READY',
  Waiting: 'READY',
  OnWay: 'ON_THE_WAY',
  Delivered: 'DELIVERED',
  Closed: 'CLOSED',
  Cancelled: 'CANCELLED',
};

/** A report of the ERP with its own timestamp. */
export type ErpFact = { timestamp: number } & (
  | { creation: 'IN_PROGRESS' }
  | { creation: 'ERROR' }
  | { creation: 'SUCCESS'; status: string; isCooked: boolean }
);

/** The timestamp of the last applied report; null before the first. */
export type OrderStanding = { state: OrderState; timestamp: number | null };

export type AfterFact =
  | { kind: 'APPLIED'; standing: OrderStanding }
  /** The report is outdated, repeated or empty. */
  | { kind: 'UNCHANGED' }
  /** The ERP reports an order that has ended here. */
  | { kind: 'CONTRADICTION' };

/** Final states have the highest rank. */
const rankOf = (state: OrderState): number => {
  const rank = (ORDER_PATH as readonly OrderState[]).indexOf(state);
  return rank < 0 ? ORDER_PATH.length : rank;
};

/** Returns whether a state precedes another one. */
export const isBehind = (state: OrderState, other: OrderState): boolean =>
  rankOf(state) < rankOf(other);

/**
 * Applies a report of the ERP (rule ORD-31). Of late, repeated or unordered reports, the highest
 * timestamp decides, then the later state. Staff correct the ERP, so newer reports may lead back.
 * Without a kitchen screen, `Waiting` only means confirmed and never leads back.
 */
export function afterFact(known: OrderStanding, fact: ErpFact): AfterFact {
  const state = stateOf(known, fact);
  if (state === null) return { kind: 'UNCHANGED' };
  const isLate = known.timestamp !== null && fact.timestamp < known.timestamp;
  if (isLate) return { kind: 'UNCHANGED' };
  const hasEnded = FINAL_STATES.has(known.state);
  const isNoFurther = fact.timestamp === known.timestamp && !isBehind(known.state, state);
  if (hasEnded ? state === known.state : isNoFurther) return { kind: 'UNCHANGED' };
  if (stepBetween(known.state, state, 'ERP') === null) return { kind: 'CONTRADICTION' };
  return { kind: 'APPLIED', standing: { state, timestamp: fact.timestamp } };
}

/** Null if the report does not determine a state. */
function stateOf(known: OrderStanding, fact: ErpFact): OrderState | null {
  if (fact.creation === 'IN_PROGRESS') return null;
  if (fact.creation === 'ERROR') return 'FAILED';
  if (isOnlyConfirmed(fact))
    return (AT_RESTAURANT as readonly OrderState[]).includes(known.state)
      ? known.state
      : 'CONFIRMED';
  return reportedState(fact);
}

type Reported = { status: string; isCooked: boolean };

const isOnlyConfirmed = ({ status, isCooked }: Reported): boolean =>
  status === 'Waiting' && !isCooked;

/** Returns the state of a status; null if it determines none. */
export const reportedState = (fact: Reported): OrderState | null =>
  !isOnlyConfirmed(fact) && Object.hasOwn(STATES_OF_STATUSES, fact.status)
    ? (STATES_OF_STATUSES[fact.status] ?? null)
    : null;
