import { describe, expect, test } from '@jest/globals';
import { exactMoments } from '../../../kernel/pure/wall-time.ts';
import {
  openingSpans,
  restaurantHours,
  type DateException,
  type RegularWindow,
} from '../../../modules/delivery/rules/schedule.ts';

type Channel = RegularWindow['channel'];

/** The opening hour reveals the channel whose hours applied. */
const OPENS = { DELIVERY: '10:00', PICKUP: '11:00', DINE_IN: '12:00' } as const;
const EXCEPTIONS = [
  ['DELIVERY', '15:00'],
  ['PICKUP', '16:00'],
  ['DINE_IN', '17:00'],
  [null, '18:00'],
] as const;
const until = (opensAt: string, closesAt = '23:00') => ({
  opensAt,
  closesAt,
  crossesMidnight: false,
});
const windows = (...channels: (keyof typeof OPENS)[]): RegularWindow[] =>
  channels.map((channel) => ({ channel, dayOfWeek: 1, ...until(OPENS[channel]) }));
const exceptions = (...channels: (Channel | null)[]): DateException[] =>
  EXCEPTIONS.filter(([channel]) => channels.includes(channel)).map(([channel, opensAt]) => ({
    kind: 'SPECIAL_HOURS' as const,
    channel,
    date: '2026-11-23',
    windows: [until(opensAt)],
  }));
const schedule = (regular: RegularWindow[], special: DateException[] = [], timeZone = 'UTC') => ({
  timeZone,
  windows: regular,
  exceptions: special,
  intakeStops: [],
});
const spansOn = (
  date: string,
  ...[given, use]: [ReturnType<typeof schedule>, Parameters<typeof openingSpans>[1]]
) => {
  const day = Temporal.PlainDate.from(date);
  return openingSpans(given, use, day, day).map(({ from, to }) =>
    [from, to].map((at) => new Date(at).toISOString()),
  );
};

const ALL = ['DELIVERY', 'PICKUP', 'DINE_IN', null] as const;
const EVERY = windows('DELIVERY', 'PICKUP', 'DINE_IN');

describe('the hours that apply', () => {
  test.each([
    ['DELIVERY', EVERY, [...ALL], '15:00'],
    ['DELIVERY', EVERY, ['PICKUP', 'DINE_IN', null], '18:00'],
    ['DELIVERY', EVERY, ['PICKUP', 'DINE_IN'], '10:00'],
    ['PICKUP', EVERY, [...ALL], '16:00'],
    ['PICKUP', EVERY, ['DELIVERY', 'DINE_IN', null], '18:00'],
    ['PICKUP', EVERY, ['DELIVERY', 'DINE_IN'], '11:00'],
    ['PICKUP', windows('DELIVERY', 'DINE_IN'), [], '12:00'],
    ['PICKUP', windows('DELIVERY', 'DINE_IN'), ['DINE_IN'], '17:00'],
    ['PICKUP', windows('DELIVERY', 'DINE_IN'), ['DINE_IN', null], '17:00'],
    ['PICKUP', windows('DELIVERY', 'DINE_IN'), [...ALL], '16:00'],
    ['PICKUP', windows('DELIVERY', 'DINE_IN'), ['DELIVERY', null], '18:00'],
    ['RESTAURANT', EVERY, [...ALL], '17:00'],
    ['RESTAURANT', EVERY, ['DELIVERY', 'PICKUP', null], '18:00'],
    ['RESTAURANT', EVERY, ['DELIVERY', 'PICKUP'], '12:00'],
    ['RESTAURANT', windows('DELIVERY', 'PICKUP'), [...ALL], '17:00'],
    ['RESTAURANT', windows('DELIVERY', 'PICKUP'), ['DELIVERY', 'PICKUP', null], '16:00'],
    ['RESTAURANT', windows('DELIVERY', 'PICKUP'), ['DELIVERY', null], '18:00'],
    ['RESTAURANT', windows('DELIVERY', 'PICKUP'), ['DELIVERY'], '11:00'],
  ] as const)('come from %s', (use, regular, special, opensAt) => {
    expect(spansOn('2026-11-23', schedule([...regular], exceptions(...special)), use)).toEqual([
      [`2026-11-23T${opensAt}:00.000Z`, '2026-11-23T23:00:00.000Z'],
    ]);
  });

  test('follow the day of the week and the date, and are empty if an exception closes it', () => {
    const monday = schedule(EVERY, exceptions('DINE_IN'));
    expect(spansOn('2026-11-24', monday, 'DELIVERY')).toEqual([]);
    expect(spansOn('2026-11-30', monday, 'RESTAURANT')).toEqual([
      ['2026-11-30T12:00:00.000Z', '2026-11-30T23:00:00.000Z'],
    ]);
    const [special] = exceptions(null);
    expect(
      spansOn('2026-11-23', schedule(EVERY, [{ ...special!, kind: 'CLOSED' }]), 'DELIVERY'),
    ).toEqual([]);
  });

  test('may end on the next day', () => {
    const night = { ...windows('DELIVERY')[0]!, closesAt: '02:00', crossesMidnight: true };
    expect(spansOn('2026-11-23', schedule([night]), 'DELIVERY')).toEqual([
      ['2026-11-23T10:00:00.000Z', '2026-11-24T02:00:00.000Z'],
    ]);
  });

  test('contain the regular hours of a week and the dates from today on, each once and in order', () => {
    const on = (date: string, channel: Channel | null): DateException => ({
      kind: 'CLOSED',
      channel,
      date,
      windows: [],
    });
    const special = [
      on('2026-11-25', null),
      on('2026-11-24', 'DINE_IN'),
      on('2026-11-24', null),
      on('2026-11-22', null),
      on('2026-11-23', 'DINE_IN'),
      on('2026-11-26', 'DELIVERY'),
      on('2026-11-27', 'PICKUP'),
    ];
    const closed = (date: string) => ({ date, windows: [] });
    expect(restaurantHours(schedule(EVERY, special), '2026-11-23')).toEqual({
      regular: windows('DINE_IN'),
      special: ['2026-11-23', '2026-11-24', '2026-11-25'].map(closed),
    });
    expect(restaurantHours(schedule(windows('PICKUP'), special), '2026-11-26')).toEqual({
      regular: windows('PICKUP'),
      special: [closed('2026-11-27')],
    });
  });
});

describe('a clock change', () => {
  const berlin = (date: string, opensAt: string, closesAt: string) =>
    spansOn(
      date,
      schedule(
        [{ channel: 'DELIVERY', dayOfWeek: 7, ...until(opensAt, closesAt) }],
        [],
        'Europe/Berlin',
      ),
      'DELIVERY',
    );

  test('moves a time that does not exist forward by the gap, at the opening and at the closing', () => {
    expect(berlin('2026-03-29', '02:30', '12:00')).toEqual([
      ['2026-03-29T01:30:00.000Z', '2026-03-29T10:00:00.000Z'],
    ]);
    expect(berlin('2026-03-29', '01:00', '02:30')).toEqual([
      ['2026-03-29T00:00:00.000Z', '2026-03-29T01:30:00.000Z'],
    ]);
  });

  test('opens a window at the first occurrence of a repeated time and closes it at the last', () => {
    expect(berlin('2026-10-25', '02:30', '12:00')).toEqual([
      ['2026-10-25T00:30:00.000Z', '2026-10-25T11:00:00.000Z'],
    ]);
    expect(berlin('2026-10-25', '01:00', '02:30')).toEqual([
      ['2026-10-24T23:00:00.000Z', '2026-10-25T01:30:00.000Z'],
    ]);
  });

  test('gives a local time no instant, one or two', () => {
    const moments = (text: string) =>
      exactMoments(Temporal.PlainDateTime.from(text), 'Europe/Berlin');
    expect(moments('2026-03-29T02:30')).toEqual([]);
    expect(moments('2026-07-01T02:30')).toEqual([Date.parse('2026-07-01T00:30Z')]);
    expect(moments('2026-10-25T02:30')).toEqual([
      Date.parse('2026-10-25T00:30Z'),
      Date.parse('2026-10-25T01:30Z'),
    ]);
  });
});
