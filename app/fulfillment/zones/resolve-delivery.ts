import type { DeliveryResolution, PlaceToResolve } from '../../../contracts/fulfillment/zones.ts';
import { invalidField } from '../../../contracts/problem.ts';
import type { Sql } from '../../../db/database.ts';
import { matchAddress, type WantedAddress } from '../../../domain/fulfillment/match-address.ts';
import type { Position } from '../../../domain/mirror/zone-polygon.ts';
import { isGeocoderUnavailable } from '../../../platform/geocoder/geocoder.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { AddressSearch } from '../addresses/address-search.ts';
import type { DeliveryMaps } from './delivery-map.ts';
import { resolvePoint, type PointResolution } from './resolve-point.ts';

export type ResolveDeps = {
  db: Sql;
  deliveryMaps: DeliveryMaps;
  /** Null when no geocoder is configured. */
  addressSearch: AddressSearch | null;
  env: { SYNC_TIME_ZONE: string };
};

type Precision = NonNullable<DeliveryResolution['addressPrecision']>;
type Reason = NonNullable<DeliveryResolution['reason']>;

/** Where a place is. `refused` says why its zone is not looked for; the point is kept, for staff to look at. */
type LocatedPlace =
  | { coords: Position; precision: Precision; refused: Reason | null }
  | { coords: null; precision: null; refused: Reason };

/** Places that the geocoder names of one address: the house is not always the first. */
const CANDIDATES = 5;

/**
 * Which zone and organization deliver to a place now, and on which terms. Problem `validation` for a request that names not exactly one
 * of address and coordinates, and for a latitude beyond the poles.
 */
export async function resolveDelivery(deps: ResolveDeps, place: PlaceToResolve): Promise<DeliveryResolution> {
  return (await resolvePlace(deps, place)).resolution;
}

/** The same with what was found at the point; null when the place has none. */
export async function resolvePlace(
  deps: ResolveDeps,
  place: PlaceToResolve,
): Promise<{ resolution: DeliveryResolution; found: PointResolution | null }> {
  const located = await locatePlace(deps, place);
  if (located.coords === null) return { resolution: unresolved(located.refused, located), found: null };
  const found = resolvePoint(await deps.deliveryMaps.current(), located.coords, Date.now(), deps.env.SYNC_TIME_ZONE);
  const resolution = located.refused === null ? resolutionOf(found, located) : unresolved(located.refused, located);
  return { resolution, found };
}

/**
 * The point of a place. Coordinates are as exact as a house, because whoever sends them has chosen the point. An address of which only
 * the street is found is refused unless the setting accepts it; one of which only the city is found is refused (rule FUL-33).
 */
async function locatePlace(
  { db, addressSearch }: Pick<ResolveDeps, 'db' | 'addressSearch'>,
  { address, coords }: PlaceToResolve,
): Promise<LocatedPlace> {
  if (address !== undefined && coords !== undefined)
    throw invalidField('coords', 'not_supported', 'Name an address or coordinates, not both');
  if (coords !== undefined) {
    if (Math.abs(coords[1]) > 90) throw invalidField('coords.1', 'max', 'A latitude is between -90 and 90 degrees');
    return { coords, precision: 'HOUSE', refused: null };
  }
  if (address === undefined) throw invalidField('address', 'required', 'Name an address or coordinates');
  if (addressSearch === null) return nowhere('GEOCODER_UNAVAILABLE');
  const places = await placesOf(addressSearch, address);
  if (places === null) return nowhere('GEOCODER_UNAVAILABLE');
  const match = matchAddress(address, places);
  if (match === null) return nowhere('ADDRESS_NOT_FOUND');
  const { place, precision } = match;
  const isExact = precision === 'HOUSE' || (precision === 'STREET' && (await acceptsStreets(db)));
  return { coords: place.coords, precision, refused: isExact ? null : 'ADDRESS_IMPRECISE' };
}

const nowhere = (refused: Reason): LocatedPlace => ({ coords: null, precision: null, refused });

async function placesOf(addressSearch: AddressSearch, { city, street, house }: WantedAddress) {
  try {
    return await addressSearch.search({ text: `${city}, ${street}, ${house}`, limit: CANDIDATES });
  } catch (error) {
    if (isGeocoderUnavailable(error)) return null;
    throw error;
  }
}

async function acceptsStreets(db: Sql): Promise<boolean> {
  return (await readSettings(db, 'imprecise_address')).imprecise_address === 'ACCEPT';
}

/** Every field that only a resolved place has, empty. */
const NOBODY = {
  resolved: false,
  zoneId: null,
  zoneName: null,
  organizationId: null,
  minOrderSum: null,
  deliveryDurationMinutes: null,
} as const;

function unresolved(reason: Reason, { coords, precision }: LocatedPlace): DeliveryResolution {
  return { ...NOBODY, reason, coords: coords === null ? null : [...coords], addressPrecision: precision };
}

function resolutionOf(
  { choice, zone }: PointResolution,
  located: LocatedPlace & { coords: Position },
): DeliveryResolution {
  if (choice.outcome !== 'CHOSEN' || zone === null)
    return unresolved(choice.outcome === 'ZONES_OVERLAP' ? 'ZONES_OVERLAP' : 'ZONE_NOT_FOUND', located);
  return {
    resolved: true,
    reason: null,
    zoneId: zone.id,
    zoneName: zone.displayName ?? zone.name,
    organizationId: zone.organization.erpId,
    minOrderSum: choice.terms.minSumKopecks,
    deliveryDurationMinutes: choice.terms.durationMinutes,
    coords: [...located.coords],
    addressPrecision: located.precision,
  };
}
