import { placesOf } from './places.ts';

/**
 * Test file → removed place → a part of the full name of the test that must fail then, or of
 * several. The removed place is given by its id (`places.ts`), or by `refusal` and the name of a
 * trigger function.
 */
export type Proofs = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** One lock, rule, fence or retry to remove, and the test that must fail then. */
export type Mutation = {
  id: string;
  test: { file: string; title: string };
  /**
   * A source and what becomes of its text, or statements that change one table of the scratch
   * database.
   */
  change: { file: string; edit: (text: string) => string } | { table: string; statements: string };
};

/** The text of a file without the place of this id; throws when it has no such place. */
export function withoutPlace(id: string, text: string): string {
  const file = fileOf(id);
  const place = placesOf(file, text).find((entry) => entry.id === id);
  if (place === undefined) throw new Error(`${file} has no such place any more: ${id}`);
  return text.slice(0, place.start) + place.left + text.slice(place.end);
}

/** The file that an id begins with. */
export const fileOf = (id: string): string => id.split(' ', 1)[0]!;
