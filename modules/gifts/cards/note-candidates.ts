import { anyOf, type Tx } from '../../../platform/db/database.ts';
import { readBlocks } from '../rules/comment-blocks.ts';
import { compareMarkers, type KnownMarker, type MarkerRight } from '../rules/markers.ts';
import { createRewardMatcher } from '../rules/match-reward.ts';
import { cutExcerpt, phrasesOutside } from '../rules/phrases.ts';
import type { CandidateStatus } from '../rules/words.ts';
import { createPhraseFinder, phraseKey, type FoundPhrase } from '../../../kernel/pure/phrases.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { keepPersonal } from '../../access/customers/personal-data.ts';
import { raiseNotification } from '../../notifications/raise-notification.ts';
import type { CardReading } from './apply-card.ts';
import { namedRewards } from '../rights/reward-item.ts';

/** Further repetitions are not counted. */
const MOST_TIMES = 10;

/** For `compareMarkers`. */
const AS_RIGHT: Readonly<Record<CandidateStatus, MarkerRight>> = {
  OPEN: 'LIVE',
  CONFIRMED: 'USED',
  DISMISSED: 'OVER',
};

type PhraseReading = Pick<CardReading, 'clientId' | 'customer' | 'askedAt'> & {
  connectionId: number;
  organizationId: number;
};

export type CandidateText = { text: string };

/**
 * Stores phrases for staff. A phrase that returns after a decision is new (rules CMP-22 to CMP-24).
 * Requires the transaction that applies the card.
 */
export async function noteCandidates(
  tx: Tx,
  deps: { secrets: SecretBox },
  reading: PhraseReading,
  phrases: readonly string[],
): Promise<void> {
  const keys = phrases.map(phraseKey);
  if (keys.length === 0) return;
  const { clientId, connectionId, askedAt } = reading;
  const comment = reading.customer.comment ?? '';
  const occurrences = Map.groupBy(
    phrasesOutside(comment, createPhraseFinder(keys)),
    ({ phrase }) => phrase,
  );

  const counts = new Map(
    [...occurrences].map(([key, { length }]) => [key, Math.min(length, MOST_TIMES)]),
  );
  const existing = await knownCandidates(tx, clientId, keys);
  if (existing.length === 0 && counts.size === 0) return;
  const isWhole = readBlocks(comment).damage.length === 0;
  const { granted, returned, vanished } = compareMarkers(
    existing,
    { counts, isWhole },
    { rewardOf: () => true, onlyOneRight: false, hasRight: false },
  );

  await setPresence(tx, existing, { returned, vanished }, askedAt);
  if (granted.length === 0) return;
  const rewardId = await rewardNamedIn(tx, comment, reading.organizationId);

  for (const { subject: phrase, generation } of granted) {
    const place = findPlace(occurrences.get(phrase)!, existing, { phrase, generation });
    const text: CandidateText = { text: cutExcerpt(comment, place) };
    const personalDataId = await keepPersonal(tx, deps, 'COMMENT', text);
    const seen = {
      isPresent: true,
      foundAt: askedAt,
      seenAt: askedAt,
      goneAt: null,
      closedAt: null,
    };

    await tx.db
      .insertInto('compensation_candidate')
      .values({ clientId, phrase, generation, personalDataId, rewardId, ...seen })
      .execute();
  }

  await raiseNotification(tx, {
    kind: 'COMPENSATION_CANDIDATES',
    subjectType: 'connection',
    subjectId: connectionId,
    details: { clientId, candidates: granted.length },
  });
}

type KnownCandidate = KnownMarker & { id: number };

async function knownCandidates(
  { db }: Tx,
  clientId: string,
  keys: readonly string[],
): Promise<KnownCandidate[]> {
  const rows = await db
    .selectFrom('compensation_candidate')
    .select(['id', 'phrase as subject', 'generation', 'isPresent', 'status'])
    .where('clientId', '=', clientId)
    .where('phrase', '=', anyOf(keys, 'text'))
    .orderBy('phrase')
    .orderBy('generation')
    .execute();

  return rows.map(({ status, ...row }) => ({ ...row, right: AS_RIGHT[status] }));
}

async function setPresence(
  { db }: Tx,
  known: readonly KnownCandidate[],
  { returned, vanished }: { returned: readonly KnownMarker[]; vanished: readonly KnownMarker[] },
  at: Date,
): Promise<void> {
  const absentIds = known.filter((candidate) => vanished.includes(candidate)).map(({ id }) => id);
  const there = known.filter(
    (candidate) =>
      returned.includes(candidate) || (candidate.isPresent && !vanished.includes(candidate)),
  );

  const candidates = () => db.updateTable('compensation_candidate');
  if (absentIds.length > 0)
    await candidates()
      .set({ isPresent: false, goneAt: at })
      .where('id', '=', anyOf(absentIds))
      .execute();

  const ids = there.map(({ id }) => id);
  if (ids.length > 0)
    await candidates()
      .set({ isPresent: true, goneAt: null, seenAt: at })
      .where('id', '=', anyOf(ids))
      .execute();
}

/** Assigns stored candidates to the first of several equal phrases. */
function findPlace(
  places: readonly FoundPhrase[],
  known: readonly KnownMarker[],
  { phrase, generation }: { phrase: string; generation: number },
): FoundPhrase {
  const before = known.filter(({ subject }) => subject === phrase);
  const last = Math.max(0, ...before.map((marker) => marker.generation));
  const present = before.filter(({ isPresent }) => isPresent).length;
  return places[Math.min(present + generation - last, places.length) - 1]!;
}

/** Returns null unless the text outside of blocks names exactly one free reward. */
async function rewardNamedIn(
  tx: Tx,
  comment: string,
  organizationId: number,
): Promise<number | null> {
  const rewards = await namedRewards(tx, organizationId);
  const names = new Map(
    rewards.flatMap((reward) => reward.names.map((name) => [phraseKey(name), name] as const)),
  );
  const match = createRewardMatcher(rewards);
  const ids = new Set(
    phrasesOutside(comment, createPhraseFinder(names.keys())).map(({ phrase }) => {
      const matched = match(names.get(phrase)!);
      return 'rewardId' in matched ? matched.rewardId : null;
    }),
  );

  return ids.size === 1 ? [...ids][0]! : null;
}
