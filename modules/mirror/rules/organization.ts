import type { Anomalies } from './anomalies.ts';
import { degrees, cleanText } from './values.ts';

type Coordinates = { latitude?: unknown; longitude?: unknown };
type Point = { latitude: number; longitude: number };

export type OrganizationSource = Coordinates & {
  id: string;
  name: string;
  code?: string | null | undefined;
  address?: string | null | undefined;
  restaurantAddress?: string | null | undefined;
  additionalInfo?:
    | (Coordinates & { restaurantAddress?: string | null | undefined })
    | null
    | undefined;
};

export type OrganizationRow = {
  erpId: string;
  name: string;
  code: string | null;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
};

/**
 * Normalizes an organization (MIR-24). Address: the first non-empty of root `address`,
 * `additionalInfo.restaurantAddress`, root `restaurantAddress`. Coordinates: from the root, else
 * from `additionalInfo`; 0/0 means unset.
 */
export function normalizeOrganization(
  source: OrganizationSource,
  anomalies: Pick<Anomalies, 'add'>,
): OrganizationRow {
  const points = [source, source.additionalInfo]
    .map(givenPoint)
    .filter((entry) => entry !== undefined);
  const point = points.find((entry) => entry !== null);
  const erpId = source.id.toLowerCase();
  if (point === undefined && points.length > 0) anomalies.add('INVALID_COORDINATES', erpId);

  return {
    erpId,
    name: cleanText(source.name) ?? source.id,
    code: cleanText(source.code),
    address:
      cleanText(source.address) ??
      cleanText(source.additionalInfo?.restaurantAddress) ??
      cleanText(source.restaurantAddress),
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
  };
}

/** Returns undefined if unset, null if invalid. */
function givenPoint(source: Coordinates | null | undefined): Point | null | undefined {
  if (source?.latitude == null || source.longitude == null) return undefined;
  const [latitude, longitude] = [degrees(source.latitude, 90), degrees(source.longitude, 180)];
  if (latitude === 0 && longitude === 0) return undefined;
  return latitude === null || longitude === null ? null : { latitude, longitude };
}
