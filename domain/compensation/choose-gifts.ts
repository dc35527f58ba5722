import type { GiftCheck } from './checks.ts';

/** What a client may want about a gift: it comes along, as it does by itself, or it waits for a later order. */
export const GIFT_WISHES = ['INCLUDE', 'POSTPONE'] as const;
export type GiftChoice = { compensationId: string; choice: (typeof GIFT_WISHES)[number] };

/** A gift that a client could have with a cart; `unavailableReason` is null when it can be given now. */
type Candidate = { id: string; unavailableReason: GiftCheck | null };

/** What becomes of the gifts of a client in one cart. */
export type ChosenGifts<Gift> = {
  /** What the client is shown, whether it comes along or not. */
  shown: readonly Gift[];
  included: readonly Gift[];
  /** Stopped now: nothing happens before the client has chosen. */
  undecided: readonly { compensationId: string; choices: readonly string[] }[];
  /** Gifts that cannot be given now, about which nobody has to choose. */
  unavailable: readonly string[];
};

/**
 * Chooses among the gifts of a client, given with the earliest promise first, those that come along (rule CMP-60): as many as an order may have.
 * A postponed one makes room for the next. A stopped one keeps its place until the client has chosen; one that is wrongly configured is
 * nobody's choice, and the next takes its place.
 */
export function chooseGifts<Gift extends Candidate>(
  gifts: readonly Gift[],
  choices: readonly GiftChoice[],
  most: number,
): ChosenGifts<Gift> {
  const wishes = new Map(choices.map((each) => [each.compensationId, each.choice]));
  const [shown, included, undecided, unavailable]: [Gift[], Gift[], Gift[], string[]] = [[], [], [], []];
  for (const gift of gifts) {
    if (included.length + undecided.length >= most) break;
    const isPostponed = wishes.get(gift.id) === 'POSTPONE';
    shown.push(gift);
    if (gift.unavailableReason === null) {
      if (!isPostponed) included.push(gift);
    } else if (gift.unavailableReason === 'STOP_LIST' && !isPostponed) undecided.push(gift);
    else unavailable.push(gift.id);
  }
  return {
    shown,
    included,
    undecided: undecided.map(({ id }) => ({ compensationId: id, choices: ['POSTPONE'] })),
    unavailable,
  };
}
