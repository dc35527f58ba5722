import type { FulfillmentType } from './status.ts';

/**
 * Extra minutes that staff announce: for every order (GLOBAL), for orders with a dish of a
 * category, or while the kitchen is busy (BUSY). Moments in milliseconds; null has no bound.
 */
export type ExpectationRule = {
  scope: 'GLOBAL' | 'CATEGORY' | 'BUSY';
  categoryId: number | null;
  durationMinutes: number;
  activeFrom: number | null;
  activeTo: number | null;
};

/**
 * The minutes that an order takes longer at a moment: the largest of the increases that are active
 * for all orders or for one of the categories in the cart, 0 without any (rule FUL-12), and the
 * minutes of the busy mode on top (rule FUL-66).
 */
export function expectationMinutes(
  rules: readonly ExpectationRule[],
  categoryIds: ReadonlySet<number>,
  at: number,
): number {
  const active = rules.filter(
    ({ activeFrom, activeTo }) => (activeFrom === null || activeFrom <= at) && (activeTo === null || at < activeTo),
  );
  const largest = (applies: (rule: ExpectationRule) => boolean): number =>
    Math.max(0, ...active.filter(applies).map((rule) => rule.durationMinutes));
  const inCart = ({ categoryId }: ExpectationRule) => categoryId !== null && categoryIds.has(categoryId);
  const expected = largest((rule) => rule.scope === 'GLOBAL' || (rule.scope === 'CATEGORY' && inCart(rule)));
  return expected + largest(({ scope }) => scope === 'BUSY');
}

/**
 * Extra minutes of an order for a time before `until`, or for every later time if it is null;
 * moments in milliseconds.
 */
export type ExpectationStep = { until: number | null; minutes: number };

/**
 * Returns the extra minutes by the time that an order is for: an increase that is active now counts
 * for times before its end (rule FUL-91).
 */
export function expectationSteps(
  rules: readonly ExpectationRule[],
  categoryIds: ReadonlySet<number>,
  at: number,
): ExpectationStep[] {
  const later = rules.flatMap(({ activeTo }) => (activeTo !== null && activeTo > at ? [activeTo] : []));
  const ends = [...new Set(later)].toSorted((a, b) => a - b);
  const lasting = (moment: number) => rules.filter(({ activeTo }) => activeTo === null || moment < activeTo);
  return [at, ...ends].map((from, step) => ({
    until: ends[step] ?? null,
    minutes: expectationMinutes(lasting(from), categoryIds, at),
  }));
}

/** The extra minutes of an order for a time. */
export const stepAt = (steps: readonly ExpectationStep[], moment: number): number =>
  steps.find(({ until }) => until === null || moment < until)?.minutes ?? 0;

/** The cooking time of pickup where neither staff nor the ERP state one, in minutes. */
const DEFAULT_COOKING_MINUTES = 20;
/** The longest cooking time, in minutes. */
const LONGEST_COOKING_MINUTES = 1_440;

/**
 * The cooking time of pickup in minutes: that of staff, else the self-service duration of the ERP,
 * else 20. A duration of the ERP that is 0 or longer than a day states nothing (rule FUL-58).
 */
export function effectiveCookingMinutes(own: number | null, selfServiceMinutes: number | null): number {
  if (own !== null) return own;
  const isStated =
    selfServiceMinutes !== null && selfServiceMinutes > 0 && selfServiceMinutes <= LONGEST_COOKING_MINUTES;
  return isStated ? selfServiceMinutes : DEFAULT_COOKING_MINUTES;
}

const roundedUp = (minutes: number): number => Math.ceil(minutes / 5) * 5;

/**
 * The minutes that guests see: the estimate and one slot step more, both rounded up to five
 * minutes (rule FUL-13).
 */
export function etaRange(etaMinutes: number, slotStepMinutes: number): [number, number] {
  return [roundedUp(etaMinutes), roundedUp(etaMinutes + slotStepMinutes)];
}

/**
 * The minutes of an organization from an order until it is at the door or ready to be fetched,
 * before any expectation.
 */
export type PreparationMinutes = { pickupCookingMinutes: number; deliveryMinutes: number };

/**
 * Returns the minutes that an order takes now: the cooking time of pickup, or the time of a
 * delivery, and the expectation on top. If no zone has a delivery time, that of the organization
 * applies (rule FUL-15).
 */
export function etaMinutes(
  type: FulfillmentType,
  { pickupCookingMinutes, deliveryMinutes }: PreparationMinutes,
  expectation: number,
): number {
  return (type === 'PICKUP' ? pickupCookingMinutes : deliveryMinutes) + expectation;
}
