import { localTime } from '../../delivery/rules/schedule.ts';
import type { FulfillmentType } from '../../delivery/rules/status.ts';
import type { CodeOf } from '../../../kernel/pure/codes.ts';
import { by } from '../../../kernel/pure/lists.ts';

/**
 * The reason why a discount is not applied. Wrong promo codes and those of other customers are both
 * UNKNOWN.
 */
export type DiscountReason = CodeOf<'DiscountReason'>;

/**
 * A discount that staff have written. Money in kopecks, moments in milliseconds; null has no bound.
 */
export type DiscountRule = {
  id: number;
  kind: 'PERCENT' | 'FIXED';
  /** Whole percent of the subtotal, or kopecks. */
  value: number;
  minSubtotalKopecks: number;
  startsAt: number | null;
  endsAt: number | null;
  /** Days of the organization's week, 1 is Monday; null is every day. */
  weekdays: readonly number[] | null;
  /** Minutes from local midnight. Hours that end before they begin end on the next day. */
  fromMinute: number | null;
  toMinute: number | null;
  organizationIds: readonly number[] | null;
  fulfillmentTypes: readonly FulfillmentType[] | null;
  firstOrderOnly: boolean;
  oncePerCustomer: boolean;
  totalUses: number | null;
  /** True when it may be applied together with other discounts that may. */
  combinable: boolean;
};

/** The facts by which discounts are evaluated. */
export type DiscountFacts = {
  at: number;
  timeZone: string;
  organizationId: number;
  /**
   * False while an order of the organization has no discount to name at the ERP: none is given
   * there.
   */
  takesDiscounts: boolean;
  /** Null while the guest has not chosen one. */
  fulfillmentType: FulfillmentType | null;
  subtotalKopecks: number;
  /** Smallest coin of the ERP; absent for a kopeck. */
  denominationKopecks?: number;
  /** Null for a guest who has not signed in. */
  customer: { hasOrdered: boolean; usedDiscounts: ReadonlySet<number> } | null;
  /** The number of uses of each discount by all customers. */
  uses: ReadonlyMap<number, number>;
};

/** The result for one discount: an amount in kopecks when it is applied, else the reason. */
export type DiscountVerdict = { id: number; amountKopecks: number; reason: DiscountReason | null };

type Check = { reason: DiscountReason; fails: (rule: DiscountRule, facts: DiscountFacts) => boolean };

/** In the order of reporting: the first matching reason is reported (rule ORD-8). */
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
      fulfillmentTypes !== null && (fulfillmentType === null || !fulfillmentTypes.includes(fulfillmentType)),
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
    fails: (rule, facts) => facts.subtotalKopecks < rule.minSubtotalKopecks || amountOf(rule, facts) === 0,
  },
];

/**
 * Kopecks that a discount takes off alone, rounded down to the smallest coin, and never more than
 * there is.
 */
function amountOf(
  { kind, value }: DiscountRule,
  { subtotalKopecks, denominationKopecks = 1 }: Pick<DiscountFacts, 'subtotalKopecks' | 'denominationKopecks'>,
): number {
  const amount = kind === 'PERCENT' ? (subtotalKopecks * value) / 100 : value;
  return Math.min(subtotalKopecks, Math.floor(amount / denominationKopecks) * denominationKopecks);
}

/**
 * True when the clock of the organization shows a day and an hour of the rule; early hours belong
 * to the day that began them.
 */
function isHour({ weekdays, fromMinute, toMinute }: DiscountRule, { at, timeZone }: DiscountFacts): boolean {
  if (weekdays === null && fromMinute === null && toMinute === null) return true;
  const { hour, minute, dayOfWeek } = localTime(at, timeZone);
  const now = hour * 60 + minute;
  const [from, to] = [fromMinute ?? 0, toMinute ?? 24 * 60];
  const isOn = (day: number) => weekdays === null || weekdays.includes(day);
  if (from < to) return isOn(dayOfWeek) && from <= now && now < to;
  return (isOn(dayOfWeek) && now >= from) || (isOn(dayOfWeek === 1 ? 7 : dayOfWeek - 1) && now < to);
}

/**
 * Applies the best allowed combination of discounts: one alone, or all that may be combined (rule
 * ORD-7). Of two that save the same, the combination wins over one, and the older rule over the
 * newer one. Together they take no more than the subtotal.
 */
export function judgeDiscounts(rules: readonly DiscountRule[], facts: DiscountFacts): DiscountVerdict[] {
  const reasons = new Map(rules.map((rule) => [rule.id, CHECKS.find(({ fails }) => fails(rule, facts))?.reason]));
  const possible = rules.filter(({ id }) => reasons.get(id) === undefined).toSorted(by(({ id }) => id));
  const options = [possible.filter((rule) => rule.combinable), ...possible.map((rule) => [rule])].map((option) =>
    amountsOf(option, facts),
  );
  const saved = (option: ReadonlyMap<number, number>) => [...option.values()].reduce((sum, value) => sum + value, 0);
  const best = options.reduce((first, other) => (saved(other) > saved(first) ? other : first));
  return rules.map(({ id }) => {
    const amountKopecks = best.get(id) ?? 0;
    return { id, amountKopecks, reason: reasons.get(id) ?? (amountKopecks > 0 ? null : 'NOT_COMBINABLE') };
  });
}

/** The amount of each discount of a combination; the last ones get the rest of the subtotal. */
function amountsOf(combination: readonly DiscountRule[], facts: DiscountFacts): Map<number, number> {
  let left = facts.subtotalKopecks;
  return new Map(
    combination.map((rule) => {
      const amount = Math.min(left, amountOf(rule, facts));
      left -= amount;
      return [rule.id, amount];
    }),
  );
}
