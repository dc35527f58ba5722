/**
 * A client's category, or a block in the comment. `generation` distinguishes promises of the same
 * subject.
 */
export type Marker = {
  subject: string;
  /** Counted from 1 per client. */
  generation: number;
};

/**
 * LIVE: usable. USED: redeemed. OVER: ended otherwise. NONE: a conflict
 * without a right.
 */
export type MarkerRight = 'LIVE' | 'USED' | 'OVER' | 'NONE';

export type KnownMarker = Marker & {
  /** Presence as of the last read of the card. */
  isPresent: boolean;
  right: MarkerRight;
};

export type SeenMarkers = {
  /** Number of markers by subject. A category counts at most once. */
  counts: ReadonlyMap<string, number>;
  /** False if damage may hide markers. Then no marker counts as absent. */
  isWhole: boolean;
};

export type MarkerRules<Reward> = {
  /** Null if the subject currently has no reward. */
  rewardOf: (subject: string) => Reward | null;
  /** True if a client may have only one usable right. */
  onlyOneRight: boolean;
  /** True for a usable right from any source. */
  hasRight: boolean;
  /**
   * The marker that is being removed. Of several equal markers with used rights, this marker
   * disappears.
   */
  clears?: KnownMarker | undefined;
};

export type MarkerChanges<Reward> = {
  granted: (Marker & { reward: Reward })[];
  /**
   * New markers for staff to decide: the client already has a right, or several markers came at
   * once.
   */
  conflicts: (Marker & { reward: Reward })[];
  /** Markers that returned before their right was used. They grant no new right. */
  returned: KnownMarker[];
  /** Markers that disappeared. A LIVE right stays, because its marker was removed manually. */
  vanished: KnownMarker[];
  /** Subjects without a reward. They are checked again when the card is next read. */
  ignored: string[];
};

/** Prefers markers that are being cleared, then markers without effect. */
const VANISH_ORDER: Readonly<Record<MarkerRight, number>> = { USED: 0, OVER: 1, NONE: 2, LIVE: 3 };

/**
 * Compares stored markers with a card (rules CMP-34 to CMP-38). A marker is new only if the card
 * contains more than are stored as present. A used marker must therefore have been absent in
 * between.
 */
export function compareMarkers<Reward>(
  known: readonly KnownMarker[],
  { counts, isWhole }: SeenMarkers,
  { rewardOf, onlyOneRight, hasRight, clears }: MarkerRules<Reward>,
): MarkerChanges<Reward> {
  const changes: MarkerChanges<Reward> = {
    granted: [],
    conflicts: [],
    returned: [],
    vanished: [],
    ignored: [],
  };

  const arrived: (Marker & { reward: Reward })[] = [];
  const bySubject = Map.groupBy(known, ({ subject }) => subject);

  for (const subject of new Set([...bySubject.keys(), ...counts.keys()])) {
    const markers = bySubject.get(subject) ?? [];
    const present = markers.filter(({ isPresent }) => isPresent);
    const more = (counts.get(subject) ?? 0) - present.length;
    if (more < 0 && isWhole)
      changes.vanished.push(...present.toSorted(inVanishOrder(clears)).slice(0, -more));
    if (more <= 0) continue;
    const back = markers
      .filter(({ isPresent, right }) => !isPresent && right === 'LIVE')
      .slice(0, more);
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

  const isConflict =
    onlyOneRight && (hasRight || arrived.length > 1 || known.some(({ right }) => right === 'LIVE'));
  (isConflict ? changes.conflicts : changes.granted).push(...arrived);

  return changes;
}

const inVanishOrder = (clears: KnownMarker | undefined) => (a: KnownMarker, b: KnownMarker) =>
  VANISH_ORDER[a.right] - VANISH_ORDER[b.right] ||
  Number(b === clears) - Number(a === clears) ||
  b.generation - a.generation;

/**
 * True if the number of equal markers proves the removal: at most `left` remain, and no damage
 * hides a marker (rule CMP-84).
 */
export function isCountedOut(
  marker: KnownMarker,
  { counts, isWhole }: SeenMarkers,
  left: number | null,
): boolean {
  return isWhole && marker.isPresent && left !== null && (counts.get(marker.subject) ?? 0) <= left;
}

/** Returns how many of `there` markers must remain, or null if all of them are stored. */
export function countToLeave(there: number, known: number): number | null {
  return there > known ? there - 1 : null;
}

/** Returns a unique name, so that a marker grants only once (rule CMP-39). */
export function sourceMarker(customerErpId: string, { subject, generation }: Marker): string {
  return `${customerErpId.toLowerCase()}/${subject}/${generation}`;
}

export const CLEARING_STATES = ['TO_CLEAR', 'HELD', 'CLEARED'] as const;
export type ClearingState = (typeof CLEARING_STATES)[number];

/**
 * Reasons why a marker stays in the ERP (rule CMP-15). Removal is retried without a limit, because
 * only the card proves it.
 */
export const HELD_BY = {
  ERP_UNAVAILABLE: 'the ERP does not respond, or its circuit is open',
  LOYALTY_OFF: 'the ERP has no loyalty program for the organizations of the connection',
  CLIENT_GONE: 'the ERP no longer has the client',
  NO_ORGANIZATION: 'the connection has no organization to query',
  DAMAGED: 'the comment contains broken tags: one of them may be the remainder of a block',
  UNSAFE: 'the block cannot be removed without changing other text',
  CHANGED: 'the card was changed during the removal',
  REFUSED: 'the ERP rejects the change',
  NOT_CONFIRMED: 'the ERP accepted the change, but the card still contains the marker',
} as const;

export type HeldBy = keyof typeof HELD_BY;

/** Reasons that do not prevent the removal of the card's other markers (rule CMP-90). */
const HELD_ALONE: readonly HeldBy[] = ['UNSAFE', 'CHANGED', 'REFUSED', 'NOT_CONFIRMED'];
export const isHeldAlone = (heldBy: HeldBy): boolean => HELD_ALONE.includes(heldBy);

export type Clearing =
  /**
   * `isAsWritten`: the comment was read back as written; null if nothing was written.
   */
  { cleared: true; isAsWritten: boolean | null } | NotCleared;

export type NotCleared = { cleared: false; heldBy: HeldBy; retryAfterMs: number | null };

/** CLEARED is final (rule CMP-15). */
export const CLEARING_STEPS = {
  CLEAR: { from: ['TO_CLEAR', 'HELD'], to: 'CLEARED' },
  HOLD: { from: ['TO_CLEAR', 'HELD'], to: 'HELD' },
} as const satisfies Record<string, { from: readonly ClearingState[]; to: ClearingState }>;
