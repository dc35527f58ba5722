import { dateFormat } from './intl.ts';

// Local times are those of `datetime-local` fields, such as `2026-11-29T18:30`.

const DAY_MINUTES = 1_440;

const shownIn = (zone: string, at: Date): string =>
  dateFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .replace(' ', 'T');

export const localTime = (at: string, zone: string): string => shownIn(zone, new Date(at));

/**
 * Converts a zone's local time to ISO 8601. If clocks skip the time, it counts as the later one.
 */
export function toMoment(local: string, zone: string): string {
  const wanted = Date.parse(`${local.slice(0, 16)}Z`);
  let guess = wanted;
  // The first result may be on the other side of a clock change.
  for (let round = 0; round < 2; round += 1)
    guess += wanted - Date.parse(`${shownIn(zone, new Date(guess))}Z`);

  return new Date(guess).toISOString();
}

/** Returns the moment in ISO 8601. */
export const startOfDay = (day: string, zone: string): string => toMoment(`${day}T00:00`, zone);

/** Returns a time of the zone. */
export const inMinutes = (minutes: number, zone: string, now: Date = new Date()): string =>
  shownIn(zone, new Date(now.getTime() + minutes * 60_000));

/** Returns the most frequent value, or the first of several. */
export function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/** Returns a time of the zone. */
export function nextNoon(zone: string, now: Date = new Date()): string {
  const isMorning = shownIn(zone, now).slice(11) < '12:00';
  return `${inMinutes(isMorning ? 0 : DAY_MINUTES, zone, now).slice(0, 10)}T12:00`;
}
