import { expect, test } from '@jest/globals';
import { retryAfterMs } from '../../../platform/pure/retry-after.ts';

const NOW = Date.parse('2026-03-14T09:00:00Z');

test.each([
  ['seconds', '7', 7000],
  ['padded seconds', ' 30 ', 30_000],
  ['a date ahead', 'Sat, 14 Mar 2026 09:00:05 GMT', 5000],
  ['a date that has passed', 'Sat, 14 Mar 2026 08:59:00 GMT', 0],
  ['a date in the next century is 10 minutes', 'Fri, 14 Mar 2126 09:00:05 GMT', 600_000],
  ['a week of seconds is 10 minutes', '604800', 600_000],
  ['a number beyond all numbers is 10 minutes', '9'.repeat(400), 600_000],
  ['zero', '0', 0],
  ['absent', undefined, undefined],
  ['empty', '', undefined],
  ['negative', '-5', undefined],
  ['a date without zone', '2026-03-14 09:00:05', undefined],
  ['words', 'soon', undefined],
])('[ERP-7] Retry-After: %s', (_name, field, expected) => {
  expect(retryAfterMs(field, NOW, 600_000)).toBe(expected);
});
