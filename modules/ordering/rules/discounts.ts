import { localTime } from '../../delivery/rules/schedule.ts';
import type { FulfillmentType } from '../../delivery/rules/status.ts';
import type { CodeOf } from '../../../kernel/pure/codes.ts';
import { by } from '../../../kernel/pure/lists.ts';

/** UNKNOWN also means the code of another customer. */
export type DiscountReason = CodeOf<'DiscountReason'>;

/** Times in ms. Null means no limit. */
export type DiscountRule = {
  id: number;
  kind: 'PERCENT' | 'FIXED';
  /** Percent or kopecks. */
  value: number;
  minSubtotalKopecks: number;
  startsAt: number | null;
  endsAt: number | null;
  /** Local days; 1 is Monday. */
  weekdays: readonly number[] | null;
  /** Minutes from local midnight; hours may end on the next day. */
  fromMinute: number | null;
  toMinute: number | null;
  organizationIds: readonly number[] | null;
  fulfillmentTypes: readonly FulfillmentType[] | null;
  firstOrderOnly: boolean;
  oncePerCustomer: boolean;
  totalUses: number | null;
  combinable: boolean;
};

export type DiscountFacts = {
  at: number;
  timeZone: string;
  organizationId: number;
  /** False if the ERP accepts no discounts in orders. */
  takesDiscounts: boolean;
  /** Null until the guest chooses. */
  fulfillmentType: FulfillmentType | null;
  subtotalKopecks: number;
  /** Smallest coin of the ERP (default: one kopeck). */
  denominationKopecks?: number;
  /** Null for a guest without an account. */
  customer: { hasOrdered: boolean; usedDiscounts: ReadonlySet<number> } | null;
  /** Uses by all customers. */
  uses: ReadonlyMap<number, number>;
};

/** `reason` is null if the discount is applied. */
export type DiscountVerdict = { id: number; amountKopecks: number; reason: DiscountReason | null };

type Check = {
  reason: DiscountReason;
  fails: (rule: DiscountRule, facts: DiscountFacts) => boolean;
};

/** The first failed check is reported (rule ORD-8). */
const CHECKS: readonly Check[] = [
  { reason: 'EXPIRED', fails: ({ endsAt }, { at }) => endsAt !== null && at >= endsAt },
  { reason: 'NOT_STARTED', fails: ({ startsAt }, { at }) => startsAt !== null && at < startsAt },
  { reason: 'NOT_STARTED', fails: (rule, facts) => !isHour(rule, facts) },
  {
    reason: 'ORGANIZATION',
    fails: ({ organizationIds }, { organizationId, takesDiscounts }) =>
      !takesDiscounts || organizationIds?.includes(organizationId) === false,
  },
  {
    reason: 'FULFILLMENT',
    fails: ({ fulfillmentTypes }, { fulfillmentType }) =>
      fulfillmentTypes !== null &&
      (fulfillmentType === null || !fulfillmentTypes.includes(fulfillmentType)),
  },
  {
    reason: 'CUSTOMER_REQUIRED',
    fails: ({ firstOrderOnly, oncePerCustomer }, { customer }) =>
      (firstOrderOnly || oncePerCustomer) && customer === null,
  },
  {
    reason: 'ALREADY_USED',
    fails: ({ id, firstOrderOnly, oncePerCustomer }, { customer }) =>
      (firstOrderOnly && customer?.hasOrdered === true) ||
      (oncePerCustomer && customer?.usedDiscounts.has(id) === true),
  },
  {
    reason: 'LIMIT_REACHED',
    fails: ({ id, totalUses }, { uses }) => totalUses !== null && (uses.get(id) ?? 0) >= totalUses,
  },
  {
    reason: 'MIN_SUM',
    fails: (rule, facts) =>
      facts.subtotalKopecks < rule.minSubtotalKopecks || computeAmount(rule, facts) === 0,
  },
];

function computeAmount(
  { kind, value }: DiscountRule,
  {
    subtotalKopecks,
    denominationKopecks = 1,
  }: Pick<DiscountFacts, 'subtotalKopecks' | 'denominationKopecks'>,
): number {
  const amount = kind === 'PERCENT' ? (subtotalKopecks * value) / 100 : value;
  return Math.min(subtotalKopecks, Math.floor(amount / denominationKopecks) * denominationKopecks);
}

/** Hours after midnight belong to the previous day. */
function isHour(
  { weekdays, fromMinute, toMinute }: DiscountRule,
  { at, timeZone }: DiscountFacts,
): boolean {
  if (weekdays === null && fromMinute === null && toMinute === null) return true;
  const { hour, minute, dayOfWeek } = localTime(at, timeZone);
  const now = hour * 60 + minute;
  const [from, to] = [fromMinute ?? 0, toMinute ?? 24 * 60];
  const isOn = (day: number) => weekdays === null || weekdays.includes(day);
  if (from < to) return isOn(dayOfWeek) && from <= now && now < to;

  return (
    (isOn(dayOfWeek) && now >= from) || (isOn(dayOfWeek === 1 ? 7 : dayOfWeek - 1) && now < to)
  );
}

/**
 * Applies the best discount or combination (rule ORD-7). On a tie, prefers a combination, then the
 * older discount.
 */
export function judgeDiscounts(
  rules: readonly DiscountRule[],
  facts: DiscountFacts,
): DiscountVerdict[] {
  const reasons = new Map(
    rules.map((rule) => [rule.id, CHECKS.find(({ fails }) => fails(rule, facts))?.reason]),
  );
  const possible = rules
    .filter(({ id }) => reasons.get(id) === undefined)
    .toSorted(by(({ id }) => id));
  const options = [
    possible.filter((rule) => rule.combinable),
    ...possible.map((rule) => [rule]),
  ].map((option) => computeAmounts(option, facts));

  const saved = (option: ReadonlyMap<number, number>) =>
    [...option.values()].reduce((sum, value) => sum + value, 0);
  const best = options.reduce((first, other) => (saved(other) > saved(first) ? other : first));

  return rules.map(({ id }) => {
    const amountKopecks = best.get(id) ?? 0;
    return {
      id,
      amountKopecks,
      reason: reasons.get(id) ?? (amountKopecks > 0 ? null : 'NOT_COMBINABLE'),
    };
  });
}

function computeAmounts(
  combination: readonly DiscountRule[],
  facts: DiscountFacts,
): Map<number, number> {
  let remainder = facts.subtotalKopecks;
  return new Map(
    combination.map((rule) => {
      const amount = Math.min(remainder, computeAmount(rule, facts));
      remainder -= amount;
      return [rule.id, amount];
    }),
  );
}
