/** A place that a geocoder has found. A part of the address that it does not name is null. */
export type GeocodedPlace = {
  city: string | null;
  street: string | null;
  house: string | null;
  /** Further names of the settlement, such as a town inside a city. */
  otherCities: string[];
  /** Further districts by which a house that is on no street may be named. */
  otherStreets: string[];
  /** Longitude and latitude in degrees. */
  coords: [number, number];
};

/** The query: words of an address, near a point when one is given. */
export type GeocoderQuery = { text: string; limit: number; near?: readonly [number, number] | undefined };

/** An adapter of one kind of service. */
export type GeocoderKind = {
  /** Path below the configured URL. */
  path: string;
  parameters(query: GeocoderQuery): Record<string, string>;
  /**
   * Places of an answer; what has no coordinates is left out. Throws when the answer has another
   * shape.
   */
  places(answer: unknown): GeocodedPlace[];
};

/** A value of an answer as an object, an empty one when it is none. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A list of an answer; throws when it is none. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('The answer of the geocoder is not a list');
  return value as readonly unknown[];
}

/** The first of these values that is a text with something in it. */
function textOf(...values: readonly unknown[]): string | null {
  const found = values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return found?.trim() ?? null;
}

/** Parts of a place as a service names them, the most usual of each list first. */
type PlaceParts = {
  coords: [number, number] | null;
  /** Settlements, the first of which is the city. */
  settlements: readonly unknown[];
  /** Names of the settlement in addition to the city. */
  inside: readonly unknown[];
  roads: readonly unknown[];
  /** Districts, quarters and blocks, by which houses without a road are numbered. */
  districts: readonly unknown[];
  house: unknown;
};

/**
 * The place of its parts; none without coordinates. A house that is on no road is on its district,
 * and without one on its settlement: there is nothing else that a guest could write as the street.
 */
export function placeOf({ coords, settlements, inside, roads, districts, house }: PlaceParts): GeocodedPlace[] {
  if (coords === null) return [];
  const [city = null, ...cities] = textsOf([...settlements, ...inside]);
  const number = textOf(house);
  const road = textOf(...roads);
  const within = textsOf(districts).filter((name) => name !== city);
  const bySettlement = number === null || city === null ? [] : [city];
  const [street = null, ...streets] = road !== null ? [road] : within.length > 0 ? within : bySettlement;
  return [{ city, street, house: number, coords, otherCities: cities, otherStreets: streets }];
}

const textsOf = (values: readonly unknown[]): string[] => [
  ...new Set(values.map((value) => textOf(value)).filter((text) => text !== null)),
];

/** Longitude and latitude, null when they are none. Nominatim sends numbers as text. */
export function coordsOf(longitude: unknown, latitude: unknown): [number, number] | null {
  const [x, y] = [Number(longitude), Number(latitude)];
  return longitude != null && latitude != null && Math.abs(x) <= 180 && Math.abs(y) <= 90 ? [x, y] : null;
}
