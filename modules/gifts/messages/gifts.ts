import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { GiftStage } from '../rules/gift-stage.ts';
import type { ClearingState, HeldBy } from '../rules/markers.ts';
import type { CompensationStatus } from '../rules/states.ts';
import { CONFLICT_DECISIONS, type ConflictStatus, type MarkerSource } from '../rules/words.ts';
import {
  OPERATOR,
  OWN_ID,
  wordsUpTo,
  type InputOf,
  type OperatorInput,
} from '../../../kernel/pure/operator-input.ts';
import type { ActivityQueues } from '../../../kernel/pure/queues.ts';

/** Milliseconds. The pause doubles after each attempt. */
export type WaitingPace = {
  firstMs: number;
  longestMs: number;
  pausesPerRun: number;
};

export type MarkerClearInput = {
  clientId: string;
  queues: ActivityQueues;
  pace?: Partial<WaitingPace>;
  /** Silence after which another worker takes over. */
  heartbeatMs?: number;
};

/** Has one execution per client, because two would overwrite each other's comment. */
export const commentClearWorkflow = defineWorkflow<MarkerClearInput>()({
  type: 'commentClear',
  versioning: 'AUTO_UPGRADE',
  id: ({ clientId }: { clientId: string }) => `comment-clear/${clientId}`,
});

/** Removes categories that are markers. */
export const categoryClearWorkflow = defineWorkflow<MarkerClearInput>()({
  type: 'categoryClear',
  versioning: 'AUTO_UPGRADE',
  id: ({ clientId }: { clientId: string }) => `category-clear/${clientId}`,
});

export const CLEARINGS = {
  ERP_COMMENT: commentClearWorkflow,
  ERP_CATEGORY: categoryClearWorkflow,
} as const satisfies Record<MarkerSource, unknown>;

/** Contains no personal data. */
export type ClearingStanding = {
  /** Number of markers that the ERP may still have. */
  waiting: number;
  heldBy: HeldBy | null;
  /** Delay in ms that the ERP requires. */
  retryAfterMs: number | null;
  /** True if another marker, which was not attempted yet, need not wait. */
  isNextAtOnce: boolean;
  /** Missing in results of earlier releases. */
  conflicts?: number[];
};

/** A hint: the workflow reads the rows. */
export const markerWaits = defineSignal('markerWaits');

export const CONFLICT_RESOLUTION = {
  by: OPERATOR,
  note: wordsUpTo(500),
  conflictId: OWN_ID,
  decision: { type: 'string', enum: CONFLICT_DECISIONS },
} as const satisfies OperatorInput;

export type ConflictResolution = InputOf<typeof CONFLICT_RESOLUTION>;

/** The right was granted, kept or canceled. */
export type ResolvedConflict = { status: ConflictStatus; compensationId: string | null };

/** Resolves a conflict for staff (rule CMP-120). */
export const resolveUpdate = defineUpdate<ResolvedConflict, [ConflictResolution]>('resolve');

/** Null until the first attempt. */
export const clearingState = defineQuery<ClearingStanding | null>('state');

export type GiftRedemptionInput = {
  compensationId: string;
  orderId: string;
  pace?: Partial<WaitingPace>;
};

/** Follows one gift of an order until its marker is removed. */
export const giftRedemptionWorkflow = defineWorkflow<GiftRedemptionInput>()({
  type: 'giftRedemption',
  versioning: 'AUTO_UPGRADE',
  id: ({ orderId, compensationId }: { orderId: string; compensationId: string }) =>
    `order/${orderId}/gift/${compensationId}`,
});

/** Contains no personal data. */
export type GiftStanding = {
  stage: GiftStage;
  status: CompensationStatus;
  /** Null if there is no marker. */
  marker: { state: ClearingState; heldBy: HeldBy | null } | null;
  /** Null until the workflow ends. */
  outcome: string | null;
};

/** Signals the final result of the order. A hint: the workflow reads the rows. */
export const giftSettled = defineSignal('giftSettled');

/** Null until the first read. */
export const giftState = defineQuery<GiftStanding | null>('state');
