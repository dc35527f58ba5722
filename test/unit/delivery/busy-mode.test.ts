import { describe, expect, test } from '@jest/globals';
import { busyUntil } from '../../../modules/delivery/rules/busy-mode.ts';
import { expectationMinutes, type ExpectationRule } from '../../../modules/delivery/rules/eta.ts';
import { GUEST_WORDS } from '../../../modules/delivery/rules/guest-words.ts';

const at = (text: string) => Date.parse(text);
const endOf = (text: string, now: string, timeZone = 'Europe/Moscow') => {
  const end = busyUntil(text, at(now), timeZone);
  return typeof end === 'number' ? new Date(end).toISOString() : end.code;
};

describe('the end of a busy mode', () => {
  test.each<[string, string, string, string, string]>([
    ['later today', '21:00', '2026-11-28T18:00:00+03:00', 'Europe/Moscow', '2026-11-28T18:00:00.000Z'],
    ['on its own clock', '21:00', '2026-11-28T18:00:00+03:00', 'Asia/Yekaterinburg', '2026-11-28T16:00:00.000Z'],
    ['tomorrow if it has passed', '01:30', '2026-11-28T23:00:00+03:00', 'Europe/Moscow', '2026-11-28T22:30:00.000Z'],
    ['tomorrow at that very time', '21:00', '2026-11-28T21:00:00+03:00', 'Europe/Moscow', '2026-11-29T18:00:00.000Z'],
    ['after a gap of the clock', '02:30', '2026-03-29T00:00:00+01:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['at the last of two', '02:30', '2026-10-25T00:00:00+02:00', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
  ])('[FUL-68] of a wall clock is %s', (_, text, now, timeZone, expected) => {
    expect(endOf(text, now, timeZone)).toBe(expected);
  });

  test.each<[string, string, string]>([
    ['accepts a moment with any offset', '2026-11-28T21:00:00+05:00', '2026-11-28T16:00:00.000Z'],
    ['accepts exactly 24 hours', '2026-11-29T12:00:00Z', '2026-11-29T12:00:00.000Z'],
    ['rejects more than 24 hours', '2026-11-29T12:00:01Z', 'max'],
    ['rejects now', '2026-11-28T12:00:00Z', 'min'],
    ['rejects a date that does not exist', '2026-13-28T12:00:00Z', 'invalid'],
  ])('[FUL-68] %s', (_, text, expected) => {
    const end = endOf(text, '2026-11-28T12:00:00Z');

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
    ['are added to the largest expectation', [busy, rule({}), pizza], 999, 45],
    ['are over at their end', [busy, rule({})], 1_000, 10],
  ])('[FUL-66] %s', (_, rules, now, expected) => {
    expect(expectationMinutes(rules, new Set([4]), now)).toBe(expected);
  });

  test('[FUL-67] are stated in both languages', () => {
    expect(GUEST_WORDS.EN.busy(20, '21:00').text).toBe('Until 21:00 orders take about 20 min longer.');
    expect(GUEST_WORDS.RU.busy(20, '21:00').text).toContain('До 21:00');
  });
});
