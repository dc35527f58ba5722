import type { Log } from '../../../platform/log.ts';
import { sharedRun } from '../../../platform/shared-run.ts';
import {
  readCard,
  type CardDeps,
  type CardKnowledge,
  type CardPlace,
  type CardReadings,
} from './read-card.ts';

export type { CardKnowledge, CardPlace } from './read-card.ts';

export type ClientCards = {
  /** See `readCard`. */
  read(verifiedPhone: string, placeOf: () => Promise<CardPlace | null>): Promise<CardKnowledge>;
  /** Reads the card in the background (rule CMP-43). */
  greet(customerId: string, verifiedPhone: string, placeOf: () => Promise<CardPlace | null>): void;
};

const FRESH_MS = 30_000;
/** Inactivity that ends a session. */
const SESSION_MS = 30 * 60_000;
/** Memory limit. */
const MOST_CUSTOMERS = 10_000;

/**
 * Shares recent and running reads (rules CMP-105, CMP-118). Returns the stored state after a
 * failure, so that guests can order.
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
