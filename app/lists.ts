import { sql, type RawBuilder } from 'kysely';

/** How PostgreSQL names the type of a list's elements. */
type ElementType = 'bigint' | 'int' | 'text' | 'uuid';

/** The right side of `column = any (…)`: one parameter however long the list is, and an empty list finds nothing. */
export function anyOf<T>(list: readonly T[], type: ElementType): RawBuilder<T> {
  return sql<T>`any (${[...list]}::${sql.raw(type)}[])`;
}

/** The right side of `column <> all (…)`: an empty list excludes nothing. */
export function allOf<T>(list: readonly T[], type: ElementType): RawBuilder<T> {
  return sql<T>`all (${[...list]}::${sql.raw(type)}[])`;
}
