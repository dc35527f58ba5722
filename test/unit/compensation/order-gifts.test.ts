import { expect, test } from '@jest/globals';
import { giftsOfOrder, settleGift } from '../../../domain/compensation/order-gifts.ts';

const line = (itemId: string, quantity = 1, sizeId: string | null = null) => ({
  itemId,
  sizeId,
  name: itemId,
  quantity,
});
const reward = (id: number, erpItemId: string, erpSizeId: string | null = '') => ({ id, erpItemId, erpSizeId });

test('the gifts of an order are its lines with the item and size of a reward, added up', () => {
  const lines = [
    line('tart'),
    line('soup'),
    line('tart', 2),
    line('roll', 1, 'M'),
    line('roll', 1, 'L'),
    line('juice', 0.5),
  ];
  const rewards = [reward(1, 'tart'), reward(2, 'roll', 'L'), reward(3, 'juice', null), reward(4, 'tart', 'XL')];

  expect(giftsOfOrder(lines, rewards)).toEqual([
    { name: 'tart', erpItemId: 'tart', erpSizeId: '', quantity: 3, rewardIds: [1] },
    { name: 'roll', erpItemId: 'roll', erpSizeId: 'L', quantity: 1, rewardIds: [2] },
    { name: 'juice', erpItemId: 'juice', erpSizeId: '', quantity: 1, rewardIds: [3] },
  ]);
  expect(giftsOfOrder([line('tart', 0)], rewards)).toEqual([]);
});

test.each([
  [0, [1], [[], 0, 0]],
  [1, [], [[], 1, 0]],
  [1, [1, 1], [['0'], 0, 0]],
  [3, [1, 1], [['0', '1'], 1, 0]],
  [1, [2, 1], [['0'], 0, 1]],
  [3, [2, 2], [['0', '1'], 0, 1]],
])('%i units that nothing accounts for and rights to %j give %j', (units, quantities, expected) => {
  const rights = quantities.map((quantity, at) => ({ id: String(at), quantity }));
  const { redeemed, excess, lacking } = settleGift(units, rights);

  expect([redeemed, excess, lacking]).toEqual(expected);
});
