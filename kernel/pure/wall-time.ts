import type { Span } from './spans.ts';

/** Returns instants (ms): none in a gap, two if the hour repeats, else one. */
export function exactMoments(wall: Temporal.PlainDateTime, timeZone: string): number[] {
  const later = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (!later.toPlainDateTime().equals(wall)) return [];
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return [...new Set([earlier.epochMilliseconds, later.epochMilliseconds])];
}

/**
 * A time in a gap moves forward by the gap. Repeated times begin at the first and end at the last
 * (FUL-3).
 */
export function spanBetween(
  from: Temporal.PlainDateTime,
  to: Temporal.PlainDateTime,
  timeZone: string,
): Span {
  const afterGap = (wall: Temporal.PlainDateTime) =>
    wall.toZonedDateTime(timeZone).epochMilliseconds;
  return {
    from: exactMoments(from, timeZone).at(0) ?? afterGap(from),
    to: exactMoments(to, timeZone).at(-1) ?? afterGap(to),
  };
}
