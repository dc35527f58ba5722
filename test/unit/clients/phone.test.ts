import { expect, test } from '@jest/globals';
import { normalPhone } from '../../../domain/clients/phone.ts';

test.each([
  ['+79990001122', '+79990001122'],
  ['8 (999) 000-11-22', '+79990001122'],
  ['79990001122', '+79990001122'],
  ['999 000 11 22', '+79990001122'],
  [' +49 30 901820 00', '+493090182000'],
])('%s is understood', (typed, phone) => {
  expect(normalPhone(typed)).toBe(phone);
});

test.each([
  '',
  '12345',
  '+0999000112233',
  '+123456789',
  '+1234567890123456',
  '8999000112',
  'позвоните',
  '+7999000112a',
  '1234567890',
])('%s is no phone', (typed) => {
  expect(normalPhone(typed)).toBeNull();
});
