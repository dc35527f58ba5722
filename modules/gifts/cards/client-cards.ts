import type { Log } from '../../../platform/log.ts';
import { sharedRun } from '../../../platform/shared-run.ts';
import { readCard, type CardDeps, type CardKnowledge, type CardPlace, type CardReadings } from './read-card.ts';

export type { CardKnowledge, CardPlace } from './read-card.ts';

/** Cards of clients, read while a guest waits. */
export type ClientCards = {
  /**
   * Reads the card of the client with this phone, in the restaurant that `placeOf` finds; see
   * `readCard`.
   */
  read(verifiedPhone: string, placeOf: () => Promise<CardPlace | null>): Promise<CardKnowledge>;
  /**
   * Starts a reading at the first request of a customer in `SESSION_MS`, and does not wait for it
   * (rule CMP-43).
   */
  greet(customerId: string, verifiedPhone: string, placeOf: () => Promise<CardPlace | null>): void;
};

/** The time that a reading counts as present, milliseconds. */
const FRESH_MS = 30_000;
/** A customer who sends nothing for so long begins a new session, milliseconds. */
const SESSION_MS = 30 * 60_000;
/** Limit of customers in the memory of a process. */
const MOST_CUSTOMERS = 10_000;

/**
 * Reads cards. After a failure it returns the stored state, so that guests can order. Reuses a
 * reading younger than `freshMs` and shares a running one (rules CMP-105, CMP-118).
 */
export function createClientCards(deps: CardDeps & { log: Log }, freshMs = FRESH_MS): ClientCards {
  const readings: CardReadings = { freshMs, share: sharedRun(), absent: recentKeys(freshMs) };
  const sessions = new Map<string, number>();
  const read: ClientCards['read'] = async (verifiedPhone, placeOf) => {
    try {
      return await readCard(deps, verifiedPhone, placeOf, { readings });
    } catch (error) {
      deps.log.warn({ err: error }, 'the card of a client cannot be read');
      return { state: 'LAST_KNOWN', readAt: null };
    }
  };
  return {
    read,
    greet(customerId, verifiedPhone, placeOf) {
      const now = Date.now();
      const last = sessions.get(customerId) ?? -Infinity;
      sessions.delete(customerId);
      sessions.set(customerId, now);
      if (sessions.size > MOST_CUSTOMERS) sessions.delete(sessions.keys().next().value!);
      if (now - last > SESSION_MS) void read(verifiedPhone, placeOf);
    },
  };
}

/** Keys that were added less than `ms` ago; evicts the oldest above the maximum. */
function recentKeys(ms: number): CardReadings['absent'] {
  const addedAt = new Map<string, number>();
  return {
    has: (key) => performance.now() - (addedAt.get(key) ?? -Infinity) < ms,
    add(key) {
      addedAt.delete(key);
      addedAt.set(key, performance.now());
      if (addedAt.size > MOST_CUSTOMERS) addedAt.delete(addedAt.keys().next().value!);
    },
  };
}
