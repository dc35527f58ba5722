import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_COMPOSITION } from '../../../modules/ordering/rules/composition.ts';
import {
  isOrderable,
  planService,
  type ServedLine,
  type ServiceOptions,
} from '../../../modules/ordering/rules/service-items.ts';
import { repetitions } from '../../support/repetitions.ts';

const line = (given: Partial<ServedLine> = {}): ServedLine => ({
  lineId: 'line',
  role: null,
  unitPriceKopecks: 50_000,
  quantity: 1,
  personCount: 1,
  personSplittingEnabled: true,
  toolCount: 0,
  sugarCount: 0,
  ...given,
});
const soy = (quantity: number, given: Partial<ServedLine> = {}) =>
  line({ lineId: 'soy', role: 'PAID_SOY', unitPriceKopecks: 3_000, quantity, ...given });
const nothing: ServiceOptions = { leaveAtDoor: false, cutlery: 0, sugar: 0 };
const plan = (lines: ServedLine[], options: Partial<ServiceOptions> = {}) =>
  planService(lines, DEFAULT_COMPOSITION, { ...nothing, ...options });
const planUnits = (lines: ServedLine[], options: Partial<ServiceOptions> = {}) =>
  Object.fromEntries(plan(lines, options).units.map(({ role, quantity }) => [role, quantity]));

test.each([
  [null, true],
  ['PAID_SOY', true],
  ['PAID_GINGER', true],
  ['FREE_SOY', false],
  ['CUTLERY', false],
  ['SUGAR', false],
  ['LEAVE_AT_DOOR', false],
  ['DELIVERY_FEE', false],
  ['GINGER', false],
  ['UNPAID_SOY', false],
])('[ORD-92] an item with the role %s can be ordered by guests: %s', (role, expected) => {
  expect(isOrderable(role)).toBe(expected);
});

describe('the service items by rules', () => {
  test.each<[string, ServedLine[], Partial<ServiceOptions>, Record<string, number>]>([
    ['include none for an empty cart', [], {}, {}],
    ['include free ones by persons', [line({ quantity: 3 })], {}, { FREE_SOY: 3, FREE_WASABI: 2 }],
    [
      'include the requested cutlery and sugar',
      [line({ toolCount: 3, sugarCount: 3, personSplittingEnabled: false })],
      { cutlery: 2, sugar: 1 },
      { CUTLERY: 2, SUGAR: 1 },
    ],
    [
      '[ORD-10] include at most the allowed cutlery and sugar',
      [line({ toolCount: 1, sugarCount: 2, personSplittingEnabled: false })],
      { cutlery: 9, sugar: 9 },
      { CUTLERY: 1, SUGAR: 2 },
    ],
    [
      'include one for the door if the order is left there',
      [],
      { leaveAtDoor: true },
      { LEAVE_AT_DOOR: 1 },
    ],
    [
      'include none that is already in the cart',
      [line({ quantity: 3 }), soy(2)],
      {},
      { FREE_SOY: 1, FREE_WASABI: 2 },
    ],
    ['ignore persons for items in the cart', [soy(2)], {}, {}],
  ])('%s', (_, lines, options, units) => {
    expect(planUnits(lines, options)).toEqual(units);
  });

  test('hide what the rules hide', () => {
    const { units } = plan([line()], { leaveAtDoor: true });
    expect(units.filter(({ isHidden }) => isHidden).map(({ role }) => role)).toEqual([
      'LEAVE_AT_DOOR',
    ]);
  });

  test.each([
    [1, 2, 1],
    [2, 2, 2],
    [5, 2, 2],
    [5, 0, 0],
  ])(
    'include, for %i paid soy with %i free ones, %i units that cost nothing',
    (wanted, free, covered) => {
      const lines = [...(free === 0 ? [] : [line({ quantity: free })]), soy(wanted)];
      const quantity = plan(lines).freeLineUnits.reduce((sum, unit) => sum + unit.quantity, 0);
      expect(quantity).toBe(covered);
    },
  );

  test('[ORD-67] charge for every paid unit if there is no free item to send instead', () => {
    const { freeLineUnits, units } = planService(
      [line({ quantity: 2 }), soy(5)],
      DEFAULT_COMPOSITION,
      nothing,
      () => 0,
    );
    expect(freeLineUnits).toEqual([]);
    expect(units).toContainEqual({ role: 'FREE_SOY', quantity: 2, isHidden: false });
  });

  test('appear by their roles, for any order of the rules', () => {
    const rules = DEFAULT_COMPOSITION.toReversed();
    const { units } = planService([line({ quantity: 2, toolCount: 1 })], rules, {
      ...nothing,
      cutlery: 1,
    });

    expect(units.map(({ role }) => role)).toEqual(['CUTLERY', 'FREE_SOY', 'FREE_WASABI']);
  });

  test('make units of the first line free if all cost the same', () => {
    const lines = [line(), soy(1, { lineId: 'b' }), soy(1, { lineId: 'a' })];

    expect(plan(lines).freeLineUnits).toEqual([
      { lineId: 'a', role: 'FREE_SOY', quantity: 1, amountKopecks: 3_000 },
    ]);
  });

  test('[ORD-10] make the cheapest units free, for any order of lines, and never more than exist', () => {
    const anySoy = fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 5 }),
        price: fc.integer({ min: 0, max: 900 }),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(anySoy, fc.integer({ min: 0, max: 10 }), (drawn, dishes) => {
        const paid = drawn.map(({ quantity, price }, at) =>
          soy(quantity, { lineId: `${at}`, unitPriceKopecks: price }),
        );
        const lines = [...(dishes === 0 ? [] : [line({ quantity: dishes })]), ...paid];
        const { freeLineUnits, units } = plan(lines);
        const prices = paid.flatMap((entry) =>
          Array<number>(entry.quantity).fill(entry.unitPriceKopecks),
        );
        const cheapest = prices.toSorted((a, b) => a - b).slice(0, dishes);
        const covered = freeLineUnits.reduce((sum, unit) => sum + unit.quantity, 0);

        expect(freeLineUnits.reduce((sum, unit) => sum + unit.amountKopecks, 0)).toBe(
          cheapest.reduce((sum, value) => sum + value, 0),
        );
        expect((units.find(({ role }) => role === 'FREE_SOY')?.quantity ?? 0) + covered).toBe(
          dishes,
        );
        expect(plan(lines.toReversed())).toEqual({ ...plan(lines), persons: dishes + 1 });
      }),
      { numRuns: repetitions(200) },
    );
  });
});
