import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  brokenLimits,
  priceChoice,
  splitChoice,
  unitPrice,
  withDefaults,
  type Chosen,
  type OfferedGroup,
  type OfferedModifier,
} from '../../../modules/ordering/rules/modifier-choice.ts';
import { modifier as anyModifier } from '../../support/offered.ts';
import { repetitions } from '../../support/repetitions.ts';

const modifier = (modifierId: string, given: Partial<OfferedModifier> = {}): OfferedModifier =>
  anyModifier(modifierId, { name: modifierId, ...given });
const group = (modifiers: OfferedModifier[], given: Partial<OfferedGroup> = {}): OfferedGroup => ({
  groupId: 'mg_1',
  groupKey: 'g',
  name: 'Соусы',
  min: 0,
  max: 100,
  free: 0,
  modifiers,
  ...given,
});
const take = (modifierId: string, quantity = 1, groupKey = 'g'): Chosen => ({
  groupKey,
  modifierId,
  quantity,
});
const priced = (groups: OfferedGroup[], chosen: Chosen[]) =>
  priceChoice(groups, chosen).map(({ modifierId, quantity, freeQuantity }) => [
    modifierId,
    quantity,
    freeQuantity,
  ]);

describe('the price of a line', () => {
  test('uses the cheapest units as the free ones of a group', () => {
    const sauces = group(
      [
        modifier('dear', { priceKopecks: 300 }),
        modifier('cheap', { priceKopecks: 50 }),
        modifier('middle'),
      ],
      { free: 3 },
    );
    expect(priced([sauces], [take('dear', 2), take('cheap', 2), take('middle', 2)])).toEqual([
      ['dear', 2, 0],
      ['cheap', 2, 2],
      ['middle', 2, 1],
    ]);
  });

  test('counts the free units of a modifier before those of its group', () => {
    const sauces = group([modifier('a', { free: 2 }), modifier('b')], { free: 1 });
    expect(priced([sauces], [take('a', 3), take('b')])).toEqual([
      ['a', 3, 3],
      ['b', 1, 0],
    ]);
  });

  test('counts free units of a modifier once, not for its group', () => {
    const sauces = group([modifier('a', { free: 1 }), modifier('b')], { free: 1 });

    expect(priced([sauces], [take('a', 2), take('b')])).toEqual([
      ['a', 2, 2],
      ['b', 1, 0],
    ]);
    expect(priced([sauces], [take('a'), take('b')])).toEqual([
      ['a', 1, 1],
      ['b', 1, 1],
    ]);
  });

  test('gives a free unit to the first id of equal prices, wherever the menu shows it', () => {
    expect(
      priced([group([modifier('b'), modifier('a')], { free: 1 })], [take('a'), take('b')]),
    ).toEqual([
      ['b', 1, 0],
      ['a', 1, 1],
    ]);
  });

  test('includes only what was chosen, each in the group in which it was chosen', () => {
    const groups = ['g', 'h'].map((groupKey) =>
      group([modifier('a'), modifier('b')], { groupKey }),
    );

    expect(
      priceChoice(groups, [take('a', 2), take('a', 3, 'h')]).map((entry) => [
        entry.groupKey,
        entry.modifierId,
        entry.quantity,
      ]),
    ).toEqual([
      ['g', 'a', 2],
      ['h', 'a', 3],
    ]);
  });

  test('consists of the dish and the units that are not free', () => {
    const sauces = group([modifier('a', { priceKopecks: 70, free: 1 })]);
    expect(unitPrice(50_000, priceChoice([sauces], [take('a', 3)]))).toBe(50_140);
  });

  test('[ORD-6] equals the highest over all selections of free units, in any order', () => {
    const anyModifiers = fc.array(
      fc.record({ price: fc.integer({ min: 0, max: 500 }), units: fc.integer({ min: 0, max: 3 }) }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(
        anyModifiers,
        fc.integer({ min: 0, max: 6 }),
        fc.boolean(),
        (drawn, free, isTurned) => {
          const offered = drawn.map(({ price }, at) => modifier(`m${at}`, { priceKopecks: price }));
          const chosen = drawn.map(({ units }, at) => take(`m${at}`, units));
          const groups = [group(isTurned ? offered.toReversed() : offered, { free })];
          const prices = drawn.flatMap(({ price, units }) => Array<number>(units).fill(price));
          expect(unitPrice(0, priceChoice(groups, isTurned ? chosen.toReversed() : chosen))).toBe(
            dearestWith(prices, free),
          );
        },
      ),
      { numRuns: repetitions(300) },
    );
  });
});

/** Returns the highest price with exactly `free` free units. */
function dearestWith(prices: readonly number[], free: number): number {
  const [first, ...rest] = prices;
  if (first === undefined || free >= prices.length) return 0;
  const whenPaid = first + dearestWith(rest, free);
  return free === 0 ? whenPaid : Math.max(whenPaid, dearestWith(rest, free - 1));
}

describe('the limits of modifiers', () => {
  test('count modifiers separately, in the group in which they were chosen', () => {
    const groups = ['g', 'h'].map((groupKey) =>
      group([modifier('a', { max: 2 }), modifier('b', { max: 2 })], { groupKey, max: 4 }),
    );
    const broken = (chosen: Chosen[]) =>
      brokenLimits(groups, chosen).map(({ code, groupKey, modifierId }) => [
        code,
        groupKey,
        modifierId,
      ]);

    expect(broken([take('a', 2), take('b', 2), take('a', 2, 'h'), take('b', 2, 'h')])).toEqual([]);
    expect(broken([take('a', 3), take('b', 1), take('a', 2, 'h')])).toEqual([['max', 'g', 'a']]);
  });
});

describe('the selection of modifiers', () => {
  test('[ORD-5] receives the default units of an omitted group, but not of one that it contains', () => {
    const sauces = group([modifier('a', { default: 1 }), modifier('b')]);
    expect(withDefaults([sauces], [])).toEqual([take('a')]);
    expect(withDefaults([sauces], [take('b')])).toEqual([take('b')]);
    expect(withDefaults([sauces], [take('a', 0)])).toEqual([take('a', 0)]);
  });

  test('receives no default units of an unavailable modifier', () => {
    expect(
      withDefaults([group([modifier('a', { default: 1, unavailable: 'STOP_LIST' })])], []),
    ).toEqual([]);
  });

  test.each<[string, Partial<OfferedGroup>, Partial<OfferedModifier>, number, unknown[]]>([
    ['violates nothing within every limit', { min: 1, max: 2 }, { min: 1, max: 2 }, 2, []],
    [
      'violates the limit of its group with too few',
      { min: 2 },
      {},
      1,
      [{ code: 'min', modifierId: null, min: 2 }],
    ],
    [
      'violates the limit of its group with too many',
      { max: 2 },
      {},
      3,
      [{ code: 'max', modifierId: null, max: 2 }],
    ],
    [
      'violates the limit of one modifier with too many',
      {},
      { max: 1 },
      2,
      [{ code: 'max', modifierId: 'a', max: 1 }],
    ],
    [
      'violates the limit of a missing modifier',
      {},
      { min: 1 },
      0,
      [{ code: 'min', modifierId: 'a', min: 1 }],
    ],
    [
      '[ORD-4] reports all violated limits',
      { max: 1 },
      { max: 1 },
      2,
      [{ modifierId: null }, { modifierId: 'a' }],
    ],
    ['in a group without limits of single modifiers', { max: 5 }, { min: null, max: null }, 5, []],
  ])('%s', (_, ofGroup, ofModifier, quantity, broken) => {
    const chosen = quantity === 0 ? [] : [take('a', quantity)];
    expect(brokenLimits([group([modifier('a', ofModifier)], ofGroup)], chosen)).toMatchObject(
      broken,
    );
  });

  test('separates available and unavailable ones, with the reason', () => {
    const sauces = group([modifier('a'), modifier('stopped', { unavailable: 'STOP_LIST' })]);
    expect(
      splitChoice([sauces], [take('a'), take('stopped', 2), take('gone'), take('a', 1, 'other')]),
    ).toEqual({
      kept: [take('a')],
      removed: [
        { ...take('stopped', 2), reason: 'STOP_LIST' },
        { ...take('gone'), reason: 'NOT_IN_MENU' },
        { ...take('a', 1, 'other'), reason: 'NOT_IN_MENU' },
      ],
    });
  });
});
