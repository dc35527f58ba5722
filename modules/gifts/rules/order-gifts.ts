export type GiftReward = {
  id: number;
  erpItemId: string;
  /** Empty if the dish has no sizes. Null matches every size. */
  erpSizeId: string | null;
};

type Line = {
  itemId: string;
  sizeId: string | null;
  name: string;
  quantity: number;
  isPaid?: boolean;
};

/** `rewardIds` are the rewards whose rights cover the gift. */
export type OrderGift = {
  erpItemId: string;
  /** Empty if the dish has no sizes or the mirror has none. */
  erpSizeId: string;
  name: string;
  quantity: number;
  rewardIds: number[];
};

/**
 * Groups gifts by item and size, without paid lines (rules CMP-46, CMP-99). Half a unit counts as a
 * whole unit. If a reward matches every size, all sizes form one gift. Otherwise one right would
 * cover a unit of each size.
 */
export function giftsOfOrder(lines: readonly Line[], rewards: readonly GiftReward[]): OrderGift[] {
  const gifts = new Map<string, OrderGift>();

  for (const { itemId, sizeId, name, quantity, isPaid = false } of lines) {
    const meant = rewards.filter(
      (reward) =>
        !isPaid &&
        reward.erpItemId === itemId &&
        (reward.erpSizeId === null || reward.erpSizeId === (sizeId ?? '')),
    );
    if (meant.length === 0 || quantity <= 0) continue;

    const erpSizeId = meant.some((reward) => reward.erpSizeId === null) ? '' : (sizeId ?? '');
    const existing = gifts.get(`${itemId} ${erpSizeId}`);
    gifts.set(`${itemId} ${erpSizeId}`, {
      erpItemId: itemId,
      erpSizeId,
      name,
      quantity: (existing?.quantity ?? 0) + quantity,
      // A line with another size may match fewer rewards.
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

export type RedeemableRight = { id: string; quantity: number };

export type GiftSettlement = {
  redeemed: string[];
  excess: number;
  /** Units of redeemed rights that are missing in the order. */
  lacking: number;
};

/** Assigns rights in order (rule CMP-47). A right is redeemed whole. */
export function settleGift(
  unaccounted: number,
  rights: readonly RedeemableRight[],
): GiftSettlement {
  const redeemed: string[] = [];
  let remainder = unaccounted;

  for (const { id, quantity } of rights) {
    if (remainder <= 0) break;
    redeemed.push(id);
    remainder -= quantity;
  }

  return { redeemed, excess: Math.max(0, remainder), lacking: Math.max(0, -remainder) };
}

/** `gift` is the gift that this part covers. */
export type ReturnedPart<Gift> = { quantity: number; gift: Gift | null };

/**
 * Splits a returned right among gifts that were already given (rule CMP-113). The rest becomes
 * another part (rule CMP-117).
 */
export function returnedParts<Gift extends { quantity: number }>(
  quantity: number,
  gifts: readonly Gift[],
): ReturnedPart<Gift>[] {
  const parts: ReturnedPart<Gift>[] = [];
  let remainder = quantity;

  for (const gift of gifts) {
    if (remainder <= 0) break;
    const units = Math.min(remainder, gift.quantity);
    parts.push({ quantity: units, gift });
    remainder -= units;
  }

  return remainder > 0 ? [...parts, { quantity: remainder, gift: null }] : parts;
}
