/** Repeated parameters are lists. */
export type Search = Readonly<Record<string, string | readonly string[]>>;

export function parseSearch(text: string): Search {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = found[name];
    found[name] = before === undefined ? value : [...[before].flat(), value];
  }

  return found;
}

/** Formats a query without empty values. */
export function searchText(search: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const entry of [value].flat())
      if (entry !== undefined && entry !== null && entry !== '')
        query.append(name, String(entry as string));

  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Returns the value, or the first of several. */
export const readOne = (search: Search, name: string): string | undefined =>
  [search[name] ?? []].flat()[0];

export const readAll = (search: Search, name: string): readonly string[] =>
  [search[name] ?? []].flat();
