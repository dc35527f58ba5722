import {
  toCoords,
  toList,
  toObject,
  toPlaces,
  type GeocodedPlace,
  type GeocoderKind,
} from './kind.ts';

/** Covers a city with its suburbs. */
const NEAR_DEGREES = 0.5;

const SETTLEMENTS = [
  'city',
  'town',
  'village',
  'hamlet',
  'isolated_dwelling',
  'locality',
  'municipality',
];

const INSIDE = ['suburb', 'borough', 'city_district'];

const ROADS = [
  'road',
  'pedestrian',
  'footway',
  'path',
  'square',
  'living_street',
  'cycleway',
  'bridleway',
];

const DISTRICTS = [
  'residential',
  'neighbourhood',
  'quarter',
  'city_block',
  'allotments',
  'croft',
  'suburb',
  'borough',
];

/** https://nominatim.org, `format=jsonv2`. */
export const nominatim: GeocoderKind = {
  path: '/search',
  parameters: ({ text, limit, near }) => ({
    q: text,
    limit: String(limit),
    format: 'jsonv2',
    addressdetails: '1',
    ...(near === undefined ? {} : { viewbox: boxAround(near) }),
  }),
  places: (answer) =>
    toList(answer).flatMap((place): GeocodedPlace[] => {
      const { lon, lat, address } = toObject(place);
      const parts = toObject(address);
      const named = (names: readonly string[]) => names.map((name) => parts[name]);

      return toPlaces({
        coords: toCoords(lon, lat),
        settlements: named(SETTLEMENTS),
        inside: named(INSIDE),
        roads: named(ROADS),
        districts: named(DISTRICTS),
        house: parts['house_number'],
      });
    }),
};

function boxAround([longitude, latitude]: readonly [number, number]): string {
  return [
    longitude - NEAR_DEGREES,
    latitude + NEAR_DEGREES,
    longitude + NEAR_DEGREES,
    latitude - NEAR_DEGREES,
  ].join(',');
}
