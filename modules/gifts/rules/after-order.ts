export type OrderMove = { from: string; to: string; by: string; problem: string | null };

/** `KEEP`: not decided yet, or already decided. */
export type GiftsAfterOrder = 'REDEEM' | 'RETURN' | 'KEEP';

/** States before the ERP confirms the creation. */
const BEFORE_CREATION: ReadonlySet<string> = new Set(['ACCEPTED', 'SENT']);

/**
 * Decides about reserved gifts (rule CMP-62):
 *
 * - created by the ERP: redeem, even if canceled in the same step;
 * - failed, or withdrawn before sending: return;
 * - abandoned, creation unknown (`NEVER_ENDED`): keep until staff resolve it.
 */
export function giftsAfterMove({ from, to, by, problem }: OrderMove): GiftsAfterOrder {
  const isDecidedNow = BEFORE_CREATION.has(from) && !BEFORE_CREATION.has(to);
  if (!isDecidedNow || problem === 'NEVER_ENDED') return 'KEEP';
  if (to === 'FAILED') return 'RETURN';
  return to === 'CANCELLED' && by !== 'ERP' ? 'RETURN' : 'REDEEM';
}

/** Decides when the ERP confirms the creation (rule CMP-62). */
export const giftsAfterCreation = (state: string): GiftsAfterOrder =>
  BEFORE_CREATION.has(state) ? 'REDEEM' : 'KEEP';

/** `TAKE_BACK` cancels the rights of an earlier return. */
export type RedeemedGifts = 'RETURN' | 'TAKE_BACK' | 'KEEP';

/**
 * Returns redeemed gifts if the order is canceled (rule CMP-96). Takes them back if it is resumed
 * (rule CMP-97).
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
