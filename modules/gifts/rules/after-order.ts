/**
 * A move of an order that has reserved gifts: its states before and after, its actor, and its
 * problem.
 */
export type OrderMove = { from: string; to: string; by: string; problem: string | null };

/** `KEEP` leaves gifts reserved: nothing is decided yet, or it was decided before. */
export type GiftsAfterOrder = 'REDEEM' | 'RETURN' | 'KEEP';

/** States in which the ERP has not confirmed that it created the order. */
const BEFORE_CREATION: ReadonlySet<string> = new Set(['ACCEPTED', 'SENT']);

/**
 * Decides about the gifts of an order when the order moves (rule CMP-62):
 *
 * - the ERP has created the order: redeem them, even if the ERP cancels the order in the same step;
 * - the order failed, or it was withdrawn before it was sent: return them;
 * - we stopped tracking an order whose creation is unknown (`NEVER_ENDED`): keep them reserved
 *   until staff resolve them.
 */
export function giftsAfterMove({ from, to, by, problem }: OrderMove): GiftsAfterOrder {
  const isDecidedNow = BEFORE_CREATION.has(from) && !BEFORE_CREATION.has(to);
  if (!isDecidedNow || problem === 'NEVER_ENDED') return 'KEEP';
  if (to === 'FAILED') return 'RETURN';
  return to === 'CANCELLED' && by !== 'ERP' ? 'RETURN' : 'REDEEM';
}

/**
 * Decides about the gifts of an order in this state when the ERP confirms that it created the order
 * (rule CMP-62).
 */
export const giftsAfterCreation = (state: string): GiftsAfterOrder => (BEFORE_CREATION.has(state) ? 'REDEEM' : 'KEEP');

/** `TAKE_BACK` cancels the rights that an earlier cancellation has granted. */
export type RedeemedGifts = 'RETURN' | 'TAKE_BACK' | 'KEEP';

/**
 * Decides about gifts that an order has redeemed: a canceled order grants them again (rule CMP-96),
 * and one that the ERP resumes takes that back (rule CMP-97). A rejected order has redeemed none.
 */
export function redeemedGiftsAfter({
  wasCanceled,
  isCanceled,
}: {
  wasCanceled: boolean;
  isCanceled: boolean;
}): RedeemedGifts {
  if (isCanceled) return wasCanceled ? 'KEEP' : 'RETURN';
  return wasCanceled ? 'TAKE_BACK' : 'KEEP';
}
