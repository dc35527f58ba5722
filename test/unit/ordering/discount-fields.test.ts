import { expect, test } from '@jest/globals';
import {
  discountErrors,
  formatTime,
  parseMinute,
} from '../../../modules/ordering/rules/discount-fields.ts';

const ALWAYS = { startsAt: null, endsAt: null, fromMinute: null, toMinute: null, weekdays: null };
const [EARLY, LATE] = [new Date('2026-01-01T00:00Z'), new Date('2026-01-02T00:00Z')];

test.each([
  ['without any limit', {}],
  ['from a moment on', { startsAt: LATE }],
  ['until a moment', { endsAt: EARLY }],
  ['between two moments', { startsAt: EARLY, endsAt: LATE }],
  ['from an hour on', { fromMinute: 0 }],
  ['until midnight', { toMinute: 24 * 60 }],
  ['within hours of a day', { fromMinute: 600, toMinute: 660 }],
  ['over midnight', { fromMinute: 1_320, toMinute: 120 }],
  ['on days of the week', { weekdays: [7, 1] }],
])('a discount may apply %s', (_, fields) => {
  expect(discountErrors({ ...ALWAYS, ...fields })).toEqual([]);
});

test.each([
  ['ends before it begins', { startsAt: LATE, endsAt: EARLY }, 'endsAt', 'invalid'],
  ['ends when it begins', { startsAt: EARLY, endsAt: new Date(EARLY) }, 'endsAt', 'invalid'],
  ['has hours that end when they begin', { fromMinute: 600, toMinute: 600 }, 'toTime', 'invalid'],
  [
    'has hours from midnight to midnight',
    { fromMinute: 0, toMinute: 24 * 60 },
    'toTime',
    'invalid',
  ],
  ['names a day twice', { weekdays: [1, 2, 1] }, 'weekdays', 'duplicate'],
])('a discount is invalid that %s', (_, fields, field, code) => {
  expect(discountErrors({ ...ALWAYS, ...fields })).toMatchObject([{ field, code }]);
});

test.each([
  ['00:00', 0],
  ['09:05', 545],
  ['23:59', 1_439],
  ['24:00', 1_440],
])('the time %s is minute %i of the day, and back', (time, minute) => {
  expect(parseMinute(time)).toBe(minute);
  expect(formatTime(minute)).toBe(time);
});
