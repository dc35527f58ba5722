import type { Anomalies } from './anomalies.ts';

/** `place`: path in the answer. */
type OddRow = { place: string; organizationId: string | null };

/** All data of a list about a restaurant. */
const OF_LIST = /^[^.]+\.\d+$/;
/** Part of a restaurant's data. */
const NESTED = /^[^.]+\.\d+\..*\.\d+$/;

/** Returns restaurants with partly unreadable rows, which lose nothing (MIR-72). */
export function partlyReadOrganizations(odd: readonly OddRow[]): ReadonlySet<string | null> {
  return new Set(
    odd.filter(({ place }) => NESTED.test(place)).map(({ organizationId }) => organizationId),
  );
}

/** Returns true if nothing may be removed, because a row of the list is unreadable (MIR-73). */
export function hasLostRows(list: string, odd: readonly OddRow[]): boolean {
  return odd.some(({ place }) => OF_LIST.test(place) && place.startsWith(`${list}.`));
}

/**
 * Returns a predicate for restaurants that keep their data (MIR-66). A row without a restaurant may
 * concern any that the list lacks.
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
