import { orient2d } from 'robust-predicates';
import type { Polygon, Position, Ring } from '../../../mirror/rules/zone-polygon.ts';

/**
 * Returns whether a point lies in a polygon, holes left out. Of a border the western and southern
 * side belongs to the polygon, so a point on the common border of two zones lies in exactly one of
 * them. Exact for all coordinates (rule FUL-30).
 */
export function contains(polygon: Polygon, point: Position): boolean {
  return polygon.reduce((sides, ring) => sides + sidesEastOf(ring, point), 0) % 2 === 1;
}

/**
 * Counts the sides of a ring that a ray from the point to the east crosses. A side has its lower
 * end and not its upper one.
 */
function sidesEastOf(ring: Ring, [x, y]: Position): number {
  let crossed = 0;
  let from = ring.at(-1);
  for (const to of ring) {
    if (from !== undefined && from[1] > y !== to[1] > y) {
      const [lower, upper] = from[1] < to[1] ? [from, to] : [to, from];
      // Negative when the point lies west of the side: the library's y grows downwards.
      if (orient2d(lower[0], lower[1], upper[0], upper[1], x, y) < 0) crossed += 1;
    }
    from = to;
  }
  return crossed;
}
