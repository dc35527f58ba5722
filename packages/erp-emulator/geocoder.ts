import type { House, Street } from './data/streets.ts';
import { buildStreets, cityOf } from './data/streets.ts';
import type { State } from './state.ts';
import { failure, ok } from './wire.ts';
import type { Answer } from './wire.ts';

type Found = {
  latitude: number;
  longitude: number;
  city: string;
  street: string | null;
  house: string | null;
};

/** Paths of geocoders, which also identify their faults. */
export const GEOCODER_PATHS = ['/photon/api', '/nominatim/search'] as const;

const GENERIC = new Set([
  'улица',
  'ул',
  'проспект',
  'переулок',
  'площадь',
  'бульвар',
  'проезд',
  'г',
  'д',
  'дом',
]);

const words = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const isHouse = (word: string): boolean => /^\d/.test(word);

/** Searches by words. Each must begin a word of the name, or be the number of a house. */
function search({ dataset }: State, text: string): Found[] {
  const asked = words(text).filter((word) => !GENERIC.has(word));
  const names = asked.filter((word) => !isHouse(word));
  const house = asked.find(isHouse);
  if (names.length === 0) return [];
  const fits = (name: string): boolean =>
    names.every((word) => words(name).some((own) => own.startsWith(word)));
  const open = dataset.organizations.filter(({ removed }) => !removed);
  const streets = open
    .flatMap(buildStreets)
    .filter(({ city, street }) => fits(`${city} ${street}`));
  const cities = [
    ...new Map(open.map((organization) => [cityOf(organization), organization])).values(),
  ].filter((organization) => fits(cityOf(organization)));

  return [
    ...streets
      .flatMap((street) => street.houses.filter((entry) => words(entry.house).join('') === house))
      .map(houseFound),
    ...cities.map((city) => ({
      ...pickPoint(city),
      city: cityOf(city),
      street: null,
      house: null,
    })),
    ...streets.map(streetFound),
  ];
}

const pickPoint = ({ latitude, longitude }: { latitude: number; longitude: number }) => ({
  latitude,
  longitude,
});

const houseFound = (house: House): Found => ({
  ...pickPoint(house),
  city: house.city,
  street: house.street,
  house: house.house,
});

const streetFound = (street: Street): Found => ({
  ...pickPoint(street),
  city: street.city,
  street: street.street,
  house: null,
});

function photonFeature({ latitude, longitude, city, street, house }: Found): object {
  const type = house === null ? (street === null ? 'city' : 'street') : 'house';
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: {
      type,
      country: 'Россия',
      ...(type === 'city' ? { name: city } : { city }),
      ...(type === 'street' ? { name: street } : {}),
      ...(type === 'house' ? { street, housenumber: house } : {}),
    },
  };
}

function nominatimPlace({ latitude, longitude, city, street, house }: Found): object {
  return {
    lat: String(latitude),
    lon: String(longitude),
    display_name: [house, street, city, 'Россия'].filter((part) => part !== null).join(', '),
    address: {
      city,
      ...(street === null ? {} : { road: street }),
      ...(house === null ? {} : { house_number: house }),
      country: 'Россия',
    },
  };
}

/**
 * Answers like Photon or Nominatim for cities of the restaurants: houses first, nearest to the
 * preferred point.
 */
export function geocode(state: State, path: string, query: URLSearchParams): Answer {
  const text = query.get('q') ?? '';
  if (text.trim() === '') return failure(400, 'q is required.');
  const limit = Number(query.get('limit') ?? '10');
  const near = parseNear(query);
  const distance = ({ latitude, longitude }: Found): number =>
    near === null ? 0 : Math.hypot(latitude - near.latitude, longitude - near.longitude);
  const rank = ({ street, house }: Found): number => (house !== null ? 0 : street !== null ? 1 : 2);
  const found = search(state, text)
    .toSorted((a, b) => rank(a) - rank(b) || distance(a) - distance(b))
    .slice(0, limit);

  return path === '/photon/api'
    ? ok({ type: 'FeatureCollection', features: found.map(photonFeature) })
    : ok(found.map(nominatimPlace));
}

function parseNear(query: URLSearchParams): { latitude: number; longitude: number } | null {
  const [lon, lat] = [query.get('lon'), query.get('lat')];
  if (lon !== null && lat !== null) return { latitude: Number(lat), longitude: Number(lon) };
  const box = query.get('viewbox')?.split(',').map(Number);
  if (box?.length !== 4) return null;
  return { longitude: (box[0]! + box[2]!) / 2, latitude: (box[1]! + box[3]!) / 2 };
}
