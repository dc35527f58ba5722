import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  chooseGifts,
  type GiftChoice,
  type Replacement,
} from '../../../modules/gifts/rules/choose-gifts.ts';
import { GIFT_CHECKS, type GiftCheck } from '../../../modules/gifts/rules/checks.ts';

const of = (name: string, at: number) => ({
  rewardId: at,
  rewardCode: name,
  name,
  image: null,
  itemId: name,
  erpSizeId: null,
});
const gift = (
  id: string,
  unavailableReason: GiftCheck | null = null,
  quantity = 1,
  left = Infinity,
) => ({
  ...of('tart', 1),
  id,
  quantity,
  unavailableReason,
  left,
});
const postpone = (compensationId: string) => ({ compensationId, choice: 'POSTPONE' as const });
const ids = (gifts: readonly { id: string }[]) => gifts.map((entry) => entry.id);
const chosen = (
  gifts: readonly ReturnType<typeof gift>[],
  choices: readonly GiftChoice[],
  most: number,
  others: readonly Replacement<null>[] = [],
) => chooseGifts<null, ReturnType<typeof gift>>(gifts, choices, most, others);
const told = (...given: Parameters<typeof chosen>) => {
  const { shown, included, undecided, unavailable } = chosen(...given);
  return [ids(shown), ids(included), undecided.map((entry) => entry.compensationId), unavailable];
};

test('[CMP-60] the earliest promises are included, up to the limit of an order', () => {
  expect(told([gift('a'), gift('b'), gift('c')], [], 1)).toEqual([['a'], ['a'], [], []]);
  expect(told([gift('a'), gift('b'), gift('c')], [], 2)).toEqual([['a', 'b'], ['a', 'b'], [], []]);
  expect(told([], [postpone('gone')], 1)).toEqual([[], [], [], []]);
});

test('a postponed gift frees a slot for the next, and returns if the client includes it again', () => {
  expect(told([gift('a'), gift('b')], [postpone('a')], 1)).toEqual([['a', 'b'], ['b'], [], []]);
  expect(told([gift('a'), gift('b')], [{ compensationId: 'a', choice: 'INCLUDE' }], 1)).toEqual([
    ['a'],
    ['a'],
    [],
    [],
  ]);
});

test('[CMP-60] a stopped gift keeps its slot until the client has chosen', () => {
  const gifts = [gift('a', 'STOP_LIST'), gift('b')];

  expect(told(gifts, [], 1)).toEqual([['a'], [], ['a'], []]);
  expect(chosen(gifts, [], 1).undecided).toEqual([
    { compensationId: 'a', choices: ['POSTPONE'], replacements: [] },
  ]);
  expect(told(gifts, [postpone('a')], 1)).toEqual([['a', 'b'], ['b'], [], ['a']]);
});

test('[CMP-60] gifts of one dish share its balance, even if one replaces another', () => {
  expect(told([gift('a', null, 1, 1), gift('b', null, 1, 1)], [], 2)).toEqual([
    ['a', 'b'],
    ['a'],
    ['b'],
    [],
  ]);
  expect(told([gift('a', null, 1, 2), gift('b', null, 1, 2)], [], 2)).toEqual([
    ['a', 'b'],
    ['a', 'b'],
    [],
    [],
  ]);
  // A postponed gift uses no unit.
  expect(told([gift('a', null, 1, 1), gift('b', null, 1, 1)], [postpone('a')], 2)).toEqual([
    ['a', 'b'],
    ['b'],
    [],
    [],
  ]);
  const wishes = ['a', 'b'].map((id) => ({
    compensationId: id,
    choice: 'REPLACE' as const,
    rewardCode: 'juice',
  }));
  const stopped = [gift('a', 'STOP_LIST'), gift('b', 'STOP_LIST')];
  const { included, undecided } = chosen(stopped, wishes, 2, [{ ...of('juice', 2), left: 1 }]);
  expect([ids(included), undecided]).toEqual([
    ['a'],
    [{ compensationId: 'b', choices: ['POSTPONE'], replacements: [] }],
  ]);
});

test('gifts of other dishes, or of other sizes of a dish, share no balance', () => {
  const last = gift('a', null, 1, 1);

  for (const other of [
    { itemId: 'juice' },
    { erpSizeId: 'large' },
    { itemId: 'juice', erpSizeId: 'large' },
  ])
    expect(told([last, { ...last, id: 'b', ...other } as typeof last], [], 2)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      [],
      [],
    ]);
});

test('a misconfigured gift needs no choice, however low its balance is', () => {
  expect(told([gift('a', 'ZERO_PRICE', 2, 1)], [], 1)).toEqual([['a'], [], [], ['a']]);
});

describe('the replacement of a stopped gift', () => {
  const juice = { ...of('juice', 2), left: 2 };
  const replace = (rewardCode: string): GiftChoice => ({
    compensationId: 'a',
    choice: 'REPLACE',
    rewardCode,
  });

  test('[CMP-63] contains another gift with enough balance that the client has chosen', () => {
    const stopped = [gift('a', 'STOP_LIST', 2)];
    const others = [{ ...of('tart', 1), left: 9 }, juice, { ...of('soup', 3), left: 1 }];

    expect(chosen(stopped, [], 1, others).undecided).toEqual([
      {
        compensationId: 'a',
        choices: ['REPLACE', 'POSTPONE'],
        replacements: [{ rewardCode: 'juice', name: 'juice', image: null }],
      },
    ]);
    expect(chosen(stopped, [replace('juice')], 1, others).included).toEqual([
      {
        ...stopped[0],
        ...of('juice', 2),
        unavailableReason: null,
        replaces: { rewardCode: 'tart', name: 'tart' },
      },
    ]);
  });

  test.each([
    ['one that is not offered', 'STOP_LIST', 'soup', [['a'], [], ['a'], []]],
    ['the promised one itself', 'STOP_LIST', 'tart', [['a'], [], ['a'], []]],
    ['one in the place of a broken gift', 'ZERO_PRICE', 'juice', [['a', 'b'], ['b'], [], ['a']]],
  ] as const)('cannot be %s', (_, reason, wanted, expected) => {
    expect(
      told([gift('a', reason), gift('b')], [replace(wanted)], 1, [
        juice,
        { ...of('tart', 1), left: 9 },
      ]),
    ).toEqual(expected);
  });

  test('[CMP-63] ends when the stopped gift is available again', () => {
    expect(chosen([gift('a')], [replace('juice')], 1, [juice]).included).toEqual([
      { ...gift('a'), replaces: null },
    ]);
  });
});

test('a misconfigured gift is reported, and the next one takes its slot', () => {
  expect(told([gift('a', 'ZERO_PRICE'), gift('b')], [], 1)).toEqual([['a', 'b'], ['b'], [], ['a']]);
});

test('[CMP-60] no order exceeds the gift limit or has an unavailable or postponed gift', () => {
  const reason = fc.option(fc.constantFrom(...GIFT_CHECKS), { nil: null });
  const fixture = fc.record({
    reasons: fc.array(reason, { maxLength: 8 }),
    postponed: fc.array(fc.nat(8), { maxLength: 4 }),
    most: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(fixture, ({ reasons, postponed, most }) => {
      const gifts = reasons.map((entry, at) => gift(String(at), entry));
      const wishes = postponed.map((at) => postpone(String(at)));
      const { shown, included, undecided, unavailable } = chosen(gifts, wishes, most);

      expect(included.length + undecided.length).toBeLessThanOrEqual(most);
      expect(included.filter((entry) => entry.unavailableReason !== null)).toEqual([]);
      expect(included.filter((entry) => postponed.includes(Number(entry.id)))).toEqual([]);
      // The shown gifts are a prefix of all, so an earlier promise is never skipped unseen.
      expect(ids(shown)).toEqual(ids(gifts.slice(0, shown.length)));
      expect(unavailable.length + included.length + undecided.length).toBeLessThanOrEqual(
        shown.length,
      );
    }),
  );
});
