import {
  nextChange,
  openFrom,
  listOpenings,
  joinHours,
  type WeeklyHours,
} from '../../../mirror/rules/weekly-hours.ts';
import type { OfferFact } from './facts.ts';

export type IsOpen = (hours: WeeklyHours) => boolean;

/** Null is all hours (SNP-75). */
export function offerHours({ hours }: Pick<OfferFact, 'hours'>): WeeklyHours | null {
  return hours == null ? null : joinHours(hours.flat());
}

/** Checks hours at a moment (ms). Without a time zone, hours do not restrict sales. */
export function isOpenAt(at: number, timeZone: string | null): IsOpen {
  return (hours) => timeZone === null || openFrom(listOpenings(hours, at, timeZone), at) === at;
}

/** Limited, because the time zone may change. */
const LONGEST_MS = 15 * 60_000;

/** Returns when to evaluate availability again; null without hours. */
export function nextDue(
  hours: readonly WeeklyHours[],
  at: number,
  timeZone: string | null,
): number | null {
  if (hours.length === 0) return null;
  const changes =
    timeZone === null
      ? []
      : hours.map((each) => nextChange(listOpenings(each, at, timeZone), at) ?? Infinity);

  return Math.min(at + LONGEST_MS, ...changes);
}
