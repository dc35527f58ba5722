import { chooseByErp, chooseZone, type ZoneChoice } from '../rules/zones/choose-zone.ts';
import { intervalStarts } from '../rules/zones/zone-hours.ts';
import { zoneTermsIn, type ZoneTerms } from '../rules/zones/zone-terms.ts';
import type { ErpServer } from '../../../erp/endpoints/delivery-allowed.ts';
import type { Position } from '../../mirror/rules/zone-polygon.ts';
import type { DeliveryMap } from './delivery-map.ts';
import type { MapZone } from './read-map.ts';

/** The zone and server of a point. */
export type PointResolution = {
  choice: ZoneChoice;
  /** The zone that was chosen. */
  zone: MapZone | null;
  /** Every zone that contains the point; terms are null where it is not served at the moment. */
  candidates: { zone: MapZone; terms: ZoneTerms | null }[];
};

/** The zones of a point at any moment (milliseconds). */
export type ServingPoint = {
  zoneAt(at: number): PointResolution;
  /** The first moment from `at` on at which a zone of the point is served; null for never. */
  servedFrom(at: number): number | null;
};

/**
 * Returns a function from a moment (ms) to the zone that serves a point then, by the clock of each
 * zone's organization, or `defaultTimeZone` if it has none (rules FUL-10, FUL-30, FUL-31, FUL-46,
 * FUL-53). `servers` are the organizations from the ERP; null leaves the choice to our zones.
 */
export function zoneOfPoint(
  { index, overlap, deliveryFeeKopecks }: DeliveryMap,
  point: Position,
  defaultTimeZone: string,
  servers: readonly ErpServer[] | null = null,
): ServingPoint {
  const zones = index.at(point);
  const zoneAt = (at: number): PointResolution => {
    const candidates = zones.map((zone) => ({ zone, terms: termsAt(zone, deliveryFeeKopecks, at, defaultTimeZone) }));
    const zonesOfPoint = candidates.map(({ zone: { id, priority, name, organization }, terms }) => ({
      zoneId: id,
      priority,
      terms,
      name,
      organizationErpId: organization.erpId,
    }));
    const byErp = servers === null ? null : chooseByErp(zonesOfPoint, servers, overlap);
    const choice = byErp ?? chooseZone(zonesOfPoint, overlap);
    const zoneId = choice.outcome === 'CHOSEN' ? choice.zoneId : null;
    return { choice, zone: candidates.find(({ zone }) => zone.id === zoneId)?.zone ?? null, candidates };
  };
  const isServed = (at: number) => zoneAt(at).choice.rule !== 'NOT_SERVED_NOW';
  return {
    zoneAt,
    servedFrom(at) {
      if (isServed(at)) return at;
      const starts = zones.flatMap((zone) =>
        intervalStarts(
          { ...zone, defaults: zone.organization.defaults },
          at,
          zone.organization.timeZone ?? defaultTimeZone,
        ),
      );
      return starts.toSorted((a, b) => a - b).find(isServed) ?? null;
    },
  };
}

function termsAt(
  { organization, restrictions, overrides }: MapZone,
  deliveryFeeKopecks: number | null,
  at: number,
  defaultTimeZone: string,
) {
  const facts = { restrictions, defaults: organization.defaults, overrides, deliveryFeeKopecks };
  return zoneTermsIn(facts, organization.timeZone ?? defaultTimeZone, at);
}
