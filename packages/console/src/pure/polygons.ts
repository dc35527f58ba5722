/** A point as GeoJSON has it: longitude, then latitude. */
export type Position = readonly [longitude: number, latitude: number];

/** Rings of a polygon, whose last position is the first one again: the outline, then its holes. */
export type Rings = readonly (readonly Position[])[];

/** West, south, east and north in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** Degrees that count as on the border: some centimeters. */
const ON_BORDER = 1e-7;

/** The bounds of these positions, or null if there are none. */
export function boundsOf(positions: readonly Position[]): Bounds | null {
  if (positions.length === 0) return null;
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Half of the height of {@link around} in degrees, about 3 km. */
const NEAR = 0.03;

/** The neighborhood of a point. */
export const around = ([x, y]: Position): Bounds => [x - 2 * NEAR, y - NEAR, x + 2 * NEAR, y + NEAR];

/** A point inside of the polygon, in its widest part at half of its height: a place for its name. */
export function innerPoint(rings: Rings): Position | null {
  const bounds = boundsOf(rings[0] ?? []);
  if (bounds === null) return null;
  const y = (bounds[1] + bounds[3]) / 2;
  const crossings = edgesOf(rings)
    .filter(([[, from], [, to]]) => from > y !== to > y)
    .map(([[x1, y1], [x2, y2]]) => x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
    .toSorted((one, other) => one - other);
  let widest: Position | null = null;
  let width = 0;
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const [west, east] = [crossings[at]!, crossings[at + 1]!];
    if (east - west > width) [widest, width] = [[(west + east) / 2, y], east - west];
  }
  return widest;
}

/** True if the polygons have a common area. A common border is none. */
export function haveCommonArea(one: Rings, other: Rings): boolean {
  const [a, b] = [boundsOf(one[0] ?? []), boundsOf(other[0] ?? [])];
  if (a === null || b === null || a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3]) return false;
  const edges = edgesOf(other);
  if (edgesOf(one).some((edge) => edges.some((across) => doCross(edge, across)))) return true;
  return pointsOf(one).some((point) => isInside(other, point)) || pointsOf(other).some((point) => isInside(one, point));
}

type Edge = readonly [from: Position, to: Position];

const edgesOf = (rings: Rings): Edge[] => rings.flatMap((ring) => ring.slice(1).map((to, at): Edge => [ring[at]!, to]));

/** Twice the area of a triangle; its sign is the side of the edge on which the point lies. */
const side = ([[x1, y1], [x2, y2]]: Edge, [x, y]: Position): number => (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);

const areOnBothSides = (edge: Edge, [from, to]: Edge): boolean => {
  const [before, after] = [side(edge, from), side(edge, to)];
  return (before > 0 && after < 0) || (before < 0 && after > 0);
};

/** True if the edges cross, and do not only touch. */
const doCross = (one: Edge, other: Edge): boolean => areOnBothSides(one, other) && areOnBothSides(other, one);

/** Corners, middles of edges and a point inside: without crossings, one of them shows an overlap. */
function pointsOf(rings: Rings): Position[] {
  const inner = innerPoint(rings);
  const onEdges = edgesOf(rings).flatMap(([[x1, y1], [x2, y2]]): Position[] => [
    [x1, y1],
    [(x1 + x2) / 2, (y1 + y2) / 2],
  ]);
  return inner === null ? onEdges : [inner, ...onEdges];
}

/** True if the point is inside of the polygon and not on its border. */
function isInside(rings: Rings, point: Position): boolean {
  const [x, y] = point;
  let crossings = 0;
  for (const edge of edgesOf(rings)) {
    const [[x1, y1], [x2, y2]] = edge;
    if (isOnEdge(edge, point)) return false;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) crossings += 1;
  }
  return crossings % 2 === 1;
}

function isOnEdge(edge: Edge, point: Position): boolean {
  const [[x1, y1], [x2, y2]] = edge;
  const [x, y] = point;
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return Math.hypot(x - x1, y - y1) <= ON_BORDER;
  const along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length;
  return Math.abs(side(edge, point)) / length <= ON_BORDER && along >= -ON_BORDER && along <= length + ON_BORDER;
}
