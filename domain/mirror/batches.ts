/** Organizations of one menu request (spec 2, Limits, Batch size). */
export const ORGANIZATIONS_PER_BATCH = 10;

/** Splits into batches of at most `size`, in order. */
export function inBatches<T>(all: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < all.length; start += size) batches.push(all.slice(start, start + size));
  return batches;
}
