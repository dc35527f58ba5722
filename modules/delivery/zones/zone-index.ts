import Flatbush from 'flatbush';
import { contains } from '../rules/zones/containment.ts';
import type { Polygon, Position } from '../../mirror/rules/zone-polygon.ts';

/**
 * Finds the zones that contain a point among thousands: an R-tree of their bounds, then the exact
 * test.
 */
export type ZoneIndex<Z> = { at(point: Position): Z[] };

/** The index of these zones, in their order; it does not follow their changes. */
export function createZoneIndex<Z extends { polygon: Polygon }>(zones: readonly Z[]): ZoneIndex<Z> {
  // The library rejects an index of nothing.
  if (zones.length === 0) return { at: () => [] };
  const tree = new Flatbush(zones.length);
  for (const { polygon } of zones) {
    const corners = polygon[0] ?? [];
    const [longitudes, latitudes] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    tree.add(Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes));
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
