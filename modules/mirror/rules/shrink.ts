/** Items a menu held before a full run, or prices a restaurant had in it, and how many of them the answer no longer contains. */
export type Vanished = { role: 'DISH' | 'MODIFIER'; before: number; vanished: number };

/** Prices of one restaurant in a menu: our id of the organization. */
export type LostPrices = Vanished & { organizationId: number };

/** Sizes of dishes that guests compose of modifiers, and how many of them the answer names without any. */
export type Bared = { before: number; vanished: number };

/** Fewer composed sizes than these are no crowd: a small menu may lose the modifiers of its one pizza. */
const FEWEST_COMPOSED = 10;

/** What was there before a run, what of it would go, and the share of that in percent. */
type Share = { before: number; vanished: number; percent: number };

/**
 * What a run would take away. `before` and `vanished` count the items of the menu; `organization` is the restaurant that would lose
 * the largest share of its prices, null when none loses any; `modifierGroups` are the composed sizes that would have no modifiers any more, null when
 * there are none or few; `percent` is the largest of these shares.
 */
export type Shrink = Share & {
  organization: (Share & { organizationId: number }) | null;
  modifierGroups: Share | null;
};

/**
 * The shrink of a run, from the items that a full run would delete (none otherwise) and the prices that its restaurants would
 * lose (rules MIR-12 and MIR-44): one restaurant is looked at by itself, however well the others are. So are the modifiers of composed dishes, which
 * every run replaces (rule MIR-63).
 */
export function shrinkOf(items: readonly Vanished[], prices: readonly LostPrices[], bared: Bared): Shrink {
  const menu = shareOf(items);
  const restaurants = [...Map.groupBy(prices, (row) => row.organizationId)]
    .map(([organizationId, rows]) => ({ organizationId, ...shareOf(rows) }))
    .filter(({ vanished }) => vanished > 0);
  const organization =
    restaurants.toSorted((a, b) => b.percent - a.percent || a.organizationId - b.organizationId)[0] ?? null;
  const modifierGroups =
    bared.before < FEWEST_COMPOSED || bared.vanished === 0 ? null : { ...bared, percent: percentOf(bared) };
  const percent = Math.max(menu.percent, organization?.percent ?? 0, modifierGroups?.percent ?? 0);
  return { ...menu, percent, organization, modifierGroups };
}

/**
 * The larger of the share of all rows and that of dishes alone, because many unchanged modifiers must not hide that half of the
 * dishes are gone. The counts are of all rows.
 */
function shareOf(counts: readonly Vanished[]): Share {
  const all = total(counts);
  const dishes = total(counts.filter((row) => row.role === 'DISH'));
  return { ...all, percent: Math.max(percentOf(all), percentOf(dishes)) };
}

/** True when a run must not write: more than the threshold would go (rules MIR-12 and MIR-44). */
export function isSuspicious(shrink: Pick<Shrink, 'percent'>, thresholdPercent: number): boolean {
  return shrink.percent > thresholdPercent;
}

/** Fewer restaurants than these are no crowd: one may have closed. */
const FEWEST_LOSERS = 2;

/** True when a list must not be applied at once: more restaurants than the threshold allows would lose something (rule MIR-45). */
export function isSuspiciousList({ had, lost }: { had: number; lost: number }, thresholdPercent: number): boolean {
  return (
    lost >= FEWEST_LOSERS && isSuspicious({ percent: percentOf({ before: had, vanished: lost }) }, thresholdPercent)
  );
}

/** True when staff have accepted this much: a share that has grown since they looked is another question. */
export function isCovered(shrink: Pick<Shrink, 'percent'>, acceptedPercent: number): boolean {
  return shrink.percent <= acceptedPercent;
}

type Counts = Omit<Share, 'percent'>;

function total(rows: readonly Counts[]): Counts {
  return {
    before: rows.reduce((sum, row) => sum + row.before, 0),
    vanished: rows.reduce((sum, row) => sum + row.vanished, 0),
  };
}

function percentOf({ before, vanished }: Counts): number {
  return before === 0 ? 0 : (vanished / before) * 100;
}
