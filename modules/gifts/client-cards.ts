import type { Log } from '../../platform/log.ts';
import { readCard, type CardDeps, type CardKnowledge, type CardPlace } from './read-card.ts';

export type { CardKnowledge, CardPlace } from './read-card.ts';

/** Cards of clients, read while a guest waits. */
export type ClientCards = {
  /** Looks at the card of whoever has this phone, in the restaurant that `placeOf` finds; see `readCard`. */
  read(verifiedPhone: string, placeOf: () => Promise<CardPlace | null>): Promise<CardKnowledge>;
};

/** Reads cards, and goes on with what is known when that fails for whatever reason: guests go on ordering. */
export const createClientCards = (deps: CardDeps & { log: Log }): ClientCards => ({
  async read(verifiedPhone, placeOf) {
    try {
      return await readCard(deps, verifiedPhone, placeOf);
    } catch (error) {
      deps.log.warn({ err: error }, 'the card of a client cannot be read');
      return { state: 'LAST_KNOWN', readAt: null };
    }
  },
});
