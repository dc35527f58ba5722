import { describe, expect, test } from '@jest/globals';
import type {
  IntakeStop,
  RegularWindow,
  Schedule,
} from '../../../modules/delivery/rules/schedule.ts';
import {
  acceptsFrom,
  intakeStopAt,
  intakeStoppedUntil,
  planStatus,
  statusAt,
} from '../../../modules/delivery/rules/status.ts';
import {
  DEFAULT_CONFIG,
  buildTimeline,
  type FulfillmentConfig,
} from '../../../modules/delivery/rules/timeline.ts';

const daily = (
  channel: RegularWindow['channel'],
  opensAt: string,
  closesAt: string,
  crossesMidnight = false,
) =>
  [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek): RegularWindow => ({
    dayOfWeek,
    channel,
    opensAt,
    closesAt,
    crossesMidnight,
  }));

type Given = Partial<Schedule> & { config?: Partial<FulfillmentConfig>; deliveryEnabled?: boolean };

function buildFacts(now: string, { config, deliveryEnabled = true, ...given }: Given) {
  const at = Date.parse(now);
  const schedule = {
    timeZone: 'Europe/Moscow',
    windows: [],
    exceptions: [],
    intakeStops: [],
    ...given,
  };
  const flags = { deliveryEnabled, pickupEnabled: true, timedOrdersEnabled: true };
  return { timeline: buildTimeline(schedule, at), config: { ...DEFAULT_CONFIG, ...config }, flags };
}
const status = (now: string, given: Given) =>
  statusAt(planStatus(buildFacts(now, given)), Date.parse(now));
const moment = (text: string) => Date.parse(text);
const day = [...daily('DELIVERY', '10:00', '23:00'), ...daily('DINE_IN', '09:00', '22:00')];

describe('an immediate order', () => {
  test.each([
    ['08:39', 'CLOSED', 'CLOSED'],
    ['08:40', 'CLOSED', null],
    ['09:59', 'CLOSED', null],
    ['10:00', null, null],
    ['21:29', null, null],
    ['21:30', null, 'CLOSING_SOON'],
    ['22:00', null, 'CLOSED'],
    ['22:19', null, 'CLOSED'],
    ['22:20', 'CLOSING_SOON', 'CLOSED'],
    ['23:00', 'CLOSED', 'CLOSED'],
  ])(
    '[FUL-4] can be placed from opening to the delay before closing, pickup shifted by cooking: %s',
    (time, delivery, pickup) => {
      const found = status(`2026-11-21T${time}+03:00`, { windows: day });
      expect([found.delivery.reason, found.pickup.reason]).toEqual([delivery, pickup]);
      expect([found.delivery.accepting, found.pickup.accepting]).toEqual([
        delivery === null,
        pickup === null,
      ]);
    },
  );

  test('can be placed in the early hours of a window that began the day before', () => {
    const found = status('2026-11-22T01:00+03:00', {
      windows: daily('DELIVERY', '18:00', '02:00', true),
    });
    expect(found.delivery).toEqual({
      accepting: true,
      reason: null,
      opensAt: moment('2026-11-21T18:00+03:00'),
      closesAt: moment('2026-11-22T02:00+03:00'),
    });
  });

  test('[FUL-5] fails with the first matching reason', () => {
    const stop: IntakeStop = {
      channel: 'DELIVERY',
      from: moment('2026-11-21T12:00+03:00'),
      to: null,
    };
    const reasons = (now: string, given: Given) =>
      status(now, { windows: day, intakeStops: [stop], ...given }).delivery.reason;
    expect(reasons('2026-11-21T23:30+03:00', { deliveryEnabled: false })).toBe('DISABLED');
    expect(reasons('2026-11-21T23:30+03:00', {})).toBe('INTAKE_STOPPED');
    expect(reasons('2026-11-21T09:30+03:00', {})).toBe('CLOSED');
    expect(status('2026-11-21T13:00+03:00', { windows: day, intakeStops: [stop] })).toMatchObject({
      open: true,
      pickup: { reason: null },
    });
  });
});

test('[FUL-50] intake is stopped until the last of the stops that follow without a gap', () => {
  const at = (time: string) => moment(`2026-11-21T${time}+03:00`);
  const stop = (
    from: string,
    to: string | null,
    channel: IntakeStop['channel'] = null,
  ): IntakeStop => ({
    channel,
    from: at(from),
    to: to === null ? null : at(to),
  });
  const until = (...stops: IntakeStop[]) => intakeStoppedUntil(stops, 'DELIVERY', at('12:30'));

  expect(until(stop('13:00', '14:00'), stop('12:00', '13:00'), stop('13:30', '15:00'))).toBe(
    at('15:00'),
  );
  expect(until(stop('12:00', '13:00'), stop('13:01', '14:00'))).toBe(at('13:00'));
  expect(until(stop('12:00', '13:00'), stop('13:00', '14:00', 'PICKUP'))).toBe(at('13:00'));
  expect(until(stop('12:00', '13:00'), stop('13:00', null))).toBeNull();
  expect(until(stop('13:00', '14:00'))).toBeNull();
});

describe('the status of a restaurant', () => {
  test('contains while it is closed the hours of the next window, and the time of the next change', () => {
    const found = status('2026-11-21T23:30+03:00', { windows: day });
    expect(found).toMatchObject({
      open: false,
      delivery: {
        opensAt: moment('2026-11-22T10:00+03:00'),
        closesAt: moment('2026-11-22T23:00+03:00'),
      },
      closingInMinutes: null,
      nextChangeAt: moment('2026-11-22T08:40+03:00'),
    });
    expect(status('2026-11-21T21:59:30+03:00', { windows: day }).closingInMinutes).toBe(0);
  });

  test('[FUL-6] contains no opening and no closing time if it never closes', () => {
    const found = status('2026-11-21T12:00+03:00', {
      windows: daily('DINE_IN', '00:00', '00:00', true),
    });
    expect(found).toEqual({
      open: true,
      delivery: { accepting: false, reason: 'CLOSED', opensAt: null, closesAt: null },
      pickup: { accepting: true, reason: null, opensAt: null, closesAt: null },
      closingInMinutes: null,
      nextChangeAt: null,
    });
  });

  test('contains special hours of their date, and other channels keep theirs', () => {
    const hours = [{ opensAt: '12:00', closesAt: '15:00', crossesMidnight: false }];
    const found = status('2026-11-21T16:00+03:00', {
      windows: day,
      exceptions: [
        { kind: 'CLOSED', channel: null, date: '2026-11-21', windows: [] },
        { kind: 'SPECIAL_HOURS', channel: 'DINE_IN', date: '2026-11-21', windows: hours },
      ],
    });
    expect([found.open, found.delivery.opensAt, found.pickup.opensAt]).toEqual([
      false,
      moment('2026-11-22T10:00+03:00'),
      moment('2026-11-22T09:00+03:00'),
    ]);
  });

  test.each([
    ['2026-03-29', 'skips', '2026-03-29T03:30+02:00', '2026-03-29T04:00+02:00'],
    ['2026-10-25', 'repeats', '2026-10-25T02:30+02:00', '2026-10-25T04:00+01:00'],
  ])('[FUL-3] follows, at night, a clock change: %s %s the hour', (date, _, opensAt, closesAt) => {
    const found = status(`${date}T00:00+01:00`, {
      timeZone: 'Europe/Berlin',
      windows: daily('DINE_IN', '02:30', '04:00'),
    });
    expect([found.pickup.opensAt, found.pickup.closesAt]).toEqual([
      moment(opensAt),
      moment(closesAt),
    ]);
  });
});

test('the longest of several active stops of intake applies', () => {
  const stops = [5, 9, 7].map((to): IntakeStop => ({ channel: null, from: 0, to }));
  const endless: IntakeStop = { channel: 'DELIVERY', from: 0, to: null };

  for (const list of [stops, stops.toReversed()]) {
    expect(intakeStopAt(list, 'DELIVERY', 1)?.to).toBe(9);
    expect(intakeStopAt([...list, endless], 'DELIVERY', 1)).toBe(endless);
    expect(intakeStopAt([endless, ...list], 'PICKUP', 1)?.to).toBe(9);
  }
});

test('an opening is shown from 14 days before, not earlier', () => {
  const hours = [{ opensAt: '12:00', closesAt: '15:00', crossesMidnight: false }];
  const exceptions = [
    {
      kind: 'SPECIAL_HOURS' as const,
      channel: 'DELIVERY' as const,
      date: '2026-12-10',
      windows: hours,
    },
  ];
  const opensAt = moment('2026-12-10T12:00+03:00');
  const at = (now: string) => {
    const { delivery, nextChangeAt } = status(now, { exceptions });
    return [delivery.opensAt, delivery.closesAt, nextChangeAt];
  };

  const told = moment('2026-11-26T12:00+03:00');
  expect(at('2026-11-26T11:59+03:00')).toEqual([null, null, told]);
  // For three more hours, the closing time is more than 14 days ahead.
  expect(at('2026-11-26T12:00+03:00')).toEqual([opensAt, null, moment('2026-11-26T15:00+03:00')]);
});

describe('[FUL-53] the next time at which orders are accepted', () => {
  const windows = daily('DELIVERY', '22:00', '01:00', true);
  // Hourly: the plan also ends while orders are accepted.
  const plans = Array.from({ length: 24 }, (_, hour) => {
    const now = `2026-11-28T${String(hour).padStart(2, '0')}:55+03:00`;
    return { now, plan: planStatus(buildFacts(now, { windows })) };
  });
  const localHour = (at: number) => new Date(at + 3 * 3_600_000).getUTCHours();

  test.each(plans)(
    'lies within opening hours or is absent for each time of the plan of $now',
    ({ now, plan }) => {
      const found = Array.from({ length: 24 * 30 }, (_, hours) =>
        acceptsFrom(plan, 'DELIVERY', Date.parse(now) + hours * 3_600_000),
      );

      expect(
        found
          .filter((at) => at !== null)
          .map(localHour)
          .filter((hour) => hour < 22 && hour >= 1),
      ).toEqual([]);
      expect(found[0]).not.toBeNull();
      expect(found.at(-1)).toBeNull();
    },
  );
});
