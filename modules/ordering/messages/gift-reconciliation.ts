import type { OrderQueues } from '../../../kernel/pure/queues.ts';

/** Input of giftReconciliation. The time zone is of organizations for which nobody states one. */
export type GiftReconciliationInput = { connectionId: number; timeZone: string; queues: OrderQueues };

/** Orders with gifts that were read again, days that were compared, and how many of them differ. */
export type CheckedGifts = { orders: number; days: number; differing: number };
