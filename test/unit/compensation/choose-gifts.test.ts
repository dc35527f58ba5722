import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chooseGifts } from '../../../domain/compensation/choose-gifts.ts';
import { GIFT_CHECKS, type GiftCheck } from '../../../domain/compensation/checks.ts';

const gift = (id: string, unavailableReason: GiftCheck | null = null) => ({ id, unavailableReason });
const postpone = (compensationId: string) => ({ compensationId, choice: 'POSTPONE' as const });
const ids = (gifts: readonly { id: string }[]) => gifts.map((each) => each.id);
const told = (...given: Parameters<typeof chooseGifts<ReturnType<typeof gift>>>) => {
  const { shown, included, undecided, unavailable } = chooseGifts(...given);
  return [ids(shown), ids(included), undecided.map((each) => each.compensationId), unavailable];
};

test('the earliest promises come along, as many as an order may have', () => {
  expect(told([gift('a'), gift('b'), gift('c')], [], 1)).toEqual([['a'], ['a'], [], []]);
  expect(told([gift('a'), gift('b'), gift('c')], [], 2)).toEqual([['a', 'b'], ['a', 'b'], [], []]);
  expect(told([], [postpone('gone')], 1)).toEqual([[], [], [], []]);
});

test('a gift that waits for a later order makes room for the next, and comes back when the client wants it after all', () => {
  expect(told([gift('a'), gift('b')], [postpone('a')], 1)).toEqual([['a', 'b'], ['b'], [], []]);
  expect(told([gift('a'), gift('b')], [{ compensationId: 'a', choice: 'INCLUDE' }], 1)).toEqual([['a'], ['a'], [], []]);
});

test('a stopped gift keeps its place until the client has chosen', () => {
  const gifts = [gift('a', 'STOP_LIST'), gift('b')];

  expect(told(gifts, [], 1)).toEqual([['a'], [], ['a'], []]);
  expect(chooseGifts(gifts, [], 1).undecided).toEqual([{ compensationId: 'a', choices: ['POSTPONE'] }]);
  expect(told(gifts, [postpone('a')], 1)).toEqual([['a', 'b'], ['b'], [], ['a']]);
});

test('a gift that is wrongly configured is told, and the next takes its place', () => {
  expect(told([gift('a', 'ZERO_PRICE'), gift('b')], [], 1)).toEqual([['a', 'b'], ['b'], [], ['a']]);
});

test('no order has more gifts than it may, none that cannot be given, and none that the client postponed', () => {
  const reason = fc.option(fc.constantFrom(...GIFT_CHECKS), { nil: null });
  const world = fc.record({
    reasons: fc.array(reason, { maxLength: 8 }),
    postponed: fc.array(fc.nat(8), { maxLength: 4 }),
    most: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(world, ({ reasons, postponed, most }) => {
      const gifts = reasons.map((each, at) => gift(String(at), each));
      const wishes = postponed.map((at) => postpone(String(at)));
      const { shown, included, undecided, unavailable } = chooseGifts(gifts, wishes, most);

      expect(included.length + undecided.length).toBeLessThanOrEqual(most);
      expect(included.filter((each) => each.unavailableReason !== null)).toEqual([]);
      expect(included.filter((each) => postponed.includes(Number(each.id)))).toEqual([]);
      // Whoever is shown is the beginning of all, so an earlier promise is never passed over unseen.
      expect(ids(shown)).toEqual(ids(gifts.slice(0, shown.length)));
      expect(unavailable.length + included.length + undecided.length).toBeLessThanOrEqual(shown.length);
    }),
  );
});
