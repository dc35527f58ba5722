import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { OrderQueues } from '../../../kernel/pure/queues.ts';

/** `timeZone` is the default. */
export type GiftReconciliationInput = {
  connectionId: number;
  timeZone: string;
  queues: OrderQueues;
};

export type CheckedGifts = { orders: number; days: number; differing: number };

/** Reconciles the gifts of a connection. Started by a schedule. */
export const giftReconciliationWorkflow = defineWorkflow<GiftReconciliationInput, CheckedGifts>()({
  type: 'giftReconciliation',
  versioning: 'PINNED',
  id: ({ connectionId }: { connectionId: number }) => `gift-reconciliation/${connectionId}`,
});
