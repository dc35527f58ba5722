/** Items a menu held before a full run, and how many of them the answer no longer contains. */
export type Vanished = { role: 'DISH' | 'MODIFIER'; before: number; vanished: number };

/** What a full run would take away: items of the menu before it, those that vanished, and their share in percent. */
export type Shrink = { before: number; vanished: number; percent: number };

/**
 * The share of items that vanished: the larger of that of all items and that of dishes alone, because many unchanged modifiers
 * must not hide that half of the dishes are gone. The counts are of all items.
 */
export function shrinkOf(counts: readonly Vanished[]): Shrink {
  const all = total(counts);
  const dishes = total(counts.filter((row) => row.role === 'DISH'));
  return { ...all, percent: Math.max(percentOf(all), percentOf(dishes)) };
}

/** True when a full run must not delete: more than the threshold vanished (rule MIR-12). */
export function isSuspicious(shrink: Shrink, thresholdPercent: number): boolean {
  return shrink.percent > thresholdPercent;
}

/** True when staff have accepted this much: a share that has grown since they looked is another question. */
export function isCovered(shrink: Shrink, acceptedPercent: number): boolean {
  return shrink.percent <= acceptedPercent;
}

type Counts = Omit<Shrink, 'percent'>;

function total(rows: readonly Counts[]): Counts {
  return {
    before: rows.reduce((sum, row) => sum + row.before, 0),
    vanished: rows.reduce((sum, row) => sum + row.vanished, 0),
  };
}

function percentOf({ before, vanished }: Counts): number {
  return before === 0 ? 0 : (vanished / before) * 100;
}
