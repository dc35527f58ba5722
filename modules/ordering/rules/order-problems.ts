import type { CodeOf } from '../../../kernel/pure/codes.ts';

export type OrderProblem = CodeOf<'OrderProblem'>;

/**
 * What holds an order up, or why it ended: the words of the code, in the order's row, for the guest and for operators. `isEnd`
 * says that the order does not go on.
 */
export const ORDER_PROBLEMS = {
  /** The ERP cannot be reached: it is tried again until the deadline. */
  ERP_UNAVAILABLE: { isEnd: false },
  /** The call ended without an answer: the ERP may have the order, and is asked. */
  OUTCOME_UNKNOWN: { isEnd: false },
  /** The ERP has the order, and its restaurant has not taken it for a long time. */
  STUCK_IN_PROGRESS: { isEnd: false },
  /** Nothing says which way to pay or discount of the ERP the order names, so it is not sent yet. */
  NOT_CONFIGURED: { isEnd: false },
  /** The ERP refuses an order that we accepted. */
  REJECTED_BY_ERP: { isEnd: true },
  /** The deadline passed, and the ERP does not have the order. */
  DEADLINE_PASSED: { isEnd: true },
  /** The customer withdrew it before anything was sent. */
  WITHDRAWN: { isEnd: true },
  /** The restaurant cancelled it. */
  CANCELLED_BY_RESTAURANT: { isEnd: true },
  /** The ERP has not ended it for days after its time, so it is not followed any more. */
  NEVER_ENDED: { isEnd: true },
  /** Staff cancelled it here. */
  CANCELLED_BY_STAFF: { isEnd: true },
} as const satisfies Readonly<Record<OrderProblem, { isEnd: boolean }>>;
