/** Missing parts are null. */
export type GeocodedPlace = {
  city: string | null;
  street: string | null;
  house: string | null;
  /** Other names of the settlement, such as a town inside a city. */
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
  /** Below the configured URL. */
  path: string;
  parameters(query: GeocoderQuery): Record<string, string>;
  /** Excludes results without coordinates. Throws for an unexpected shape. */
  places(answer: unknown): GeocodedPlace[];
};

/** Returns an object, empty for other values. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** Returns a list; throws for other values. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('The answer of the geocoder is not a list');
  return value as readonly unknown[];
}

/** The first nonempty text. */
function textOf(...values: readonly unknown[]): string | null {
  const found = values.find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
  return found?.trim() ?? null;
}

/** The most common value of each list first. */
type PlaceParts = {
  coords: [number, number] | null;
  /** The first one is the city. */
  settlements: readonly unknown[];
  /** Other names of the settlement. */
  inside: readonly unknown[];
  roads: readonly unknown[];
  /** Houses without a road are numbered by these. */
  districts: readonly unknown[];
  house: unknown;
};

/**
 * Returns a place unless it has no coordinates. A house without a road is in its district or
 * settlement, because guests write that as the street.
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

/** Returns valid longitude and latitude, or null. Nominatim sends texts. */
export function coordsOf(longitude: unknown, latitude: unknown): [number, number] | null {
  const [x, y] = [Number(longitude), Number(latitude)];
  return longitude != null && latitude != null && Math.abs(x) <= 180 && Math.abs(y) <= 90
    ? [x, y]
    : null;
}
