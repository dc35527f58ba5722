import { describe, expect, test } from '@jest/globals';
import { checkRows } from '../../../erp/schemas/read-rows.ts';
import { ErpMenu } from '../../../erp/schemas/menu.ts';

const check = checkRows(ErpMenu);
const modifierAt = (price: unknown) => ({
  id: '9001',
  revision: 1,
  modifiers: [
    { id: '00000000-0000-4000-8000-000000000001', name: 'Cheese', sizePrices: [{ price }] },
  ],
});

// No column can store an out-of-range number, so the run could never be closed.
describe('a menu with an out-of-range number', () => {
  test.each([1e300, 2 ** 53, -1, 0.5])('fails with the revision %d', (revision) => {
    expect(check({ id: '9001', revision })).toMatchObject({
      fault: expect.stringContaining('revision must be'),
    });
  });

  test.each(['free', Number.POSITIVE_INFINITY, {}])(
    '[MIR-39, MIR-65] omits a price that is no number: %p',
    (price) => {
      expect(check(modifierAt(price))).toMatchObject({
        data: { modifiers: [{ name: 'Cheese', sizePrices: [{}] }] },
        odd: [
          {
            place: 'modifiers.0.sizePrices.0.price',
            fault: expect.stringContaining('must be number'),
          },
        ],
      });
    },
  );

  test('accepts the largest revision and every number as a price, which is judged per item', () => {
    expect(check({ id: '9001', revision: Number.MAX_SAFE_INTEGER })).toHaveProperty('data');
    for (const price of [0, 999_999.99, 1e16, 1e300, -1])
      expect(check(modifierAt(price))).toHaveProperty('data');
  });
});
