import type { Anomalies } from './anomalies.ts';

/** A row that was left out of an answer: its place, and the organization that it names. */
type OddRow = { place: string; organizationId: string | null };

/**
 * A row of the list itself, not one inside such a row: it contains all data of the list about a
 * restaurant.
 */
const OF_LIST = /^[^.]+\.\d+$/;
/** A row inside a row of the list: part of the data of one restaurant. */
const NESTED = /^[^.]+\.\d+\..*\.\d+$/;

/**
 * Restaurants with partly unreadable rows. Nothing of them is removed, because missing data may be
 * in the unreadable part (rule MIR-72).
 */
export function partlyReadOrganizations(odd: readonly OddRow[]): ReadonlySet<string | null> {
  return new Set(odd.filter(({ place }) => NESTED.test(place)).map(({ organizationId }) => organizationId));
}

/** True if a row of the list itself is unreadable; then nothing is removed (rule MIR-73). */
export function hasLostRows(list: string, odd: readonly OddRow[]): boolean {
  return odd.some(({ place }) => OF_LIST.test(place) && place.startsWith(`${list}.`));
}

/**
 * Restaurants whose rows in a list are unreadable: they keep what they had (rule MIR-66). If such a
 * row names no restaurant, it may be about any that the list does not name otherwise.
 */
export function unreadOrganizations(
  odd: readonly OddRow[],
  named: ReadonlySet<string>,
): (organizationErpId: string) => boolean {
  const lost = odd.filter(({ place }) => OF_LIST.test(place));
  const unread = new Set(lost.map(({ organizationId }) => organizationId));
  return (erpId) => unread.has(erpId) || (unread.has(null) && !named.has(erpId));
}

/** Counts unreadable rows with their places. */
export function addOddRows(anomalies: Anomalies, odd: readonly OddRow[]): void {
  for (const { place } of odd) anomalies.add('ODD_ROW', place);
}
