import type { ClearingState } from './markers.ts';
import type { CompensationStatus } from './states.ts';

/**
 * RESERVED: result open. TO_CLEAR: redeemed, with a marker at the ERP. CLEARED: without one.
 * RETURNED: the client has the right again. TAKEN: redeemed by another channel.
 */
export const GIFT_STAGES = ['RESERVED', 'TO_CLEAR', 'CLEARED', 'RETURNED', 'TAKEN'] as const;
export type GiftStage = (typeof GIFT_STAGES)[number];

export type GiftFacts = {
  status: CompensationStatus;
  reservedOrderId: string | null;
  redeemedOrderId: string | null;
  /** Null without a marker. */
  clearing: ClearingState | null;
};

/** Rule CMP-19. */
export function giftStage(
  { status, reservedOrderId, redeemedOrderId, clearing }: GiftFacts,
  orderId: string,
): GiftStage {
  if (reservedOrderId !== orderId) return 'RETURNED';
  if (status === 'RESERVED') return 'RESERVED';
  if (redeemedOrderId !== orderId) return 'TAKEN';
  return clearing === null || clearing === 'CLEARED' ? 'CLEARED' : 'TO_CLEAR';
}
