import Flatbush from 'flatbush';
import { contains } from '../rules/zones/containment.ts';
import type { Polygon, Position } from '../../mirror/rules/zone-polygon.ts';

/** Searches an R-tree of bounds, then tests exactly. */
export type ZoneIndex<Z> = { at(point: Position): Z[] };

/** Creates an index that keeps the order of zones. */
export function createZoneIndex<Z extends { polygon: Polygon }>(zones: readonly Z[]): ZoneIndex<Z> {
  // The library rejects an empty index.
  if (zones.length === 0) return { at: () => [] };
  const tree = new Flatbush(zones.length);

  for (const { polygon } of zones) {
    const corners = polygon[0] ?? [];
    const [longitudes, latitudes] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    tree.add(
      Math.min(...longitudes),
      Math.min(...latitudes),
      Math.max(...longitudes),
      Math.max(...latitudes),
    );
  }

  tree.finish();

  return {
    at(point) {
      const [x, y] = point;
      const near = tree.search(x, y, x, y).toSorted((a, b) => a - b);
      return near.map((at) => zones[at]!).filter((zone) => contains(zone.polygon, point));
    },
  };
}
