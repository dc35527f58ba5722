import type { Anomalies } from './anomalies.ts';
import { cleanText } from './values.ts';

/** Coordinates as the ERP sends them, checked when they are read. */
type Coordinates = { latitude?: unknown; longitude?: unknown };
type Point = { latitude: number; longitude: number };

/** The parts of an ERP organization that are read; the whole object is kept beside them. */
export type OrganizationSource = Coordinates & {
  id: string;
  name: string;
  code?: string | null | undefined;
  address?: string | null | undefined;
  restaurantAddress?: string | null | undefined;
  additionalInfo?: (Coordinates & { restaurantAddress?: string | null | undefined }) | null | undefined;
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
 * The mirrored fields of an organization (rule MIR-24). The address is the first of root `address`,
 * `additionalInfo.restaurantAddress` and root `restaurantAddress` that says something; coordinates are taken as a pair
 * from the root, else from `additionalInfo`, and 0/0 means that none were set. Coordinates that lie nowhere on Earth, numbers
 * written as text included, are left out and counted.
 */
export function normalizeOrganization(source: OrganizationSource, anomalies: Pick<Anomalies, 'add'>): OrganizationRow {
  const given = [source, source.additionalInfo].filter(hasCoordinates);
  const point = given.find(isPoint);
  const erpId = source.id.toLowerCase();
  if (point === undefined && given.length > 0) anomalies.add('INVALID_COORDINATES', erpId);
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

function hasCoordinates(coordinates: Coordinates | null | undefined): coordinates is Coordinates {
  if (coordinates?.latitude == null || coordinates.longitude == null) return false;
  return coordinates.latitude !== 0 || coordinates.longitude !== 0;
}

function isPoint(coordinates: Coordinates): coordinates is Point {
  const { latitude, longitude } = coordinates;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return false;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}
