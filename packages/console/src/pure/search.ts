/** Repeated parameters are lists. */
export type Search = Readonly<Record<string, string | readonly string[]>>;

/** Parses a query such as `?status=SENT&status=READY`. */
export function searchOf(text: string): Search {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = found[name];
    found[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return found;
}

/** Leaves out empty values. */
export function searchText(search: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const entry of [value].flat())
      if (entry !== undefined && entry !== null && entry !== '')
        query.append(name, String(entry as string));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Returns the first of several values. */
export const oneOf = (search: Search, name: string): string | undefined =>
  [search[name] ?? []].flat()[0];

export const allOf = (search: Search, name: string): readonly string[] =>
  [search[name] ?? []].flat();
