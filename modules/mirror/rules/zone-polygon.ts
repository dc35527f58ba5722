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
/**
 * Degrees below which two sides are the same line: less than a millimeter, and more than a rounding
 * error.
 */
const SAME_LINE = 1e-9;
/** Square degrees below which the sign of an area is a rounding error. */
const NO_DIRECTION = 1e-13;

/** Numbers in the order of size, positions from west to east and from south to north. */
const firstOf = (a: Position, b: Position): number => a[0] - b[0] || a[1] - b[1];
const isSame = (a: Position, b: Position): boolean => firstOf(a, b) === 0;
const rounded = (degrees: number): number => Math.round(degrees * PRECISION) / PRECISION;

/**
 * Returns the polygon of a list of corners, open or closed, in the one form that all lists of the
 * same outline have: it begins with the westernmost corner and runs counter-clockwise. Sides may
 * cross: the inside then follows the even-odd rule. Null when it cannot be a polygon: coordinates
 * that lie nowhere, too many corners, or no area (rule MIR-42).
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
  if (positions.length < 3 || positions.length > MOST_CORNERS || !enclosesArea(positions)) return null;
  return [normalForm(positions)];
}

/**
 * True for a ring that encloses an area by the even-odd rule. A line that is drawn there and back,
 * or an outline that is drawn twice, encloses none.
 */
function enclosesArea(ring: Ring): boolean {
  const sides = ring.map((from, at) => [from, ring[(at + 1) % ring.length]!] as const);
  const latitudes = [...new Set(ring.map(([, y]) => y))].toSorted((a, b) => a - b);
  return latitudes.slice(1).some((north, at) => {
    const south = latitudes[at]!;
    const crossed = sides.filter(([[, a], [, b]]) => Math.min(a, b) <= south && Math.max(a, b) >= north);
    // Two lines, because sides may meet on one of them.
    return [0.3, 0.6].some((share) => isEnclosed(crossed, south + (north - south) * share));
  });
}

/** True when the even-odd rule encloses a part of this latitude. */
function isEnclosed(sides: readonly (readonly [Position, Position])[], latitude: number): boolean {
  const longitudes = sides.map(([[ax, ay], [bx, by]]) => ax + ((bx - ax) * (latitude - ay)) / (by - ay));
  const sorted = longitudes.toSorted((a, b) => a - b);
  return sorted.some((longitude, at) => at % 2 === 1 && longitude - sorted[at - 1]! > SAME_LINE);
}

/**
 * Twice the signed area in square degrees, positive for a ring that runs counter-clockwise; 0 where
 * two parts are equally large.
 */
function doubleArea(ring: Ring): number {
  const [x, y] = ring[0]!;
  return ring.reduce((sum, [ax, ay], at) => {
    const [bx, by] = ring[(at + 1) % ring.length]!;
    return sum + (ax - x) * (by - y) - (bx - x) * (ay - y);
  }, 0);
}

/**
 * The ring counter-clockwise from its westernmost, southernmost corner on. Where that leaves a
 * choice (the corner is there twice, or parts that run both ways are equally large) the first list
 * of positions wins.
 */
function normalForm(ring: Ring): Ring {
  const area = doubleArea(ring);
  const directions = Math.abs(area) < NO_DIRECTION ? [ring, ring.toReversed()] : [area > 0 ? ring : ring.toReversed()];
  const first = ring.toSorted(firstOf)[0]!;
  const forms = directions.flatMap((direction) =>
    direction.flatMap((position, at) =>
      isSame(position, first) ? [[...direction.slice(at), ...direction.slice(0, at)]] : [],
    ),
  );
  return forms.toSorted(firstRing)[0]!;
}

/** Rings of the same corners in the order of the first position in which they differ. */
function firstRing(one: Ring, other: Ring): number {
  const at = one.findIndex((position, index) => !isSame(position, other[index]!));
  return at < 0 ? 0 : firstOf(one[at]!, other[at]!);
}
