import { describe, expect, test } from '@jest/globals';
import {
  computeComposition,
  DEFAULT_COMPOSITION,
  paidUnits,
  type CompositionRule,
  type ServedItem,
} from '../../../modules/ordering/rules/composition.ts';

const item = (given: Partial<ServedItem> = {}): ServedItem => ({
  quantity: 1,
  personCount: 1,
  personSplittingEnabled: true,
  toolCount: 0,
  sugarCount: 0,
  ...given,
});
const of = (items: ServedItem[], rules: readonly CompositionRule[] = DEFAULT_COMPOSITION) => {
  const { persons, free, cutleryLimit, sugarLimit } = computeComposition(items, rules);
  return {
    persons,
    soy: free.get('FREE_SOY'),
    wasabi: free.get('FREE_WASABI'),
    cutleryLimit,
    sugarLimit,
  };
};

describe('the service items of an order', () => {
  test.each<[string, ServedItem[], number, number, number]>([
    ['nothing is for one person and has nothing free', [], 1, 0, 0],
    ['one item is for two persons', [item()], 2, 1, 1],
    ['units count', [item({ quantity: 3 })], 4, 3, 2],
    ['[ORD-2] an item for several counts them all', [item({ personCount: 4 })], 5, 4, 2],
    ['items add up', [item({ quantity: 2, personCount: 2 }), item()], 6, 5, 3],
    [
      '[ORD-1] items that are not split among persons do not count',
      [item({ personSplittingEnabled: false }), item()],
      2,
      1,
      1,
    ],
  ])('%s', (_, items, persons, soy, wasabi) => {
    expect(of(items)).toMatchObject({ persons, soy, wasabi });
  });

  test('[ORD-2] follow the rules that staff have written', () => {
    const rules = [{ role: 'FREE_SOY', everyPersons: 3, freeUnits: 2, isHidden: false }];
    expect(of([item({ quantity: 4 })], rules)).toMatchObject({ soy: 4, wasabi: undefined });
  });

  test('[ORD-3] limit cutlery and sugar by all items, split among persons or not', () => {
    const items = [
      item({ quantity: 2, toolCount: 1, sugarCount: 2, personSplittingEnabled: false }),
      item({ toolCount: 3 }),
    ];
    expect(of(items)).toMatchObject({ cutleryLimit: 5, sugarLimit: 4 });
  });

  test.each([
    [0, 2, 0],
    [2, 2, 0],
    [3, 2, 1],
    [3, 0, 3],
  ])('[ORD-2] include, for %i units with %i free, %i paid ones', (wanted, free, paid) => {
    expect(paidUnits(wanted, free)).toBe(paid);
  });
});
