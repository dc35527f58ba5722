import type { Anomalies } from './anomalies.ts';

/** A skipped row of an answer: its path and its organization. */
type OddRow = { place: string; organizationId: string | null };

/** A row of the list itself: all data of the list about a restaurant. */
const OF_LIST = /^[^.]+\.\d+$/;
/** A row inside a row of the list: part of the data of a restaurant. */
const NESTED = /^[^.]+\.\d+\..*\.\d+$/;

/**
 * Returns restaurants with partly unreadable rows. They lose nothing, because the unreadable part
 * may contain missing data (MIR-72).
 */
export function partlyReadOrganizations(odd: readonly OddRow[]): ReadonlySet<string | null> {
  return new Set(
    odd.filter(({ place }) => NESTED.test(place)).map(({ organizationId }) => organizationId),
  );
}

/** Returns true if a row of the list itself is unreadable. Then nothing is removed (MIR-73). */
export function hasLostRows(list: string, odd: readonly OddRow[]): boolean {
  return odd.some(({ place }) => OF_LIST.test(place) && place.startsWith(`${list}.`));
}

/**
 * Returns a predicate for restaurants whose rows are unreadable: they keep their data (MIR-66). A
 * row without a restaurant may concern any that the list lacks.
 */
export function unreadOrganizations(
  odd: readonly OddRow[],
  named: ReadonlySet<string>,
): (organizationErpId: string) => boolean {
  const lost = odd.filter(({ place }) => OF_LIST.test(place));
  const unread = new Set(lost.map(({ organizationId }) => organizationId));
  return (erpId) => unread.has(erpId) || (unread.has(null) && !named.has(erpId));
}

/** Counts unreadable rows with their paths. */
export function addOddRows(anomalies: Anomalies, odd: readonly OddRow[]): void {
  for (const { place } of odd) anomalies.add('ODD_ROW', place);
}
