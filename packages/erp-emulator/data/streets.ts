import type { Organization } from '../model.ts';

/** Degrees. */
type Point = { latitude: number; longitude: number };
export type House = Point & { city: string; street: string; house: string };
export type Street = Point & { city: string; street: string; houses: House[] };

/** Names of streets. Each restaurant has some. */
export const STREET_NAMES: readonly string[] = [
  'Садовая улица',
  'улица Мира',
  'Школьная улица',
  'Речная улица',
  'улица Победы',
  'Новая улица',
  'Лесная улица',
  'Озёрный переулок',
  'Заводская улица',
  'Парковая улица',
  'Вокзальная площадь',
  'Солнечная улица',
  'Полевая улица',
  'Мостовая улица',
  'Кленовый бульвар',
  'улица Строителей',
  'Почтовый переулок',
  'Рябиновая улица',
  'Гончарная улица',
  'Северный проезд',
];

const STREETS = 4;
/** Houses per street. The last ones are outside the delivery area. */
const HOUSES = 60;
const FIRST_METRES = 300;
const STEP_METRES = 40;
const METRES_PER_DEGREE = 111_320;

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

function pointAt({ latitude, longitude }: Point, metres: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  const width = METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);

  return {
    latitude: rounded(latitude + (metres * Math.sin(angle)) / METRES_PER_DEGREE),
    longitude: rounded(longitude + (metres * Math.cos(angle)) / width),
  };
}

export function cityOf({ address }: Organization): string {
  return address.split(', ')[0] ?? address;
}

/** Returns straight streets with houses around a restaurant, including the restaurant's own. */
export function buildStreets(organization: Organization): Street[] {
  const { address, latitude, longitude, number } = organization;
  const city = cityOf(organization);
  const [, own = '', house = ''] = address.split(', ');
  const first = { city, street: own, latitude, longitude };
  const buildHouses = (street: string, degrees: number): House[] =>
    Array.from({ length: HOUSES }, (_, index) => ({
      city,
      street,
      house: String(index + 1),
      ...pointAt(organization, FIRST_METRES + STEP_METRES * (index + 1), degrees),
    }));

  const others = Array.from({ length: STREETS }, (_, at): Street => {
    const street = STREET_NAMES[((number - 1) * STREETS + at) % STREET_NAMES.length]!;
    const degrees = 45 + at * 90;

    return {
      city,
      street,
      ...pointAt(organization, FIRST_METRES, degrees),
      houses: buildHouses(street, degrees),
    };
  });

  const neighbours = buildHouses(own, 0).filter((entry) => entry.house !== house);

  return [{ ...first, houses: [{ ...first, house }, ...neighbours] }, ...others];
}
