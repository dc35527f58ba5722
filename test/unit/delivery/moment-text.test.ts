import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { localTime, momentText } from '../../../modules/delivery/rules/schedule.ts';

const ZONES = [
  'Europe/Moscow',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Africa/Monrovia',
  '+03:00',
  'UTC',
];
const byCalendar = (at: number, zone: string) =>
  localTime(at, zone).toString({ smallestUnit: 'second', timeZoneName: 'never' });

test('a time has the text of the calendar, in any time zone and order', () => {
  const moment = fc.tuple(
    fc.integer({ min: Date.UTC(-2_000, 0), max: Date.UTC(12_000, 0) }),
    fc.constantFrom(...ZONES),
  );
  fc.assert(
    fc.property(fc.array(moment), (moments) => {
      for (const [at, zone] of moments) expect(momentText(at, zone)).toBe(byCalendar(at, zone));
    }),
  );
});

test('the change to summer time applies from the exact millisecond', () => {
  const change = Date.parse('2026-03-29T01:00:00Z');
  for (const at of [change, change - 1, change + 1, change])
    expect(momentText(at, 'Europe/Berlin')).toBe(byCalendar(at, 'Europe/Berlin'));
});
