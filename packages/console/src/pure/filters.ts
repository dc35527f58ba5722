import { readAll, readOne, type Search } from './search.ts';

/** Kinds of filters. Parameters have the same names in the URL and the API. */
export type FilterKind = 'text' | 'choice' | 'choices' | 'flag' | 'number' | 'day';
export type FilterKinds = Readonly<Record<string, FilterKind>>;

const NUMBER = /^\d{1,15}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns undefined if the value is missing or invalid. */
function parseValue(kind: FilterKind, name: string, search: Search): unknown {
  const value = readOne(search, name);
  if (kind === 'choices')
    return readAll(search, name).length === 0 ? undefined : readAll(search, name);
  if (value === undefined || value === '') return undefined;
  if (kind === 'flag') return value === 'true' ? true : value === 'false' ? false : undefined;
  if (kind === 'number') return NUMBER.test(value) ? Number(value) : undefined;
  if (kind === 'day')
    return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

  return value;
}

/**
 * Returns the parameters of a list: filters, `page`, `size` and `sort`. Invalid values count as
 * absent.
 */
export function toParams(kinds: FilterKinds, search: Search, size = 50): Record<string, unknown> {
  const page = Number(readOne(search, 'page'));
  const sort = readOne(search, 'sort');
  const filters = Object.entries(kinds).map(
    ([name, kind]) => [name, parseValue(kind, name, search)] as const,
  );

  return {
    ...Object.fromEntries(filters.filter(([, value]) => value !== undefined)),
    size,
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(sort !== undefined && /^\w+,(?:asc|desc)$/.test(sort) ? { sort: [sort] } : {}),
  };
}

export const isFiltered = (kinds: FilterKinds, search: Search): boolean =>
  Object.entries(kinds).some(([name, kind]) => parseValue(kind, name, search) !== undefined);

/** Returns the query of an export, without page, size and sorting. */
export function toQuery(params: Readonly<Record<string, unknown>>): string {
  const { page: _page, size: _size, sort: _sort, ...filters } = params;
  const pairs = Object.entries(filters).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((entry) => entry !== undefined)
      .map((entry): [string, string] => [name, String(entry)]),
  );

  return new URLSearchParams(pairs).toString();
}
