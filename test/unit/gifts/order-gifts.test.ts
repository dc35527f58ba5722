import { expect, test } from '@jest/globals';
import { giftsOfOrder, settleGift } from '../../../modules/gifts/rules/order-gifts.ts';

const line = (itemId: string, quantity = 1, sizeId: string | null = null) => ({
  itemId,
  sizeId,
  name: itemId,
  quantity,
});
const reward = (id: number, erpItemId: string, erpSizeId: string | null = '') => ({
  id,
  erpItemId,
  erpSizeId,
});

test('the gifts of an order are its lines with the item and size of a reward, added up', () => {
  const lines = [
    line('tart'),
    line('soup'),
    line('tart', 2),
    line('roll', 1, 'M'),
    line('roll', 1, 'L'),
    line('juice', 0.5),
  ];
  const rewards = [
    reward(1, 'tart'),
    reward(2, 'roll', 'L'),
    reward(3, 'juice', null),
    reward(4, 'tart', 'XL'),
  ];

  expect(giftsOfOrder(lines, rewards)).toEqual([
    { name: 'tart', erpItemId: 'tart', erpSizeId: '', quantity: 3, rewardIds: [1] },
    { name: 'roll', erpItemId: 'roll', erpSizeId: 'L', quantity: 1, rewardIds: [2] },
    { name: 'juice', erpItemId: 'juice', erpSizeId: '', quantity: 1, rewardIds: [3] },
  ]);
  expect(giftsOfOrder([line('tart', 0)], rewards)).toEqual([]);
});

test('[CMP-99] a line that was paid for is no gift, and does not affect one that was not', () => {
  const paid = { ...line('tart', 2), isPaid: true };

  expect(giftsOfOrder([paid], [reward(1, 'tart')])).toEqual([]);
  for (const lines of [
    [paid, line('tart')],
    [line('tart'), paid],
  ])
    expect(giftsOfOrder(lines, [reward(1, 'tart')])).toMatchObject([
      { quantity: 1, rewardIds: [1] },
    ]);
});

test('all sizes of a dish are one gift of every possible reward if any size may be meant', () => {
  const lines = [line('roll', 1, 'M'), line('roll', 2, 'L')];

  expect(giftsOfOrder(lines, [reward(1, 'roll', null)])).toEqual([
    { name: 'roll', erpItemId: 'roll', erpSizeId: '', quantity: 3, rewardIds: [1] },
  ]);
  expect(
    giftsOfOrder([line('roll', 1, 'L')], [reward(1, 'roll', 'L'), reward(2, 'roll', null)]),
  ).toEqual([{ name: 'roll', erpItemId: 'roll', erpSizeId: '', quantity: 1, rewardIds: [1, 2] }]);
});

test('[CMP-87] a gift of several lines may match what one of them may match, in any order of the lines', () => {
  const ids = (
    lines: Parameters<typeof giftsOfOrder>[0],
    rewards: Parameters<typeof giftsOfOrder>[1],
  ) => giftsOfOrder(lines, rewards).map((gift) => [gift.quantity, gift.rewardIds]);
  const [large, medium] = [line('roll', 1, 'L'), line('roll', 1, 'M')];
  const sizes = [reward(1, 'roll', 'L'), reward(2, 'roll', null)];

  expect([ids([medium, large], sizes), ids([large, medium], sizes)]).toEqual([
    [[2, [1, 2]]],
    [[2, [1, 2]]],
  ]);
});

test.each([
  [0, [1], [[], 0, 0]],
  [1, [], [[], 1, 0]],
  [1, [1, 1], [['0'], 0, 0]],
  [3, [1, 1], [['0', '1'], 1, 0]],
  [1, [2, 1], [['0'], 0, 1]],
  [3, [2, 2], [['0', '1'], 0, 1]],
])('unexplained units: %i of them and rights to %j give %j', (units, quantities, expected) => {
  const rights = quantities.map((quantity, at) => ({ id: String(at), quantity }));
  const { redeemed, excess, lacking } = settleGift(units, rights);

  expect([redeemed, excess, lacking]).toEqual(expected);
});
