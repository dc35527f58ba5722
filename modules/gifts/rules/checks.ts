import type { CompensationStatus } from './states.ts';

/**
 * OK: it can be given wherever it is meant for. LIMITED: only in some of these organizations.
 * BROKEN: nowhere.
 */
export const REWARD_HEALTHS = ['UNKNOWN', 'OK', 'LIMITED', 'BROKEN'] as const;
export type RewardHealth = (typeof REWARD_HEALTHS)[number];

/**
 * The mirror's facts about the item of a reward in one organization. Kopecks; null where the ERP
 * does not sell it.
 */
export type RewardItem = { isKnown: boolean; hasSize: boolean; priceKopecks: number | null };

/** The facts that decide whether a client gets a gift with an order of one organization now. */
export type GiftFacts = {
  at: number;
  status: CompensationStatus;
  expiresAt: number | null;
  quantity: number;
  isRewardActive: boolean;
  /** The organization that the gift is meant for; null for the whole network. */
  rewardOrganization: string | null;
  organization: string;
  item: RewardItem;
  /**
   * Units that the stop-list leaves of the item in the organization, or in the terminal group that
   * serves the order.
   */
  balance: number;
};

/** In the order of relevance for a client (rule CMP-6). */
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

/** A completed check, with its inputs. */
export type GiftCheckResult = { check: GiftCheck; passed: boolean; data: Readonly<Record<string, unknown>> };

const CHECKS: Readonly<Record<GiftCheck, (facts: GiftFacts) => Omit<GiftCheckResult, 'check'>>> = {
  STATUS: ({ status }) => ({ passed: status === 'GRANTED', data: { status } }),
  TERM: ({ at, expiresAt }) => ({ passed: expiresAt === null || at < expiresAt, data: { expiresAt } }),
  REWARD_ACTIVE: ({ isRewardActive }) => ({ passed: isRewardActive, data: { isRewardActive } }),
  ORGANIZATION: ({ rewardOrganization, organization }) => ({
    passed: rewardOrganization === null || rewardOrganization === organization,
    data: { rewardOrganization, organization },
  }),
  BINDING: ({ item: { isKnown, hasSize } }) => ({ passed: isKnown && hasSize, data: { isKnown, hasSize } }),
  ZERO_PRICE: ({ item: { priceKopecks } }) => ({ passed: priceKopecks === 0, data: { priceKopecks } }),
  STOP_LIST: ({ balance, quantity }) => ({
    passed: balance >= quantity,
    data: { left: Number.isFinite(balance) ? balance : null, quantity },
  }),
};

/** Every check of a gift with its result, passed or not (rule CMP-6). */
export function judgeGift(facts: GiftFacts): GiftCheckResult[] {
  return GIFT_CHECKS.map((check) => ({ check, ...CHECKS[check](facts) }));
}

/** Without these a right has nothing to do with the order: it is not shown with it. */
const COMPATIBLE: ReadonlySet<GiftCheck> = new Set(['STATUS', 'TERM', 'REWARD_ACTIVE', 'ORGANIZATION']);

/**
 * Evaluates a gift's checks for a cart: whether the right fits it at all, and the first reason why
 * it cannot be given now.
 */
export function giftVerdict(facts: GiftFacts): { isCompatible: boolean; unavailableReason: GiftCheck | null } {
  const failed = judgeGift(facts).flatMap(({ check, passed }) => (passed ? [] : [check]));
  return { isCompatible: !failed.some((check) => COMPATIBLE.has(check)), unavailableReason: failed[0] ?? null };
}

/** Faults of a reward. */
export const REWARD_FAULTS = [
  'NO_ORGANIZATION',
  'ITEM_NOT_FOUND',
  'SIZE_NOT_FOUND',
  'NOT_SOLD',
  'PRICE_NOT_ZERO',
] as const;
export type RewardFault = (typeof REWARD_FAULTS)[number];

/**
 * The health of a reward by its item in every organization that it is meant for (rule CMP-7). The
 * stop-list is no fault: a stop is temporary.
 */
export function rewardHealth(items: readonly RewardItem[]): { state: RewardHealth; reasons: RewardFault[] } {
  if (items.length === 0) return { state: 'BROKEN', reasons: ['NO_ORGANIZATION'] };
  const faults = items.flatMap((item) => faultOf(item) ?? []);
  const reasons = REWARD_FAULTS.filter((fault) => faults.includes(fault));
  if (faults.length === 0) return { state: 'OK', reasons };
  return { state: faults.length < items.length ? 'LIMITED' : 'BROKEN', reasons };
}

function faultOf({ isKnown, hasSize, priceKopecks }: RewardItem): RewardFault | null {
  if (!isKnown) return 'ITEM_NOT_FOUND';
  if (!hasSize) return 'SIZE_NOT_FOUND';
  if (priceKopecks === null) return 'NOT_SOLD';
  return priceKopecks === 0 ? null : 'PRICE_NOT_ZERO';
}
