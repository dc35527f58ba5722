import {
  toCoords,
  toList,
  toObject,
  toPlaces,
  type GeocodedPlace,
  type GeocoderKind,
} from './kind.ts';

/** https://photon.komoot.io, which returns GeoJSON. */
export const photon: GeocoderKind = {
  path: '/api',
  parameters: ({ text, limit, near }) => ({
    q: text,
    limit: String(limit),
    ...(near === undefined ? {} : { lon: String(near[0]), lat: String(near[1]) }),
  }),
  places: (answer) =>
    toList(toObject(answer)['features']).flatMap((feature): GeocodedPlace[] => {
      const { geometry, properties } = toObject(feature);
      const position = toObject(geometry)['coordinates'];
      const [longitude, latitude] = Array.isArray(position) ? (position as unknown[]) : [];
      const { type, name, street, housenumber, city, district, locality } = toObject(properties);
      // `name` is the name of the settlement or street itself.
      const own = (kind: string) => (type === kind ? name : null);

      return toPlaces({
        coords: toCoords(longitude, latitude),
        settlements: [city, own('city'), district, locality, own('district'), own('locality')],
        inside: [],
        roads: [street, own('street')],
        districts: [locality, own('locality'), district, own('district')],
        house: housenumber,
      });
    }),
};
