import { expect, test } from '@jest/globals';
import { normalPhone, typedPhone } from '../../../modules/access/rules/phone.ts';

test.each([
  ['+79990001122', '+79990001122'],
  ['8 (999) 000-11-22', '+79990001122'],
  ['79990001122', '+79990001122'],
  ['999 000 11 22', '+79990001122'],
  ['8 495 123-45-67', '+74951234567'],
  ['+375 29 123-45-67', '+375291234567'],
  [' +49 30 901820 00', '+493090182000'],
  ['+4930901820', '+4930901820'],
  // A range that the library lacks.
  ['+70000000000', '+70000000000'],
  ['+493090182012345', '+493090182012345'],
  ['＋79990001122', '+79990001122'],
])('[ORD-38] the phone %j is valid', (typed, phone) => {
  expect(normalPhone(typed)).toBe(phone);
});

test.each([
  '',
  '12345',
  '+0999000112233',
  '+123456789',
  '+1234567890123456',
  '8999000112',
  '8 (999) 000-11-2',
  'позвоните',
  '+7999000112a',
  '1234567890',
  'тел. +79990001122',
  '179990001122',
  '799900011223',
  '19990001122',
  '99900011223',
])('the text %j is no phone', (typed) => {
  expect(normalPhone(typed)).toBeNull();
});

test.each([
  ['directional marks of contacts', '\u202a+7 999 000-11-22\u202c'],
  ['isolating marks of a messenger', '\u2068+7 999 000-11-22\u2069'],
  ['a left-to-right mark', '\u200e+79990001122'],
  ['a zero-width space', '+7999\u200b0001122'],
  ['a variation selector', '+7\ufe0d 999 000 11 22'],
  ['word joiners', '+7\u2060999\u20600001122'],
  ['a byte order mark', '\ufeff+79990001122'],
  ['a soft hyphen', '+7999\u00ad0001122'],
  ['U+2010', '8 999 000\u201011\u201022'],
  ['U+2011', '8 999 000\u201111\u201122'],
  ['U+2012', '8 999 000\u201211\u201222'],
  ['an en dash and no-break spaces', '8\u00a0999\u00a0000\u2013 11\u201322'],
  ['em dashes', '8 999 000\u201411\u201422'],
  ['minus signs', '8 999 000\u221211\u221222'],
  ['full-width digits', '８ ９９９ ０００ １１ ２２'],
  ['narrow no-break spaces', '+7\u202f999\u202f000\u202f11\u202f22'],
  ['a slash', '8 999/000-11-22'],
  ['the mask of a field', '+7 (999) 000-11-22_'],
])('[HTTP-25] a phone with %s is valid', (_, typed) => {
  expect(normalPhone(typed)).toBe('+79990001122');
});

test.each([
  ['8 999 000-11-22 доб. 12', '12'],
  ['8 999 000-11-22 (доб. 12)', '12'],
  ['8 999 000-11-22, доб 0012', '0012'],
  ['8 999 000-11-22 ДОБАВОЧНЫЙ 7', '7'],
  ['+79990001122 вн. 301', '301'],
  ['+79990001122 ext. 5', '5'],
  ['+79990001122x5', '5'],
  ['+79990001122#5', '5'],
  ['+79990001122', null],
])('[ORD-38] the extension of %j is separated from its number', (typed, extension) => {
  expect(typedPhone(typed)).toEqual({ number: '+79990001122', extension });
});

test.each([
  '+79990001122, +79990001133',
  '+7 999 000-11-2',
  '8 999 000 11',
  '999 000 11 22 1',
  '+79990001122 доб.',
  '+79990001122 доб. 12345678901',
  'доб. 12',
  '+79990001122 12 доб. 1',
])('[ORD-38] the text %j does not contain exactly one phone', (typed) => {
  expect(typedPhone(typed)).toBeNull();
});
