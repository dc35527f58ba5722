import { describe, expect, test } from '@jest/globals';
import { ErpMenu } from '../../../erp/schemas/menu.ts';
import { checkRows } from '../../../erp/schemas/read-rows.ts';
import { unreadItems } from '../../../erp/schemas/unread-items.ts';

const uuid = (tail: number) => `00000000-0000-4000-8000-${String(tail).padStart(12, '0')}`;
const check = checkRows(ErpMenu);
const organizations = [uuid(1)];
const dish = (tail: number, more: object = {}) => ({
  productId: uuid(tail),
  sizePrices: [{ sku: 's', prices: [{ organizations, price: 100 }] }],
  ...more,
});
const listUnread = (category: unknown, more: object = {}) => {
  const answer = { id: '9001', itemsGroups: [{ id: 'c', items: [dish(9)] }, category], ...more };
  const result = check(answer);
  if ('fault' in result) throw new Error(result.fault);
  return unreadItems(answer, result.odd ?? []);
};
const dishes = (...tails: number[]) => tails.map((tail) => ({ role: 'DISH', erpId: uuid(tail) }));
const ANY_DISH = [{ role: 'DISH', erpId: null }];
const within = (...items: unknown[]) => ({ id: 'd', items });

describe('[MIR-71] the unread items of a menu', () => {
  test.each([
    ['its only size', within(dish(1, { sizePrices: [null] })), dishes(1)],
    ['one of two sizes', within(dish(1, { sizePrices: [null, { sku: 's' }] })), dishes(1)],
    [
      'the id of a size',
      within(dish(1, { sizePrices: [{ sizeId: {} }, { sku: 's' }] })),
      dishes(1),
    ],
    ['a list of sizes of a wrong type', within(dish(1, { sizePrices: 'none' })), dishes(1)],
    [
      'the restaurants of a price',
      within(dish(1, { sizePrices: [{ prices: [{ price: 1 }] }] })),
      dishes(1),
    ],
    ['a group of modifiers', within(dish(1, { modifierGroups: ['x'] })), dishes(1)],
    [
      'a modifier of a group',
      within(dish(1, { modifierGroups: [{ id: 'g', items: [{ id: 5 }] }] })),
      dishes(1),
    ],
    [
      'two dishes',
      within(dish(1, { sizePrices: [null] }), dish(2, { sizePrices: [7] }), dish(3)),
      dishes(1, 2),
    ],
    ['the id of its category', { items: [dish(1), dish(2), { itemType: 'COMBO' }] }, dishes(1, 2)],
    ['no readable row of a category', within(dish(1, { productId: 7 })), ANY_DISH],
    ['its own id', within(dish(1, { productId: 'x' }), dish(2)), ANY_DISH],
    ['a whole row', within(null, dish(2)), ANY_DISH],
    ['a whole category', 5, ANY_DISH],
    ['a list of dishes of a wrong type', { id: 'd', items: 'none' }, ANY_DISH],
  ])('include a dish with an unreadable part: %s', (_part, category, expected) => {
    expect(listUnread(category)).toEqual(expected);
  });

  test.each([
    ['a label', within(dish(1, { labels: [{}] }))],
    ['an allergen', within(dish(1, { allergenGroupIds: [{}, 'a'] }))],
    ['a description', within(dish(1, { description: {} }))],
    ['a combo', within({ itemType: 'COMBO', sizePrices: [null] }, dish(2))],
    ['a price that is no number', within(dish(1, { sizePrices: [{ price: 'free' }] }))],
  ])('exclude a dish for %s', (_part, category) => {
    expect(listUnread(category)).toEqual([]);
  });

  test('include a modifier by its id, or any modifier if the row has none', () => {
    const modifiers = [
      { id: uuid(5), sizePrices: [null] },
      { name: 'Sauce' },
      { id: uuid(6), labels: [{}] },
    ];

    expect(listUnread(within(dish(1)), { modifiers })).toEqual([
      { role: 'MODIFIER', erpId: uuid(5) },
      { role: 'MODIFIER', erpId: null },
    ]);
    expect(listUnread(within(dish(1)), { products: [{}, { id: uuid(1) }] })).toEqual([]);
  });
});
