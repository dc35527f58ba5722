import type {
  DateException,
  DayWindow,
  IntakeStop,
  RegularWindow,
} from '../../../modules/delivery/rules/schedule.ts';
import { repetitions } from '../../support/repetitions.ts';
import type { OracleInput } from './oracle.ts';

/**
 * Zones whose clocks skip and repeat an hour at night, half an hour, or an hour at midnight, and
 * one without changes.
 */
export const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'Europe/Moscow',
  'America/Santiago',
] as const;

/**
 * Fixtures of the comparison over a year. Clocks change at midnight in number 3 and at night in
 * number 6.
 */
export const WALKED_SEEDS: readonly number[] =
  repetitions(1) > 1 ? Array.from({ length: repetitions(6) }, (_, at) => at + 1) : [3, 6];

/** Numbers from 0 up to 1 that repeat with the seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const DAY_MS = 86_400_000;
const hhmm = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/**
 * Generates windows of every kind: none, one, two, all day, over midnight, within the hours that
 * clocks skip or repeat.
 */
export function generateFixture(seed: number, year: number): OracleInput {
  const random = createRandom(seed);
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const pick = <T>(values: readonly T[]): T => values[int(0, values.length - 1)]!;
  const round = () => pick([1, 5, 30, 60]);
  const time = (from: number, to: number) =>
    Math.min(to, Math.floor(int(from, to) / round()) * round());

  function day(): DayWindow[] {
    const kind = int(0, 9);
    if (kind === 0) return [];
    if (kind === 1) return [{ opensAt: '00:00', closesAt: '00:00', crossesMidnight: true }];
    if (kind === 2) {
      const early = time(60, 150);
      return [{ opensAt: hhmm(early), closesAt: hhmm(early + int(1, 90)), crossesMidnight: false }];
    }
    if (kind <= 4) {
      return [
        { opensAt: hhmm(time(600, 1_439)), closesAt: hhmm(time(0, 500)), crossesMidnight: true },
      ];
    }
    const opens = time(0, 700);
    const closes = Math.max(opens + 1, time(710, 1_200));
    const first = { opensAt: hhmm(opens), closesAt: hhmm(closes), crossesMidnight: false };
    if (kind <= 7) return [first];
    const again = Math.max(closes + int(0, 30), 720);
    return [
      first,
      {
        opensAt: hhmm(again),
        closesAt: hhmm(Math.min(1_439, again + int(1, 200))),
        crossesMidnight: false,
      },
    ];
  }

  const channels = pick([
    ['DELIVERY', 'DINE_IN'],
    ['DELIVERY', 'PICKUP'],
    ['DELIVERY', 'PICKUP', 'DINE_IN'],
    ['PICKUP'],
  ] as const);
  const always =
    random() < 0.1
      ? ([{ opensAt: '00:00', closesAt: '00:00', crossesMidnight: true }] as const)
      : null;
  const windows: RegularWindow[] = [];
  for (const channel of channels) {
    const usual = day();
    for (let dayOfWeek = 1; dayOfWeek <= 7; dayOfWeek += 1) {
      const ofDay = always ?? (random() < 0.6 ? usual : day());
      for (const window of ofDay) windows.push({ ...window, channel, dayOfWeek });
    }
  }

  const start = Date.UTC(year, 0, 1);
  const exceptions = new Map<string, DateException>();
  for (let i = int(0, 25); i > 0; i -= 1) {
    const date = new Date(start + int(-20, 385) * DAY_MS).toISOString().slice(0, 10);
    const channel = pick([null, 'DELIVERY', 'PICKUP', 'DINE_IN'] as const);
    const kind = pick(['CLOSED', 'SPECIAL_HOURS'] as const);
    exceptions.set(`${date} ${channel}`, {
      kind,
      channel,
      date,
      windows: kind === 'CLOSED' ? [] : day(),
    });
  }
  if (random() < 0.2) {
    const first = int(0, 300);
    for (let i = first; i < first + 25; i += 1) {
      const date = new Date(start + i * DAY_MS).toISOString().slice(0, 10);
      exceptions.set(`${date} null`, { kind: 'CLOSED', channel: null, date, windows: [] });
    }
  }

  const intakeStops = Array.from({ length: int(0, 12) }, (): IntakeStop => {
    const from = start + int(-10 * 1_440, 375 * 1_440) * 60_000;
    const to = random() < 0.03 ? null : from + int(1, pick([60, 600, 5_000])) * 60_000;
    return { channel: pick([null, 'DELIVERY', 'PICKUP'] as const), from, to };
  });

  const delay = () => pick([0, 1, 15, 30, 40, 60, 120]);
  return {
    timeZone: ZONES[seed % ZONES.length]!,
    windows,
    exceptions: [...exceptions.values()],
    intakeStops,
    config: {
      deliveryCloseDelayMinutes: delay(),
      restaurantCloseDelayMinutes: delay(),
      pickupCookingMinutes: delay(),
    },
    flags: { deliveryEnabled: random() < 0.95, pickupEnabled: random() < 0.95 },
  };
}
