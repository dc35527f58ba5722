import type { ErpCreation } from '../../../erp/endpoints/deliveries-create.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { OrderProblem, OrderState } from './order-states.ts';

/** Time that a restaurant may take before staff are notified; ms. */
export const STUCK_MS = 3 * 60_000;
/**
 * Time for which an order that may have been sent must be missing at the ERP before it counts as
 * not received; ms. One read that does not find it proves nothing.
 */
export const MISSING_MS = 2 * 60_000;

/** An order on its way to the ERP, read at `readAt` by the database clock. */
export type SentOrder = {
  id: string;
  state: OrderState;
  problem: OrderProblem | null;
  erpOrderId: string | null;
  sentAt: Date | null;
  missingSince: Date | null;
  readAt: Date;
};

/** The consequence of an answer of the ERP, or of none. */
export type AfterAnswer =
  /** The ERP has reported the order: its report decides. */
  | { kind: 'REPORT'; report: ErpDelivery }
  /** The order keeps its state; `facts` are new, and a pause may be required. */
  | { kind: 'NOTE'; facts: Noted; retryAfterMs?: number | null }
  /** The ERP rejects the order, and has never had it. */
  | { kind: 'REFUSED'; erpError: string; status: number | null; correlationId: string | null }
  /** The ERP has it, and its restaurant does not accept it. */
  | { kind: 'STUCK' }
  /** The ERP certainly does not have it. */
  | { kind: 'NOT_THERE' };

type Noted = {
  erpOrderId?: string;
  erpError?: string;
  unansweredSince?: null;
  missingSince?: Date | null;
  problem?: OrderProblem | null;
};

const NOTHING: AfterAnswer = { kind: 'NOTE', facts: {} };

/** The stored value when the ERP names no reason. */
export const UNNAMED = 'UNNAMED';

/**
 * Decides what follows from the answer to a sent order (rule ORD-51). `isOpen`: the result of an
 * earlier call is unknown, so it may have created the order.
 */
export function afterSending(order: SentOrder, answer: ErpCreation, isOpen: boolean): AfterAnswer {
  if (answer.outcome === 'TAKEN') return { kind: 'REPORT', report: answer.order };
  // Another step was faster.
  if (order.state !== 'SENT' || order.erpOrderId !== null) return NOTHING;

  switch (answer.outcome) {
    case 'DUPLICATE': {
      const facts = { erpOrderId: order.id, unansweredSince: null, missingSince: null, problem: null };
      return { kind: 'NOTE', facts };
    }
    case 'REFUSED': {
      const erpError = answer.code ?? UNNAMED;
      // What the earlier call has created is there.
      return isOpen
        ? { kind: 'NOTE', facts: { erpError, problem: 'OUTCOME_UNKNOWN' } }
        : { kind: 'REFUSED', erpError, status: answer.status, correlationId: answer.correlationId };
    }
    case 'NOT_SENT': {
      const facts: Noted = isOpen ? {} : { unansweredSince: null, problem: 'ERP_UNAVAILABLE' };
      return { kind: 'NOTE', facts, retryAfterMs: answer.retryAfterMs };
    }
    case 'UNKNOWN':
      return { kind: 'NOTE', facts: { problem: 'OUTCOME_UNKNOWN' } };
  }
}

/** Limits of a restaurant, and of an order that is missing at the ERP; ms. */
type Limits = { stuckMs: number; missingMs: number };

/** Decides what follows from a read that does not find an order (rules ORD-51, ORD-52). */
export function afterMissing(order: SentOrder, { stuckMs, missingMs }: Limits): AfterAnswer {
  if (order.state !== 'SENT') return NOTHING;
  if (order.erpOrderId !== null)
    return isStuck({ ...order, sentAt: order.sentAt ?? new Date(0) }, stuckMs) ? { kind: 'STUCK' } : NOTHING;
  if (order.missingSince === null) return { kind: 'NOTE', facts: { missingSince: order.readAt } };
  return isAgo(order, order.missingSince, missingMs) ? { kind: 'NOT_THERE' } : NOTHING;
}

/** True if the ERP has had an order for this long, and its restaurant has not accepted it. */
export const isStuck = (order: SentOrder, stuckMs: number): boolean =>
  order.state === 'SENT' &&
  order.problem !== 'STUCK_IN_PROGRESS' &&
  isAgo(order, order.sentAt ?? order.readAt, stuckMs);

const isAgo = ({ readAt }: SentOrder, moment: Date, ms: number): boolean => readAt.getTime() - moment.getTime() >= ms;
