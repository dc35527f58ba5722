import type { ClearingState } from './markers.ts';
import type { CompensationStatus } from './states.ts';

/**
 * The stages of a gift of an order. RESERVED: the result of the order at the ERP is open. TO_CLEAR:
 * redeemed, and its marker is still in the ERP. CLEARED: redeemed, without a marker in the ERP.
 * RETURNED: the order failed, and the client has the right again. TAKEN: an order from another
 * channel has redeemed it.
 */
export const GIFT_STAGES = ['RESERVED', 'TO_CLEAR', 'CLEARED', 'RETURNED', 'TAKEN'] as const;
export type GiftStage = (typeof GIFT_STAGES)[number];

export type GiftFacts = {
  status: CompensationStatus;
  reservedOrderId: string | null;
  redeemedOrderId: string | null;
  /** Null when the right has no marker. */
  clearing: ClearingState | null;
};

/** The stage of a gift of this order (rule CMP-19). */
export function giftStage(
  { status, reservedOrderId, redeemedOrderId, clearing }: GiftFacts,
  orderId: string,
): GiftStage {
  if (reservedOrderId !== orderId) return 'RETURNED';
  if (status === 'RESERVED') return 'RESERVED';
  if (redeemedOrderId !== orderId) return 'TAKEN';
  return clearing === null || clearing === 'CLEARED' ? 'CLEARED' : 'TO_CLEAR';
}
