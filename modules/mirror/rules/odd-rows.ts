import type { Anomalies } from './anomalies.ts';

/** `place` is the path in the response. */
type OddRow = { place: string; organizationId: string | null };

/** Path of an entry with all data of a restaurant. */
const OF_LIST = /^[^.]+\.\d+$/;
/** Path of a part of that data. */
const NESTED = /^[^.]+\.\d+\..*\.\d+$/;

/** Returns restaurants with partly unreadable rows, from which nothing is removed (MIR-72). */
export function partlyReadOrganizations(odd: readonly OddRow[]): ReadonlySet<string | null> {
  return new Set(
    odd.filter(({ place }) => NESTED.test(place)).map(({ organizationId }) => organizationId),
  );
}

/** Returns true if a row of the list is unreadable, so that nothing may be removed (MIR-73). */
export function hasLostRows(list: string, odd: readonly OddRow[]): boolean {
  return odd.some(({ place }) => OF_LIST.test(place) && place.startsWith(`${list}.`));
}

/**
 * Returns a predicate for restaurants that keep their data (MIR-66). An unreadable row without a
 * restaurant may belong to any restaurant missing in the list.
 */
export function unreadOrganizations(
  odd: readonly OddRow[],
  named: ReadonlySet<string>,
): (organizationErpId: string) => boolean {
  const lost = odd.filter(({ place }) => OF_LIST.test(place));
  const unread = new Set(lost.map(({ organizationId }) => organizationId));
  return (erpId) => unread.has(erpId) || (unread.has(null) && !named.has(erpId));
}

export function addOddRows(anomalies: Anomalies, odd: readonly OddRow[]): void {
  for (const { place } of odd) anomalies.add('ODD_ROW', place);
}
