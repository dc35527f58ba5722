import { coordsOf, listOf, objectOf, textOf, type GeocodedPlace, type GeocoderKind } from './kind.ts';

/** Photon (https://photon.komoot.io): GeoJSON features with the parts of the address as properties. */
export const photon: GeocoderKind = {
  path: '/api',
  parameters: ({ text, limit, near }) => ({
    q: text,
    limit: String(limit),
    ...(near === undefined ? {} : { lon: String(near[0]), lat: String(near[1]) }),
  }),
  places: (answer) =>
    listOf(objectOf(answer)['features']).flatMap((feature): GeocodedPlace[] => {
      const { geometry, properties } = objectOf(feature);
      const position = objectOf(geometry)['coordinates'];
      const [longitude, latitude] = Array.isArray(position) ? (position as unknown[]) : [];
      const coords = coordsOf(longitude, latitude);
      const { type, name, street, housenumber, city } = objectOf(properties);
      if (coords === null) return [];
      return [
        {
          city: textOf(city, type === 'city' ? name : null),
          // A street is a place of its own, whose name is that of the street.
          street: textOf(street, type === 'street' ? name : null),
          house: textOf(housenumber),
          coords,
        },
      ];
    }),
};
