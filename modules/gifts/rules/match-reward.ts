import { nameKey } from './comment-blocks.ts';

export type NamedReward = {
  rewardId: number;
  names: readonly string[];
  isActive: boolean;
  /** Kopecks; null if not sold. */
  priceKopecks: number | null;
};

/** Reasons why a block promises nothing and is not removed (rule CMP-32). */
export type NoMatch = 'UNKNOWN_NAME' | 'SEVERAL_REWARDS' | 'PRICE_NOT_ZERO';
export type RewardMatch = { rewardId: number } | { refused: NoMatch };

/** Returns a function that finds the only active, free reward with a name. Ignores case. */
export function createRewardMatcher(
  rewards: readonly NamedReward[],
): (name: string) => RewardMatch {
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
    if (first === undefined)
      return { refused: named.length === 0 ? 'UNKNOWN_NAME' : 'PRICE_NOT_ZERO' };
    return others.length === 0 ? { rewardId: first.rewardId } : { refused: 'SEVERAL_REWARDS' };
  };
}
