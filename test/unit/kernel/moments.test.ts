import { expect, test } from '@jest/globals';
import formats from 'ajv-formats';
import { isMoment } from '../../../kernel/pure/moments.ts';

const { validate: isDateTime } = formats.default.get('date-time') as {
  validate: (text: string) => boolean;
};

test.each([
  '2026-12-01T12:00:00Z',
  '2026-12-01t12:00:00.123456z',
  '2026-12-01 12:00:00+03:00',
  '2028-02-29T23:59:59-1400',
  '2000-02-29T00:00:00Z',
  '9999-12-30T23:59:59Z',
])('[OPS-184] the time %s is valid', (text) => {
  expect([isMoment(text), isDateTime(text)]).toEqual([true, true]);
});

test.each([
  'Friday',
  '',
  '2026-12-01',
  '2026-12-01T12:00:00',
  '2026-13-01T12:00:00Z',
  '2026-00-01T12:00:00Z',
  '2026-02-30T12:00:00Z',
  '1900-02-29T12:00:00Z',
  '2026-04-31T12:00:00Z',
  '2026-12-00T12:00:00Z',
  '2026-12-01T24:00:00Z',
  '2026-12-01T12:60:00Z',
  '2026-12-01T12:00:00+24:00',
])('[OPS-184] the text %p is not a time', (text) => {
  expect([isMoment(text), isDateTime(text)]).toEqual([false, false]);
});

test.each([
  '2026-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '2026-12-01T12:00:00+15:00',
  '9999-12-31T12:00:00Z',
])('[OPS-184] the time %s is outside the range of PostgreSQL', (text) => {
  expect([isMoment(text), isDateTime(text)]).toEqual([false, true]);
});
