import { orient2d } from 'robust-predicates';
import type { Polygon, Position, Ring } from '../../../mirror/rules/zone-polygon.ts';

/**
 * Returns true if a polygon contains a point. Computes exactly (FUL-30). Western and southern
 * borders belong to the polygon, so that adjacent zones share no point.
 */
export function contains(polygon: Polygon, point: Position): boolean {
  return polygon.reduce((sides, ring) => sides + countSidesEast(ring, point), 0) % 2 === 1;
}

/** Counts a side with its lower end only. */
function countSidesEast(ring: Ring, [x, y]: Position): number {
  let crossed = 0;
  let from = ring.at(-1);

  for (const to of ring) {
    if (from !== undefined && from[1] > y !== to[1] > y) {
      const [lower, upper] = from[1] < to[1] ? [from, to] : [to, from];
      // Negative if the point is west of the side, because the library's y axis points down.
      if (orient2d(lower[0], lower[1], upper[0], upper[1], x, y) < 0) crossed += 1;
    }

    from = to;
  }

  return crossed;
}
