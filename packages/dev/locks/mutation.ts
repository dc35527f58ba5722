import { findPlaces } from './places.ts';

/**
 * Maps test file → removed part → title of the tests that must fail without the part. The part is
 * an id (`places.ts`), or `refusal` with the name of a trigger function. The title is a part of the
 * full name.
 */
export type Proofs = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** A lock, rule, fence or retry to remove, and the test that must then fail. */
export type Mutation = {
  id: string;
  test: { file: string; title: string };
  /**
   * A source with an edit of its text, or statements that change a table of the scratch database.
   */
  change: { file: string; edit: (text: string) => string } | { table: string; statements: string };
};

/** Throws if the text has no such part. */
export function withoutPlace(id: string, text: string): string {
  const file = toFile(id);
  const place = findPlaces(file, text).find((entry) => entry.id === id);
  if (place === undefined) throw new Error(`${file} has no such place any more: ${id}`);
  return text.slice(0, place.start) + place.left + text.slice(place.end);
}

export const toFile = (id: string): string => id.split(' ', 1)[0]!;
