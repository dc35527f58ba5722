// An independent, deliberately slow computation of the status for every minute of a year. It shares
// only the notation of schedules with modules/delivery/rules.
import type {
  DateException,
  DayWindow,
  IntakeStop,
  RegularWindow,
} from '../../../modules/delivery/rules/schedule.ts';

export type OracleInput = {
  timeZone: string;
  windows: readonly RegularWindow[];
  exceptions: readonly DateException[];
  intakeStops: readonly IntakeStop[];
  config: {
    deliveryCloseDelayMinutes: number;
    restaurantCloseDelayMinutes: number;
    pickupCookingMinutes: number;
  };
  flags: { deliveryEnabled: boolean; pickupEnabled: boolean };
};

type Side = { reason: string | null; opensAt: number | null; closesAt: number | null };
export type Answer = {
  open: boolean;
  delivery: Side;
  pickup: Side;
  closingInMinutes: number | null;
  nextChangeAt: number | null;
};

const MINUTE = 60_000;
const DAY = 24 * 60;
const AHEAD = 14 * DAY;
const BACK = 7 * DAY;
const MARGIN = 40 * DAY;

/** Every minute of an interval with its wall clock. */
type Clock = { start: number; length: number; day: Int32Array; minute: Int16Array };

/** The offset is requested from Intl for every quarter of an hour. */
export function buildClock(timeZone: string, start: number, days: number): Clock {
  const length = days * DAY;
  const [day, minute] = [new Int32Array(length), new Int16Array(length)];
  const format = new Intl.DateTimeFormat('en-CA-u-hc-h23', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  let wall = 0;
  for (let i = 0; i < length; i += 1) {
    if (i % 15 === 0) {
      const [y, mo, d, h, mi] = format
        .format(start + i * MINUTE)
        .match(/\d+/g)!
        .map(Number);
      wall = Date.UTC(y!, mo! - 1, d, h, mi) / MINUTE;
    } else wall += 1;
    day[i] = Math.floor(wall / DAY);
    minute[i] = wall % DAY;
  }
  return { start, length, day, minute };
}

const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / (DAY * MINUTE);
const weekday = (day: number) => ((((day + 3) % 7) + 7) % 7) + 1;

/** Returns each day's first minute, and its end. */
function listDays(clock: Clock): Map<number, { first: number; end: number }> {
  const days = new Map<number, { first: number; end: number }>();
  for (let i = 0; i < clock.length; i += 1) {
    const existing = days.get(clock.day[i]!);
    if (existing === undefined) days.set(clock.day[i]!, { first: i, end: i + 1 });
    else existing.end = i + 1;
  }
  return days;
}

/** A time in a gap moves forward by the length of the gap. */
function find(
  clock: Clock,
  { first, end }: { first: number; end: number },
  wanted: number,
  last: boolean,
): number {
  let found = -1;
  for (let i = first; i < end; i += 1)
    if (clock.minute[i] === wanted && (found < 0 || last)) found = i;
  if (found >= 0) return found;
  for (let i = first; i < end; i += 1) {
    const before = i === first ? -1 : clock.minute[i - 1]!;
    if (before < wanted && wanted < clock.minute[i]!) return i + (wanted - before - 1);
  }
  throw new Error(`nothing like ${wanted}`);
}

function minutesOpen(
  fixture: OracleInput,
  clock: Clock,
  exceptionOrder: (string | null)[],
  channel: string,
): Uint8Array {
  const open = new Uint8Array(clock.length);
  const days = listDays(clock);
  for (const [day, span] of days) {
    const next = days.get(day + 1);
    if (next === undefined || !days.has(day + 2) || !days.has(day - 1)) continue;
    let windows: readonly DayWindow[] = fixture.windows.filter(
      (entry) => entry.channel === channel && entry.dayOfWeek === weekday(day),
    );
    for (const wanted of exceptionOrder.toReversed()) {
      for (const exception of fixture.exceptions) {
        if (dayNumber(exception.date) !== day || exception.channel !== wanted) continue;
        windows = exception.kind === 'CLOSED' ? [] : exception.windows;
      }
    }
    for (const window of windows) {
      const from = find(clock, span, minutes(window.opensAt), false);
      const to = find(clock, window.crossesMidnight ? next : span, minutes(window.closesAt), true);
      for (let i = from; i < to; i += 1) open[i] = 1;
    }
  }
  return open;
}

/** The current or next run of open minutes, for every minute. */
function findRuns(open: Uint8Array) {
  const length = open.length;
  const [begin, end] = [new Int32Array(length).fill(-1), new Int32Array(length).fill(-1)];
  let [from, to] = [-1, -1];
  for (let i = length - 1; i >= 0; i -= 1) {
    if (open[i] === 1) {
      if (i === length - 1 || open[i + 1] === 0) to = i + 1;
      from = i;
    }
    [begin[i], end[i]] = [from, to];
  }
  // Walking backwards finds only later runs: inside a run, copy the begin from the first minute.
  for (let i = 1; i < length; i += 1)
    if (open[i] === 1 && open[i - 1] === 1) begin[i] = begin[i - 1]!;
  return { begin, end };
}

/** The status and slot starts for every minute of the clock except its margins. */
export function createOracle(fixture: OracleInput, clock: Clock) {
  const dineIn = fixture.windows.some((entry) => entry.channel === 'DINE_IN');
  const pickups = fixture.windows.some((entry) => entry.channel === 'PICKUP');
  const restaurant = dineIn
    ? minutesOpen(fixture, clock, ['DINE_IN', null], 'DINE_IN')
    : minutesOpen(fixture, clock, ['DINE_IN', 'PICKUP', null], 'PICKUP');
  const delivery = minutesOpen(fixture, clock, ['DELIVERY', null], 'DELIVERY');
  const ownPickup = pickups
    ? minutesOpen(fixture, clock, ['PICKUP', null], 'PICKUP')
    : minutesOpen(fixture, clock, ['PICKUP', 'DINE_IN', null], 'DINE_IN');
  const pickup = ownPickup.map((value, i) => value & restaurant[i]!);
  const house = findRuns(restaurant);
  const cooking = fixture.config.pickupCookingMinutes;
  const sides = [
    side(
      'DELIVERY',
      delivery,
      fixture.flags.deliveryEnabled,
      0,
      fixture.config.deliveryCloseDelayMinutes,
    ),
    side(
      'PICKUP',
      pickup,
      fixture.flags.pickupEnabled,
      cooking,
      Math.max(cooking, fixture.config.restaurantCloseDelayMinutes),
    ),
  ] as const;

  function side(type: string, open: Uint8Array, enabled: boolean, earlier: number, sooner: number) {
    const runs = findRuns(open);
    const taken = new Uint8Array(clock.length);
    for (let i = 0; i < clock.length; i += 1) {
      if (open[i] === 0 || (i > 0 && open[i - 1] === 1)) continue;
      for (let j = Math.max(0, i - earlier); j < runs.end[i]! - sooner; j += 1) taken[j] = 1;
    }
    const stopped = new Uint8Array(clock.length);
    for (const stop of fixture.intakeStops) {
      if (stop.channel !== null && stop.channel !== type) continue;
      for (let i = 0; i < clock.length; i += 1) {
        const now = clock.start + i * MINUTE;
        if (now >= stop.from && (stop.to === null || now < stop.to)) stopped[i] = 1;
      }
    }
    const slots = (
      now: number,
      step: number,
      openDelay: number,
      closeDelay: number,
      horizon: number,
      ready: number,
    ) => {
      const starts: number[] = [];
      if (!enabled) return starts;
      for (let i = now + ready; clock.day[i]! < clock.day[now]! + horizon; i += 1) {
        // The closing minute belongs to the hours that end with it.
        const of = open[i] === 1 ? i : i - 1;
        if (clock.minute[i]! % step !== 0 || open[of] !== 1 || stopped[i] === 1) continue;
        if (i - runs.begin[of]! >= openDelay && runs.end[of]! - i >= closeDelay)
          starts.push(clock.start + i * MINUTE);
      }
      return starts;
    };
    const answer = (i: number): Side => {
      const [from, to] = [runs.begin[i]!, runs.end[i]!];
      const known = from >= 0 && from - i <= AHEAD;
      return {
        reason: !enabled
          ? 'DISABLED'
          : stopped[i]
            ? 'INTAKE_STOPPED'
            : taken[i]
              ? null
              : open[i]
                ? 'CLOSING_SOON'
                : 'CLOSED',
        opensAt: known && i - from < BACK ? clock.start + from * MINUTE : null,
        closesAt: known && to - i <= AHEAD ? clock.start + to * MINUTE : null,
      };
    };
    return { answer, slots };
  }

  const shown = (i: number) =>
    JSON.stringify([restaurant[i], sides[0].answer(i), sides[1].answer(i)]);
  let changes: Int32Array | undefined;
  function findChanges(): Int32Array {
    const found = new Int32Array(clock.length).fill(-1);
    let later = shown(clock.length - 1 - MARGIN / 2);
    for (let i = clock.length - 2 - MARGIN / 2; i >= MARGIN / 2; i -= 1) {
      const now = shown(i);
      found[i] = now === later ? found[i + 1]! : i + 1;
      later = now;
    }
    return found;
  }
  const nextChange = (i: number): number => (changes ??= findChanges())[i]!;

  const status = (i: number): Answer => ({
    open: restaurant[i] === 1,
    delivery: sides[0].answer(i),
    pickup: sides[1].answer(i),
    closingInMinutes: restaurant[i] === 1 && house.end[i]! - i <= AHEAD ? house.end[i]! - i : null,
    nextChangeAt:
      nextChange(i) >= 0 && nextChange(i) - i <= AHEAD
        ? clock.start + nextChange(i) * MINUTE
        : null,
  });
  return { status, slots: { DELIVERY: sides[0].slots, PICKUP: sides[1].slots } };
}

/** The first and last minute that an oracle over this clock covers. */
export const askable = (clock: Clock): [number, number] => [MARGIN, clock.length - MARGIN];
