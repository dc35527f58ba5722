/**
 * A marker that has been seen at the ERP: a category of a client, or a block in the comment. Its
 * subject is the visible part (the category, the name in the block), its generation distinguishes
 * the promises of one subject.
 */
export type Marker = {
  subject: string;
  /** From 1, and higher with every promise of this subject to this client. */
  generation: number;
};

/**
 * The state of the right of a marker: it can still be used, it was used, it has ended otherwise, or
 * there never was one (an open or ignored conflict).
 */
export type MarkerRight = 'LIVE' | 'USED' | 'OVER' | 'NONE';

export type KnownMarker = Marker & {
  /** True if it was there when the client's card was last read. */
  isPresent: boolean;
  right: MarkerRight;
};

/** The client's card as it was read. */
export type SeenMarkers = {
  /** The number of markers of each subject; at most one of a category. */
  counts: ReadonlyMap<string, number>;
  /** False when something damaged may hide a marker: then none counts as absent. */
  isWhole: boolean;
};

export type MarkerRules<Reward> = {
  /** The reward that a subject means; null when it means none now. */
  rewardOf: (subject: string) => Reward | null;
  /** True if a client has at most one right that can still be used, of any kind. */
  onlyOneRight: boolean;
  /** True if the client already has such a right, from any source. */
  hasRight: boolean;
  /**
   * The one of `known` that we are removing: of equal ones with used rights, it is the one that
   * disappears.
   */
  clears?: KnownMarker | undefined;
};

/** The changes of a card. All other stored data stay the same. */
export type MarkerChanges<Reward> = {
  /** New markers that give a right. */
  granted: (Marker & { reward: Reward })[];
  /**
   * New markers for a decision by staff: the client has a right already, or several came at once.
   */
  conflicts: (Marker & { reward: Reward })[];
  /** Markers that are back before their right was used: the same right, no new one. */
  returned: KnownMarker[];
  /**
   * Removed markers. Those with a LIVE right were removed manually: a discrepancy, and the right is
   * kept.
   */
  vanished: KnownMarker[];
  /**
   * Subjects of new markers without a reward; they are checked again at the next reading of the
   * card.
   */
  ignored: string[];
};

/** Removed markers are first those that are being cleared, then those without further effect. */
const VANISH_ORDER: Readonly<Record<MarkerRight, number>> = { USED: 0, OVER: 1, NONE: 2, LIVE: 3 };

/**
 * Compares the stored markers of a client with the card that was just read (rules CMP-34 to
 * CMP-38). A marker is new if the card has more of its subject than are stored as present. So after
 * its right was used, it gives another right only if it was absent in between, and equal blocks are
 * counted.
 */
export function compareMarkers<Reward>(
  known: readonly KnownMarker[],
  { counts, isWhole }: SeenMarkers,
  { rewardOf, onlyOneRight, hasRight, clears }: MarkerRules<Reward>,
): MarkerChanges<Reward> {
  const changes: MarkerChanges<Reward> = { granted: [], conflicts: [], returned: [], vanished: [], ignored: [] };
  const arrived: (Marker & { reward: Reward })[] = [];
  const bySubject = Map.groupBy(known, ({ subject }) => subject);
  for (const subject of new Set([...bySubject.keys(), ...counts.keys()])) {
    const markers = bySubject.get(subject) ?? [];
    const present = markers.filter(({ isPresent }) => isPresent);
    const more = (counts.get(subject) ?? 0) - present.length;
    if (more < 0 && isWhole) changes.vanished.push(...present.toSorted(inVanishOrder(clears)).slice(0, -more));
    if (more <= 0) continue;
    const back = markers.filter(({ isPresent, right }) => !isPresent && right === 'LIVE').slice(0, more);
    changes.returned.push(...back);
    if (back.length === more) continue;
    const reward = rewardOf(subject);
    if (reward === null) {
      changes.ignored.push(subject);
      continue;
    }
    const last = Math.max(0, ...markers.map(({ generation }) => generation));
    for (let next = 1; next <= more - back.length; next += 1) {
      arrived.push({ subject, generation: last + next, reward });
    }
  }
  const isConflict = onlyOneRight && (hasRight || arrived.length > 1 || known.some(({ right }) => right === 'LIVE'));
  (isConflict ? changes.conflicts : changes.granted).push(...arrived);
  return changes;
}

const inVanishOrder = (clears: KnownMarker | undefined) => (a: KnownMarker, b: KnownMarker) =>
  VANISH_ORDER[a.right] - VANISH_ORDER[b.right] ||
  Number(b === clears) - Number(a === clears) ||
  b.generation - a.generation;

/**
 * Returns true if the marker that we requested to remove is absent, even if new equal ones exist
 * (rule CMP-84): at most the expected `left` are present. Not while a damaged part may hide it.
 */
export function isCountedOut(marker: KnownMarker, { counts, isWhole }: SeenMarkers, left: number | null): boolean {
  return isWhole && marker.isPresent && left !== null && (counts.get(marker.subject) ?? 0) <= left;
}

/**
 * Returns the number to store when one of `there` equal markers is removed from a card: how many
 * remain, if some of them are not stored.
 */
export function countToLeave(there: number, known: number): number | null {
  return there > known ? there - 1 : null;
}

/**
 * The unique name of the marker of one client, by which its right is granted once (rule CMP-39).
 */
export function sourceMarker(customerErpId: string, { subject, generation }: Marker): string {
  return `${customerErpId.toLowerCase()}/${subject}/${generation}`;
}

export const CLEARING_STATES = ['TO_CLEAR', 'HELD', 'CLEARED'] as const;
export type ClearingState = (typeof CLEARING_STATES)[number];

/**
 * The reasons that keep the marker of a redeemed right at the ERP, and their ends (rule CMP-15).
 * All of them are retried without a limit: only the card of the ERP proves the removal of a marker.
 */
export const HELD_BY = {
  ERP_UNAVAILABLE: 'the ERP does not respond, or its circuit is open',
  LOYALTY_OFF: 'the ERP has no loyalty programme for the organizations of the connection',
  CLIENT_GONE: 'the ERP has no such client any more',
  NO_ORGANIZATION: 'the connection has no organization to query',
  DAMAGED: 'the comment contains broken tags: one of them may be the remainder of a block',
  UNSAFE: 'the block cannot be removed without changing other text',
  CHANGED: 'the card was changed during the removal',
  REFUSED: 'the ERP rejects the change',
  NOT_CONFIRMED: 'the ERP accepted the change, but the card still contains the marker',
} as const;
export type HeldBy = keyof typeof HELD_BY;

/** Reasons that keep one marker and do not concern others on the same card (rule CMP-90). */
const HELD_ALONE: readonly HeldBy[] = ['UNSAFE', 'CHANGED', 'REFUSED', 'NOT_CONFIRMED'];
export const isHeldAlone = (heldBy: HeldBy): boolean => HELD_ALONE.includes(heldBy);

/** The outcome of an attempt to clear a marker. */
export type Clearing =
  /**
   * `isAsWritten`: whether the comment was as we wrote it when it was read again; null when nothing
   * was written.
   */
  { cleared: true; isAsWritten: boolean | null } | NotCleared;
export type NotCleared = { cleared: false; heldBy: HeldBy; retryAfterMs: number | null };

/**
 * Every step of the marker of a redeemed right: source and target states (rule CMP-15). CLEARED is
 * final.
 */
export const CLEARING_STEPS = {
  CLEAR: { from: ['TO_CLEAR', 'HELD'], to: 'CLEARED' },
  HOLD: { from: ['TO_CLEAR', 'HELD'], to: 'HELD' },
} as const satisfies Record<string, { from: readonly ClearingState[]; to: ClearingState }>;
