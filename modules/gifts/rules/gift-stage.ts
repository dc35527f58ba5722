import type { ClearingState } from './markers.ts';
import type { CompensationStatus } from './states.ts';

/**
 * RESERVED: the result of the order is open. TO_CLEAR: redeemed, but the ERP still has the marker.
 * CLEARED: redeemed, and the ERP has no marker. RETURNED: the client has the right again. TAKEN:
 * redeemed by another channel.
 */
export const GIFT_STAGES = ['RESERVED', 'TO_CLEAR', 'CLEARED', 'RETURNED', 'TAKEN'] as const;
export type GiftStage = (typeof GIFT_STAGES)[number];

export type GiftFacts = {
  status: CompensationStatus;
  reservedOrderId: string | null;
  redeemedOrderId: string | null;
  /** Null if there is no marker. */
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
