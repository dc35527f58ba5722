/** A reward as the lines of an order show it. */
export type GiftReward = {
  id: number;
  erpItemId: string;
  /**
   * Empty for an item without sizes; null if the mirror has no size of the item: then every size
   * matches.
   */
  erpSizeId: string | null;
};

/** The content of an order at the ERP. */
type Line = { itemId: string; sizeId: string | null; name: string; quantity: number; isPaid?: boolean };

/**
 * Units of one gift in an order, and the rewards that it may be: a right to any of them is a right
 * to it.
 */
export type OrderGift = {
  erpItemId: string;
  /**
   * Empty for an item without sizes, and for all sizes together of an item without mirrored sizes.
   */
  erpSizeId: string;
  name: string;
  quantity: number;
  rewardIds: number[];
};

/**
 * The gifts among the lines of an order, one for each item and size (rule CMP-46). Half a unit
 * counts as one. Where any size may be meant, all of them are one gift: one right must not cover a
 * unit of each size. A line that was paid for is no gift (rule CMP-99).
 */
export function giftsOfOrder(lines: readonly Line[], rewards: readonly GiftReward[]): OrderGift[] {
  const gifts = new Map<string, OrderGift>();
  for (const { itemId, sizeId, name, quantity, isPaid = false } of lines) {
    const meant = rewards.filter(
      (reward) =>
        !isPaid && reward.erpItemId === itemId && (reward.erpSizeId === null || reward.erpSizeId === (sizeId ?? '')),
    );
    if (meant.length === 0 || quantity <= 0) continue;
    const erpSizeId = meant.some((reward) => reward.erpSizeId === null) ? '' : (sizeId ?? '');
    const existing = gifts.get(`${itemId} ${erpSizeId}`);
    gifts.set(`${itemId} ${erpSizeId}`, {
      erpItemId: itemId,
      erpSizeId,
      name,
      quantity: (existing?.quantity ?? 0) + quantity,
      // A line of another size may mean fewer of them.
      rewardIds: [...(existing?.rewardIds ?? []), ...meant.map(({ id }) => id)],
    });
  }
  const order = [...new Set(rewards.map(({ id }) => id))];
  return [...gifts.values()].map((gift) => ({
    ...gift,
    quantity: Math.ceil(gift.quantity),
    rewardIds: order.filter((id) => gift.rewardIds.includes(id)),
  }));
}

/** A right that an order may redeem. */
export type RedeemableRight = { id: string; quantity: number };

/** The outcome for the units of a gift in an order. */
export type GiftSettlement = {
  redeemed: string[];
  /** Units without a right. */
  excess: number;
  /** Units that a redeemed right promised and the order does not contain. */
  lacking: number;
};

/**
 * Matches the units of a gift in an order that nothing accounts for yet with rights, in their order
 * (rule CMP-47). A right is redeemed whole.
 */
export function settleGift(unaccounted: number, rights: readonly RedeemableRight[]): GiftSettlement {
  const redeemed: string[] = [];
  let left = unaccounted;
  for (const { id, quantity } of rights) {
    if (left <= 0) break;
    redeemed.push(id);
    left -= quantity;
  }
  return { redeemed, excess: Math.max(0, left), lacking: Math.max(0, -left) };
}

/** A part of a returned right, and the gift that it pays for, if any. */
export type ReturnedPart<Gift> = { quantity: number; gift: Gift | null };

/**
 * Divides the units of a returned right among gifts that were given already, in their order (rule
 * CMP-113). Units that are left are a part of their own (rule CMP-117).
 */
export function returnedParts<Gift extends { quantity: number }>(
  quantity: number,
  gifts: readonly Gift[],
): ReturnedPart<Gift>[] {
  const parts: ReturnedPart<Gift>[] = [];
  let left = quantity;
  for (const gift of gifts) {
    if (left <= 0) break;
    const units = Math.min(left, gift.quantity);
    parts.push({ quantity: units, gift });
    left -= units;
  }
  return left > 0 ? [...parts, { quantity: left, gift: null }] : parts;
}
