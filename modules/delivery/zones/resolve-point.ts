import { chooseByErp, chooseZone, type ZoneChoice } from '../rules/zones/choose-zone.ts';
import { intervalStarts } from '../rules/zones/zone-hours.ts';
import { zoneTermsIn, type ZoneTerms } from '../rules/zones/zone-terms.ts';
import type { ErpServer } from '../../../erp/endpoints/delivery-allowed.ts';
import type { Position } from '../../mirror/rules/zone-polygon.ts';
import type { DeliveryMap } from './delivery-map.ts';
import type { MapZone } from './read-map.ts';

export type PointResolution = {
  choice: ZoneChoice;
  zone: MapZone | null;
  /** `terms` are null while the zone is not served. */
  candidates: { zone: MapZone; terms: ZoneTerms | null }[];
};

export type ServingPoint = {
  zoneAt(at: number): PointResolution;
  /** Returns the first moment with a served zone, or null. */
  servedFrom(at: number): number | null;
};

/**
 * Returns the zones of a point by moment, in the time zone of each organization (FUL-10, FUL-30,
 * FUL-31, FUL-46, FUL-53). `servers` come from the ERP; if null, our zones decide.
 */
export function zoneOfPoint(
  { index, overlap, deliveryFeeKopecks }: DeliveryMap,
  point: Position,
  defaultTimeZone: string,
  servers: readonly ErpServer[] | null = null,
): ServingPoint {
  const zones = index.at(point);
  const zoneAt = (at: number): PointResolution => {
    const candidates = zones.map((zone) => ({
      zone,
      terms: termsAt(zone, deliveryFeeKopecks, at, defaultTimeZone),
    }));

    const zonesOfPoint = candidates.map(
      ({ zone: { id, priority, name, organization }, terms }) => ({
        zoneId: id,
        priority,
        terms,
        name,
        organizationErpId: organization.erpId,
      }),
    );

    const byErp = servers === null ? null : chooseByErp(zonesOfPoint, servers, overlap);
    const choice = byErp ?? chooseZone(zonesOfPoint, overlap);
    const zoneId = choice.outcome === 'CHOSEN' ? choice.zoneId : null;

    return {
      choice,
      zone: candidates.find(({ zone }) => zone.id === zoneId)?.zone ?? null,
      candidates,
    };
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
