/** Items a menu held before a full run, and how many of them the answer no longer contains. */
export type Vanished = { role: 'DISH' | 'MODIFIER'; before: number; vanished: number };

/**
 * The share of items that vanished, in percent: the larger of that of all items and that of dishes alone, because many
 * unchanged modifiers must not hide that half of the dishes are gone.
 */
export function vanishedPercent(counts: readonly Vanished[]): number {
  const share = (rows: readonly Vanished[]): number => {
    const before = rows.reduce((sum, row) => sum + row.before, 0);
    return before === 0 ? 0 : (rows.reduce((sum, row) => sum + row.vanished, 0) / before) * 100;
  };
  return Math.max(share(counts), share(counts.filter((row) => row.role === 'DISH')));
}

/** True when a full run must not delete: more than the threshold vanished (spec 2, Shrink guard). */
export function isSuspiciousShrink(counts: readonly Vanished[], thresholdPercent: number): boolean {
  return vanishedPercent(counts) > thresholdPercent;
}
