import { placesOf } from './places.ts';

/**
 * Test file → removed part → title (part of the full name) of the tests that must fail without
 * it. The part is an id (`places.ts`), or `refusal` and the name of a trigger function.
 */
export type Proofs = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** A lock, rule, fence or retry to remove, and the test that must fail without it. */
export type Mutation = {
  id: string;
  test: { file: string; title: string };
  /**
   * A source with an edit of its text, or statements that change one table of the scratch
   * database.
   */
  change: { file: string; edit: (text: string) => string } | { table: string; statements: string };
};

/** Throws if the text has no such part. */
export function withoutPlace(id: string, text: string): string {
  const file = fileOf(id);
  const place = placesOf(file, text).find((entry) => entry.id === id);
  if (place === undefined) throw new Error(`${file} has no such place any more: ${id}`);
  return text.slice(0, place.start) + place.left + text.slice(place.end);
}

export const fileOf = (id: string): string => id.split(' ', 1)[0]!;
