import { expect, test } from '@jest/globals';
import { normalCode } from '../../../modules/ordering/rules/discount-fields.ts';

test.each([
  [null, null],
  ['', null],
  ['  ', null],
  [' Pizza10 ', 'PIZZA10'],
  ['чай', 'ЧАЙ'],
  ['чаи\u0306', 'ЧАЙ'],
])('a promocode written %j is compared as %j', (typed, code) => {
  expect(normalCode(typed)).toBe(code);
});
