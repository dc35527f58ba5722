import { findStreetKind, sameCityAs, sameStreetAs, writtenStreetAs } from './address-names.ts';
import { distanceMeters } from '../zones/distance.ts';
import { houseNumber, mapNumbers } from './house-number.ts';
import { withoutHouse } from './written-street.ts';

export type WantedAddress = { city: string; street: string; house: string };

type Place = {
  city: string | null;
  street: string | null;
  house: string | null;
  otherCities?: readonly string[];
  otherStreets?: readonly string[];
  /** Longitude and latitude. */
  coords?: readonly [number, number];
};

export type AddressPrecision = 'HOUSE' | 'STREET' | 'CITY';

export type AddressMatch<P> = { precision: AddressPrecision; places: readonly [P, ...P[]] };

/** Places within this distance count as the same place (FUL-54, FUL-56). */
export const NEAR_METERS = 300;

type Match<P> = { place: P; precision: AddressPrecision; kind: string };

function createMatcher(address: WantedAddress): <P extends Place>(place: P) => Match<P> | null {
  const isCity = sameCityAs(address.city);
  const number = houseNumber(address.house);
  const written = withoutHouse(address.street, number);
  const [isStreet, isName] = [writtenStreetAs(address.street), writtenStreetAs(written.name)];
  const isContradicted = written.house !== null && written.house !== number;

  return (place) => {
    const { city, street, house, otherCities = [], otherStreets = [] } = place;
    if (city === null || ![city, ...otherCities].some(isCity)) return null;
    if (street === null) return house === null ? { place, precision: 'CITY', kind: '' } : null;
    const streets = [street, ...otherStreets];
    const whole = streets.find(isStreet);
    const streetName = whole ?? streets.find(isName);
    if (streetName === undefined) return null;
    // The text may mean either house.
    const isOther = whole === undefined && isContradicted;
    const isHouse = house !== null && number !== '' && !isOther && mapNumbers(house).has(number);

    return { place, precision: isHouse ? 'HOUSE' : 'STREET', kind: findStreetKind(streetName) };
  };
}

/**
 * Returns the most exact match, or null. A place with another house number counts as a match of the
 * street only (FUL-33). If equal matches have different kinds of streets and are far apart, returns
 * all of them (FUL-56).
 */
export function matchAddress<P extends Place>(
  address: WantedAddress,
  places: readonly P[],
): AddressMatch<P> | null {
  const matchPlace = createMatcher(address);
  const matches = places.map((place) => matchPlace(place)).filter((match) => match !== null);
  const precision = (['HOUSE', 'STREET', 'CITY'] as const).find((entry) =>
    matches.some((match) => match.precision === entry),
  );
  if (precision === undefined) return null;

  const best = matches.filter((match) => match.precision === precision);
  const kind = findStreetKind(address.street);
  const exact = best.filter((match) => match.kind === kind);
  const [first, ...others] = exact.length > 0 ? exact : best;
  const rivals = others.filter(
    (match) => match.kind !== first!.kind && isApart(first!.place, match.place),
  );
  const distinct = [
    ...new Map(rivals.toReversed().map((rival) => [rival.kind, rival.place])).values(),
  ].toReversed();

  return { precision, places: [first!.place, ...distinct] };
}

const isApart = ({ coords: one }: Place, { coords: other }: Place): boolean =>
  one === undefined || other === undefined || distanceMeters(one, other) > NEAR_METERS;

/** Returns the matching street; null if none or several match (ORD-68). */
export function matchStreet<S extends { city: string; street: string }>(
  address: WantedAddress,
  streets: readonly S[],
): S | null {
  const isStreet = sameStreetAs(address.street);
  const cities = new Set(
    [...new Set(streets.map(({ city }) => city))].filter(sameCityAs(address.city)),
  );
  const matches = streets.filter(({ city, street }) => cities.has(city) && isStreet(street));
  if (matches.length <= 1) return matches[0] ?? null;
  const isWritten = writtenStreetAs(address.street);
  const written = matches.filter(({ street }) => isWritten(street));

  return written.length === 1 ? written[0]! : null;
}
