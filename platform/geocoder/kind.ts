/** A place that a geocoder has found. A part of the address that it does not name is null. */
export type GeocodedPlace = {
  city: string | null;
  street: string | null;
  house: string | null;
  /** Longitude and latitude in degrees. */
  coords: [number, number];
};

/** What is looked for: words of an address, near a point when one is given. */
export type GeocoderQuery = { text: string; limit: number; near?: readonly [number, number] | undefined };

/** How to ask one kind of service and how to read its answer. */
export type GeocoderKind = {
  /** Path below the configured URL. */
  path: string;
  parameters(query: GeocoderQuery): Record<string, string>;
  /** Places of an answer; what has no coordinates is left out. Throws when the answer has another shape. */
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
export function textOf(...values: readonly unknown[]): string | null {
  const found = values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return found?.trim() ?? null;
}

/** Longitude and latitude, null when they are none. Nominatim sends numbers as text. */
export function coordsOf(longitude: unknown, latitude: unknown): [number, number] | null {
  const [x, y] = [Number(longitude), Number(latitude)];
  return longitude != null && latitude != null && Math.abs(x) <= 180 && Math.abs(y) <= 90 ? [x, y] : null;
}
