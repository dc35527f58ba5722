import type { ZoneTerms } from './zone-terms.ts';

export type OverlapRule = 'REFUSE' | 'PRIORITY';

/** `terms` are null while the zone is not served. */
export type ZoneCandidate = { zoneId: number; priority: number; terms: ZoneTerms | null };

export type ZoneChoice =
  | { outcome: 'CHOSEN'; zoneId: number; terms: ZoneTerms; rule: 'ONLY_ZONE' | 'PRIORITY' | 'ERP' }
  | { outcome: 'ZONE_NOT_FOUND'; rule: 'NO_ZONE' | 'NOT_SERVED_NOW' | 'ERP' }
  | { outcome: 'ZONES_OVERLAP'; rule: 'SEVERAL_ZONES' | 'EQUAL_PRIORITIES' };

/**
 * Selects a served zone. Several are ambiguous unless their priorities differ and the setting lets
 * them decide (FUL-31).
 */
export function chooseZone(candidates: readonly ZoneCandidate[], rule: OverlapRule): ZoneChoice {
  const served = candidates.flatMap(({ terms, ...zone }) =>
    terms === null ? [] : [{ ...zone, terms }],
  );
  const [first, second] = served.toSorted((a, b) => a.priority - b.priority);
  if (first === undefined)
    return {
      outcome: 'ZONE_NOT_FOUND',
      rule: candidates.length === 0 ? 'NO_ZONE' : 'NOT_SERVED_NOW',
    };

  const { zoneId, terms } = first;
  if (second === undefined) return { outcome: 'CHOSEN', zoneId, terms, rule: 'ONLY_ZONE' };
  if (rule === 'REFUSE') return { outcome: 'ZONES_OVERLAP', rule: 'SEVERAL_ZONES' };
  if (first.priority === second.priority)
    return { outcome: 'ZONES_OVERLAP', rule: 'EQUAL_PRIORITIES' };

  return { outcome: 'CHOSEN', zoneId, terms, rule: 'PRIORITY' };
}

type NamedCandidate = ZoneCandidate & { name: string; organizationErpId: string };

/** An organization that serves the address in the ERP. */
type Server = {
  organizationId: string;
  terminalGroupId: string;
  zone: string | null;
  minutes: number;
};

/**
 * Selects a zone of the organization that the ERP prefers (FUL-46): applies {@link chooseZone} to
 * the zone that the ERP names, or to all zones of the organization if it has none of this name.
 * Null if the ERP's organizations have no zone there, because the maps differ.
 */
export function chooseByErp(
  candidates: readonly NamedCandidate[],
  servers: readonly Server[],
  rule: OverlapRule,
): ZoneChoice | null {
  if (servers.length === 0) return { outcome: 'ZONE_NOT_FOUND', rule: 'ERP' };
  const server = servers.find((entry) =>
    candidates.some((zone) => zone.organizationErpId === entry.organizationId),
  );
  if (server === undefined) return null;

  const own = candidates.filter((zone) => zone.organizationErpId === server.organizationId);
  const named = own.filter((zone) => zone.name === server.zone);
  const choice = chooseZone(named.length > 0 ? named : own, rule);
  if (choice.outcome !== 'CHOSEN') return choice;
  const { terminalGroupId: terminalGroupErpId, minutes: durationMinutes } = server;

  return {
    ...choice,
    rule: 'ERP',
    terms: { ...choice.terms, terminalGroupErpId, durationMinutes },
  };
}
