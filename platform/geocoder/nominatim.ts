import { coordsOf, listOf, objectOf, textOf, type GeocodedPlace, type GeocoderKind } from './kind.ts';

/** Half the side of the square that a search prefers, in degrees: a city and its suburbs. */
const NEAR_DEGREES = 0.5;

/** Nominatim (https://nominatim.org) with `format=jsonv2`: a list of places with the parts of their address. */
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
    listOf(answer).flatMap((place): GeocodedPlace[] => {
      const { lon, lat, address } = objectOf(place);
      const coords = coordsOf(lon, lat);
      const { city, town, village, municipality, road, pedestrian, house_number: house } = objectOf(address);
      if (coords === null) return [];
      return [
        {
          city: textOf(city, town, village, municipality),
          street: textOf(road, pedestrian),
          house: textOf(house),
          coords,
        },
      ];
    }),
};

function boxAround([longitude, latitude]: readonly [number, number]): string {
  return [longitude - NEAR_DEGREES, latitude + NEAR_DEGREES, longitude + NEAR_DEGREES, latitude - NEAR_DEGREES].join(
    ',',
  );
}
