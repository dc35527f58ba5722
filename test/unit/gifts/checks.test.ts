import { describe, expect, test } from '@jest/globals';
import {
  GIFT_CHECKS,
  giftVerdict,
  judgeGift,
  rewardHealth,
  type GiftCheck,
  type GiftFacts,
  type RewardItem,
} from '../../../modules/gifts/rules/checks.ts';

const SOLD: RewardItem = { isKnown: true, hasSize: true, priceKopecks: 0 };
const GOOD: GiftFacts = {
  at: 1_000,
  status: 'GRANTED',
  expiresAt: 2_000,
  quantity: 2,
  isRewardActive: true,
  rewardOrganization: 'here',
  organization: 'here',
  item: SOLD,
  balance: Infinity,
};

/** Facts that make each check fail, and whether the right then concerns the cart. */
const FAULTS: readonly [GiftCheck, Partial<GiftFacts>, boolean][] = [
  ['STATUS', { status: 'RESERVED' }, false],
  ['STATUS', { status: 'BLOCKED' }, false],
  ['TERM', { expiresAt: 1_000 }, false],
  ['REWARD_ACTIVE', { isRewardActive: false }, false],
  ['ORGANIZATION', { rewardOrganization: 'elsewhere' }, false],
  ['BINDING', { item: { ...SOLD, isKnown: false } }, true],
  ['BINDING', { item: { ...SOLD, hasSize: false } }, true],
  ['ZERO_PRICE', { item: { ...SOLD, priceKopecks: 1 } }, true],
  ['ZERO_PRICE', { item: { ...SOLD, priceKopecks: null } }, true],
  ['STOP_LIST', { balance: 1 }, true],
  ['STOP_LIST', { balance: 0 }, true],
];

describe('a gift under its checks', () => {
  test.each([
    {},
    { rewardOrganization: null },
    { expiresAt: null },
    { expiresAt: 1_001 },
    { balance: 2 },
  ])('passes if no check fails: %j', (more) => {
    expect(giftVerdict({ ...GOOD, ...more })).toEqual({
      isCompatible: true,
      unavailableReason: null,
    });
    expect(judgeGift({ ...GOOD, ...more }).every((result) => result.passed)).toBe(true);
  });

  test.each(FAULTS)('[CMP-6] fails only %s: %j', (check, more, isCompatible) => {
    const results = judgeGift({ ...GOOD, ...more });

    expect(results.map((result) => result.check)).toEqual(GIFT_CHECKS);
    expect(results.filter((result) => !result.passed).map((result) => result.check)).toEqual([
      check,
    ]);
    expect(giftVerdict({ ...GOOD, ...more })).toEqual({ isCompatible, unavailableReason: check });
  });

  test('returns the inputs of each check', () => {
    const data = (facts: GiftFacts) =>
      Object.fromEntries(judgeGift(facts).map((result) => [result.check, result.data]));

    expect(data(GOOD)).toEqual({
      STATUS: { status: 'GRANTED' },
      TERM: { expiresAt: 2_000 },
      REWARD_ACTIVE: { isRewardActive: true },
      ORGANIZATION: { rewardOrganization: 'here', organization: 'here' },
      BINDING: { isKnown: true, hasSize: true },
      ZERO_PRICE: { priceKopecks: 0 },
      STOP_LIST: { left: null, quantity: 2 },
    });
    expect(data({ ...GOOD, balance: 1 })).toMatchObject({ STOP_LIST: { left: 1, quantity: 2 } });
  });

  const pairs = FAULTS.flatMap(([check, fault, isFit], at) =>
    FAULTS.slice(at + 1).flatMap(([later, more, isLaterFit]) =>
      later === check || ('item' in fault && 'item' in more)
        ? []
        : [{ check, facts: { ...GOOD, ...more, ...fault }, isCompatible: isFit && isLaterFit }],
    ),
  );

  test.each(pairs)('reports the first of two faults, $check', ({ check, facts, isCompatible }) => {
    expect(giftVerdict(facts)).toEqual({ isCompatible, unavailableReason: check });
  });
});

describe('[CMP-7] the health of a reward', () => {
  const UNKNOWN: RewardItem = { isKnown: false, hasSize: false, priceKopecks: null };
  test.each([
    ['sold for nothing everywhere', [SOLD, SOLD], 'OK', []],
    ['meant for nobody', [], 'BROKEN', ['NO_ORGANIZATION']],
    ['gone', [UNKNOWN], 'BROKEN', ['ITEM_NOT_FOUND']],
    ['without its size', [{ ...SOLD, hasSize: false }], 'BROKEN', ['SIZE_NOT_FOUND']],
    ['sold nowhere', [{ ...SOLD, priceKopecks: null }], 'BROKEN', ['NOT_SOLD']],
    ['no gift in one place', [SOLD, { ...SOLD, priceKopecks: 100 }], 'LIMITED', ['PRICE_NOT_ZERO']],
    [
      'no gift in one place and not sold in the other',
      [
        { ...SOLD, priceKopecks: null },
        { ...SOLD, priceKopecks: 100 },
        { ...SOLD, priceKopecks: 200 },
      ],
      'BROKEN',
      ['NOT_SOLD', 'PRICE_NOT_ZERO'],
    ],
  ] as const)('follows from a gift whose item is %s', (_, items, state, reasons) => {
    expect(rewardHealth(items)).toEqual({ state, reasons });
  });
});
