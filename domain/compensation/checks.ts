/** OK: it can be given wherever it is meant for. LIMITED: only in some of these organizations. BROKEN: nowhere. */
const REWARD_HEALTHS = ['UNKNOWN', 'OK', 'LIMITED', 'BROKEN'] as const;
export type RewardHealth = (typeof REWARD_HEALTHS)[number];
