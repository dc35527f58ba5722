/** As in GeoJSON. */
export type Position = readonly [longitude: number, latitude: number];

/** Closed rings: the outline, then its holes. */
export type Rings = readonly (readonly Position[])[];

/** In degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** Some centimeters, in degrees. Closer points count as on the border. */
const ON_BORDER = 1e-7;

/** Returns null without positions. */
export function findBounds(positions: readonly Position[]): Bounds | null {
  if (positions.length === 0) return null;
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Half the height of {@link around}, about 3 km. */
const NEAR = 0.03;

export const around = ([x, y]: Position): Bounds => [
  x - 2 * NEAR,
  y - NEAR,
  x + 2 * NEAR,
  y + NEAR,
];

/** Returns a point for the polygon's label, in its widest part at half its height. */
export function innerPoint(rings: Rings): Position | null {
  const bounds = findBounds(rings[0] ?? []);
  if (bounds === null) return null;
  const y = (bounds[1] + bounds[3]) / 2;
  const crossings = listEdges(rings)
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

type Edge = readonly [from: Position, to: Position];

export type Shape = { bounds: Bounds; edges: readonly Edge[]; points: readonly Position[] };

/** Returns null without an outline. */
export function buildShape(rings: Rings): Shape | null {
  const bounds = findBounds(rings[0] ?? []);
  if (bounds === null) return null;
  const [edges, inner] = [listEdges(rings), innerPoint(rings)];
  // Corners, middles of edges, and an inner point. If no edges cross, one of these points shows an
  // overlap.
  const onEdges = edges.flatMap(([[x1, y1], [x2, y2]]): Position[] => [
    [x1, y1],
    [(x1 + x2) / 2, (y1 + y2) / 2],
  ]);

  return { bounds, edges, points: inner === null ? onEdges : [inner, ...onEdges] };
}

/** Returns true if two shapes overlap. A common border is not an overlap. */
export function haveCommonArea(one: Shape, other: Shape): boolean {
  const common: Bounds = [
    Math.max(one.bounds[0], other.bounds[0]),
    Math.max(one.bounds[1], other.bounds[1]),
    Math.min(one.bounds[2], other.bounds[2]),
    Math.min(one.bounds[3], other.bounds[3]),
  ];
  if (common[0] >= common[2] || common[1] >= common[3]) return false;

  const across = other.edges.filter((edge) => doesMeet(edge, common));
  if (
    one.edges.some(
      (edge) => doesMeet(edge, common) && across.some((crossed) => doCross(edge, crossed)),
    )
  )
    return true;

  return (
    one.points.some((point) => isWithin(point, common) && isInside(other, point)) ||
    other.points.some((point) => isWithin(point, common) && isInside(one, point))
  );
}

const listEdges = (rings: Rings): Edge[] =>
  rings.flatMap((ring) => ring.slice(1).map((to, at): Edge => [ring[at]!, to]));

const isWithin = ([x, y]: Position, [west, south, east, north]: Bounds): boolean =>
  x >= west && x <= east && y >= south && y <= north;

const doesMeet = ([[x1, y1], [x2, y2]]: Edge, [west, south, east, north]: Bounds): boolean =>
  Math.max(x1, x2) >= west &&
  Math.min(x1, x2) <= east &&
  Math.max(y1, y2) >= south &&
  Math.min(y1, y2) <= north;

/** Returns twice the area of a triangle. Its sign is the side of the edge. */
const side = ([[x1, y1], [x2, y2]]: Edge, [x, y]: Position): number =>
  (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);

/** Returns true if the ends of the other edge are on different sides. */
const divides = (edge: Edge, other: Edge): boolean =>
  side(edge, other[0]) * side(edge, other[1]) < 0;

/** Returns false if the edges only touch. */
const doCross = (one: Edge, other: Edge): boolean => divides(one, other) && divides(other, one);

/** Returns false for a point on the border. */
function isInside({ edges }: Shape, point: Position): boolean {
  const [x, y] = point;
  let crossings = 0;

  for (const edge of edges) {
    const [[x1, y1], [x2, y2]] = edge;
    if (isOnEdge(edge, point)) return false;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) crossings += 1;
  }

  return crossings % 2 === 1;
}

function isOnEdge(edge: Edge, point: Position): boolean {
  const [x, y] = point;
  if (!doesMeet(edge, [x - ON_BORDER, y - ON_BORDER, x + ON_BORDER, y + ON_BORDER])) return false;
  const [[x1, y1], [x2, y2]] = edge;
  const length = Math.hypot(x2 - x1, y2 - y1);
  return length === 0 || Math.abs(side(edge, point)) / length <= ON_BORDER;
}
