import type { Span } from './spans.ts';

/**
 * The moments (milliseconds) at which clocks show a wall time: none in a gap, two when the hour
 * repeats, else one.
 */
export function exactMoments(wall: Temporal.PlainDateTime, timeZone: string): number[] {
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (!later.toPlainDateTime().equals(wall)) return [];
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return [...new Set([earlier.epochMilliseconds, later.epochMilliseconds])];
}

/**
 * The moments between two wall times. A wall time that does not exist moves forward by the gap; of
 * a repeated time the span begins at the first and ends at the last (rule FUL-3).
 */
export function spanBetween(from: Temporal.PlainDateTime, to: Temporal.PlainDateTime, timeZone: string): Span {
  const afterGap = (wall: Temporal.PlainDateTime) => wall.toZonedDateTime(timeZone).epochMilliseconds;
  return {
    from: exactMoments(from, timeZone).at(0) ?? afterGap(from),
    to: exactMoments(to, timeZone).at(-1) ?? afterGap(to),
  };
}
