/**
 * Items a menu had before a full run, or prices a restaurant had in it, and how many of them the
 * answer no longer contains.
 */
export type Vanished = { role: 'DISH' | 'MODIFIER'; before: number; vanished: number };

/** Prices of one restaurant in a menu: our id of the organization. */
export type LostPrices = Vanished & { organizationId: number };

/**
 * Sizes of dishes that guests compose of modifiers, and how many of them the answer names without
 * any.
 */
export type Bared = { before: number; vanished: number };

/**
 * Fewer composed sizes than these are no crowd: a small menu may lose the modifiers of its one
 * pizza.
 */
const FEWEST_COMPOSED = 10;

/** The rows before a run, those that would be deleted, and their share in percent. */
type Share = { before: number; vanished: number; percent: number };

/**
 * The deletions of a run. `before` and `vanished` count the items of the menu; `organization` is
 * the restaurant that would lose the largest share of its prices, null if none loses any;
 * `modifierGroups` are the composed sizes that would lose all modifiers, null if there are none or
 * few; `percent` is the largest of these shares.
 */
export type Shrink = Share & {
  organization: (Share & { organizationId: number }) | null;
  modifierGroups: Share | null;
};

/**
 * The shrink of a run, from the items that a full run would delete (none otherwise) and the prices
 * that its restaurants would lose (rules MIR-12 and MIR-44): a restaurant is evaluated separately
 * from the others. So are the modifiers of composed dishes, which every run replaces (rule MIR-63).
 */
export function shrinkOf(items: readonly Vanished[], prices: readonly LostPrices[], bared: Bared): Shrink {
  const menu = shareOf(items);
  const organization = restaurantsOf(prices).find(({ vanished }) => vanished > 0) ?? null;
  const modifierGroups =
    bared.before < FEWEST_COMPOSED || bared.vanished === 0 ? null : { ...bared, percent: percentOf(bared) };
  const percent = Math.max(menu.percent, organization?.percent ?? 0, modifierGroups?.percent ?? 0);
  return { ...menu, percent, organization, modifierGroups };
}

/**
 * The larger of the share of all rows and that of dishes alone, because many unchanged modifiers
 * must not hide the loss of half of the dishes. The counts are of all rows.
 */
export function shareOf(counts: readonly Vanished[]): Share {
  const all = total(counts);
  const dishes = total(counts.filter((row) => row.role === 'DISH'));
  return { ...all, percent: Math.max(percentOf(all), percentOf(dishes)) };
}

/** Fewer prices than these are no crowd: a small restaurant may drop a few dishes. */
const FEWEST_PRICES = 10;

/** A restaurant that would lose more of its prices than the threshold; our id of it. */
export type LosingRestaurant = Share & { organizationId: number };

/**
 * The deletions that a run must not make, unless staff accept them. `fails`: the run writes
 * nothing. `heldBack`: restaurants that keep their prices. `keepsModifiers`: dishes that would lose
 * all their modifiers keep them.
 */
export type Verdict = {
  fails: boolean;
  heldBack: LosingRestaurant[];
  keepsModifiers: boolean;
  /** Restaurants that would be held back if staff had not accepted their removals. */
  released: LosingRestaurant[];
};

/** An acceptance of the removals of some restaurants, up to a share (rule MIR-101). */
export type AcceptedRestaurants = { organizationIds: readonly number[]; percent: number };

/**
 * Evaluates the removals of a run. A full run fails for its items (rule MIR-12) and for the
 * modifiers of composed dishes (rule MIR-63), an incremental one for neither. A restaurant that
 * would lose at least ten prices, and more than the threshold, is held back alone; the run fails if
 * these are more than half of the restaurants that have prices (rule MIR-44).
 */
export function verdictOf(
  { menu, modifierGroups }: { menu: Pick<Share, 'percent'>; modifierGroups: Share | null },
  prices: readonly LostPrices[],
  {
    isFull,
    thresholdPercent,
    accepted = null,
  }: { isFull: boolean; thresholdPercent: number; accepted?: AcceptedRestaurants | null },
): Verdict {
  const restaurants = restaurantsOf(prices);
  const losing = restaurants.filter((row) => row.vanished >= FEWEST_PRICES && isSuspicious(row, thresholdPercent));
  const isAccepted = (row: LosingRestaurant): boolean =>
    accepted !== null && accepted.organizationIds.includes(row.organizationId) && isCovered(row, accepted.percent);
  const heldBack = losing.filter((row) => !isAccepted(row));
  const losesModifiers = modifierGroups !== null && isSuspicious(modifierGroups, thresholdPercent);
  const fails =
    heldBack.length * 2 > restaurants.length || (isFull && (isSuspicious(menu, thresholdPercent) || losesModifiers));
  return { fails, heldBack, keepsModifiers: losesModifiers, released: losing.filter(isAccepted) };
}

const restaurantsOf = (prices: readonly LostPrices[]): LosingRestaurant[] =>
  [...Map.groupBy(prices, (row) => row.organizationId)]
    .map(([organizationId, rows]) => ({ organizationId, ...shareOf(rows) }))
    .toSorted((a, b) => b.percent - a.percent || a.organizationId - b.organizationId);

/** True when more than the threshold would go. */
export function isSuspicious(shrink: Pick<Share, 'percent'>, thresholdPercent: number): boolean {
  return shrink.percent > thresholdPercent;
}

/** Fewer restaurants than these are no crowd: one may have closed. */
const FEWEST_LOSERS = 2;

/**
 * True when a list must not be applied at once: more restaurants than the threshold allows would
 * lose something (rule MIR-45).
 */
export function isSuspiciousList({ had, lost }: { had: number; lost: number }, thresholdPercent: number): boolean {
  return (
    lost >= FEWEST_LOSERS && isSuspicious({ percent: percentOf({ before: had, vanished: lost }) }, thresholdPercent)
  );
}

/**
 * True when staff have accepted this much: a share that has grown since they looked is another
 * question.
 */
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
