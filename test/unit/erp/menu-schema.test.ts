import { describe, expect, test } from '@jest/globals';
import { checkOf } from '../../../erp/schemas/check.ts';
import { ErpMenu } from '../../../erp/schemas/menu.ts';

const check = checkOf(ErpMenu);
const modifierAt = (price: number) => ({
  id: '9001',
  revision: 1,
  modifiers: [{ id: '00000000-0000-4000-8000-000000000001', name: 'Cheese', sizePrices: [{ price }] }],
});

// No column and no addition can hold such a number: a run could never be closed, and menus with it never be built.
describe('a menu with a number that nothing can hold is an invalid answer', () => {
  test.each([1e300, 2 ** 53, -1, 0.5])('revision %d', (revision) => {
    expect(check({ id: '9001', revision })).toMatchObject({ fault: expect.stringContaining('revision must be') });
  });

  test.each([1e300, 1e16, -1])('price %d', (price) => {
    expect(check(modifierAt(price))).toMatchObject({ fault: expect.stringContaining('sizePrices.0.price must be') });
  });

  test('the largest revision, a free modifier and a dear one pass', () => {
    expect(check({ id: '9001', revision: Number.MAX_SAFE_INTEGER })).toHaveProperty('data');
    expect(check(modifierAt(0))).toHaveProperty('data');
    expect(check(modifierAt(999_999.99))).toHaveProperty('data');
  });
});
