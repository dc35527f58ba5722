import { joinSpans, spanAtOrAfter, type Span } from '../../../kernel/pure/spans.ts';
import { spanBetween } from '../../../kernel/pure/wall-time.ts';
import { by } from '../../../kernel/pure/lists.ts';

/**
 * Days from 1 (Monday). Local time `HH:MM`. Ends on the next day if `to` is not later than `from`.
 */
export type HoursWindow = { days: readonly number[]; from: string; to: string };

/** Normalized by `joinHours`. */
export type WeeklyHours = readonly HoursWindow[];

const DAY = 24 * 60;
const WEEK = 7 * DAY;

/**
 * Joins windows that overlap or touch, and days with equal windows. Null for hours around the
 * clock.
 */
export function joinHours(windows: readonly HoursWindow[]): WeeklyHours | null {
  const ofWeek = windows.flatMap(minutesOfWeek);
  // A window on Sunday may extend into Monday, the start of the same week.
  const joined = joinSpans(
    [-WEEK, 0, WEEK].flatMap((shift) =>
      ofWeek.map(({ from, to }) => ({ from: from + shift, to: to + shift })),
    ),
  );
  if (joined.some(({ from, to }) => to - from >= WEEK)) return null;

  const pieces = joined.filter(({ from }) => from >= 0 && from < WEEK).flatMap(cutAtMidnights);
  const sameTimes = Map.groupBy(pieces, ({ from, to }) => `${clock(from)} ${clock(to)}`);

  return [...sameTimes.values()]
    .map((same): HoursWindow => {
      const { from, to } = same[0]!;
      const days = same.map((piece) => (Math.floor(piece.from / DAY) % 7) + 1);
      return { days: days.toSorted((a, b) => a - b), from: clock(from), to: clock(to) };
    })
    .toSorted(
      by(
        ({ days }) => days[0]!,
        ({ from }) => from,
      ),
    );
}

function minutesOfWeek({ days, from, to }: HoursWindow): Span[] {
  const [opens, closes] = [parseMinutes(from), parseMinutes(to)];
  const length = closes > opens ? closes - opens : closes - opens + DAY;
  return days
    .map((day) => (day - 1) * DAY + opens)
    .map((start) => ({ from: start, to: start + length }));
}

/** Splits spans of more than a day at midnight, because a window lasts at most a day. */
function cutAtMidnights({ from, to }: Span): Span[] {
  if (to - from <= DAY) return [{ from, to }];
  const midnight = (Math.floor(from / DAY) + 1) * DAY;
  return [{ from, to: midnight }, ...cutAtMidnights({ from: midnight, to })];
}

const parseMinutes = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const clock = (minute: number): string =>
  [Math.floor((minute % DAY) / 60), minute % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

const [DAYS_BACK, DAYS_AHEAD] = [1, 8];

/** Returns the openings (ms) from the day before `at` to a week after, by local time (FUL-3). */
export function listOpenings(hours: WeeklyHours, at: number, timeZone: string): Span[] {
  const today = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const spans: Span[] = [];

  for (let ahead = -DAYS_BACK; ahead <= DAYS_AHEAD; ahead += 1) {
    const date = today.add({ days: ahead });
    for (const { days, from, to } of hours) {
      if (!days.includes(date.dayOfWeek)) continue;
      const closesOn = to > from ? date : date.add({ days: 1 });
      const wall = (day: Temporal.PlainDate, time: string) =>
        day.toPlainDateTime(Temporal.PlainTime.from(time));
      spans.push(spanBetween(wall(date, from), wall(closesOn, to), timeZone));
    }
  }

  return joinSpans(spans);
}

/** Returns `at` if it is open, otherwise the next opening or null. */
export function openFrom(openings: readonly Span[], at: number): number | null {
  const next = spanAtOrAfter(openings, at);
  return next === undefined ? null : Math.max(next.from, at);
}

export function nextChange(openings: readonly Span[], at: number): number | null {
  const next = spanAtOrAfter(openings, at);
  if (next === undefined) return null;
  return next.from > at ? next.from : next.to;
}
