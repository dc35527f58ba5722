import type { DeliveryResolution, PlaceToResolve } from '../schemas/zones.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { erpText } from '../../../kernel/pure/erp-text.ts';
import { geocodedCity, geocodedStreet } from '../rules/addresses/address-names.ts';
import { distanceMeters } from '../rules/zones/distance.ts';
import { houseNumber, houseWithBuilding, parseHouse } from '../rules/addresses/house-number.ts';
import { withoutHouse } from '../rules/addresses/written-street.ts';
import { matchAddress, NEAR_METERS, type WantedAddress } from '../rules/addresses/match-address.ts';
import type { Position } from '../../mirror/rules/zone-polygon.ts';
import { geocoderFailure, type GeocoderUse } from './geocoder.ts';
import type { GeocodedPlace } from '../rules/geocoder/kind.ts';
import type { AddressSearch } from './address-search.ts';

type LocateDeps = {
  addressSearch: AddressSearch | null;
};

type Precision = NonNullable<DeliveryResolution['addressPrecision']>;

export type AddressCandidate = DeliveryResolution['candidates'][number];

/** Coordinates, or the reason why there are none. */
export type LocatedPlace =
  | { coords: Position; precision: Precision; missing: readonly string[] }
  | {
      coords: null;
      precision: null;
      missing: readonly string[];
      reason:
        | 'ADDRESS_NOT_FOUND'
        | 'ADDRESS_IMPRECISE'
        | 'GEOCODER_UNAVAILABLE'
        | 'GEOCODER_BUDGET_SPENT';
      candidates: readonly AddressCandidate[];
    };

const CANDIDATES = 10;

export const MISSING: Readonly<Record<Precision, readonly string[]>> = {
  HOUSE: [],
  STREET: ['house'],
  CITY: ['street', 'house'],
};

/**
 * Locates an address or coordinates (FUL-33, FUL-54). Problem `validation` unless exactly one is
 * given and valid.
 */
export async function locatePlace(
  deps: LocateDeps,
  { address, coords }: PlaceToResolve,
): Promise<LocatedPlace> {
  if (address !== undefined && coords !== undefined)
    throw invalidField('coords', 'not_supported', 'Name an address or coordinates, not both');
  if (coords !== undefined) return locatePoint(coords);
  if (address === undefined)
    throw invalidField('address', 'required', 'Name an address or coordinates');
  const { building = null, ...words } = address;

  return locateWords(deps, { words: cleanAddress(words), building, use: 'OTHER' });
}

/** Locates a point of a map or device. Problem `validation`. */
export function locatePoint(coords: Position): LocatedPlace {
  if (Math.abs(coords[1]) > 90)
    throw invalidField('coords.1', 'max', 'A latitude is between -90 and 90 degrees');
  return { coords, precision: 'HOUSE', missing: MISSING.HOUSE };
}

/** Locates an address. A sent point counts only near the result (FUL-54), or without a geocoder. */
export async function locateAddress(
  deps: LocateDeps,
  {
    words,
    building,
    point,
  }: { words: WantedAddress; building: string | null; point: Position | null },
): Promise<LocatedPlace> {
  if (deps.addressSearch === null && point !== null) return locatePoint(point);
  const place = await locateWords(deps, { words, building, use: 'CHECKOUT' });
  if (point === null || place.coords === null || place.precision === 'HOUSE') return place;
  return distanceMeters(place.coords, point) <= NEAR_METERS ? { ...place, coords: point } : place;
}

async function locateWords(
  { addressSearch }: LocateDeps,
  { words, building, use }: { words: WantedAddress; building: string | null; use: GeocoderUse },
): Promise<LocatedPlace> {
  const address = { ...words, house: houseWithBuilding(words.house, building) };
  const places =
    addressSearch === null
      ? 'GEOCODER_UNAVAILABLE'
      : await searchPlaces(addressSearch, address, use);
  if (typeof places === 'string') return nowhere(places);

  const match = matchAddress(address, places);
  if (match === null) return nowhere('ADDRESS_NOT_FOUND');
  const { precision } = match;
  if (match.places.length === 1)
    return { coords: match.places[0].coords, precision, missing: MISSING[precision] };
  const candidates = match.places.flatMap(toCandidates);

  return { ...nowhere('ADDRESS_IMPRECISE'), missing: ['street'], candidates };
}

const nowhere = (
  reason: (LocatedPlace & { coords: null })['reason'],
): LocatedPlace & { coords: null } => ({
  coords: null,
  precision: null,
  missing: [],
  reason,
  candidates: [],
});

async function searchPlaces(
  addressSearch: AddressSearch,
  { city, street, house }: WantedAddress,
  use: GeocoderUse,
) {
  const search = (text: string) => addressSearch.search({ text, limit: CANDIDATES }, use);
  try {
    const number = houseNumber(house) || house;
    const of = `${geocodedCity(city)}, ${geocodedStreet(withoutHouse(street, number).name)}`;
    const places = await search(`${of}, ${number}`);
    // If the text is not a single house, maps contain only its street.
    return places.length > 0 || parseHouse(house) !== null ? places : await search(of);
  } catch (error) {
    const failure = geocoderFailure(error);
    if (failure === null) throw error;
    return failure;
  }
}

/** Returns a candidate for guests, unless it lacks a city or has a house without a street. */
export function toCandidates({ city, street, house, coords }: GeocodedPlace): AddressCandidate[] {
  if (city === null || (street === null && house !== null)) return [];
  const precision = house !== null ? 'HOUSE' : street !== null ? 'STREET' : 'CITY';
  const text = [city, street, house].filter((part) => part !== null).join(', ');
  return [{ text, address: { city, street, house }, coords, precision }];
}

/** Throws `validation` for parts without visible characters. */
export function cleanAddress({ city, street, house }: WantedAddress): WantedAddress {
  const parts = Object.entries({ city, street, house }).map(
    ([part, text]) => [part, erpText(text, 200)] as const,
  );
  const errors = parts.flatMap(([part, text]) =>
    text === ''
      ? [{ field: `address.${part}`, code: 'required', message: 'Must not be empty' }]
      : [],
  );
  if (errors.length > 0) throw new Problem('validation', { errors });

  return Object.fromEntries(parts) as WantedAddress;
}
