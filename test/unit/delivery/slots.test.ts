import { describe, expect, test } from '@jest/globals';
import type { Schedule } from '../../../modules/delivery/rules/schedule.ts';
import {
  nearestSlot,
  readSlotId,
  servedSlots,
  slotDays,
} from '../../../modules/delivery/rules/slots.ts';
import { buildTimeline, DEFAULT_CONFIG } from '../../../modules/delivery/rules/timeline.ts';
import { createRandom, generateFixture, WALKED_SEEDS, ZONES } from './generate.ts';
import { askable, buildClock, createOracle } from './oracle.ts';

const MINUTE = 60_000;
const flags = { deliveryEnabled: true, pickupEnabled: true, timedOrdersEnabled: true };
const schedule = (windows: Schedule['windows'], rest: Partial<Schedule> = {}): Schedule => ({
  timeZone: 'Europe/Moscow',
  windows,
  exceptions: [],
  intakeStops: [],
  ...rest,
});
const everyDay = (opensAt: string, closesAt: string, crossesMidnight = false) =>
  [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({
    dayOfWeek,
    channel: 'DELIVERY' as const,
    opensAt,
    closesAt,
    crossesMidnight,
  }));
const days = (given: Schedule, now: string, ready = 0, config = {}) => {
  const at = Date.parse(now);
  const facts = {
    timeline: buildTimeline(given, at),
    config: { ...DEFAULT_CONFIG, ...config },
    flags,
  };
  return slotDays(facts, 'DELIVERY', at, ready);
};

describe('the slots of an organization', () => {
  test('[FUL-8] begin after the open delay and end before the close delay, today and tomorrow', () => {
    const [today, tomorrow, ...others] = days(
      schedule(everyDay('10:00', '13:00')),
      '2026-11-21T08:00+03:00',
    );
    expect(others).toEqual([]);
    expect([today!.date, tomorrow!.date]).toEqual(['2026-11-21', '2026-11-22']);
    expect(today!.slots.map((slot) => `${slot.from}-${slot.to}`)).toEqual([
      '11:00-11:30',
      '11:30-12:00',
      '12:00-12:30',
    ]);
    expect(today!.slots[0]!.id).toBe('2026-11-21T11:00+03:00/PT30M');
    expect(tomorrow!.slots).toHaveLength(3);
  });

  test('[FUL-8] continue to the closing without a close delay', () => {
    const given = schedule(everyDay('10:00', '12:00'));
    const [today] = days(given, '2026-11-21T08:00+03:00', 0, { deliveryCloseDelayMinutes: 0 });
    expect(today!.slots.map((slot) => slot.from)).toEqual(['11:00', '11:30', '12:00']);
  });

  test('start no earlier than the order can be ready', () => {
    const [today] = days(schedule(everyDay('10:00', '14:00')), '2026-11-21T11:10+03:00', 55);
    expect(today!.slots[0]!.from).toBe('12:30');
  });

  test('start when the order can be ready if the minutes are constant', () => {
    const [given, now] = [schedule(everyDay('10:00', '14:00')), '2026-11-21T11:10+03:00'];
    for (const minutes of [0, 20, 55, 400])
      expect(servedSlots(days(given, now), Date.parse(now), () => minutes)).toEqual(
        days(given, now, minutes),
      );
  });

  test('[FUL-42] use the minutes at their own time, and are hidden if the address is not served then', () => {
    const [given, now] = [schedule(everyDay('10:00', '16:00')), '2026-11-21T09:00+03:00'];
    const noon = Date.parse('2026-11-21T12:00+03:00');
    const [today] = servedSlots(days(given, now), Date.parse(now), (at) =>
      at < noon ? 150 : at < noon + 60 * MINUTE ? null : 240,
    );
    expect(today!.slots.map((slot) => slot.from)).toEqual([
      '11:30',
      '13:00',
      '13:30',
      '14:00',
      '14:30',
      '15:00',
    ]);
  });

  test('belong to the date on which they begin, even if their window crosses midnight', () => {
    const [today, tomorrow] = days(
      schedule(everyDay('22:00', '02:00', true)),
      '2026-11-21T12:00+03:00',
    );
    expect(today!.slots.map((slot) => slot.from)).toEqual(
      ['00:00', '00:30', '01:00', '23:00', '23:30'].slice(3),
    );
    expect(tomorrow!.slots.map((slot) => slot.from)).toEqual([
      '00:00',
      '00:30',
      '01:00',
      '23:00',
      '23:30',
    ]);
  });

  test('[FUL-8] exist twice for the repeated hour of autumn, and not for the skipped hour of spring', () => {
    const night = (now: string) =>
      days(schedule(everyDay('00:00', '06:00'), { timeZone: 'Europe/Berlin' }), now, 0, {
        horizonDays: 1,
      })[0]!.slots;
    const autumn = night('2026-10-25T00:00+02:00').map((slot) => slot.id);
    expect(autumn).toContain('2026-10-25T02:30+02:00/PT30M');
    expect(autumn).toContain('2026-10-25T02:30+01:00/PT30M');
    expect(new Set(autumn).size).toBe(autumn.length);
    const moments = night('2026-10-25T00:00+02:00').map((slot) => slot.startsAt);
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    const told = night('2026-10-25T00:00+02:00').filter(({ from }) =>
      ['01:30', '02:30', '03:00'].includes(from),
    );
    expect(told.map(({ from, offset }) => [from, offset])).toEqual([
      ['01:30', undefined],
      ['02:30', '+02:00'],
      ['02:30', '+01:00'],
      ['03:00', undefined],
    ]);
    const spring = night('2026-03-29T00:00+01:00').map((slot) => slot.from);
    expect(spring.filter((from) => from.startsWith('02'))).toEqual([]);
    expect(spring).toContain('03:00');
  });

  test('disappear while orders for later are disabled, and within a stop of intake', () => {
    const at = Date.parse('2026-11-21T08:00+03:00');
    const given = schedule(everyDay('10:00', '14:00'), {
      intakeStops: [{ channel: null, from: at + 4 * 60 * MINUTE, to: at + 5 * 60 * MINUTE }],
    });
    const facts = { timeline: buildTimeline(given, at), config: DEFAULT_CONFIG, flags };
    expect(slotDays(facts, 'DELIVERY', at, 0)[0]!.slots.map((slot) => slot.from)).toEqual([
      '11:00',
      '11:30',
      '13:00',
    ]);
    const off = { ...facts, flags: { ...flags, timedOrdersEnabled: false } };
    expect(slotDays(off, 'DELIVERY', at, 0).flatMap((day) => day.slots)).toEqual([]);
  });

  test('disappear for a disabled order type, and stay for the other one', () => {
    const at = Date.parse('2026-11-21T08:00+03:00');
    const hours = everyDay('10:00', '14:00');
    const all = hours.flatMap((hour) => [
      hour,
      { ...hour, channel: 'PICKUP' as const },
      { ...hour, channel: 'DINE_IN' as const },
    ]);
    const facts = { timeline: buildTimeline(schedule(all), at), config: DEFAULT_CONFIG };
    const count = (off: Partial<typeof flags>) =>
      (['DELIVERY', 'PICKUP'] as const).map(
        (type) => slotDays({ ...facts, flags: { ...flags, ...off } }, type, at, 0)[0]!.slots.length,
      );
    const [delivery, pickup] = count({});

    expect([count({ deliveryEnabled: false }), count({ pickupEnabled: false })]).toEqual([
      [0, pickup],
      [delivery, 0],
    ]);
    expect(delivery! * pickup!).toBeGreaterThan(0);
  });

  test('[FUL-8] agree with a minute-by-minute simulation, at many times of many schedules', () => {
    const clocks = new Map(
      ZONES.map((zone) => [
        zone as string,
        buildClock(zone, Date.UTC(2026, 0, 1) - 40 * 1_440 * MINUTE, 445),
      ]),
    );
    let compared = 0;
    for (const seed of WALKED_SEEDS) {
      const fixture = generateFixture(seed, 2026);
      const clock = clocks.get(fixture.timeZone)!;
      const { slots } = createOracle(fixture, clock);
      const random = createRandom(seed);
      const pick = (values: number[]) => values[Math.floor(random() * values.length)]!;
      const config = {
        ...DEFAULT_CONFIG,
        ...fixture.config,
        deliverySlotStepMinutes: pick([10, 15, 30, 60]),
        pickupSlotStepMinutes: pick([5, 10, 20]),
        deliveryOpenDelayMinutes: pick([0, 30, 60]),
        restaurantOpenDelayMinutes: pick([0, 45, 60]),
        deliveryCloseDelayMinutes: pick([0, 40]),
        restaurantCloseDelayMinutes: pick([0, 30]),
        horizonDays: pick([1, 2, 7]),
      };
      const [from, to] = askable(clock);
      for (let i = from; i < to; i += 1 + Math.floor(random() * 40_000)) {
        const now = clock.start + i * MINUTE;
        const facts = {
          timeline: buildTimeline(fixture, now),
          config,
          flags: { ...fixture.flags, timedOrdersEnabled: true },
        };
        const ready = pick([0, 20, 45, 90]);
        for (const type of ['DELIVERY', 'PICKUP'] as const) {
          const [step, openDelay, closeDelay] =
            type === 'DELIVERY'
              ? [
                  config.deliverySlotStepMinutes,
                  config.deliveryOpenDelayMinutes,
                  config.deliveryCloseDelayMinutes,
                ]
              : [
                  config.pickupSlotStepMinutes,
                  config.restaurantOpenDelayMinutes,
                  config.restaurantCloseDelayMinutes,
                ];
          const found = slotDays(facts, type, now, ready).flatMap((day) =>
            day.slots.map((slot) => slot.startsAt),
          );
          const expected = slots[type](i, step, openDelay, closeDelay, config.horizonDays, ready);
          const where = `schedule ${seed}, ${type}, ${new Date(now).toISOString()}`;
          expect({ where, found }).toEqual({ where, found: expected });
          compared += found.length;
        }
      }
    }
    process.stdout.write(`${compared} slots of ${WALKED_SEEDS.length} schedules\n`);
    expect(compared).toBeGreaterThan(WALKED_SEEDS.length * 100);
  }, 600_000);
});

describe('a slot that is no longer offered', () => {
  const [today, tomorrow] = days(schedule(everyDay('10:00', '13:00')), '2026-11-21T11:10+03:00');

  test('[FUL-9] yields to the nearest one, before or after it', () => {
    const at = (text: string) => nearestSlot([today!, tomorrow!], Date.parse(text))?.id;
    expect(at('2026-11-21T11:00+03:00')).toBe('2026-11-21T11:30+03:00/PT30M');
    expect(at('2026-11-21T11:30+03:00')).toBe('2026-11-21T11:30+03:00/PT30M');
    expect(at('2026-11-21T12:30+03:00')).toBe('2026-11-21T12:00+03:00/PT30M');
    expect(at('2026-11-22T01:00+03:00')).toBe('2026-11-22T11:00+03:00/PT30M');
    expect(at('2026-11-22T11:15+03:00')).toBe('2026-11-22T11:30+03:00/PT30M');
    expect(at('2026-12-01T11:00+03:00')).toBe('2026-11-22T12:00+03:00/PT30M');
    expect(nearestSlot([], 0)).toBeUndefined();
  });

  test('must be given by its id, and other texts are rejected', () => {
    expect(readSlotId(today!.slots[0]!.id)).toEqual({
      startsAt: today!.slots[0]!.startsAt,
      minutes: 30,
    });
    for (const text of [
      'asap',
      '2026-11-21T18:30/PT30M',
      '2026-13-41T18:30+03:00/PT30M',
      '2026-11-21T18:30+03:00/PT30M ',
    ]) {
      expect(readSlotId(text)).toBeUndefined();
    }
  });
});
