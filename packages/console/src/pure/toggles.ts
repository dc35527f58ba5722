/** Entries that a person has switched on or off. */
export type Toggles<Entry> = ReadonlyMap<Entry, boolean>;

export const toggled = <Entry>(
  entries: readonly Entry[],
  toggles: Toggles<Entry> | undefined,
): ReadonlySet<Entry> =>
  new Set([
    ...entries.filter((entry) => toggles?.get(entry) !== false),
    ...[...(toggles ?? [])].flatMap(([entry, isOn]) => (isOn ? [entry] : [])),
  ]);

/** Adds a toggle. A toggle that changes nothing is left out. */
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

/** Appends new ids to a typed order, and drops ids that no longer exist. */
export function mergedOrder(typed: readonly string[], now: readonly string[]): readonly string[] {
  return [...typed.filter((id) => now.includes(id)), ...now.filter((id) => !typed.includes(id))];
}
