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
  /** Delay before the second attempt. Doubles each time. */
  sendMs: number;
  longestSendMs: number;
  /** Delay before an order not yet accepted is read again. Doubles each time. */
  lookMs: number;
  longestLookMs: number;
  /** Delay between reads of an accepted order. Doubles after delivery. */
  followMs: number;
  longestFollowMs: number;
  /** Time to accept an order before staff are notified. */
  stuckMs: number;
  /** After this time, an order missing in the ERP counts as not received. */
  missingMs: number;
  pausesPerRun: number;
};

/** Shown in Temporal's UI (rule OPS-109), without personal data. */
export type OrderNames = {
  number: string;
  restaurant: string;
  gifts: Record<string, string>;
};

/** `gifts` are reserved rights without a workflow. Earlier releases omit `names`. */
export type OrderInput = {
  orderId: string;
  queues: OrderQueues;
  pace?: Partial<OrderPace>;
  gifts?: string[];
  names?: OrderNames;
};

/** Shown as the result of the execution (rule OPS-110). */
export type OrderResult = Pick<OrderStanding, 'state' | 'problem'>;

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
  /** Delay in ms that the ERP requires. */
  retryAfterMs: number | null;
  /** Null until the order ends. */
  outcome: string | null;
};

/** Signals an ERP change. Without a standing, the workflow reads the order. */
export const erpStatusChanged = defineSignal<[OrderStanding?]>('erpStatusChanged');

export const CANCEL_INTENT = {
  by: { type: 'string', enum: ['CUSTOMER', 'STAFF'] },
} as const satisfies OperatorInput;
export type CancelIntent = InputOf<typeof CANCEL_INTENT>;

/** Withdraws an unsent order without a response. Operators use the update `cancel`. */
export const cancelRequested = defineSignal<[CancelIntent]>('cancelRequested');

/** The note becomes the reason of the cancellation. */
export const CANCEL_INPUT = { by: OPERATOR, note: wordsUpTo(500) } as const satisfies OperatorInput;
export type CancelInput = InputOf<typeof CANCEL_INPUT>;

/**
 * Cancels an order for staff (rule ORD-163). Fails with the API's problem if the ERP may have the
 * order.
 */
export const cancelUpdate = defineUpdate<{ state: OrderState }, [CancelInput]>('cancel');

/** Null until the first read. */
export const orderState = defineQuery<OrderStanding | null>('state');
