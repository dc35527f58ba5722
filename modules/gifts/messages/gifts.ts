import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { GiftStage } from '../rules/gift-stage.ts';
import type { ClearingState, HeldBy } from '../rules/markers.ts';
import type { CompensationStatus } from '../rules/states.ts';
import { CONFLICT_DECISIONS, type ConflictStatus, type MarkerSource } from '../rules/words.ts';
import { OPERATOR, OWN_ID, wordsUpTo, type InputOf, type OperatorInput } from '../../../kernel/pure/operator-input.ts';
import type { ActivityQueues } from '../../../kernel/pure/queues.ts';

/**
 * Pauses of a workflow that waits for something, in milliseconds: the first one, which doubles up
 * to the longest.
 */
export type WaitingPace = {
  firstMs: number;
  longestMs: number;
  /** Pauses after which the execution continues as new. */
  pausesPerRun: number;
};

/** Input of commentClear and categoryClear. Everything else is in rows. */
export type MarkerClearInput = {
  clientId: string;
  queues: ActivityQueues;
  pace?: Partial<WaitingPace>;
  /** After how long a silent worker is taken for dead; another one follows it then. */
  heartbeatMs?: number;
};

/**
 * Takes markers away from a client's comment. One for each client: two would take turns in writing
 * one comment.
 */
export const commentClearWorkflow = defineWorkflow<MarkerClearInput>()({
  type: 'commentClear',
  versioning: 'AUTO_UPGRADE',
  id: ({ clientId }: { clientId: string }) => `comment-clear/${clientId}`,
});

/** Takes categories that are markers away from a client. */
export const categoryClearWorkflow = defineWorkflow<MarkerClearInput>()({
  type: 'categoryClear',
  versioning: 'AUTO_UPGRADE',
  id: ({ clientId }: { clientId: string }) => `category-clear/${clientId}`,
});

/** The workflow that removes markers of each kind. */
export const CLEARINGS = {
  ERP_COMMENT: commentClearWorkflow,
  ERP_CATEGORY: categoryClearWorkflow,
} as const satisfies Record<MarkerSource, unknown>;

/** The result of the last attempt: ids and words only, nothing of the client. */
export type ClearingStanding = {
  /** Markers that are still at the ERP, or possibly still there. */
  waiting: number;
  heldBy: HeldBy | null;
  /** The pause that the ERP requires, in ms. */
  retryAfterMs: number | null;
  /** True if another marker without an attempt need not wait for this one. */
  isNextAtOnce: boolean;
  /** Ids of conflicts of this client and source that wait for staff; absent in earlier releases. */
  conflicts?: number[];
};

/**
 * A right of the client was redeemed, and its marker waits. A hint: the workflow reads the rows.
 */
export const markerWaits = defineSignal('markerWaits');

/** The input of the update `resolve`; the note is the reason of the decision. */
export const CONFLICT_RESOLUTION = {
  by: OPERATOR,
  note: wordsUpTo(500),
  conflictId: OWN_ID,
  decision: { type: 'string', enum: CONFLICT_DECISIONS },
} as const satisfies OperatorInput;
export type ConflictResolution = InputOf<typeof CONFLICT_RESOLUTION>;

/** The result of a decision; `compensationId` is the right that it granted, kept or canceled. */
export type ResolvedConflict = { status: ConflictStatus; compensationId: string | null };

/** Decides about a conflict of the client for staff (rule CMP-120). */
export const resolveUpdate = defineUpdate<ResolvedConflict, [ConflictResolution]>('resolve');

/** The result of the last attempt; null before the first one. */
export const clearingState = defineQuery<ClearingStanding | null>('state');

/** Input of giftRedemption. Everything else is in rows. */
export type GiftRedemptionInput = { compensationId: string; orderId: string; pace?: Partial<WaitingPace> };

/** Accompanies one gift of one order until no marker of it is left at the ERP. */
export const giftRedemptionWorkflow = defineWorkflow<GiftRedemptionInput>()({
  type: 'giftRedemption',
  versioning: 'AUTO_UPGRADE',
  id: ({ orderId, compensationId }: { orderId: string; compensationId: string }) =>
    `order/${orderId}/gift/${compensationId}`,
});

/** The stage of a gift of an order: ids and words only. */
export type GiftStanding = {
  stage: GiftStage;
  status: CompensationStatus;
  /** The marker at the ERP; null when the right has none. */
  marker: { state: ClearingState; heldBy: HeldBy | null } | null;
  /** The end of the gift; null before that. */
  outcome: string | null;
};

/** The result of the order is final. A hint: the workflow reads the rows. */
export const giftSettled = defineSignal('giftSettled');

/** The gift at the workflow's last read; null before the first one. */
export const giftState = defineQuery<GiftStanding | null>('state');
