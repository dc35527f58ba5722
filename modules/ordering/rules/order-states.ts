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
] as const;

/** ACCEPTED is our row, SENT means that the call was made and its outcome is not known; the others come from the ERP. */
export type OrderState = (typeof ORDER_PATH)[number] | 'CANCELLED' | 'FAILED';

/** Nothing follows these. */
export const FINAL_STATES: ReadonlySet<OrderState> = new Set(['CLOSED', 'CANCELLED', 'FAILED']);

/** What we do ourselves: from which states, and where it leads (rule ORD-30). */
export const OWN_STEPS = {
  /** Before the call is made. */
  SEND: { from: ['ACCEPTED', 'SENT'], to: 'SENT' },
  /** On the customer's wish, as long as the ERP was told nothing. */
  WITHDRAW: { from: ['ACCEPTED'], to: 'CANCELLED' },
  /** The deadline passed, or the ERP refuses the order and cannot have it. */
  GIVE_UP: { from: ['ACCEPTED', 'SENT'], to: 'FAILED' },
  /** The restaurant had it, and the ERP has not ended it for days after its time. */
  LET_GO: { from: ['CONFIRMED', 'COOKING', 'READY', 'ON_THE_WAY', 'DELIVERED'], to: 'CLOSED' },
} as const satisfies Record<string, { from: readonly OrderState[]; to: OrderState }>;

/** The state after a step of our own; null when the order may not take it. */
export function afterStep(state: OrderState, step: keyof typeof OWN_STEPS): OrderState | null {
  const { from, to } = OWN_STEPS[step];
  return (from as readonly OrderState[]).includes(state) ? to : null;
}

/** The ERP's statuses. A word that is not here is new to us: the order stays where it is. */
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

/** An order as the ERP tells it, at a moment of the ERP's own count. */
export type ErpFact = { timestamp: number } & (
  | { creation: 'IN_PROGRESS' }
  | { creation: 'ERROR' }
  | { creation: 'SUCCESS'; status: string }
);

/** Where an order stands, and the count of the fact that brought it there; null while the ERP has said nothing. */
export type OrderStanding = { state: OrderState; timestamp: number | null };

export type AfterFact =
  | { kind: 'APPLIED'; standing: OrderStanding }
  /** Nothing changes: the fact is older than what is known, says the same, or says nothing. */
  | { kind: 'UNCHANGED' }
  /** The ERP says something of an order that had ended here: people must look at it. */
  | { kind: 'CONTRADICTION' };

const isFinal = (state: OrderState): boolean => FINAL_STATES.has(state);
/** How far along the way; an end is further than everything. */
const rankOf = (state: OrderState): number => {
  const rank = (ORDER_PATH as readonly OrderState[]).indexOf(state);
  return rank < 0 ? ORDER_PATH.length : rank;
};

/**
 * The order after a fact of the ERP (rule ORD-31). Facts may come late, twice and in any order: the one with the highest count decides, and
 * of two with the same count the one that is further along. The ERP may correct itself, so a newer fact may lead back; an order
 * that has ended stays ended.
 */
export function afterFact(known: OrderStanding, fact: ErpFact): AfterFact {
  const state = stateOf(fact);
  if (state === null) return { kind: 'UNCHANGED' };
  const isLate = known.timestamp !== null && fact.timestamp < known.timestamp;
  if (isLate) return { kind: 'UNCHANGED' };
  if (isFinal(known.state)) return state === known.state ? { kind: 'UNCHANGED' } : { kind: 'CONTRADICTION' };
  const isBehind = fact.timestamp === known.timestamp && rankOf(state) <= rankOf(known.state);
  if (isBehind) return { kind: 'UNCHANGED' };
  // What the restaurant has can no longer fail to be created.
  if (state === 'FAILED' && rankOf(known.state) > rankOf('SENT')) return { kind: 'CONTRADICTION' };
  return { kind: 'APPLIED', standing: { state, timestamp: fact.timestamp } };
}

/** Null when the fact says nothing about the state: the creation is under way, or the status is new to us. */
function stateOf(fact: ErpFact): OrderState | null {
  if (fact.creation === 'IN_PROGRESS') return null;
  if (fact.creation === 'ERROR') return 'FAILED';
  return Object.hasOwn(STATES_OF_STATUSES, fact.status) ? (STATES_OF_STATUSES[fact.status] ?? null) : null;
}
