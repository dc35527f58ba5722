import { describe, expect, test } from '@jest/globals';
import {
  scheduleExceptionErrors,
  type ExceptionFields,
} from '../../../modules/delivery/rules/exception-rules.ts';
import { dayLabel, GUEST_WORDS } from '../../../modules/delivery/rules/guest-words.ts';
import { effectiveCookingMinutes, etaMinutes } from '../../../modules/delivery/rules/eta.ts';

const windows = [{ opensAt: '10:00', closesAt: '12:00', crossesMidnight: false }];
const nothing = { channel: null, date: null, windows: [], from: null, to: null };
const fields = (given: Partial<ExceptionFields> & Pick<ExceptionFields, 'kind'>) =>
  scheduleExceptionErrors({ ...nothing, ...given }).map((error) => `${error.field} ${error.code}`);

describe('an exception of intake', () => {
  test.each<[string, Parameters<typeof fields>[0], string[]]>([
    ['may close a date', { kind: 'CLOSED', date: '2026-12-31' }, []],
    ['needs a date', { kind: 'CLOSED' }, ['date required']],
    [
      'cannot have times if it has a date',
      { kind: 'CLOSED', date: '2026-12-31', from: 1, to: 2 },
      ['from not_supported', 'to not_supported'],
    ],
    [
      'cannot have windows if it closes',
      { kind: 'CLOSED', date: '2026-12-31', windows },
      ['windows not_supported'],
    ],
    [
      'needs windows if it has special hours',
      { kind: 'SPECIAL_HOURS', date: '2026-12-31' },
      ['windows required'],
    ],
    [
      'may have special hours',
      { kind: 'SPECIAL_HOURS', date: '2026-12-31', channel: 'DINE_IN', windows },
      [],
    ],
    ['needs a beginning if it stops intake', { kind: 'INTAKE_STOPPED' }, ['from required']],
    ['may stop intake until a time', { kind: 'INTAKE_STOPPED', from: 1, to: 2 }, []],
    ['may stop intake without an end', { kind: 'INTAKE_STOPPED', from: 1 }, []],
    [
      '[FUL-14] must end after its beginning if it stops intake',
      { kind: 'INTAKE_STOPPED', from: 2, to: 2 },
      ['to invalid'],
    ],
    [
      "cannot have date, windows or the restaurant's channel if it stops intake",
      { kind: 'INTAKE_STOPPED', from: 1, channel: 'DINE_IN', date: '2026-12-31', windows },
      ['channel not_supported', 'date not_supported', 'windows not_supported'],
    ],
  ])('%s', (_, exception, expected) => {
    expect(fields(exception)).toEqual(expected);
  });
});

test("[FUL-15] delivery uses the organization's minutes, pickup its cooking time, plus expectation", () => {
  const config = { pickupCookingMinutes: 20, deliveryMinutes: 60 };

  expect(etaMinutes('DELIVERY', config, 15)).toBe(75);
  expect(etaMinutes('PICKUP', config, 15)).toBe(35);
});

test.each<[string, number | null, number | null, number]>([
  ['those of staff', 5, 45, 5],
  ['none when staff say so', 0, 45, 0],
  ['those of the ERP without a value of staff', null, 45, 45],
  ['a whole day of the ERP at most', null, 1_440, 1_440],
  ['20 where the ERP states none', null, null, 20],
  ['20 where the ERP states 0', null, 0, 20],
  ['20 where the ERP states more than a day', null, 1_441, 20],
])('[FUL-58] the pickup time is %s', (_, own, ofErp, expected) => {
  expect(effectiveCookingMinutes(own, ofErp)).toBe(expected);
});

test('days are named today and tomorrow, then by their date', () => {
  const { RU, EN } = GUEST_WORDS;

  expect([0, 1].map((ahead) => dayLabel('2026-11-23', ahead, RU))).toEqual(['Сегодня', 'Завтра']);
  expect(dayLabel('2026-11-23', 2, RU)).toBe('пн, 23 ноября');
  expect(dayLabel('2026-11-23', 2, EN)).toBe('Mon, November 23');
});
