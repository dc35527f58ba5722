import { codesOf, type CodeOf } from '../../../kernel/pure/codes.ts';
import type { GiftCheck } from './checks.ts';

/**
 * The choice of a client about a gift: it is included, which is the default; it is replaced by
 * another gift; or it is postponed to a later order.
 */
export const GIFT_WISHES = codesOf('GiftChoice');
export type GiftChoice = {
  compensationId: string;
  choice: CodeOf<'GiftChoice'>;
  /** The replacement gift; for REPLACE only. */
  rewardCode?: string | undefined;
};

/** The content of a gift: the reward, and its dish at the ERP. */
export type GiftOfReward<Image> = {
  rewardId: number;
  rewardCode: string;
  name: string;
  image: Image | null;
  itemId: string;
  /** Id of the ERP's size; null for an item without sizes. */
  erpSizeId: string | null;
};

/**
 * A gift that can be given now in the place of a stopped one, and how many units of it are left.
 */
export type Replacement<Image> = GiftOfReward<Image> & { left: number };

/**
 * A gift that a client could have with a cart; `unavailableReason` is null when it can be given
 * now.
 */
export type CandidateGift<Image> = GiftOfReward<Image> & {
  id: string;
  quantity: number;
  unavailableReason: GiftCheck | null;
  /** Units that the stop-list leaves of it. */
  left: number;
};

/**
 * A gift of a client in one cart; `replaces` is the gift that was promised, when the client has
 * chosen this one in its place.
 */
export type ChosenGift<Gift> = Gift & { replaces: { rewardCode: string; name: string } | null };

/** The outcome for the gifts of a client in one cart. */
export type ChosenGifts<Gift, Image> = {
  /** The gifts that the client is shown, included or not. */
  shown: readonly ChosenGift<Gift>[];
  included: readonly ChosenGift<Gift>[];
  /** Stopped now: nothing happens before the client has chosen. */
  undecided: readonly {
    compensationId: string;
    choices: readonly GiftChoice['choice'][];
    replacements: readonly { rewardCode: string; name: string; image: Image | null }[];
  }[];
  /** Gifts that cannot be given now and need no choice. */
  unavailable: readonly string[];
};

/**
 * Selects the gifts of an order from those of a client, in the order of their promises (rules
 * CMP-60, CMP-63): as many as an order may have. A postponed one makes room for the next. A stopped
 * one keeps its place until the client has chosen: another gift that can be given now, or a later
 * order. A misconfigured one needs no choice, and the next takes its place. Gifts of one dish share
 * its remaining units: one without enough units is stopped.
 */
export function chooseGifts<Image, Gift extends CandidateGift<Image>>(
  gifts: readonly Gift[],
  choices: readonly GiftChoice[],
  most: number,
  replacements: readonly Replacement<Image>[],
): ChosenGifts<Gift, Image> {
  const wishes = new Map(choices.map((choice) => [choice.compensationId, choice]));
  const shown: ChosenGift<Gift>[] = [];
  const [included, undecided, unavailable]: [ChosenGift<Gift>[], Gift[], string[]] = [[], [], []];
  const leftOf = (gift: GiftOfReward<Image> & { left: number }): number =>
    included.reduce((left, entry) => (isSameDish(entry, gift) ? left - entry.quantity : left), gift.left);
  const others = () => replacements.map((replacement) => ({ ...replacement, left: leftOf(replacement) }));
  for (const gift of gifts) {
    if (included.length + undecided.length >= most) break;
    const wish = wishes.get(gift.id);
    const isShort = gift.unavailableReason === null && leftOf(gift) < gift.quantity;
    const isStopped = isShort || gift.unavailableReason === 'STOP_LIST';
    const other = isStopped && wish?.choice === 'REPLACE' ? replacementOf(gift, wish, others()) : undefined;
    const promised = { ...gift, unavailableReason: isShort ? ('STOP_LIST' as const) : gift.unavailableReason };
    const chosen: ChosenGift<Gift> = other ?? { ...promised, replaces: null };
    shown.push(chosen);
    if (chosen.unavailableReason === null) {
      if (wish?.choice !== 'POSTPONE') included.push(chosen);
    } else if (isStopped && wish?.choice !== 'POSTPONE') undecided.push(gift);
    else unavailable.push(gift.id);
  }
  return { shown, included, undecided: undecided.map((gift) => questionOf(gift, others())), unavailable };
}

/** Returns whether two gifts share the stock of a dish. */
export const isSameDish = (one: GiftOfReward<unknown>, other: GiftOfReward<unknown>): boolean =>
  one.itemId === other.itemId && one.erpSizeId === other.erpSizeId;

/**
 * Returns the gifts that may replace a stopped one: every other one of which as many units are left
 * as were promised.
 */
const allowedFor = <Image>(
  { rewardId, quantity }: CandidateGift<Image>,
  replacements: readonly Replacement<Image>[],
): readonly Replacement<Image>[] =>
  replacements.filter((replacement) => replacement.rewardId !== rewardId && replacement.left >= quantity);

function replacementOf<Image, Gift extends CandidateGift<Image>>(
  gift: Gift,
  { rewardCode: wanted }: GiftChoice,
  replacements: readonly Replacement<Image>[],
): ChosenGift<Gift> | undefined {
  const found = allowedFor(gift, replacements).find((replacement) => replacement.rewardCode === wanted);
  if (found === undefined) return undefined;
  const { rewardId, rewardCode, name, image, itemId, erpSizeId } = found;
  const replaces = { rewardCode: gift.rewardCode, name: gift.name };
  return { ...gift, rewardId, rewardCode, name, image, itemId, erpSizeId, unavailableReason: null, replaces };
}

function questionOf<Image>(gift: CandidateGift<Image>, all: readonly Replacement<Image>[]) {
  const replacements = allowedFor(gift, all).map(({ rewardCode, name, image }) => ({ rewardCode, name, image }));
  const choices: GiftChoice['choice'][] = replacements.length === 0 ? ['POSTPONE'] : ['REPLACE', 'POSTPONE'];
  return { compensationId: gift.id, choices, replacements };
}
