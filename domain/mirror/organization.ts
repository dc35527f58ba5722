import { cleanText } from './values.ts';

type Place = { latitude?: number | null | undefined; longitude?: number | null | undefined };

/** The parts of an ERP organization that are read; the whole object is kept beside them. */
export type OrganizationSource = Place & {
  id: string;
  name: string;
  code?: string | null | undefined;
  address?: string | null | undefined;
  restaurantAddress?: string | null | undefined;
  additionalInfo?: (Place & { restaurantAddress?: string | null | undefined }) | null | undefined;
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
 * The mirrored fields of an organization (spec 2, Organization). The address is the first of root `address`,
 * `additionalInfo.restaurantAddress` and root `restaurantAddress` that says something; coordinates are taken as a pair
 * from the root, else from `additionalInfo`, and 0/0 means that none were set.
 */
export function normalizeOrganization(source: OrganizationSource): OrganizationRow {
  const place = [source, source.additionalInfo].find(hasCoordinates);
  return {
    erpId: source.id.toLowerCase(),
    name: cleanText(source.name) ?? source.id,
    code: cleanText(source.code),
    address:
      cleanText(source.address) ??
      cleanText(source.additionalInfo?.restaurantAddress) ??
      cleanText(source.restaurantAddress),
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
  };
}

function hasCoordinates(place: Place | null | undefined): boolean {
  if (place?.latitude == null || place.longitude == null) return false;
  return place.latitude !== 0 || place.longitude !== 0;
}
