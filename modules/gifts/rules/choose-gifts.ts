import { listCodes, type CodeOf } from '../../../kernel/pure/codes.ts';
import type { GiftCheck } from './checks.ts';

/** INCLUDE is the default. */
export const GIFT_WISHES = listCodes('GiftChoice');

export type GiftChoice = {
  compensationId: string;
  choice: CodeOf<'GiftChoice'>;
  /** Only for REPLACE. */
  rewardCode?: string | undefined;
};

export type GiftOfReward<Image> = {
  rewardId: number;
  rewardCode: string;
  name: string;
  image: Image | null;
  itemId: string;
  /** Null for an item without sizes. */
  erpSizeId: string | null;
};

export type Replacement<Image> = GiftOfReward<Image> & { left: number };

/** `unavailableReason` is null if the gift is available. */
export type CandidateGift<Image> = GiftOfReward<Image> & {
  id: string;
  quantity: number;
  unavailableReason: GiftCheck | null;
  left: number;
};

/** `replaces` is the promised gift, if the client has chosen another gift. */
export type ChosenGift<Gift> = Gift & { replaces: { rewardCode: string; name: string } | null };

export type ChosenGifts<Gift, Image> = {
  /** All considered gifts, even if not included. */
  shown: readonly ChosenGift<Gift>[];
  included: readonly ChosenGift<Gift>[];
  /** Stopped gifts that need the client's decision. */
  undecided: readonly {
    compensationId: string;
    choices: readonly GiftChoice['choice'][];
    replacements: readonly { rewardCode: string; name: string; image: Image | null }[];
  }[];
  unavailable: readonly string[];
};

/**
 * Selects up to `most` gifts, earliest first (rules CMP-60, CMP-63). Postponed or broken gifts do
 * not count; stopped gifts wait for the client's decision. Gifts of the same dish share its stock.
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
  const countLeft = (gift: GiftOfReward<Image> & { left: number }): number =>
    included.reduce(
      (stock, entry) => (isSameDish(entry, gift) ? stock - entry.quantity : stock),
      gift.left,
    );

  const others = () =>
    replacements.map((replacement) => ({ ...replacement, left: countLeft(replacement) }));

  for (const gift of gifts) {
    if (included.length + undecided.length >= most) break;
    const wish = wishes.get(gift.id);
    const isShort = gift.unavailableReason === null && countLeft(gift) < gift.quantity;
    const isStopped = isShort || gift.unavailableReason === 'STOP_LIST';
    const other =
      isStopped && wish?.choice === 'REPLACE' ? replaceGift(gift, wish, others()) : undefined;
    const promised = {
      ...gift,
      unavailableReason: isShort ? ('STOP_LIST' as const) : gift.unavailableReason,
    };

    const chosen: ChosenGift<Gift> = other ?? { ...promised, replaces: null };
    shown.push(chosen);
    if (chosen.unavailableReason === null) {
      if (wish?.choice !== 'POSTPONE') included.push(chosen);
    } else if (isStopped && wish?.choice !== 'POSTPONE') undecided.push(gift);
    else unavailable.push(gift.id);
  }

  return {
    shown,
    included,
    undecided: undecided.map((gift) => buildQuestion(gift, others())),
    unavailable,
  };
}

export const isSameDish = (one: GiftOfReward<unknown>, other: GiftOfReward<unknown>): boolean =>
  one.itemId === other.itemId && one.erpSizeId === other.erpSizeId;

const allowedFor = <Image>(
  { rewardId, quantity }: CandidateGift<Image>,
  replacements: readonly Replacement<Image>[],
): readonly Replacement<Image>[] =>
  replacements.filter(
    (replacement) => replacement.rewardId !== rewardId && replacement.left >= quantity,
  );

function replaceGift<Image, Gift extends CandidateGift<Image>>(
  gift: Gift,
  { rewardCode: wishCode }: GiftChoice,
  replacements: readonly Replacement<Image>[],
): ChosenGift<Gift> | undefined {
  const substitute = allowedFor(gift, replacements).find(
    (replacement) => replacement.rewardCode === wishCode,
  );
  if (substitute === undefined) return undefined;

  const { rewardId, rewardCode, name, image, itemId, erpSizeId } = substitute;
  const replaces = { rewardCode: gift.rewardCode, name: gift.name };

  return {
    ...gift,
    rewardId,
    rewardCode,
    name,
    image,
    itemId,
    erpSizeId,
    unavailableReason: null,
    replaces,
  };
}

function buildQuestion<Image>(gift: CandidateGift<Image>, all: readonly Replacement<Image>[]) {
  const replacements = allowedFor(gift, all).map(({ rewardCode, name, image }) => ({
    rewardCode,
    name,
    image,
  }));

  const choices: GiftChoice['choice'][] =
    replacements.length === 0 ? ['POSTPONE'] : ['REPLACE', 'POSTPONE'];

  return { compensationId: gift.id, choices, replacements };
}
