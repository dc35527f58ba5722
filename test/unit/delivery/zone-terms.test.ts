import { describe, expect, test } from '@jest/globals';
import {
  etaRange,
  expectationMinutes,
  type ExpectationRule,
} from '../../../modules/delivery/rules/eta.ts';
import {
  zoneTerms,
  type DeliveryDefaults,
  type LocalMoment,
  type ZoneOverride,
  type ZoneRestriction,
} from '../../../modules/delivery/rules/zones/zone-terms.ts';

const restriction = (given: Partial<ZoneRestriction> = {}): ZoneRestriction => ({
  position: 1,
  weekMap: 127,
  fromMinute: null,
  toMinute: null,
  priority: 1,
  minSumKopecks: 90_000,
  durationMinutes: 75,
  terminalGroupId: 7,
  terminalGroupErpId: 'till',
  ...given,
});
const defaults = (given: Partial<DeliveryDefaults> = {}): DeliveryDefaults => ({
  useSameDuration: false,
  durationMinutes: 60,
  useSameMinSum: false,
  minSumKopecks: 50_000,
  useSameInterval: false,
  fromMinute: 600,
  toMinute: 1_380,
  useSameWeek: false,
  ...given,
});
const at = (dayOfWeek: number, hour: number, minute = 0): LocalMoment => ({
  dayOfWeek,
  minute: hour * 60 + minute,
});
const terms = (
  restrictions: ZoneRestriction[],
  given: Partial<DeliveryDefaults> = {},
  local = at(3, 12),
  overrides: ZoneOverride[] = [],
) =>
  zoneTerms(
    { restrictions, defaults: defaults(given), overrides, deliveryFeeKopecks: null },
    local,
    1_000,
  );

describe('the terms of a zone', () => {
  test('[FUL-37] contain the fee of the override or of staff for all deliveries, with its source', () => {
    const override: ZoneOverride = {
      minSumKopecks: null,
      deliveryFeeKopecks: 0,
      from: null,
      to: null,
    };
    const of = (overrides: ZoneOverride[], deliveryFeeKopecks: number | null) =>
      zoneTerms(
        {
          restrictions: [restriction()],
          defaults: defaults({ useSameMinSum: true }),
          overrides,
          deliveryFeeKopecks,
        },
        at(3, 12),
        1_000,
      );

    expect(of([], 14_900)).toMatchObject({
      deliveryFeeKopecks: 14_900,
      sources: { minSum: 'ORGANIZATION', deliveryFee: 'SETTING', duration: 'ZONE' },
    });
    expect(of([override], 14_900)).toMatchObject({
      deliveryFeeKopecks: 0,
      sources: { deliveryFee: 'OVERRIDE' },
    });
    expect(of([], null)).toMatchObject({
      deliveryFeeKopecks: 0,
      sources: { deliveryFee: 'NOBODY' },
    });
    expect(of([{ ...override, minSumKopecks: 0 }], null)).toMatchObject({
      sources: { minSum: 'OVERRIDE' },
    });
    expect(terms([restriction()], { useSameDuration: true })).toMatchObject({
      sources: { duration: 'ORGANIZATION' },
    });
  });

  test('come from its restriction', () => {
    expect(terms([restriction()])).toEqual({
      minSumKopecks: 90_000,
      deliveryFeeKopecks: 0,
      durationMinutes: 75,
      terminalGroupId: 7,
      terminalGroupErpId: 'till',
      sources: { minSum: 'ZONE', deliveryFee: 'NOBODY', duration: 'ZONE' },
    });
  });

  test('[FUL-57] name no terminal group that the ERP does not list', () => {
    expect(terms([restriction({ terminalGroupId: null })])).toMatchObject({
      terminalGroupId: null,
      terminalGroupErpId: null,
    });
  });

  test.each<[string, Partial<DeliveryDefaults>, Partial<ZoneRestriction>, object]>([
    ['share the minimum', { useSameMinSum: true }, {}, { minSumKopecks: 50_000 }],
    ['share no minimum', { useSameMinSum: true, minSumKopecks: null }, {}, { minSumKopecks: 0 }],
    [
      '[FUL-10] fall back to the default minimum',
      {},
      { minSumKopecks: null },
      { minSumKopecks: 50_000 },
    ],
    [
      'contain no minimum at all',
      { minSumKopecks: null },
      { minSumKopecks: null },
      { minSumKopecks: 0 },
    ],
    ['share the duration', { useSameDuration: true }, {}, { durationMinutes: 60 }],
    [
      'share the week, whatever the days of the restriction',
      { useSameWeek: true },
      { weekMap: 0 },
      { minSumKopecks: 90_000 },
    ],
    [
      'share the interval',
      { useSameInterval: true },
      { fromMinute: 0, toMinute: 1 },
      { minSumKopecks: 90_000 },
    ],
  ])('%s', (_, ofAll, ofZone, expected) => {
    expect(terms([restriction(ofZone)], ofAll)).toMatchObject(expected);
  });

  test.each<[string, Partial<ZoneRestriction>, LocalMoment, boolean]>([
    ['on its weekdays, Monday is the first bit', { weekMap: 1 }, at(1, 12), true],
    ['on its weekdays, Sunday is the last bit', { weekMap: 64 }, at(7, 12), true],
    ['not on other weekdays', { weekMap: 64 }, at(6, 12), false],
    ['on no day with an empty week', { weekMap: 0 }, at(3, 12), false],
    ['from its first minute', { fromMinute: 720, toMinute: 780 }, at(3, 12), true],
    ['not before its first minute', { fromMinute: 720, toMinute: 780 }, at(3, 11, 59), false],
    [
      'over midnight from its first minute',
      { weekMap: 1, fromMinute: 660, toMinute: 60 },
      at(1, 11),
      true,
    ],
    [
      'not in the minute it ends after midnight',
      { weekMap: 1, fromMinute: 660, toMinute: 60 },
      at(2, 1),
      false,
    ],
    ['not in the minute it ends', { fromMinute: 720, toMinute: 780 }, at(3, 13), false],
    ['before its end without a beginning', { toMinute: 780 }, at(3, 0), true],
    ['after its beginning without an end', { fromMinute: 720 }, at(3, 23, 59), true],
    [
      'over midnight on the evening',
      { weekMap: 1, fromMinute: 660, toMinute: 60 },
      at(1, 23),
      true,
    ],
    [
      'over midnight in the night that follows',
      { weekMap: 1, fromMinute: 660, toMinute: 60 },
      at(2, 0, 59),
      true,
    ],
    ['not in the night before', { weekMap: 1, fromMinute: 660, toMinute: 60 }, at(1, 0, 30), false],
    ['from Sunday into Monday', { weekMap: 64, fromMinute: 660, toMinute: 60 }, at(1, 0, 30), true],
    [
      'all day when it ends as it begins',
      { weekMap: 1, fromMinute: 600, toMinute: 600 },
      at(1, 11),
      true,
    ],
  ])('[FUL-10] apply %s', (_, ofZone, local, served) => {
    expect(terms([restriction(ofZone)], {}, local) !== null).toBe(served);
  });

  test('[FUL-10] come from the lowest matching priority, in any order', () => {
    const rows = [
      restriction({ position: 1, priority: 2, durationMinutes: 20 }),
      restriction({ position: 3, priority: 1, durationMinutes: 30 }),
      restriction({ position: 2, priority: 1, durationMinutes: 40 }),
      restriction({ position: 4, priority: 0, durationMinutes: 50, weekMap: 64 }),
    ];
    expect(terms(rows)?.durationMinutes).toBe(40);
    expect(terms(rows.toReversed())?.durationMinutes).toBe(40);
    expect(terms([])).toBeNull();
  });

  test.each<[string, Partial<ZoneOverride>, object]>([
    ['without an end', {}, { minSumKopecks: 10_000, deliveryFeeKopecks: 9_900 }],
    [
      'that keeps the minimum of the ERP',
      { minSumKopecks: null },
      { minSumKopecks: 90_000, deliveryFeeKopecks: 9_900 },
    ],
    [
      'that says nothing of a fee',
      { deliveryFeeKopecks: null },
      { minSumKopecks: 10_000, deliveryFeeKopecks: 0 },
    ],
    ['that begins now', { from: 1_000 }, { minSumKopecks: 10_000 }],
    ['that begins later', { from: 1_001 }, { minSumKopecks: 90_000, deliveryFeeKopecks: 0 }],
    ['that ends now', { to: 1_000 }, { minSumKopecks: 90_000, deliveryFeeKopecks: 0 }],
    ['that ends later', { to: 1_001 }, { minSumKopecks: 10_000 }],
  ])('[FUL-11] follow the override of staff %s', (_, given, expected) => {
    const override = {
      minSumKopecks: 10_000,
      deliveryFeeKopecks: 9_900,
      from: null,
      to: null,
      ...given,
    };
    expect(terms([restriction()], {}, at(3, 12), [override])).toMatchObject(expected);
  });
});

describe('the expectation of an order', () => {
  const rule = (given: Partial<ExpectationRule>): ExpectationRule => ({
    scope: 'GLOBAL',
    categoryId: null,
    durationMinutes: 10,
    activeFrom: null,
    activeTo: null,
    ...given,
  });
  const pizza = rule({ scope: 'CATEGORY', categoryId: 4, durationMinutes: 25 });

  test.each<[string, ExpectationRule[], number[], number]>([
    ['adds nothing without rules', [], [4], 0],
    ['adds the increase for all', [rule({})], [], 10],
    ['[FUL-12] adds the largest increase, not the sum', [rule({}), pizza], [4], 25],
    ['ignores categories that are not in the cart', [rule({}), pizza], [5], 10],
    ['begins with its moment', [rule({ activeFrom: 1_000 })], [], 10],
    ['starts no earlier', [rule({ activeFrom: 1_001 })], [], 0],
    ['ends with its moment', [rule({ activeTo: 1_000 })], [], 0],
    ['lasts until then', [rule({ activeTo: 1_001 })], [], 10],
  ])('%s', (_, rules, categories, expected) => {
    expect(expectationMinutes(rules, new Set(categories), 1_000)).toBe(expected);
  });

  test.each([
    [60, 30, [60, 90]],
    [61, 30, [65, 95]],
    [0, 10, [0, 10]],
    [44, 7, [45, 55]],
  ])(
    '[FUL-13] an estimate of %i minutes with a step of %i is returned as a range of fives',
    (eta, step, expected) => {
      expect(etaRange(eta, step)).toEqual(expected);
    },
  );
});
