import type { DeliveryExplanation, PlaceToResolve } from '../schemas/zones.ts';
import { staffText } from '../../../kernel/staff-text.ts';
import { organizationsOfUuids } from '../../mirror/organization-of-uuid.ts';
import { locatePlace } from '../addresses/locate-place.ts';
import { geoPolygon } from './delivery-zones.ts';
import { resolutionAt, servePlace, type ResolveDeps } from './resolve-delivery.ts';
import type { PointResolution } from './resolve-point.ts';

type Feature = DeliveryExplanation['geojson']['features'][number];

/** Explains the zones of a place and the rule that decided (FUL-36). Problem `validation`. */
export async function explainDelivery(
  deps: ResolveDeps,
  place: PlaceToResolve,
): Promise<DeliveryExplanation> {
  const served = await servePlace(deps, await locatePlace(deps, place));
  const now = Date.now();
  const [resolution, pointResolution] = [
    resolutionAt(served, now),
    served.point?.zoneAt(now) ?? null,
  ];
  const { coords } = resolution;
  const point: Feature[] =
    coords === null
      ? []
      : [
          {
            type: 'Feature',
            geometry: { type: 'Point', coordinates: coords },
            properties: { precision: resolution.addressPrecision },
          },
        ];

  const { organizationId: organizationErpId } = resolution;
  const numbers = await organizationsOfUuids(
    deps.db,
    organizationErpId === null ? [] : [organizationErpId],
  );

  const organizationId =
    organizationErpId === null ? null : (numbers.get(organizationErpId) ?? null);
  const rule =
    pointResolution === null || resolution.reason === 'ADDRESS_IMPRECISE'
      ? 'NOT_LOCATED'
      : pointResolution.choice.rule;

  return {
    resolution: { ...resolution, organizationId, organizationErpId },
    rule,
    sentence: staffText(`delivery.${rule}`),
    candidates: (pointResolution?.candidates ?? []).map(toCandidate),
    geojson: {
      type: 'FeatureCollection',
      features: [
        ...point,
        ...(pointResolution?.candidates ?? []).map((candidate) =>
          toFeature(candidate, resolution.zoneId),
        ),
      ],
    },
  };
}

type Candidate = PointResolution['candidates'][number];

const toCandidate = ({ zone, terms }: Candidate): DeliveryExplanation['candidates'][number] => ({
  zoneId: zone.id,
  organizationId: zone.organization.id,
  name: zone.displayName ?? zone.name,
  priority: zone.priority,
  isServedNow: terms !== null,
  minOrderSum: terms?.minSumKopecks ?? null,
  deliveryFee: terms?.deliveryFeeKopecks ?? null,
  deliveryDurationMinutes: terms?.durationMinutes ?? null,
  terminalId: terms?.terminalGroupId ?? null,
});

const toFeature = ({ zone, terms }: Candidate, chosenId: number | null): Feature => ({
  type: 'Feature',
  geometry: geoPolygon(zone.polygon),
  properties: {
    zoneId: zone.id,
    name: zone.displayName ?? zone.name,
    isServedNow: terms !== null,
    isChosen: zone.id === chosenId,
  },
});
