import type { CompensationStatus } from './states.ts';

/** LIMITED: available only in some organizations. BROKEN: available in none. */
export const REWARD_HEALTHS = ['UNKNOWN', 'OK', 'LIMITED', 'BROKEN'] as const;
export type RewardHealth = (typeof REWARD_HEALTHS)[number];

/** Kopecks; null if not sold. */
export type RewardItem = { isKnown: boolean; hasSize: boolean; priceKopecks: number | null };

export type GiftFacts = {
  at: number;
  status: CompensationStatus;
  expiresAt: number | null;
  quantity: number;
  isRewardActive: boolean;
  /** Null for the whole network. */
  rewardOrganization: string | null;
  organization: string;
  item: RewardItem;
  /** Stock of the organization, or of the order's terminal group. */
  balance: number;
};

/** Sorted by relevance for a client (rule CMP-6). */
export const GIFT_CHECKS = [
  'STATUS',
  'TERM',
  'REWARD_ACTIVE',
  'ORGANIZATION',
  'BINDING',
  'ZERO_PRICE',
  'STOP_LIST',
] as const;

export type GiftCheck = (typeof GIFT_CHECKS)[number];

export type GiftCheckResult = {
  check: GiftCheck;
  passed: boolean;
  data: Readonly<Record<string, unknown>>;
};

const CHECKS: Readonly<Record<GiftCheck, (facts: GiftFacts) => Omit<GiftCheckResult, 'check'>>> = {
  STATUS: ({ status }) => ({ passed: status === 'GRANTED', data: { status } }),
  TERM: ({ at, expiresAt }) => ({
    passed: expiresAt === null || at < expiresAt,
    data: { expiresAt },
  }),
  REWARD_ACTIVE: ({ isRewardActive }) => ({ passed: isRewardActive, data: { isRewardActive } }),
  ORGANIZATION: ({ rewardOrganization, organization }) => ({
    passed: rewardOrganization === null || rewardOrganization === organization,
    data: { rewardOrganization, organization },
  }),
  BINDING: ({ item: { isKnown, hasSize } }) => ({
    passed: isKnown && hasSize,
    data: { isKnown, hasSize },
  }),
  ZERO_PRICE: ({ item: { priceKopecks } }) => ({
    passed: priceKopecks === 0,
    data: { priceKopecks },
  }),
  STOP_LIST: ({ balance, quantity }) => ({
    passed: balance >= quantity,
    data: { left: Number.isFinite(balance) ? balance : null, quantity },
  }),
};

/** Returns all checks of a gift (rule CMP-6). */
export function judgeGift(facts: GiftFacts): GiftCheckResult[] {
  return GIFT_CHECKS.map((check) => ({ check, ...CHECKS[check](facts) }));
}

/** Checks that hide a gift if they fail. */
const COMPATIBLE: ReadonlySet<GiftCheck> = new Set([
  'STATUS',
  'TERM',
  'REWARD_ACTIVE',
  'ORGANIZATION',
]);

/** Returns if a gift applies, and the first check that fails. */
export function giftVerdict(facts: GiftFacts): {
  isCompatible: boolean;
  unavailableReason: GiftCheck | null;
} {
  const failed = judgeGift(facts).flatMap(({ check, passed }) => (passed ? [] : [check]));
  return {
    isCompatible: !failed.some((check) => COMPATIBLE.has(check)),
    unavailableReason: failed[0] ?? null,
  };
}

export const REWARD_FAULTS = [
  'NO_ORGANIZATION',
  'ITEM_NOT_FOUND',
  'SIZE_NOT_FOUND',
  'NOT_SOLD',
  'PRICE_NOT_ZERO',
] as const;

export type RewardFault = (typeof REWARD_FAULTS)[number];

/** Returns the health of a reward (rule CMP-7). Stops do not count, because they are temporary. */
export function rewardHealth(items: readonly RewardItem[]): {
  state: RewardHealth;
  reasons: RewardFault[];
} {
  if (items.length === 0) return { state: 'BROKEN', reasons: ['NO_ORGANIZATION'] };
  const faults = items.flatMap((item) => findFault(item) ?? []);
  const reasons = REWARD_FAULTS.filter((fault) => faults.includes(fault));
  if (faults.length === 0) return { state: 'OK', reasons };
  return { state: faults.length < items.length ? 'LIMITED' : 'BROKEN', reasons };
}

function findFault({ isKnown, hasSize, priceKopecks }: RewardItem): RewardFault | null {
  if (!isKnown) return 'ITEM_NOT_FOUND';
  if (!hasSize) return 'SIZE_NOT_FOUND';
  if (priceKopecks === null) return 'NOT_SOLD';
  return priceKopecks === 0 ? null : 'PRICE_NOT_ZERO';
}
