import { describe, expect, test } from '@jest/globals';
import type { Channel, RegularWindow } from '../../../modules/delivery/rules/schedule.ts';
import { exceptionErrors, scheduleErrors } from '../../../modules/delivery/rules/schedule-rules.ts';
import { displaySchedule } from '../../../modules/delivery/rules/display-schedule.ts';

const window = (
  dayOfWeek: number,
  opensAt: string,
  closesAt: string,
  rest: Partial<RegularWindow> = {},
): RegularWindow => ({
  dayOfWeek,
  channel: 'DELIVERY',
  opensAt,
  closesAt,
  crossesMidnight: false,
  ...rest,
});
const night = { crossesMidnight: true };
const fields = (...windows: RegularWindow[]) => scheduleErrors(windows).map((error) => error.field);

describe('a regular schedule', () => {
  test.each<[string, RegularWindow[], string[]]>([
    [
      'may have windows that follow one another',
      [window(1, '10:00', '14:00'), window(1, '14:00', '20:00')],
      [],
    ],
    ['cannot close when it opens', [window(1, '10:00', '10:00')], ['windows.0.closesAt']],
    ['cannot close before it opens', [window(1, '20:00', '02:00')], ['windows.0.closesAt']],
    ['may close on the next day', [window(1, '20:00', '02:00', night)], []],
    [
      'may be open for 24 hours',
      [window(1, '00:00', '00:00', night), window(2, '00:00', '00:00', night)],
      [],
    ],
    [
      '[FUL-1] cannot be open for longer',
      [window(1, '10:00', '10:01', night)],
      ['windows.0.closesAt'],
    ],
    [
      'reports the later of two overlapping windows',
      [window(1, '10:00', '14:00'), window(1, '13:59', '20:00')],
      ['windows.1.opensAt'],
    ],
    [
      'may have other channels at once',
      [window(1, '10:00', '14:00'), window(1, '10:00', '14:00', { channel: 'PICKUP' })],
      [],
    ],
    [
      'overlaps with a window of the day before',
      [window(2, '01:00', '05:00'), window(1, '20:00', '02:00', night)],
      ['windows.1.opensAt'],
    ],
    [
      '[FUL-1] overlaps from Sunday to Monday',
      [window(1, '00:00', '05:00'), window(7, '20:00', '00:01', night)],
      ['windows.1.opensAt'],
    ],
    [
      'overlaps from Sunday to Monday, whichever is named first',
      [window(7, '20:00', '00:01', night), window(1, '00:00', '05:00')],
      ['windows.1.opensAt'],
    ],
    [
      'may begin when another window ends at night',
      [window(1, '02:00', '05:00'), window(7, '20:00', '02:00', night)],
      [],
    ],
  ])('%s', (_, windows, expected) => {
    expect(fields(...windows)).toEqual(expected);
  });
});

test('a sentence reports an invalid window with the conflicting one', () => {
  const errors = [
    ...scheduleErrors([window(1, '10:00', '10:01', night)]),
    ...scheduleErrors([window(1, '20:00', '02:00')]),
    ...scheduleErrors([window(1, '10:00', '14:00'), window(1, '13:59', '20:00')]),
  ];

  expect(errors.map(({ code }) => code)).toEqual(['invalid', 'invalid', 'invalid']);
  expect(errors[2]!.message).toContain('windows.0');
});

describe('a special day', () => {
  const hours = { opensAt: '10:00', closesAt: '14:00', crossesMidnight: false };
  test.each([
    [
      'cannot have windows if it is closed',
      { kind: 'CLOSED' as const, windows: [hours] },
      ['windows'],
    ],
    ['may be closed', { kind: 'CLOSED' as const, windows: [] }, []],
    [
      'needs a window for special hours',
      { kind: 'SPECIAL_HOURS' as const, windows: [] },
      ['windows'],
    ],
    ['may have special hours', { kind: 'SPECIAL_HOURS' as const, windows: [hours] }, []],
    [
      'cannot have overlapping special hours',
      { kind: 'SPECIAL_HOURS' as const, windows: [hours, hours] },
      ['windows.1.opensAt'],
    ],
    [
      'cannot have impossible hours',
      { kind: 'SPECIAL_HOURS' as const, windows: [{ ...hours, closesAt: '09:00' }] },
      ['windows.0.closesAt'],
    ],
  ])('%s', (_, exception, expected) => {
    expect(exceptionErrors(exception).map((error) => error.field)).toEqual(expected);
  });
});

describe('the opening hours as guests read them', () => {
  const words = {
    weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    closed: 'closed',
    allDay: 'all day',
  };

  test('[FUL-7] join neighboring days with the same hours, and pickup follows the restaurant by default', () => {
    const week = [1, 2, 3, 4, 5].flatMap((day) => [
      window(day, '10:00', '23:00'),
      window(day, '09:00', '12:00', { channel: 'DINE_IN' }),
      window(day, '13:00', '22:00', { channel: 'DINE_IN' }),
    ]);
    const saturday = window(6, '00:00', '00:00', night);
    expect(displaySchedule([...week, saturday], words)).toEqual([
      { days: 'Mon–Fri', delivery: '10:00–23:00', pickup: '09:00–12:00, 13:00–22:00' },
      { days: 'Sat', delivery: 'all day', pickup: 'closed' },
      { days: 'Sun', delivery: 'closed', pickup: 'closed' },
    ]);
  });

  test('show the hours of pickup if it has some, and distinguish days by them', () => {
    const ofDay = (day: number, channel: Channel, closesAt: string) =>
      window(day, '10:00', closesAt, { channel });
    const week = [1, 2, 3].flatMap((day) => [
      ofDay(day, 'DELIVERY', '23:00'),
      ofDay(day, 'DINE_IN', '20:00'),
    ]);
    const pickup = [
      ofDay(1, 'PICKUP', '18:00'),
      ofDay(2, 'PICKUP', '19:00'),
      ofDay(3, 'PICKUP', '19:00'),
    ];

    expect(displaySchedule([...week, ...pickup], words)).toEqual([
      { days: 'Mon', delivery: '10:00–23:00', pickup: '10:00–18:00' },
      { days: 'Tue–Wed', delivery: '10:00–23:00', pickup: '10:00–19:00' },
      { days: 'Thu–Sun', delivery: 'closed', pickup: 'closed' },
    ]);
  });

  test('[FUL-7] show hours of pickup only while the restaurant is open', () => {
    const week = [
      window(1, '10:00', '22:00', { channel: 'DINE_IN' }),
      window(1, '08:00', '23:00', { channel: 'PICKUP' }),
      window(2, '09:00', '12:00', { channel: 'DINE_IN' }),
      window(2, '14:00', '20:00', { channel: 'DINE_IN' }),
      window(2, '00:00', '00:00', { ...night, channel: 'PICKUP' }),
      window(3, '10:00', '20:00', { channel: 'PICKUP' }),
      window(7, '20:00', '04:00', { ...night, channel: 'DINE_IN' }),
      window(7, '22:00', '06:00', { ...night, channel: 'PICKUP' }),
    ];

    expect(displaySchedule(week, words)).toEqual([
      { days: 'Mon', delivery: 'closed', pickup: '10:00–22:00' },
      { days: 'Tue', delivery: 'closed', pickup: '09:00–12:00, 14:00–20:00' },
      { days: 'Wed–Sat', delivery: 'closed', pickup: 'closed' },
      { days: 'Sun', delivery: 'closed', pickup: '22:00–04:00' },
    ]);
  });

  test('[FUL-2, FUL-7] show hours of pickup of a restaurant without hours of its own', () => {
    expect(displaySchedule([window(1, '10:00', '20:00', { channel: 'PICKUP' })], words)[0]).toEqual(
      {
        days: 'Mon',
        delivery: 'closed',
        pickup: '10:00–20:00',
      },
    );
  });

  test('[FUL-7] show early hours of Monday that belong to the restaurant hours of Sunday', () => {
    const week = [
      window(7, '20:00', '04:00', { ...night, channel: 'DINE_IN' }),
      window(1, '00:00', '03:00', { channel: 'PICKUP' }),
    ];

    expect(displaySchedule(week, words)[0]).toEqual({
      days: 'Mon',
      delivery: 'closed',
      pickup: '00:00–03:00',
    });
  });
});
