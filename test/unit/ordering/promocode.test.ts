import { expect, test } from '@jest/globals';
import { normalCode } from '../../../modules/ordering/rules/discount-fields.ts';

test.each([
  [null, null],
  ['', null],
  ['  ', null],
  [' Pizza10 ', 'PIZZA10'],
  ['чай', 'ЧАЙ'],
  ['чаи\u0306', 'ЧАЙ'],
  ['\u200b', null],
])('a promo code written %j is compared as %j', (typed, code) => {
  expect(normalCode(typed)).toBe(code);
});

test.each([
  'alum15',
  'ALUM\u200b15',
  'ALUM15\u200b',
  '\u202aALUM15\u202c',
  'ALUM\u00ad15',
  '\u2060ALUM15',
  '\ufeffALUM15\u00a0',
  'АLUM15',
  'аlum15',
  'ALUМ15',
])('[HTTP-25] the promo code %j is ALUM15', (typed) => {
  expect(normalCode(typed)).toBe('ALUM15');
});

test.each([
  ['ALUM\u201115', 'ALUM-15'],
  ['ALUM\u221215', 'ALUM-15'],
  // Letters of one alphabet stay, unless all are also letters of the other.
  ['ЁЛКА', 'ЁЛКА'],
  ['ЛETO', 'ЛЕТО'],
  ['РОСТ-5', 'POCT-5'],
  // A word that fits neither alphabet does not change.
  ['ЛLЛ', 'ЛLЛ'],
  // A blank makes a different code, as does another letter.
  ['ALUM 15', 'ALUM 15'],
  ['ЕЛКА', 'ЕЛКА'],
])('[HTTP-25] the promo code %j is compared as %j', (typed, code) => {
  expect(normalCode(typed)).toBe(code);
});
