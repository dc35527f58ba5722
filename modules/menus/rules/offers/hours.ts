import { nextChange, openFrom, openingsOf, joinHours, type WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';
import type { OfferFact } from './facts.ts';

/** Finds whether hours are open. */
export type IsOpen = (hours: WeeklyHours) => boolean;

/**
 * Unites the hours of the categories that an offer is sold in; null for all hours (rule SNP-75).
 */
export function offerHours({ hours }: Pick<OfferFact, 'hours'>): WeeklyHours | null {
  return hours == null ? null : joinHours(hours.flat());
}

/**
 * Evaluates hours at a moment (milliseconds). Without a time zone they close nothing: only the
 * times are shown.
 */
export function isOpenAt(at: number, timeZone: string | null): IsOpen {
  return (hours) => timeZone === null || openFrom(openingsOf(hours, at, timeZone), at) === at;
}

/** Longest time until availability is evaluated again, for changed time zones; milliseconds. */
const LONGEST_MS = 15 * 60_000;

/** The moment at which availability by these hours is evaluated next; null without hours. */
export function nextDue(hours: readonly WeeklyHours[], at: number, timeZone: string | null): number | null {
  if (hours.length === 0) return null;
  const changes =
    timeZone === null ? [] : hours.map((each) => nextChange(openingsOf(each, at, timeZone), at) ?? Infinity);
  return Math.min(at + LONGEST_MS, ...changes);
}
