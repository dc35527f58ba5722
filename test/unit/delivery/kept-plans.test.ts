import { expect, test } from '@jest/globals';
import { keptPlan, planFor } from '../../../modules/delivery/hours/kept-plans.ts';
import { ORDERING_DEFAULTS } from '../../../modules/delivery/configuration/ordering-config.ts';
import type { OrganizationFacts } from '../../../modules/delivery/hours/read-facts.ts';

const DAY = 86_400_000;
const AT = Date.parse('2026-11-22T12:00:00Z');

const restaurant = (opensAt: string): OrganizationFacts => ({
  flags: { deliveryEnabled: true, pickupEnabled: true, timedOrdersEnabled: true },
  config: { ...ORDERING_DEFAULTS, pickupCookingMinutes: 20 },
  schedule: {
    timeZone: 'Europe/Moscow',
    windows: [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({
      dayOfWeek,
      channel: 'DINE_IN',
      opensAt,
      closesAt: '23:00',
      crossesMidnight: false,
    })),
    exceptions: [],
    intakeStops: [],
  },
  isErpEnabled: true,
});

test('a plan is calculated once for equal facts, and again for other facts or a later time', () => {
  const first = keptPlan(restaurant('09:00'), AT);

  expect(keptPlan(restaurant('09:00'), AT + 1_000)).toBe(first);
  expect(keptPlan(restaurant('10:00'), AT)).toEqual(planFor(restaurant('10:00'), AT));
  expect(keptPlan(restaurant('09:00'), AT + 8 * DAY)).toEqual(
    planFor(restaurant('09:00'), AT + 8 * DAY),
  );
  expect(keptPlan(restaurant('09:00'), AT)).toEqual(first);
});
