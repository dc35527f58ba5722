import { expect, test } from '@jest/globals';
import {
  createRewardMatcher,
  type NamedReward,
} from '../../../modules/gifts/rules/match-reward.ts';

const reward = (rewardId: number, fields: Partial<NamedReward> = {}): NamedReward => ({
  rewardId,
  names: ['Lemon tart'],
  isActive: true,
  priceKopecks: 0,
  ...fields,
});

test.each([
  [
    'the only reward of the name, whatever its case and the blanks around it',
    [reward(1)],
    { rewardId: 1 },
  ],
  [
    'a reward by another of its names',
    [reward(1, { names: ['tart', 'LEMON TART'] })],
    { rewardId: 1 },
  ],
  [
    'a reward whose names are equal to people',
    [reward(1, { names: ['Lemon tart', 'lemon tart '] })],
    { rewardId: 1 },
  ],
  ['the free one of two', [reward(1, { priceKopecks: 10_000 }), reward(2)], { rewardId: 2 }],
  ['none when two are free', [reward(1), reward(2)], { refused: 'SEVERAL_REWARDS' }],
  [
    'none when its item costs something',
    [reward(1, { priceKopecks: 1 })],
    { refused: 'PRICE_NOT_ZERO' },
  ],
  [
    'none when its item is not for sale',
    [reward(1, { priceKopecks: null })],
    { refused: 'PRICE_NOT_ZERO' },
  ],
  ['none that is not active', [reward(1, { isActive: false })], { refused: 'UNKNOWN_NAME' }],
  ['none of another name', [reward(1, { names: ['Lemon tarte'] })], { refused: 'UNKNOWN_NAME' }],
])('[CMP-32] a block refers to %s', (_what, rewards, expected) => {
  expect(createRewardMatcher(rewards)(' lemon TART\r\n')).toEqual(expected);
});
