import { describe, expect, test } from '@jest/globals';
import { createAnomalies } from '../../../modules/mirror/rules/anomalies.ts';
import { hoursReader } from '../../../modules/mirror/rules/menu-schedules.ts';
import type { PeriodSource } from '../../../modules/mirror/rules/menu-source.ts';
import {
  joinHours,
  nextChange,
  openFrom,
  listOpenings,
  type HoursWindow,
} from '../../../modules/mirror/rules/weekly-hours.ts';

const SCHEDULE = '5c0000a0-0000-4000-8000-000000000007';
const WORKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

function read(periods: PeriodSource[] | null, scheduleId: string | null = SCHEDULE) {
  const anomalies = createAnomalies();
  const hours = hoursReader(
    { schedules: [{ id: SCHEDULE, periods }] },
    anomalies,
  )({ id: 'breakfast', scheduleId });
  return { hours, faults: anomalies.list() };
}
const fault = { code: 'SCHEDULE_NOT_READ', count: 1, samples: ['breakfast'] };

describe('[MIR-93] the hours of a category', () => {
  test.each<[string, PeriodSource[], HoursWindow[]]>([
    [
      'differ by weekday',
      [
        { from: '07:30:00', to: '10:45:00', weekDays: WORKDAYS },
        { from: '09:00:00', to: '12:00:00', weekDays: ['Saturday', 'SUNDAY'] },
      ],
      [
        { days: [1, 2, 3, 4, 5], from: '07:30', to: '10:45' },
        { days: [6, 7], from: '09:00', to: '12:00' },
      ],
    ],
    ['cross midnight', [{ from: '22:00:00', to: '02:30:00', weekDays: ['friday'] }], [{ days: [5], from: '22:00', to: '02:30' }]],
    ['end with the day', [{ from: '18:00', to: '23:59:59', weekDays: ['sunday'] }], [{ days: [7], from: '18:00', to: '00:00' }]],
    ['last a whole day', [{ from: '00:00:00', to: '00:00:00', weekDays: ['monday'] }], [{ days: [1], from: '00:00', to: '00:00' }]],
    ['include every day without weekdays', [{ from: '8:00', to: '11:00', weekDays: null }], [{ days: EVERY_DAY, from: '08:00', to: '11:00' }]],
    ['round a second up', [{ from: '08:00:30', to: '10:59:30' }], [{ days: EVERY_DAY, from: '08:00', to: '11:00' }]],
    [
      'unite periods that overlap or touch',
      [
        { from: '08:00', to: '10:00', weekDays: ['monday'] },
        { from: '09:00', to: '11:00', weekDays: ['monday'] },
        { from: '11:00', to: '12:00', weekDays: ['monday'] },
      ],
      [{ days: [1], from: '08:00', to: '12:00' }],
    ],
    [
      'cut a long time at midnight',
      [
        { from: '18:00', to: '24:00', weekDays: ['sunday'] },
        { from: '00:00', to: '00:00', weekDays: ['monday'] },
        { from: '00:00', to: '01:00', weekDays: ['tuesday'] },
      ],
      [
        { days: [1], from: '00:00', to: '00:00' },
        { days: [2], from: '00:00', to: '01:00' },
        { days: [7], from: '18:00', to: '00:00' },
      ],
    ],
  ])('%s', (_, periods, hours) => {
    expect(read(periods)).toEqual({ hours, faults: [] });
  }); // oxfmt-ignore

  test.each<[string, string | null]>([
    ['no schedule', null],
    ['a blank schedule', ' '],
  ])('cover all hours with %s', (_, scheduleId) => {
    expect(read([{ from: '08:00', to: '11:00' }], scheduleId)).toEqual({ hours: null, faults: [] });
  });

  test('cover all hours if the periods do', () => {
    const periods = [
      { from: '12:00', to: '06:00' },
      { from: '06:00', to: '12:00' },
    ];

    expect(read(periods)).toEqual({ hours: null, faults: [] });
  });

  test.each<[string, PeriodSource[] | null, string]>([
    ['a schedule that the menu lacks', [], '5c0000a0-0000-4000-8000-00000000000f'],
    ['no period', null, SCHEDULE],
    ['an impossible time', [{ from: '08:00', to: '25:00' }], SCHEDULE],
    ['a text for a time', [{ from: 'morning', to: '11:00' }], SCHEDULE],
    ['an unknown weekday', [{ from: '08:00', to: '11:00', weekDays: ['holiday'] }], SCHEDULE],
    ['no weekday', [{ from: '08:00', to: '11:00', weekDays: [] }], SCHEDULE],
  ])('cover all hours, and are counted, with %s', (_, periods, scheduleId) => {
    expect(read(periods, scheduleId)).toEqual({ hours: null, faults: [fault] });
  });

  test('keep the readable periods, and count the others', () => {
    const { hours, faults } = read([
      { from: '08:00', to: '11:00' },
      { from: null, to: '15:00' },
    ]);

    expect(hours).toEqual([{ days: EVERY_DAY, from: '08:00', to: '11:00' }]);
    expect(faults).toEqual([fault]);
  });

  test('match their schedule in any letter case', () => {
    expect(read([{ from: '08:00', to: '11:00' }], SCHEDULE.toUpperCase()).hours).toHaveLength(1);
  });
});

describe('[FUL-3] the openings of hours', () => {
  const BERLIN = 'Europe/Berlin';
  const at = (text: string) => Date.parse(text);
  const hours = (from: string, to: string, days = EVERY_DAY) => joinHours([{ days, from, to }])!;
  const openAt = (text: string, ...given: Parameters<typeof hours>) =>
    openFrom(listOpenings(hours(...given), at(text), BERLIN), at(text)) === at(text);

  test.each<[string, string, boolean]>([
    ['before the opening', '2026-06-01T07:59:59+02:00', false],
    ['at the opening', '2026-06-01T08:00:00+02:00', true],
    ['at the end', '2026-06-01T11:00:00+02:00', false],
  ])('[SNP-75] apply or not in the morning: %s', (_, moment, isOpen) => {
    expect(openAt(moment, '08:00', '11:00')).toBe(isOpen);
  });

  test.each<[string, string, boolean]>([
    ['on the evening of its day', '2026-06-05T23:00:00+02:00', true],
    ['after midnight', '2026-06-06T01:59:00+02:00', true],
    ['after their end', '2026-06-06T02:00:00+02:00', false],
    ['after the midnight before', '2026-06-05T01:00:00+02:00', false],
  ])('apply or not over midnight of Friday: %s', (_, moment, isOpen) => {
    expect(openAt(moment, '22:00', '02:00', [5])).toBe(isOpen);
  });

  test.each<[string, string, string, string, boolean]>([
    ['a skipped opening moves forward', '02:30', '05:00', '2026-03-29T01:29:00Z', false],
    ['a skipped opening begins after the gap', '02:30', '05:00', '2026-03-29T01:30:00Z', true],
    ['a repeated opening counts first', '02:30', '05:00', '2026-10-25T00:30:00Z', true],
    ['a repeated end counts last', '01:00', '02:30', '2026-10-25T01:29:00Z', true],
  ])('%s', (_, from, to, moment, isOpen) => {
    expect(openAt(moment, from, to)).toBe(isOpen);
  });

  test('show the next opening and the next change', () => {
    const [now, breakfast] = [at('2026-06-06T12:00:00+02:00'), hours('08:00', '11:00', [1])];
    const openings = listOpenings(breakfast, now, BERLIN);

    expect(openFrom(openings, now)).toBe(at('2026-06-08T08:00:00+02:00'));
    expect(nextChange(openings, now)).toBe(at('2026-06-08T08:00:00+02:00'));
    expect(nextChange(openings, at('2026-06-08T08:00:00+02:00'))).toBe(
      at('2026-06-08T11:00:00+02:00'),
    );
  });
});
