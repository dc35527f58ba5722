import type { ZoneTerms } from './zone-terms.ts';

/**
 * The rule for several zones that contain a point: reject, or take the one of the lowest priority
 * number.
 */
export type OverlapRule = 'REFUSE' | 'PRIORITY';

/** A zone that contains the point; without terms it is not served at the moment. */
export type ZoneCandidate = { zoneId: number; priority: number; terms: ZoneTerms | null };

/** The zone that serves a point, and the rule that decided. */
export type ZoneChoice =
  | { outcome: 'CHOSEN'; zoneId: number; terms: ZoneTerms; rule: 'ONLY_ZONE' | 'PRIORITY' | 'ERP' }
  | { outcome: 'ZONE_NOT_FOUND'; rule: 'NO_ZONE' | 'NOT_SERVED_NOW' | 'ERP' }
  | { outcome: 'ZONES_OVERLAP'; rule: 'SEVERAL_ZONES' | 'EQUAL_PRIORITIES' };

/**
 * Chooses among the zones that contain a point. Only zones that are served at the moment count.
 * Several of them are rejected, unless the setting selects the lowest priority; of equal ones none
 * is better (rule FUL-31).
 */
export function chooseZone(candidates: readonly ZoneCandidate[], rule: OverlapRule): ZoneChoice {
  const served = candidates.flatMap(({ terms, ...zone }) => (terms === null ? [] : [{ ...zone, terms }]));
  const [first, second] = served.toSorted((a, b) => a.priority - b.priority);
  if (first === undefined)
    return { outcome: 'ZONE_NOT_FOUND', rule: candidates.length === 0 ? 'NO_ZONE' : 'NOT_SERVED_NOW' };
  const { zoneId, terms } = first;
  if (second === undefined) return { outcome: 'CHOSEN', zoneId, terms, rule: 'ONLY_ZONE' };
  if (rule === 'REFUSE') return { outcome: 'ZONES_OVERLAP', rule: 'SEVERAL_ZONES' };
  if (first.priority === second.priority) return { outcome: 'ZONES_OVERLAP', rule: 'EQUAL_PRIORITIES' };
  return { outcome: 'CHOSEN', zoneId, terms, rule: 'PRIORITY' };
}

/** A zone of an organization that contains the point. */
type NamedCandidate = ZoneCandidate & { name: string; organizationErpId: string };

/** The organization that delivers there according to the ERP, and its zone. */
type Server = { organizationId: string; terminalGroupId: string; zone: string | null; minutes: number };

/**
 * The zone of the organization that the ERP prefers (rule FUL-46): the one that the ERP returns,
 * else the result of {@link chooseZone} for its zones. The terminal group and the minutes are the
 * ERP's, minimum and fee are those of the zone. Null when the ERP returns organizations of which no
 * zone contains the point: then the two maps differ.
 */
export function chooseByErp(
  candidates: readonly NamedCandidate[],
  servers: readonly Server[],
  rule: OverlapRule,
): ZoneChoice | null {
  if (servers.length === 0) return { outcome: 'ZONE_NOT_FOUND', rule: 'ERP' };
  const server = servers.find((entry) => candidates.some((zone) => zone.organizationErpId === entry.organizationId));
  if (server === undefined) return null;
  const own = candidates.filter((zone) => zone.organizationErpId === server.organizationId);
  const named = own.filter((zone) => zone.name === server.zone);
  const choice = chooseZone(named.length > 0 ? named : own, rule);
  if (choice.outcome !== 'CHOSEN') return choice;
  const { terminalGroupId: terminalGroupErpId, minutes: durationMinutes } = server;
  return { ...choice, rule: 'ERP', terms: { ...choice.terms, terminalGroupErpId, durationMinutes } };
}
