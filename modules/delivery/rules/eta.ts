import type { FulfillmentType } from './status.ts';

/** Times are in ms; null is unlimited. BUSY is a busy mode. */
export type ExpectationRule = {
  scope: 'GLOBAL' | 'CATEGORY' | 'BUSY';
  categoryId: number | null;
  durationMinutes: number;
  activeFrom: number | null;
  activeTo: number | null;
};

/** Adds the largest active rule (FUL-12) and the busy mode (FUL-66). */
export function expectationMinutes(
  rules: readonly ExpectationRule[],
  categoryIds: ReadonlySet<number>,
  at: number,
): number {
  const active = rules.filter(
    ({ activeFrom, activeTo }) =>
      (activeFrom === null || activeFrom <= at) && (activeTo === null || at < activeTo),
  );

  const largest = (applies: (rule: ExpectationRule) => boolean): number =>
    Math.max(0, ...active.filter(applies).map((rule) => rule.durationMinutes));
  const inCart = ({ categoryId }: ExpectationRule) =>
    categoryId !== null && categoryIds.has(categoryId);
  const expected = largest(
    (rule) => rule.scope === 'GLOBAL' || (rule.scope === 'CATEGORY' && inCart(rule)),
  );

  return expected + largest(({ scope }) => scope === 'BUSY');
}

/** Applies to orders for times before `until` (ms); null is unlimited. */
export type ExpectationStep = { until: number | null; minutes: number };

/**
 * Returns the extra minutes by the time of the order: an active rule applies to orders for times
 * before its end (FUL-91).
 */
export function expectationSteps(
  rules: readonly ExpectationRule[],
  categoryIds: ReadonlySet<number>,
  at: number,
): ExpectationStep[] {
  const later = rules.flatMap(({ activeTo }) =>
    activeTo !== null && activeTo > at ? [activeTo] : [],
  );
  const ends = [...new Set(later)].toSorted((a, b) => a - b);
  const lasting = (moment: number) =>
    rules.filter(({ activeTo }) => activeTo === null || moment < activeTo);

  return [at, ...ends].map((from, step) => ({
    until: ends[step] ?? null,
    minutes: expectationMinutes(lasting(from), categoryIds, at),
  }));
}

export const stepAt = (steps: readonly ExpectationStep[], moment: number): number =>
  steps.find(({ until }) => until === null || moment < until)?.minutes ?? 0;

const DEFAULT_COOKING_MINUTES = 20;
const LONGEST_COOKING_MINUTES = 1_440;

/** Returns the minutes set by staff, else by the ERP (1 minute to a day), else 20 (FUL-58). */
export function effectiveCookingMinutes(
  own: number | null,
  selfServiceMinutes: number | null,
): number {
  if (own !== null) return own;
  const isStated =
    selfServiceMinutes !== null &&
    selfServiceMinutes > 0 &&
    selfServiceMinutes <= LONGEST_COOKING_MINUTES;

  return isStated ? selfServiceMinutes : DEFAULT_COOKING_MINUTES;
}

const roundedUp = (minutes: number): number => Math.ceil(minutes / 5) * 5;

/**
 * Returns minutes for guests: the estimate, and one slot step more, rounded up to five minutes
 * (FUL-13).
 */
export function etaRange(etaMinutes: number, slotStepMinutes: number): [number, number] {
  return [roundedUp(etaMinutes), roundedUp(etaMinutes + slotStepMinutes)];
}

/** Excludes extra minutes. */
export type PreparationMinutes = { pickupCookingMinutes: number; deliveryMinutes: number };

/**
 * Returns the minutes of an order. `deliveryMinutes` is the default for zones without a time
 * (FUL-15).
 */
export function etaMinutes(
  type: FulfillmentType,
  { pickupCookingMinutes, deliveryMinutes }: PreparationMinutes,
  expectation: number,
): number {
  return (type === 'PICKUP' ? pickupCookingMinutes : deliveryMinutes) + expectation;
}
