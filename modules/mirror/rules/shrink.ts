export type Vanished = { role: 'DISH' | 'MODIFIER'; before: number; vanished: number };

export type LostPrices = Vanished & { organizationId: number };

/** Counts sizes with modifiers, and those that lose all modifiers. */
export type Bared = { before: number; vanished: number };

/** A smaller menu may lose the modifiers of its only pizza. */
const FEWEST_COMPOSED = 10;

type Share = { before: number; vanished: number; percent: number };

/**
 * `organization`: the restaurant with the largest share of lost prices. `modifierGroups`: null if
 * too few sizes have modifiers. `percent`: the largest share.
 */
export type Shrink = Share & {
  organization: (Share & { organizationId: number }) | null;
  modifierGroups: Share | null;
};

/**
 * Computes the shares of deleted items and lost prices (MIR-12, MIR-44), and of dishes that lose
 * their modifiers (MIR-63).
 */
export function measureShrink(
  items: readonly Vanished[],
  prices: readonly LostPrices[],
  bared: Bared,
): Shrink {
  const menu = measureShare(items);
  const organization = listRestaurants(prices).find(({ vanished }) => vanished > 0) ?? null;
  const modifierGroups =
    bared.before < FEWEST_COMPOSED || bared.vanished === 0
      ? null
      : { ...bared, percent: computePercent(bared) };

  const percent = Math.max(menu.percent, organization?.percent ?? 0, modifierGroups?.percent ?? 0);

  return { ...menu, percent, organization, modifierGroups };
}

/**
 * Returns the larger of the shares of all rows and of dishes, because many unchanged modifiers must
 * not hide the loss of half of the dishes.
 */
export function measureShare(counts: readonly Vanished[]): Share {
  const all = total(counts);
  const dishes = total(counts.filter((row) => row.role === 'DISH'));
  return { ...all, percent: Math.max(computePercent(all), computePercent(dishes)) };
}

/** A small restaurant may remove a few dishes. */
const FEWEST_PRICES = 10;

export type LosingRestaurant = Share & { organizationId: number };

/**
 * `fails`: the run writes nothing. `heldBack`: restaurants that keep their prices.
 * `keepsModifiers`: dishes that would lose all modifiers keep them.
 */
export type Verdict = {
  fails: boolean;
  heldBack: LosingRestaurant[];
  keepsModifiers: boolean;
  /** Restaurants whose removals staff accepted. */
  released: LosingRestaurant[];
};

/** MIR-101. */
export type AcceptedRestaurants = { organizationIds: readonly number[]; percent: number };

/**
 * Evaluates the removals of a run (MIR-12, MIR-44, MIR-63). Lost items or modifiers fail only a
 * full run. A restaurant is held back if it would lose at least ten prices and more than the
 * threshold. If more than half are held back, the run fails.
 */
export function evaluateShrink(
  { menu, modifierGroups }: { menu: Pick<Share, 'percent'>; modifierGroups: Share | null },
  prices: readonly LostPrices[],
  {
    isFull,
    thresholdPercent,
    accepted = null,
  }: { isFull: boolean; thresholdPercent: number; accepted?: AcceptedRestaurants | null },
): Verdict {
  const restaurants = listRestaurants(prices);
  const losing = restaurants.filter(
    (row) => row.vanished >= FEWEST_PRICES && isSuspicious(row, thresholdPercent),
  );
  const isAccepted = (row: LosingRestaurant): boolean =>
    accepted !== null &&
    accepted.organizationIds.includes(row.organizationId) &&
    isCovered(row, accepted.percent);

  const heldBack = losing.filter((row) => !isAccepted(row));
  const losesModifiers = modifierGroups !== null && isSuspicious(modifierGroups, thresholdPercent);
  const fails =
    heldBack.length * 2 > restaurants.length ||
    (isFull && (isSuspicious(menu, thresholdPercent) || losesModifiers));

  return { fails, heldBack, keepsModifiers: losesModifiers, released: losing.filter(isAccepted) };
}

const listRestaurants = (prices: readonly LostPrices[]): LosingRestaurant[] =>
  [...Map.groupBy(prices, (row) => row.organizationId)]
    .map(([organizationId, rows]) => ({ organizationId, ...measureShare(rows) }))
    .toSorted((a, b) => b.percent - a.percent || a.organizationId - b.organizationId);

export function isSuspicious(shrink: Pick<Share, 'percent'>, thresholdPercent: number): boolean {
  return shrink.percent > thresholdPercent;
}

/** A single restaurant may have closed. */
const FEWEST_LOSERS = 2;

/** Returns true if more restaurants than the threshold allows would lose all rows (MIR-45). */
export function isSuspiciousList(
  { had, lost }: { had: number; lost: number },
  thresholdPercent: number,
): boolean {
  return (
    lost >= FEWEST_LOSERS &&
    isSuspicious({ percent: computePercent({ before: had, vanished: lost }) }, thresholdPercent)
  );
}

/** Returns true if staff accepted at least this share. */
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

function computePercent({ before, vanished }: Counts): number {
  return before === 0 ? 0 : (vanished / before) * 100;
}
