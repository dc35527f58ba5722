import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  judgeDiscounts,
  type DiscountFacts,
  type DiscountRule,
} from '../../../modules/ordering/rules/discounts.ts';
import { discountRule as rule } from '../../support/offered.ts';
import { repetitions } from '../../support/repetitions.ts';

/** A Sunday, 13:30 in Moscow. */
const NOW = Date.parse('2026-11-22T13:30+03:00');
const facts = (given: Partial<DiscountFacts> = {}): DiscountFacts => ({
  at: NOW,
  timeZone: 'Europe/Moscow',
  organizationId: 1,
  takesDiscounts: true,
  fulfillmentType: 'DELIVERY',
  subtotalKopecks: 100_000,
  customer: { hasOrdered: false, usedDiscounts: new Set() },
  uses: new Map(),
  ...given,
});
const known = (given: Partial<NonNullable<DiscountFacts['customer']>>) =>
  facts({ customer: { hasOrdered: false, usedDiscounts: new Set(), ...given } });
const one = (given: Partial<DiscountRule>, of: DiscountFacts = facts()) =>
  judgeDiscounts([rule(1, given)], of)[0];

describe('a discount of a cart', () => {
  test.each<[string, Partial<DiscountRule>, DiscountFacts]>([
    ['returns EXPIRED after its end', { endsAt: NOW }, facts()],
    ['returns NOT_STARTED before its beginning', { startsAt: NOW + 1 }, facts()],
    ['returns NOT_STARTED on other weekdays', { weekdays: [1, 6] }, facts()],
    ['returns NOT_STARTED before its hours', { fromMinute: 14 * 60 }, facts()],
    ['returns NOT_STARTED after its hours', { toMinute: 13 * 60 + 30 }, facts()],
    ['returns ORGANIZATION in other organizations', { organizationIds: [2] }, facts()],
    [
      '[ORD-67] where no order can name a discount at the ERP: ORGANIZATION',
      {},
      facts({ takesDiscounts: false }),
    ],
    ['returns FULFILLMENT for another order type', { fulfillmentTypes: ['PICKUP'] }, facts()],
    [
      'while no way is chosen: FULFILLMENT',
      { fulfillmentTypes: ['PICKUP'] },
      facts({ fulfillmentType: null }),
    ],
    [
      'returns CUSTOMER_REQUIRED to a guest if it is for first orders',
      { firstOrderOnly: true },
      facts({ customer: null }),
    ],
    [
      'returns CUSTOMER_REQUIRED to a guest if it is once per customer',
      { oncePerCustomer: true },
      facts({ customer: null }),
    ],
    [
      'returns ALREADY_USED for a second order if it is for first orders',
      { firstOrderOnly: true },
      known({ hasOrdered: true }),
    ],
    [
      'returns ALREADY_USED if the customer has used it',
      { oncePerCustomer: true },
      known({ usedDiscounts: new Set([1]) }),
    ],
    [
      'returns LIMIT_REACHED after its last use',
      { totalUses: 3 },
      facts({ uses: new Map([[1, 3]]) }),
    ],
    ['asks for more: MIN_SUM', { minSubtotalKopecks: 100_001 }, facts()],
    ['returns MIN_SUM for an empty cart', {}, facts({ subtotalKopecks: 0 })],
  ])('%s', (title, given, of) => {
    const verdict = one(given, of);
    expect(title).toContain(verdict!.reason!);
    expect(verdict!.amountKopecks).toBe(0);
  });

  test.each<[string, Partial<DiscountRule>, number]>([
    ['rounds a percentage down to a kopeck', { value: 33 }, 3_333],
    ['takes off a fixed sum', { kind: 'FIXED', value: 2_500 }, 2_500],
    ['takes off at most the subtotal', { kind: 'FIXED', value: 99_999 }, 10_101],
    ['applies at the minimum', { minSubtotalKopecks: 10_101 }, 1_010],
    ['applies in its hours', { weekdays: [7], fromMinute: 13 * 60 + 30, toMinute: 14 * 60 }, 1_010],
    [
      'applies in a night that began on its day',
      { weekdays: [6], fromMinute: 20 * 60, toMinute: 14 * 60 },
      1_010,
    ],
    ['applies from its beginning to its end', { startsAt: NOW, endsAt: NOW + 1 }, 1_010],
    ['applies while it has uses', { totalUses: 1 }, 1_010],
  ])('%s', (_, given, amount) => {
    expect(one(given, facts({ subtotalKopecks: 10_101 }))).toEqual({
      id: 1,
      amountKopecks: amount,
      reason: null,
    });
  });

  test.each<[string, Partial<DiscountRule>, DiscountFacts]>([
    ['to every order type before one is chosen', {}, facts({ fulfillmentType: null })],
    ['to its order types', { fulfillmentTypes: ['PICKUP', 'DELIVERY'] }, facts()],
    ['to a guest if it is for all', {}, facts({ customer: null })],
    [
      'once per customer after an order without it',
      { oncePerCustomer: true },
      known({ hasOrdered: true }),
    ],
    [
      'to a first order even if it was used before',
      { firstOrderOnly: true },
      known({ usedDiscounts: new Set([1]) }),
    ],
    ['from an hour on', { fromMinute: 13 * 60 }, facts()],
    ['from an hour to the same hour of the next day', { fromMinute: 600, toMinute: 600 }, facts()],
  ])('applies %s', (_, given, of) => {
    expect(one(given, of)).toEqual({ id: 1, amountKopecks: 10_000, reason: null });
  });

  test.each([
    ['2026-11-22T21:59', false],
    ['2026-11-22T22:00', true],
    ['2026-11-22T01:59', false],
    ['2026-11-23T01:59', true],
    ['2026-11-23T02:00', false],
    ['2026-11-23T22:00', false],
  ])('applies on Sunday night, from ten to two, at %s: %p', (clock, applied) => {
    const night = { weekdays: [7], fromMinute: 22 * 60, toMinute: 2 * 60 };
    expect(one(night, facts({ at: Date.parse(`${clock}+03:00`) }))!.reason).toBe(
      applied ? null : 'NOT_STARTED',
    );
  });

  test('applies with hours to midnight only on its day', () => {
    const evenings = { weekdays: [6], fromMinute: 13 * 60 };
    expect(one(evenings, facts({ at: Date.parse('2026-11-22T00:00+03:00') }))!.reason).toBe(
      'NOT_STARTED',
    );
  });

  test('[ORD-8] reports the first reason that applies', () => {
    expect(
      one({ startsAt: NOW + 1, organizationIds: [2], minSubtotalKopecks: 200_000 })!.reason,
    ).toBe('NOT_STARTED');
  });
});

describe('several discounts', () => {
  test('apply together if they are combinable, or another one replaces them if it saves more', () => {
    const verdicts = judgeDiscounts(
      [rule(1), rule(2, { value: 15, combinable: false }), rule(3)],
      facts(),
    );
    expect(verdicts).toEqual([
      { id: 1, amountKopecks: 10_000, reason: null },
      { id: 2, amountKopecks: 0, reason: 'NOT_COMBINABLE' },
      { id: 3, amountKopecks: 10_000, reason: null },
    ]);
  });

  test('apply in combination if one alone saves the same, or the older of two equal ones', () => {
    const alone = { value: 20, combinable: false };
    const applied = (rules: DiscountRule[]) =>
      judgeDiscounts(rules, facts())
        .filter(({ reason }) => reason === null)
        .map(({ id }) => id);

    expect(applied([rule(1, alone), rule(2), rule(3)])).toEqual([2, 3]);
    expect(applied([rule(3, alone), rule(2, alone)])).toEqual([2]);
  });

  test.each<[string, Partial<DiscountRule>, number, number]>([
    ['a percentage', { value: 7 }, 85_050, 5_900],
    ['an amount', { kind: 'FIXED', value: 19_990 }, 85_050, 19_900],
    ['everything', { value: 100 }, 85_050, 85_000],
  ])('[ORD-160] round %s down to the smallest coin', (_, given, subtotalKopecks, amountKopecks) => {
    const [verdict] = judgeDiscounts([rule(1, given)], {
      ...facts(),
      subtotalKopecks,
      denominationKopecks: 100,
    });

    expect(verdict).toEqual({ id: 1, amountKopecks, reason: null });
  });

  test('[ORD-160] exclude a discount below the smallest coin', () => {
    const [verdict] = judgeDiscounts([rule(1, { value: 1 })], {
      ...facts(),
      subtotalKopecks: 9_900,
      denominationKopecks: 100,
    });

    expect(verdict).toEqual({ id: 1, amountKopecks: 0, reason: 'MIN_SUM' });
  });

  test('take off at most the subtotal together', () => {
    const verdicts = judgeDiscounts(
      [rule(1, { value: 70 }), rule(2, { value: 70 }), rule(3)],
      facts(),
    );
    expect(verdicts.map(({ amountKopecks, reason }) => [amountKopecks, reason])).toEqual([
      [70_000, null],
      [30_000, null],
      [0, 'NOT_COMBINABLE'],
    ]);
  });

  test('[ORD-7] form the best allowed combination, as an exhaustive search finds it', () => {
    const anyRule = fc.record({
      kind: fc.constantFrom('PERCENT' as const, 'FIXED' as const),
      value: fc.integer({ min: 1, max: 100 }),
      minSubtotalKopecks: fc.constantFrom(0, 0, 100, 1_000),
      totalUses: fc.constantFrom(null, null, 0),
      combinable: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 8 }),
        fc.integer({ min: 0, max: 2_000 }),
        (drawn, subtotalKopecks) => {
          const rules = drawn.map((given, at) => rule(at + 1, given));
          const verdicts = judgeDiscounts(rules, facts({ subtotalKopecks }));
          const saved = verdicts.reduce((sum, verdict) => sum + verdict.amountKopecks, 0);
          const applied = rules.filter((_, at) => verdicts[at]!.reason === null);

          expect(saved).toBe(bestOfAll(rules, subtotalKopecks));
          expect(applied.length <= 1 || applied.every((entry) => entry.combinable)).toBe(true);
          for (const { amountKopecks, reason } of verdicts)
            expect(amountKopecks > 0).toBe(reason === null);
          const turned = judgeDiscounts(rules.toReversed(), facts({ subtotalKopecks }));
          expect(turned.toReversed()).toEqual(verdicts);
        },
      ),
      { numRuns: repetitions(300) },
    );
  });
});

/** The maximum saving of all allowed sets of discounts. */
function bestOfAll(rules: readonly DiscountRule[], subtotal: number): number {
  let best = 0;
  for (let set = 0; set < 2 ** rules.length; set += 1) {
    const chosen = rules.filter((_, at) => (set & (1 << at)) !== 0);
    const isAllowed =
      chosen.every((entry) => entry.totalUses === null && subtotal >= entry.minSubtotalKopecks) &&
      (chosen.length <= 1 || chosen.every((entry) => entry.combinable));
    if (!isAllowed) continue;
    const sum = chosen.reduce(
      (total, { kind, value }) =>
        total + (kind === 'FIXED' ? value : Math.floor((subtotal * value) / 100)),
      0,
    );
    best = Math.max(best, Math.min(sum, subtotal));
  }
  return best;
}
