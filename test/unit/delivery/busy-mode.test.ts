import { describe, expect, test } from '@jest/globals';
import { busyUntil } from '../../../modules/delivery/rules/busy-mode.ts';
import {
  expectationMinutes,
  expectationSteps,
  stepAt,
  type ExpectationRule,
} from '../../../modules/delivery/rules/eta.ts';
import { GUEST_WORDS } from '../../../modules/delivery/rules/guest-words.ts';

const at = (text: string) => Date.parse(text);
const computeEnd = (text: string, now: string, timeZone = 'Europe/Moscow') => {
  const end = busyUntil(text, at(now), timeZone);
  return typeof end === 'number' ? new Date(end).toISOString() : end.code;
};

describe('the end of a busy mode', () => {
  test.each<[string, string, string, string, string]>([
    [
      'later today',
      '21:00',
      '2026-11-28T18:00:00+03:00',
      'Europe/Moscow',
      '2026-11-28T18:00:00.000Z',
    ],
    [
      'on its own clock',
      '21:00',
      '2026-11-28T18:00:00+03:00',
      'Asia/Yekaterinburg',
      '2026-11-28T16:00:00.000Z',
    ],
    [
      'tomorrow if it has passed',
      '01:30',
      '2026-11-28T23:00:00+03:00',
      'Europe/Moscow',
      '2026-11-28T22:30:00.000Z',
    ],
    [
      'exactly 12 hours ahead',
      '09:00',
      '2026-11-28T21:00:00+03:00',
      'Europe/Moscow',
      '2026-11-29T06:00:00.000Z',
    ],
    [
      'after a gap of the clock',
      '02:30',
      '2026-03-29T00:00:00+01:00',
      'Europe/Berlin',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'at the last of two',
      '02:30',
      '2026-10-25T00:00:00+02:00',
      'Europe/Berlin',
      '2026-10-25T01:30:00.000Z',
    ],
  ])('[FUL-68] follows from a local time: %s', (_, text, now, timeZone, expected) => {
    expect(computeEnd(text, now, timeZone)).toBe(expected);
  });

  test.each<[string, string, string, string, string]>([
    [
      'this very minute',
      '21:00',
      '2026-11-28T21:00:00+03:00',
      'Europe/Moscow',
      '2026-11-29T21:00:00+03:00',
    ],
    [
      'a minute that has passed',
      '07:10',
      '2026-11-28T07:12:04+03:00',
      'Europe/Moscow',
      '2026-11-29T07:10:00+03:00',
    ],
    [
      '12 hours and a minute',
      '09:01',
      '2026-11-28T21:00:00+03:00',
      'Europe/Moscow',
      '2026-11-29T09:01:00+03:00',
    ],
    [
      'a passed minute there',
      '18:30',
      '2026-11-28T16:31:00+03:00',
      'Asia/Yekaterinburg',
      '2026-11-29T18:30:00+05:00',
    ],
    [
      '13 hours with a repeated one',
      '02:30',
      '2026-10-24T15:00:00+02:00',
      'Europe/Berlin',
      '2026-10-25T02:30:00+01:00',
    ],
  ])(
    '[FUL-90] cannot be a local time of %s, and the answer contains the instant',
    (_, text, now, timeZone, moment) => {
      expect(busyUntil(text, at(now), timeZone)).toMatchObject({
        field: 'until',
        code: 'max',
        message: expect.stringContaining(moment),
      });
    },
  );

  test.each<[string, string]>([
    ['in the past', '2026-11-28T14:59:00+03:00'],
    ['in two days', '2026-11-30T15:00:00+03:00'],
  ])('[FUL-90] cannot be the instant %s, which the answer repeats', (_, text) => {
    expect(busyUntil(text, at('2026-11-28T12:00:00Z'), 'Europe/Moscow')).toMatchObject({
      message: expect.stringContaining(text),
    });
  });

  test.each<[string, string, string]>([
    ['accepts a moment with any offset', '2026-11-28T21:00:00+05:00', '2026-11-28T16:00:00.000Z'],
    ['accepts exactly 24 hours', '2026-11-29T12:00:00Z', '2026-11-29T12:00:00.000Z'],
    ['rejects more than 24 hours', '2026-11-29T12:00:01Z', 'max'],
    ['rejects now', '2026-11-28T12:00:00Z', 'min'],
    ['rejects a date that does not exist', '2026-13-28T12:00:00Z', 'invalid'],
  ])('[FUL-68] %s', (_, text, expected) => {
    const end = computeEnd(text, '2026-11-28T12:00:00Z');

    expect(end).toBe(expected);
  });
});

describe('the extra minutes of a busy mode', () => {
  const rule = (more: Partial<ExpectationRule>): ExpectationRule => ({
    scope: 'GLOBAL',
    categoryId: null,
    durationMinutes: 10,
    activeFrom: null,
    activeTo: null,
    ...more,
  });
  const busy = rule({ scope: 'BUSY', durationMinutes: 20, activeTo: 1_000 });
  const pizza = rule({ scope: 'CATEGORY', categoryId: 4, durationMinutes: 25 });

  test.each<[string, ExpectationRule[], number, number]>([
    ['count without other rules', [busy], 999, 20],
    ['increase the largest expectation', [busy, rule({}), pizza], 999, 45],
    ['apply until their end', [busy, rule({})], 1_000, 10],
  ])('[FUL-66] %s', (_, rules, now, expected) => {
    expect(expectationMinutes(rules, new Set([4]), now)).toBe(expected);
  });

  test('[FUL-91] apply to times before their end, and other increases before theirs', () => {
    const steps = expectationSteps(
      [busy, rule({}), rule({ durationMinutes: 45, activeTo: 2_000 })],
      new Set(),
      500,
    );

    expect([500, 999, 1_000, 1_999, 2_000].map((moment) => stepAt(steps, moment))).toEqual([
      65, 65, 45, 45, 10,
    ]);
  });

  test('[FUL-91] apply to no time if they begin later', () => {
    const steps = expectationSteps([rule({ activeFrom: 600 })], new Set(), 500);

    expect([500, 700].map((moment) => stepAt(steps, moment))).toEqual([0, 0]);
  });

  test('[FUL-67] appear in both languages', () => {
    expect(GUEST_WORDS.EN.busy(20, '21:00').text).toBe(
      'Until 21:00 orders take about 20 min longer.',
    );
    expect(GUEST_WORDS.RU.busy(20, '21:00').text).toContain('До 21:00');
  });
});
