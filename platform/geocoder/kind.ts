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
