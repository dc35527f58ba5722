import { nameKey } from './comment-blocks.ts';

/** A reward that a block may mean. */
export type NamedReward = {
  rewardId: number;
  /** Names that staff may use for it: the reward's own name, the dish's name at the ERP. */
  names: readonly string[];
  isActive: boolean;
  /** The present price of the item, in kopecks; null when it is not for sale. */
  priceKopecks: number | null;
};

/** The reason why a block has no reward: it promises nothing, and its text stays (rule CMP-32). */
export type NoMatch = 'UNKNOWN_NAME' | 'SEVERAL_REWARDS' | 'PRICE_NOT_ZERO';
export type RewardMatch = { rewardId: number } | { refused: NoMatch };

/**
 * Finds the one active reward of a name. Names are compared trimmed and without regard to case. A
 * reward whose item costs something, or is not for sale, is none; two that are free and have the
 * name are none either.
 */
export function createRewardMatcher(rewards: readonly NamedReward[]): (name: string) => RewardMatch {
  const byKey = new Map<string, NamedReward[]>();
  for (const reward of rewards.filter(({ isActive }) => isActive)) {
    for (const key of new Set(reward.names.map(nameKey))) {
      const named = byKey.get(key);
      if (named === undefined) byKey.set(key, [reward]);
      else named.push(reward);
    }
  }
  return (name) => {
    const named = byKey.get(nameKey(name)) ?? [];
    const [first, ...others] = named.filter(({ priceKopecks }) => priceKopecks === 0);
    if (first === undefined) return { refused: named.length === 0 ? 'UNKNOWN_NAME' : 'PRICE_NOT_ZERO' };
    return others.length === 0 ? { rewardId: first.rewardId } : { refused: 'SEVERAL_REWARDS' };
  };
}
