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

/** ACCEPTED: stored. SENT: result unknown. The ERP reports the others. */
export type OrderState = CodeOf<'OrderStatus'>;

/** The current problem, or why the order ended. */
export type OrderProblem = CodeOf<'OrderProblem'>;

/** Only a failed order can continue, if staff send it again. */
export const FINAL_STATES: ReadonlySet<OrderState> = new Set(['CLOSED', 'CANCELLED', 'FAILED']);

export type MovedBy = 'CARTE' | 'ERP' | 'CUSTOMER' | 'STAFF';

type Step = { by: readonly MovedBy[]; from: readonly OrderState[]; to: readonly OrderState[] };

/** States after the restaurant has accepted the order. */
export const AT_RESTAURANT = ['CONFIRMED', 'COOKING', 'READY', 'ON_THE_WAY', 'DELIVERED'] as const;

/** All allowed state changes (rules ORD-30, ORD-31). */
export const ORDER_STEPS = {
  /** Before each call that creates the order. */
  SEND: { by: ['CARTE'], from: ['ACCEPTED', 'SENT'], to: ['SENT'] },
  /** Only if the ERP certainly does not have the order, even after a call. */
  WITHDRAW: { by: ['CUSTOMER', 'STAFF'], from: ['ACCEPTED', 'SENT'], to: ['CANCELLED'] },
  /** After the deadline, if the ERP does not have the order. */
  GIVE_UP: { by: ['CARTE'], from: ['ACCEPTED', 'SENT'], to: ['FAILED'] },
  /** The ERP has not ended the order for days. */
  ABANDON: { by: ['CARTE'], from: AT_RESTAURANT, to: ['CLOSED'] },
  /** Impossible after the restaurant has accepted the order. */
  REJECT: { by: ['ERP'], from: ['ACCEPTED', 'SENT'], to: ['FAILED'] },
  /** Only if the ERP certainly does not have the order (rule ORD-180). */
  SEND_AGAIN: { by: ['STAFF'], from: ['FAILED'], to: ['ACCEPTED'] },
  /** May skip states, or return to earlier states. */
  REPORT: {
    by: ['ERP'],
    from: ['ACCEPTED', 'SENT', ...AT_RESTAURANT],
    to: [...AT_RESTAURANT, 'CLOSED', 'CANCELLED'],
  },
} as const satisfies Record<string, Step>;

export type OrderStep = keyof typeof ORDER_STEPS;

/** Null if no step connects the states. */
export function stepBetween(from: OrderState, to: OrderState, by: MovedBy): OrderStep | null {
  const steps = Object.entries(ORDER_STEPS) as [OrderStep, Step][];
  return (
    steps.find(
      ([, step]) => step.by.includes(by) && step.from.includes(from) && step.to.includes(to),
    )?.[0] ?? null
  );
}

/** By ERP status. `Waiting` requires a cooked order. Other statuses change nothing. */
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

/** `timestamp` is the ERP's. */
export type ErpFact = { timestamp: number } & (
  | { creation: 'IN_PROGRESS' }
  | { creation: 'ERROR' }
  | { creation: 'SUCCESS'; status: string; isCooked: boolean }
);

/** `timestamp` is that of the last applied report, or null. */
export type OrderStanding = { state: OrderState; timestamp: number | null };

export type AfterFact =
  | { kind: 'APPLIED'; standing: OrderStanding }
  /** The report is outdated, repeated or empty. */
  | { kind: 'UNCHANGED' }
  /** The order has already ended here. */
  | { kind: 'CONTRADICTION' };

const rankOf = (state: OrderState): number => {
  const rank = (ORDER_PATH as readonly OrderState[]).indexOf(state);
  return rank < 0 ? ORDER_PATH.length : rank;
};

export const isBehind = (state: OrderState, other: OrderState): boolean =>
  rankOf(state) < rankOf(other);

/**
 * Applies an ERP report (rule ORD-31). The highest timestamp wins, then the later state. Newer
 * reports may return to earlier states, because staff correct the ERP; `Waiting` without a kitchen
 * screen may not.
 */
export function afterFact(known: OrderStanding, fact: ErpFact): AfterFact {
  const state = determineState(known, fact);
  if (state === null) return { kind: 'UNCHANGED' };
  const isLate = known.timestamp !== null && fact.timestamp < known.timestamp;
  if (isLate) return { kind: 'UNCHANGED' };
  const hasEnded = FINAL_STATES.has(known.state);
  const isNoFurther = fact.timestamp === known.timestamp && !isBehind(known.state, state);
  if (hasEnded ? state === known.state : isNoFurther) return { kind: 'UNCHANGED' };
  if (stepBetween(known.state, state, 'ERP') === null) return { kind: 'CONTRADICTION' };

  return { kind: 'APPLIED', standing: { state, timestamp: fact.timestamp } };
}

function determineState(known: OrderStanding, fact: ErpFact): OrderState | null {
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

/** Null if the status does not determine a state. */
export const reportedState = (fact: Reported): OrderState | null =>
  !isOnlyConfirmed(fact) && Object.hasOwn(STATES_OF_STATUSES, fact.status)
    ? (STATES_OF_STATUSES[fact.status] ?? null)
    : null;
