import type { ErpCreation } from '../../../erp/endpoints/deliveries-create.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { OrderProblem, OrderState } from './order-states.ts';

/** Time to accept an order before staff are notified. */
export const STUCK_MS = 3 * 60_000;
/** Time that an order must be missing, because a single read proves nothing. */
export const MISSING_MS = 2 * 60_000;

export type SentOrder = {
  id: string;
  state: OrderState;
  problem: OrderProblem | null;
  erpOrderId: string | null;
  sentAt: Date | null;
  missingSince: Date | null;
  readAt: Date;
};

export type AfterAnswer =
  | { kind: 'REPORT'; report: ErpDelivery }
  /** Leaves the state unchanged. */
  | { kind: 'NOTE'; facts: Noted; retryAfterMs?: number | null }
  /** The ERP never had the order. */
  | { kind: 'REFUSED'; erpError: string; status: number | null; correlationId: string | null }
  | { kind: 'STUCK' }
  /** The ERP certainly does not have the order. */
  | { kind: 'NOT_THERE' };

type Noted = {
  erpOrderId?: string;
  erpError?: string;
  unansweredSince?: null;
  missingSince?: Date | null;
  problem?: OrderProblem | null;
};

const NOTHING: AfterAnswer = { kind: 'NOTE', facts: {} };

/** Used for a rejection without a code. */
export const UNNAMED = 'UNNAMED';

/**
 * Evaluates a call's response (rule ORD-51). With `isOpen`, an earlier call may have created the
 * order.
 */
export function afterSending(order: SentOrder, answer: ErpCreation, isOpen: boolean): AfterAnswer {
  if (answer.outcome === 'TAKEN') return { kind: 'REPORT', report: answer.order };
  // A concurrent step has moved the order.
  if (order.state !== 'SENT' || order.erpOrderId !== null) return NOTHING;

  switch (answer.outcome) {
    case 'DUPLICATE': {
      const facts = {
        erpOrderId: order.id,
        unansweredSince: null,
        missingSince: null,
        problem: null,
      };

      return { kind: 'NOTE', facts };
    }
    case 'REFUSED': {
      const erpError = answer.code ?? UNNAMED;
      // The earlier call may have created the order.
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

/** In ms. */
type Limits = { stuckMs: number; missingMs: number };

/** Evaluates a read that did not find the order (rules ORD-51, ORD-52). */
export function afterMissing(order: SentOrder, { stuckMs, missingMs }: Limits): AfterAnswer {
  if (order.state !== 'SENT') return NOTHING;
  if (order.erpOrderId !== null)
    return isStuck({ ...order, sentAt: order.sentAt ?? new Date(0) }, stuckMs)
      ? { kind: 'STUCK' }
      : NOTHING;
  if (order.missingSince === null) return { kind: 'NOTE', facts: { missingSince: order.readAt } };

  return isAgo(order, order.missingSince, missingMs) ? { kind: 'NOT_THERE' } : NOTHING;
}

export const isStuck = (order: SentOrder, stuckMs: number): boolean =>
  order.state === 'SENT' &&
  order.problem !== 'STUCK_IN_PROGRESS' &&
  isAgo(order, order.sentAt ?? order.readAt, stuckMs);

const isAgo = ({ readAt }: SentOrder, moment: Date, ms: number): boolean =>
  readAt.getTime() - moment.getTime() >= ms;
