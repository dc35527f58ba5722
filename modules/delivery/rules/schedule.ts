import { joinSpans, type Span } from '../../../kernel/pure/spans.ts';
import { spanBetween } from '../../../kernel/pure/wall-time.ts';

/** DINE_IN is the restaurant's own hours. */
export const CHANNELS = ['DELIVERY', 'PICKUP', 'DINE_IN'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Local times (`HH:MM`), at most 24 hours apart (FUL-1). */
export type DayWindow = { opensAt: string; closesAt: string; crossesMidnight: boolean };

/** 1 is Monday. */
export type RegularWindow = DayWindow & { dayOfWeek: number; channel: Channel };

export const EXCEPTION_KINDS = ['CLOSED', 'SPECIAL_HOURS', 'INTAKE_STOPPED'] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

/** Replaces the windows of one channel, or of all channels, on a date (`YYYY-MM-DD`). */
export type DateException = {
  kind: Exclude<ExceptionKind, 'INTAKE_STOPPED'>;
  channel: Channel | null;
  date: string;
  windows: readonly DayWindow[];
};

/** In ms; `to` is null without an end. */
export type IntakeStop = { channel: Channel | null; from: number; to: number | null };

/** `timeZone`: IANA name or offset such as `+03:00`. */
export type Schedule = {
  timeZone: string;
  windows: readonly RegularWindow[];
  exceptions: readonly DateException[];
  intakeStops: readonly IntakeStop[];
};

export const localTime = (at: number, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);

/** In ms; `to` is exclusive. */
type OffsetPeriod = { from: number; to: number; offsetMs: number; suffix: string };

const lastPeriods = new Map<string, OffsetPeriod>();

/** Bounds of years with four digits. */
const [YEAR_1, YEAR_9999] = [
  Date.parse('0001-01-01T00:00:00Z'),
  Date.parse('9999-01-01T00:00:00Z'),
];

/** Formats a moment with the offset of the time zone. */
export function momentText(at: number, timeZone: string): string {
  if (at < YEAR_1 || at > YEAR_9999) return zonedText(localTime(at, timeZone));
  let period = lastPeriods.get(timeZone);
  if (period === undefined || at < period.from || at >= period.to) {
    period = offsetPeriod(at, timeZone);
    lastPeriods.set(timeZone, period);
  }

  return new Date(at + period.offsetMs).toISOString().slice(0, 19) + period.suffix;
}

const zonedText = (time: Temporal.ZonedDateTime): string =>
  time.toString({ smallestUnit: 'second', timeZoneName: 'never' });

function offsetPeriod(at: number, timeZone: string): OffsetPeriod {
  const time = localTime(at, timeZone);
  return {
    // Finds a transition at this moment too.
    from:
      time.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ??
      -Infinity,
    to: time.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offsetMs: time.offsetNanoseconds / 1_000_000,
    suffix: zonedText(time).slice(19),
  };
}

/**
 * Exceptions of the channel, then of all channels, replace regular windows. The restaurant uses
 * DINE_IN, otherwise PICKUP; PICKUP without windows uses the restaurant's (FUL-2).
 */
function sources(schedule: Schedule, use: 'DELIVERY' | 'PICKUP' | 'RESTAURANT') {
  const has = (channel: Channel) => schedule.windows.some((window) => window.channel === channel);
  if (use === 'DELIVERY') return { exceptions: ['DELIVERY', null], regular: 'DELIVERY' } as const;
  if (use === 'PICKUP' && has('PICKUP'))
    return { exceptions: ['PICKUP', null], regular: 'PICKUP' } as const;
  if (use === 'PICKUP')
    return { exceptions: ['PICKUP', 'DINE_IN', null], regular: 'DINE_IN' } as const;
  if (has('DINE_IN')) return { exceptions: ['DINE_IN', null], regular: 'DINE_IN' } as const;

  return { exceptions: ['DINE_IN', 'PICKUP', null], regular: 'PICKUP' } as const;
}

function windowsOn(
  date: Temporal.PlainDate,
  schedule: Schedule,
  { exceptions, regular }: ReturnType<typeof sources>,
): readonly DayWindow[] {
  const ofDate = schedule.exceptions.filter((exception) => exception.date === date.toString());

  for (const channel of exceptions) {
    const dayException = ofDate.find((exception) => exception.channel === channel);
    if (dayException !== undefined)
      return dayException.kind === 'CLOSED' ? [] : dayException.windows;
  }

  return schedule.windows.filter(
    (window) => window.channel === regular && window.dayOfWeek === date.dayOfWeek,
  );
}

/** Returns the regular hours, and different hours on dates from `today` (`YYYY-MM-DD`). */
export function restaurantHours(
  schedule: Schedule,
  today: string,
): {
  regular: readonly RegularWindow[];
  special: readonly { date: string; windows: readonly DayWindow[] }[];
} {
  const of = sources(schedule, 'RESTAURANT');
  const channels: readonly (Channel | null)[] = of.exceptions;
  const dates = schedule.exceptions
    .filter(({ date, channel }) => date >= today && channels.includes(channel))
    .map(({ date }) => date);

  return {
    regular: schedule.windows.filter(({ channel }) => channel === of.regular),
    special: [...new Set(dates)]
      .toSorted()
      .map((date) => ({ date, windows: windowsOn(Temporal.PlainDate.from(date), schedule, of) })),
  };
}

function toSpan(date: Temporal.PlainDate, window: DayWindow, timeZone: string): Span {
  const wall = (day: Temporal.PlainDate, time: string) =>
    day.toPlainDateTime(Temporal.PlainTime.from(time));
  const closesOn = window.crossesMidnight ? date.add({ days: 1 }) : date;
  return spanBetween(wall(date, window.opensAt), wall(closesOn, window.closesAt), timeZone);
}

/** Returns the hours of windows that begin on these days, joined across midnight. */
export function openingSpans(
  schedule: Schedule,
  use: 'DELIVERY' | 'PICKUP' | 'RESTAURANT',
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Span[] {
  const from = sources(schedule, use);
  const spans: Span[] = [];

  for (
    let date = first;
    Temporal.PlainDate.compare(date, last) <= 0;
    date = date.add({ days: 1 })
  ) {
    for (const window of windowsOn(date, schedule, from))
      spans.push(toSpan(date, window, schedule.timeZone));
  }

  return joinSpans(spans);
}
