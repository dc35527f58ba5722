import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { OrderStage } from '../rules/order-stage.ts';
import type { OrderProblem, OrderState } from '../rules/order-states.ts';
import { OPERATOR, wordsUpTo, type InputOf, type OperatorInput } from '../../../kernel/pure/operator-input.ts';
import type { OrderQueues } from '../../../kernel/pure/queues.ts';

/** Pauses of the workflow of an order, in milliseconds. */
export type OrderPace = {
  /** Before the second try to send; it doubles up to the longest. */
  sendMs: number;
  longestSendMs: number;
  /**
   * Pause before the second read of an order that the restaurant has not accepted; doubled up to
   * the longest.
   */
  lookMs: number;
  longestLookMs: number;
  /**
   * Pause between two reads of an order that the restaurant has; doubled after delivery up to the
   * longest.
   */
  followMs: number;
  longestFollowMs: number;
  /** The time that the restaurant may take before a notification. */
  stuckMs: number;
  /**
   * The time that an order that may have been sent must be missing at the ERP before it counts as
   * not received.
   */
  missingMs: number;
  /** Pauses after which the execution continues as new. */
  pausesPerRun: number;
};

/** Names of an order in Temporal's UI (rule OPS-109): nothing of a guest. */
export type OrderNames = {
  number: string;
  restaurant: string;
  /** Names of the gifts by the id of their right. */
  gifts: Record<string, string>;
};

/**
 * Input of order. Everything else is in the row. `gifts` are the rights that the order has reserved
 * and that no workflow accompanies yet; absent without any. Executions of earlier releases lack
 * `names`.
 */
export type OrderInput = {
  orderId: string;
  queues: OrderQueues;
  pace?: Partial<OrderPace>;
  gifts?: string[];
  names?: OrderNames;
};

/** Last state of an order, and the reason if it came to nothing (rule OPS-110). */
export type OrderResult = Pick<OrderStanding, 'state' | 'problem'>;

/** Accompanies one order from its acceptance to its end. */
export const orderWorkflow = defineWorkflow<OrderInput, OrderResult>()({
  type: 'order',
  versioning: 'AUTO_UPGRADE',
  id: ({ orderId }: { orderId: string }) => `order/${orderId}`,
});

/** The state of an order: ids and words only. */
export type OrderStanding = {
  stage: OrderStage;
  state: OrderState;
  problem: OrderProblem | null;
  /** The pause that the ERP requires, in ms. */
  retryAfterMs: number | null;
  /** The end of the order; null before that. */
  outcome: string | null;
};

/**
 * The ERP has reported a change of the order. With the state that was written from the report, the
 * workflow continues from there; without one, it reads the order from the ERP.
 */
export const erpStatusChanged = defineSignal<[OrderStanding?]>('erpStatusChanged');

/** The source of a cancellation that is requested with a signal. */
export const CANCEL_INTENT = {
  by: { type: 'string', enum: ['CUSTOMER', 'STAFF'] },
} as const satisfies OperatorInput;
export type CancelIntent = InputOf<typeof CANCEL_INTENT>;

/**
 * A request to withdraw the order, without an answer. It succeeds if the order was never sent to
 * the ERP. Operators use the update `cancel`.
 */
export const cancelRequested = defineSignal<[CancelIntent]>('cancelRequested');

/** The input of the update `cancel`; the note is the reason of the cancellation. */
export const CANCEL_INPUT = { by: OPERATOR, note: wordsUpTo(500) } as const satisfies OperatorInput;
export type CancelInput = InputOf<typeof CANCEL_INPUT>;

/**
 * Cancels the order for staff (rule ORD-163). It fails with the problem of the API if the ERP may
 * have the order.
 */
export const cancelUpdate = defineUpdate<{ state: OrderState }, [CancelInput]>('cancel');

/** The order at the workflow's last read; null before the first one. */
export const orderState = defineQuery<OrderStanding | null>('state');
