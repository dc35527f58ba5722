import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { OrderStage } from '../rules/order-stage.ts';
import type { OrderProblem, OrderState } from '../rules/order-states.ts';
import {
  OPERATOR,
  wordsUpTo,
  type InputOf,
  type OperatorInput,
} from '../../../kernel/pure/operator-input.ts';
import type { OrderQueues } from '../../../kernel/pure/queues.ts';

/** In ms. */
export type OrderPace = {
  /** Before the second attempt; doubles. */
  sendMs: number;
  longestSendMs: number;
  /** Before the second read of an order not yet accepted; doubles. */
  lookMs: number;
  longestLookMs: number;
  /** Between reads of an accepted order; doubles after delivery. */
  followMs: number;
  longestFollowMs: number;
  /** Time to accept before a notification. */
  stuckMs: number;
  /** Then an order missing at the ERP counts as not received. */
  missingMs: number;
  pausesPerRun: number;
};

/** For Temporal's UI (rule OPS-109), without personal data. */
export type OrderNames = {
  number: string;
  restaurant: string;
  gifts: Record<string, string>;
};

/**
 * `gifts`: reserved rights without a workflow yet. Executions of earlier releases have no `names`.
 */
export type OrderInput = {
  orderId: string;
  queues: OrderQueues;
  pace?: Partial<OrderPace>;
  gifts?: string[];
  names?: OrderNames;
};

/** Shown as the result of the execution (rule OPS-110). */
export type OrderResult = Pick<OrderStanding, 'state' | 'problem'>;

/** Runs an order from acceptance to its end. */
export const orderWorkflow = defineWorkflow<OrderInput, OrderResult>()({
  type: 'order',
  versioning: 'AUTO_UPGRADE',
  id: ({ orderId }: { orderId: string }) => `order/${orderId}`,
});

/** Contains no personal data. */
export type OrderStanding = {
  stage: OrderStage;
  state: OrderState;
  problem: OrderProblem | null;
  /** In ms, required by the ERP. */
  retryAfterMs: number | null;
  /** Null before the end of the order. */
  outcome: string | null;
};

/** Reports an ERP change. Without a standing, the workflow reads the order. */
export const erpStatusChanged = defineSignal<[OrderStanding?]>('erpStatusChanged');

export const CANCEL_INTENT = {
  by: { type: 'string', enum: ['CUSTOMER', 'STAFF'] },
} as const satisfies OperatorInput;
export type CancelIntent = InputOf<typeof CANCEL_INTENT>;

/** Withdraws an unsent order, without a response. Operators use the update `cancel`. */
export const cancelRequested = defineSignal<[CancelIntent]>('cancelRequested');

/** The note is the reason of the cancellation. */
export const CANCEL_INPUT = { by: OPERATOR, note: wordsUpTo(500) } as const satisfies OperatorInput;
export type CancelInput = InputOf<typeof CANCEL_INPUT>;

/**
 * Cancels an order for staff (rule ORD-163). Fails with the API's problem if the ERP may have it.
 */
export const cancelUpdate = defineUpdate<{ state: OrderState }, [CancelInput]>('cancel');

/** Null before the first read. */
export const orderState = defineQuery<OrderStanding | null>('state');
