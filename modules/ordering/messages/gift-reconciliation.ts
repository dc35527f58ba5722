import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';
import type { OrderQueues } from '../../../kernel/pure/queues.ts';

/** Input of giftReconciliation. The time zone is the default of organizations without one. */
export type GiftReconciliationInput = { connectionId: number; timeZone: string; queues: OrderQueues };

/** Orders with gifts that were read again, days that were compared, and how many of them differ. */
export type CheckedGifts = { orders: number; days: number; differing: number };

/** Compares the gifts of a connection's orders with its day at the ERP; a schedule starts it. */
export const giftReconciliationWorkflow = defineWorkflow<GiftReconciliationInput, CheckedGifts>()({
  type: 'giftReconciliation',
  versioning: 'PINNED',
  id: ({ connectionId }: { connectionId: number }) => `gift-reconciliation/${connectionId}`,
});
