import { orient2d } from 'robust-predicates';
import { degrees } from './values.ts';

/** Longitude and latitude in degrees, in the order of GeoJSON. */
export type Position = readonly [longitude: number, latitude: number];

/** The corners of a polygon, the first one not repeated at the end. */
export type Ring = readonly Position[];

/** An outer ring and its holes. */
export type Polygon = readonly Ring[];

/** More corners are a mistake of an export: the outline of a country has as many. */
const MOST_CORNERS = 5_000;
/** Seven decimals of a degree are a centimetre. */
const PRECISION = 1e7;

/** Numbers in the order of size, positions from west to east and from south to north. */
const firstOf = (a: Position, b: Position): number => a[0] - b[0] || a[1] - b[1];
const isSame = (a: Position, b: Position): boolean => firstOf(a, b) === 0;
const rounded = (degrees: number): number => Math.round(degrees * PRECISION) / PRECISION;

/**
 * The polygon of a list of corners, open or closed, in the one form that all lists of the same outline have: it begins with the
 * westernmost corner and runs counter-clockwise. Null when it cannot be a polygon: coordinates that lie nowhere, fewer than three
 * corners, no area, sides that cross each other (rule MIR-42).
 */
export function zonePolygon(corners: readonly { latitude?: unknown; longitude?: unknown }[]): Polygon | null {
  const positions: Position[] = [];
  for (const corner of corners) {
    const [longitude, latitude] = [degrees(corner.longitude, 180), degrees(corner.latitude, 90)];
    if (longitude === null || latitude === null) return null;
    const position: Position = [rounded(longitude), rounded(latitude)];
    if (positions.length === 0 || !isSame(positions.at(-1)!, position)) positions.push(position);
  }
  if (positions.length > 1 && isSame(positions[0]!, positions.at(-1)!)) positions.pop();
  if (positions.length < 3 || positions.length > MOST_CORNERS || hasCrossing(positions)) return null;
  const area = doubleArea(positions);
  if (area === 0) return null;
  return [fromFirst(area > 0 ? positions : positions.toReversed())];
}

/** Twice the area in square degrees, positive for a ring that runs counter-clockwise; measured from a corner, which keeps it exact enough. */
function doubleArea(ring: Ring): number {
  const [x, y] = ring[0]!;
  return ring.reduce((sum, [ax, ay], at) => {
    const [bx, by] = ring[(at + 1) % ring.length]!;
    return sum + (ax - x) * (by - y) - (bx - x) * (ay - y);
  }, 0);
}

/** The ring from its westernmost, southernmost corner on. */
function fromFirst(ring: Ring): Ring {
  const first = ring.toSorted(firstOf)[0]!;
  const at = ring.findIndex((position) => isSame(position, first));
  return [...ring.slice(at), ...ring.slice(0, at)];
}

/** Whether two sides of the ring cross; sides that only touch do not. */
function hasCrossing(ring: Ring): boolean {
  const sides = ring.map((from, at) => sideOf(from, ring[(at + 1) % ring.length]!));
  return sides.some((side, at) => sides.slice(at + 2).some((other) => isNear(side, other) && cross(side, other)));
}

type Side = { from: Position; to: Position; west: number; east: number; south: number; north: number };

function sideOf(from: Position, to: Position): Side {
  return {
    from,
    to,
    west: Math.min(from[0], to[0]),
    east: Math.max(from[0], to[0]),
    south: Math.min(from[1], to[1]),
    north: Math.max(from[1], to[1]),
  };
}

const isNear = (a: Side, b: Side): boolean =>
  a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;

/** Whether a corner lies left (1) or right (-1) of a side, or on its line (0); exact. */
const turn = (side: Side, [x, y]: Position): number =>
  Math.sign(orient2d(side.from[0], side.from[1], side.to[0], side.to[1], x, y));

const cross = (a: Side, b: Side): boolean => turn(a, b.from) * turn(a, b.to) < 0 && turn(b, a.from) * turn(b, a.to) < 0;
