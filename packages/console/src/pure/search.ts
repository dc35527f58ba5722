/** The search parameters of a URL: texts, and lists of texts for repeated names. */
export type Search = Readonly<Record<string, string | readonly string[]>>;

/** The parameters of the search part of a URL, such as `?status=SENT&status=READY`. */
export function searchOf(text: string): Search {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = found[name];
    found[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return found;
}

/** The search part of a URL with these parameters. Empty values are left out. */
export function searchText(search: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const entry of [value].flat())
      if (entry !== undefined && entry !== null && entry !== '')
        query.append(name, String(entry as string));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** One value of a parameter; the first of several. */
export const oneOf = (search: Search, name: string): string | undefined =>
  [search[name] ?? []].flat()[0];

/** All values of a parameter. */
export const allOf = (search: Search, name: string): readonly string[] =>
  [search[name] ?? []].flat();
