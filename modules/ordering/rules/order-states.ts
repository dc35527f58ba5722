import type { CodeOf } from '../../../kernel/pure/codes.ts';

/** The way of an order, in its order; each step may be skipped. */
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

/**
 * ACCEPTED is our row, SENT means that the call was made and its outcome is unknown; the others
 * come from the ERP.
 */
export type OrderState = CodeOf<'OrderStatus'>;

/** The problem of an order, or the reason why it ended: a code for the guest and operators. */
export type OrderProblem = CodeOf<'OrderProblem'>;

/** Nothing follows these, but that staff send a failed order again. */
export const FINAL_STATES: ReadonlySet<OrderState> = new Set(['CLOSED', 'CANCELLED', 'FAILED']);

/** The actor of a move. */
export type MovedBy = 'CARTE' | 'ERP' | 'CUSTOMER' | 'STAFF';

type Step = { by: readonly MovedBy[]; from: readonly OrderState[]; to: readonly OrderState[] };

/** States of an order that its restaurant has. */
export const AT_RESTAURANT = ['CONFIRMED', 'COOKING', 'READY', 'ON_THE_WAY', 'DELIVERED'] as const;

/**
 * Every step of an order: who takes it, from which states, and where it leads. No other step exists
 * (rules ORD-30, ORD-31).
 */
export const ORDER_STEPS = {
  /** Before each create call. */
  SEND: { by: ['CARTE'], from: ['ACCEPTED', 'SENT'], to: ['SENT'] },
  /**
   * Requested by the customer or staff while the ERP certainly does not have the order, also after
   * a call that never arrived.
   */
  WITHDRAW: { by: ['CUSTOMER', 'STAFF'], from: ['ACCEPTED', 'SENT'], to: ['CANCELLED'] },
  /** The deadline passed, and the ERP does not have the order. */
  GIVE_UP: { by: ['CARTE'], from: ['ACCEPTED', 'SENT'], to: ['FAILED'] },
  /** The restaurant had it, and the ERP has not ended it for days after its time. */
  ABANDON: { by: ['CARTE'], from: AT_RESTAURANT, to: ['CLOSED'] },
  /** The ERP rejects the order. It cannot reject one that the restaurant has. */
  REJECT: { by: ['ERP'], from: ['ACCEPTED', 'SENT'], to: ['FAILED'] },
  /** Staff send an order again that the ERP certainly does not have (rule ORD-180). */
  SEND_AGAIN: { by: ['STAFF'], from: ['FAILED'], to: ['ACCEPTED'] },
  /** The ERP reports a status. It may skip steps and correct itself. */
  REPORT: {
    by: ['ERP'],
    from: ['ACCEPTED', 'SENT', ...AT_RESTAURANT],
    to: [...AT_RESTAURANT, 'CLOSED', 'CANCELLED'],
  },
} as const satisfies Record<string, Step>;
export type OrderStep = keyof typeof ORDER_STEPS;

/** The step that leads from one state to another, or null if the table has none. */
export function stepBetween(from: OrderState, to: OrderState, by: MovedBy): OrderStep | null {
  const steps = Object.entries(ORDER_STEPS) as [OrderStep, Step][];
  return (
    steps.find(([, step]) => step.by.includes(by) && step.from.includes(from) && step.to.includes(to))?.[0] ?? null
  );
}

/**
 * The ERP's statuses, `Waiting` for an order that is cooked. A word that is not here is new to us:
 * the order stays where it is.
 */
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

/** An order as the ERP reports it, at a moment of the ERP's own count. */
export type ErpFact = { timestamp: number } & (
  | { creation: 'IN_PROGRESS' }
  | { creation: 'ERROR' }
  | { creation: 'SUCCESS'; status: string; isCooked: boolean }
);

/**
 * The state of an order, and the count of the fact that led to it; null before the first report of
 * the ERP.
 */
export type OrderStanding = { state: OrderState; timestamp: number | null };

export type AfterFact =
  | { kind: 'APPLIED'; standing: OrderStanding }
  /** Nothing changes: the fact is outdated, equal or empty. */
  | { kind: 'UNCHANGED' }
  /** The ERP reports an order that had ended here: staff must check it. */
  | { kind: 'CONTRADICTION' };

/** Returns the rank of a state on the way; an end is further than everything. */
const rankOf = (state: OrderState): number => {
  const rank = (ORDER_PATH as readonly OrderState[]).indexOf(state);
  return rank < 0 ? ORDER_PATH.length : rank;
};

/** Returns whether a state comes before another one on the way. */
export const isBehind = (state: OrderState, other: OrderState): boolean => rankOf(state) < rankOf(other);

/**
 * The order after a fact of the ERP (rule ORD-31). Facts may come late, twice and in any order: the
 * one with the highest count decides, and of two with the same count the one that is further along.
 * People correct the ERP, so a newer fact may lead back; an order that has ended stays ended.
 * `Waiting` means, without a kitchen screen, only that the operator has confirmed the order:
 * until it is cooked, the word leads to CONFIRMED and never back.
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

/**
 * Null if the fact does not determine the state: the creation is under way, or the status is new to
 * us.
 */
function stateOf(known: OrderStanding, fact: ErpFact): OrderState | null {
  if (fact.creation === 'IN_PROGRESS') return null;
  if (fact.creation === 'ERROR') return 'FAILED';
  if (isOnlyConfirmed(fact))
    return (AT_RESTAURANT as readonly OrderState[]).includes(known.state) ? known.state : 'CONFIRMED';
  return reportedState(fact);
}

type Reported = { status: string; isCooked: boolean };

const isOnlyConfirmed = ({ status, isCooked }: Reported): boolean => status === 'Waiting' && !isCooked;

/**
 * The state that a status of the ERP names by itself; null for a word that is new to us, or one
 * that leaves an order where it is.
 */
export const reportedState = (fact: Reported): OrderState | null =>
  !isOnlyConfirmed(fact) && Object.hasOwn(STATES_OF_STATUSES, fact.status)
    ? (STATES_OF_STATUSES[fact.status] ?? null)
    : null;
