import { expect, test } from '@jest/globals';
import { readUtc } from '../../../erp/erp-time.ts';

test.each([
  ['2026-03-14 08:15:00.000', '2026-03-14T08:15:00.000Z'],
  ['2026-03-14 08:15:00', '2026-03-14T08:15:00.000Z'],
  ['2026-03-14T08:15:00.5', '2026-03-14T08:15:00.500Z'],
  ['2026-13-14 08:15:00', undefined],
  ['14.03.2026', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('the time %s of the ERP is read as UTC', (text, expected) => {
  expect(readUtc(text)?.toISOString()).toBe(expected);
});
