import type { AttemptOutcome } from './attempt-answers.ts';
import type { OrderProblem, OrderState } from './order-states.ts';
import { MISSING_MS } from './unknown-answer.ts';

/** Time in ms during which an accepted `asap` order may be sent again. */
export const ASAP_MS = 3 * 3_600_000;

/** `outcome` is null if no response was recorded. */
type Attempt = { begunAt: Date; outcome: AttemptOutcome | null };

export type FailedOrder = {
  state: OrderState;
  problem: OrderProblem | null;
  erpOrderId: string | null;
  sentAt: Date | null;
  attempts: readonly Attempt[];
  readAt: Date;
};

/** REJECTED: the ERP keeps the rejected order under its id. */
export type ErpReading = 'ABSENT' | 'PRESENT' | 'REJECTED' | 'UNANSWERED';

export type SendAgainObstacle =
  | 'NOT_FAILED'
  | 'OUTCOME_UNKNOWN'
  | 'AT_ERP'
  | 'KEPT_BY_ERP'
  | 'JUST_SENT'
  | 'ERP_SILENT'
  | 'ERASED'
  | 'TOO_LATE'
  | 'NOT_ACCEPTING'
  | 'NOT_SERVED'
  | 'DISCOUNT_USED_UP';

export const SEND_AGAIN_OBSTACLES: Readonly<Record<SendAgainObstacle, string>> = {
  NOT_FAILED: 'Only an order that has failed is sent again.',
  OUTCOME_UNKNOWN:
    'The order ended without a clear answer of the ERP, so the restaurant may have it. Call it.',
  AT_ERP: 'The ERP has the order. Ask the restaurant whether it prepares it.',
  KEPT_BY_ERP:
    'The ERP keeps the rejected order under its id and accepts no second one with it. Let the guest order again.',
  JUST_SENT:
    'A call without an answer was made a moment ago, so the ERP may still create the order. Wait two minutes.',
  ERP_SILENT:
    'A call has no answer, and the ERP does not say now whether it has the order. Try again later.',
  ERASED: 'The data of the guest was erased, so the restaurant could not deliver the order.',
  TOO_LATE:
    'The time of the order has passed or its slot is no longer offered. Let the guest order again.',
  NOT_ACCEPTING: 'The restaurant does not accept such orders at the moment.',
  NOT_SERVED: 'The restaurant or its connection is disabled.',
  DISCOUNT_USED_UP: 'A discount of the order was used up meanwhile, so its total no longer holds.',
};

const CERTAIN: ReadonlySet<OrderProblem | null> = new Set(['REJECTED_BY_ERP', 'DEADLINE_PASSED']);

const DEFINITE: ReadonlySet<AttemptOutcome | null> = new Set(['REFUSED', 'NOT_SENT']);

/**
 * Returns null if the ERP certainly does not have a failed order (rule ORD-180): all calls were
 * rejected or not sent, or the order is missing some time after the last unanswered call.
 */
export function absenceObstacle(order: FailedOrder, reading: ErpReading): SendAgainObstacle | null {
  if (order.state !== 'FAILED') return 'NOT_FAILED';
  if (!CERTAIN.has(order.problem)) return 'OUTCOME_UNKNOWN';
  if (reading === 'REJECTED') return 'KEPT_BY_ERP';
  if (order.erpOrderId !== null || reading === 'PRESENT') return 'AT_ERP';
  // The ERP may keep a rejected order under its id.
  if (order.problem === 'REJECTED_BY_ERP' && reading === 'UNANSWERED') return 'ERP_SILENT';
  const open = order.attempts.filter(({ outcome }) => !DEFINITE.has(outcome));
  // Calls of an earlier release, or older than 90 days, are missing.
  const isRecorded = order.attempts.length > 0 || order.sentAt === null;
  if (open.length === 0 && isRecorded) return null;
  if (reading === 'UNANSWERED') return 'ERP_SILENT';
  const isRecent = open.some(
    ({ begunAt }) => order.readAt.getTime() - begunAt.getTime() < MISSING_MS,
  );

  return isRecent ? 'JUST_SENT' : null;
}
