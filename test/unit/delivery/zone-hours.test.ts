import { describe, expect, test } from '@jest/globals';
import {
  intervalStarts,
  type ZoneHours,
} from '../../../modules/delivery/rules/zones/zone-hours.ts';

const MOSCOW = 'Europe/Moscow';
const hours = (
  intervals: [weekMap: number, from: number | null, to: number | null][],
  same = {},
): ZoneHours => ({
  restrictions: intervals.map(([weekMap, fromMinute, toMinute]) => ({
    weekMap,
    fromMinute,
    toMinute,
  })),
  defaults: {
    useSameInterval: false,
    fromMinute: null,
    toMinute: null,
    useSameWeek: false,
    ...same,
  },
});
const starts = (zone: ZoneHours, at = '2026-11-27T23:30+03:00', timeZone = MOSCOW) =>
  intervalStarts(zone, Date.parse(at), timeZone).map((moment) =>
    Temporal.Instant.fromEpochMilliseconds(moment)
      .toZonedDateTimeISO(timeZone)
      .toString({ timeZoneName: 'never' }),
  );

describe('the interval starts of a zone', () => {
  test('[FUL-53] come after the given time, on its weekdays and within eight days', () => {
    expect(starts(hours([[0b0100010, 600, 1380]]))).toEqual([
      '2026-11-28T10:00:00+03:00',
      '2026-12-01T10:00:00+03:00',
    ]);
    expect(starts(hours([[0b0010000, 600, 1380]])).at(-1)).toBe('2026-12-04T10:00:00+03:00');
  });

  test('[FUL-53] follow the organization if all zones share interval or week', () => {
    const shared = { useSameInterval: true, fromMinute: 660, toMinute: 1320, useSameWeek: true };

    expect(starts(hours([[0, 600, 1380]], shared))[0]).toBe('2026-11-28T11:00:00+03:00');
  });

  test('[FUL-53] fall on midnight if an interval has no beginning', () => {
    expect(starts(hours([[0b1000000, null, 600]]))).toEqual(['2026-11-29T00:00:00+03:00']);
  });

  test('[FUL-53] move forward by the gap of a clock change', () => {
    const sundays = hours([[0b1000000, 150, 600]]);

    expect(starts(sundays, '2026-03-28T12:00+01:00', 'Europe/Berlin')).toEqual([
      '2026-03-29T03:30:00+02:00',
    ]);
  });

  test('[FUL-53] remain empty for a zone that is never served', () => {
    expect(starts(hours([[0, 600, 1380]]))).toEqual([]);
  });
});
