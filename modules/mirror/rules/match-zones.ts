import type { Polygon } from './zone-polygon.ts';

type Known = { id: number; name: string; polygon: Polygon | null };
type Listed = { name: string; polygon: Polygon | null };

/**
 * Matches listed zones to stored zones by name, or after a renaming by an unambiguous polygon
 * (MIR-40).
 */
export function matchZones(
  known: readonly Known[],
  listed: readonly Listed[],
): Map<string, number> {
  const byName = new Map(known.map((zone) => [zone.name, zone.id]));
  const names = new Set(listed.map((zone) => zone.name));
  const missingZones = byOutline(known.filter((zone) => !names.has(zone.name)));
  const fresh = byOutline(listed.filter((zone) => !byName.has(zone.name)));
  const idsByName = new Map(
    listed.flatMap(({ name }) => (byName.has(name) ? [[name, byName.get(name)!]] : [])),
  );

  for (const [outline, [zone, ...others]] of fresh) {
    const [before, ...rivals] = missingZones.get(outline) ?? [];
    if (before !== undefined && others.length + rivals.length === 0)
      idsByName.set(zone!.name, before.id);
  }

  return idsByName;
}

function byOutline<Z extends Listed>(zones: readonly Z[]): Map<string, Z[]> {
  return Map.groupBy(
    zones.filter((zone) => zone.polygon !== null),
    (zone) => JSON.stringify(zone.polygon),
  );
}
