export type GeocodedPlace = {
  city: string | null;
  street: string | null;
  house: string | null;
  /** Such as a town inside a city. */
  otherCities: string[];
  /** Other districts of a house without a street. */
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

/** Empty for other values. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** Throws for other values. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('The answer of the geocoder is not a list');
  return value as readonly unknown[];
}

function textOf(...values: readonly unknown[]): string | null {
  const found = values.find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
  return found?.trim() ?? null;
}

/** Most common values first. */
type PlaceParts = {
  coords: [number, number] | null;
  /** The first one is the city. */
  settlements: readonly unknown[];
  inside: readonly unknown[];
  roads: readonly unknown[];
  /** For houses without a road. */
  districts: readonly unknown[];
  house: unknown;
};

/**
 * Returns null without coordinates. Guests write the district or settlement of a house without a
 * road as the street.
 */
export function placeOf({
  coords,
  settlements,
  inside,
  roads,
  districts,
  house,
}: PlaceParts): GeocodedPlace[] {
  if (coords === null) return [];
  const [city = null, ...cities] = textsOf([...settlements, ...inside]);
  const number = textOf(house);
  const road = textOf(...roads);
  const within = textsOf(districts).filter((name) => name !== city);
  const bySettlement = number === null || city === null ? [] : [city];
  const [street = null, ...streets] =
    road !== null ? [road] : within.length > 0 ? within : bySettlement;
  return [{ city, street, house: number, coords, otherCities: cities, otherStreets: streets }];
}

const textsOf = (values: readonly unknown[]): string[] => [
  ...new Set(values.map((value) => textOf(value)).filter((text) => text !== null)),
];

/** Returns null if invalid. Nominatim sends texts. */
export function coordsOf(longitude: unknown, latitude: unknown): [number, number] | null {
  const [x, y] = [Number(longitude), Number(latitude)];
  return longitude != null && latitude != null && Math.abs(x) <= 180 && Math.abs(y) <= 90
    ? [x, y]
    : null;
}
