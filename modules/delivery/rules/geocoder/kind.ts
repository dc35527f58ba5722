export type GeocodedPlace = {
  city: string | null;
  street: string | null;
  house: string | null;
  /** For example, a town inside a city. */
  otherCities: string[];
  /** Other districts, for a house without a street. */
  otherStreets: string[];
  /** Longitude and latitude in degrees. */
  coords: [number, number];
};

export type GeocoderQuery = {
  text: string;
  limit: number;
  near?: readonly [number, number] | undefined;
};

export type GeocoderKind = {
  path: string;
  parameters(query: GeocoderQuery): Record<string, string>;
  /** Throws for an unexpected shape. */
  places(answer: unknown): GeocodedPlace[];
};

export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** Throws for other values. */
export function toList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('The answer of the geocoder is not a list');
  return value as readonly unknown[];
}

function findText(...values: readonly unknown[]): string | null {
  const text = values.find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
  return text?.trim() ?? null;
}

/** Values in the order of preference. */
type PlaceParts = {
  coords: [number, number] | null;
  /** The first settlement is the city. */
  settlements: readonly unknown[];
  inside: readonly unknown[];
  roads: readonly unknown[];
  /** Used for houses without a road. */
  districts: readonly unknown[];
  house: unknown;
};

/**
 * Returns no place without coordinates. If a house has no road, guests write its district or
 * settlement as the street.
 */
export function toPlaces({
  coords,
  settlements,
  inside,
  roads,
  districts,
  house,
}: PlaceParts): GeocodedPlace[] {
  if (coords === null) return [];
  const [city = null, ...cities] = listTexts([...settlements, ...inside]);
  const number = findText(house);
  const road = findText(...roads);
  const within = listTexts(districts).filter((name) => name !== city);
  const bySettlement = number === null || city === null ? [] : [city];
  const [street = null, ...streets] =
    road !== null ? [road] : within.length > 0 ? within : bySettlement;

  return [{ city, street, house: number, coords, otherCities: cities, otherStreets: streets }];
}

const listTexts = (values: readonly unknown[]): string[] => [
  ...new Set(values.map((value) => findText(value)).filter((text) => text !== null)),
];

/** Returns null if invalid. Nominatim sends texts. */
export function toCoords(longitude: unknown, latitude: unknown): [number, number] | null {
  const [x, y] = [Number(longitude), Number(latitude)];
  return longitude != null && latitude != null && Math.abs(x) <= 180 && Math.abs(y) <= 90
    ? [x, y]
    : null;
}
