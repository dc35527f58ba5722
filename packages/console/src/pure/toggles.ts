/** Entries of a list that a person has switched on or off. */
export type Toggles<Entry> = ReadonlyMap<Entry, boolean>;

/** The entries of a list after these toggles. */
export const toggled = <Entry>(
  entries: readonly Entry[],
  toggles: Toggles<Entry> | undefined,
): ReadonlySet<Entry> =>
  new Set([
    ...entries.filter((entry) => toggles?.get(entry) !== false),
    ...[...(toggles ?? [])].flatMap(([entry, isOn]) => (isOn ? [entry] : [])),
  ]);

/** The toggles with one more. A toggle that changes nothing is left out. */
export function withToggle<Entry>(
  entries: readonly Entry[],
  toggles: Toggles<Entry> | undefined,
  entry: Entry,
  isOn: boolean,
): Toggles<Entry> {
  const next = new Map(toggles);
  if (entries.includes(entry) === isOn) next.delete(entry);
  else next.set(entry, isOn);
  return next;
}

/** The ids of a typed order, then new ones at the end; ids that are gone are left out. */
export function mergedOrder(typed: readonly string[], now: readonly string[]): readonly string[] {
  return [...typed.filter((id) => now.includes(id)), ...now.filter((id) => !typed.includes(id))];
}
