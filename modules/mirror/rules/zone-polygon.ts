import { degrees } from './values.ts';

/** Degrees in the order of GeoJSON. */
export type Position = readonly [longitude: number, latitude: number];

/** Corners without the repeated first corner. */
export type Ring = readonly Position[];

/** An outer ring and its holes. */
export type Polygon = readonly Ring[];

/** A country's outline has this many; more are an export error. */
const MOST_CORNERS = 5_000;
/** A centimeter. */
const PRECISION = 1e7;
/** Tolerance in degrees: less than 1 mm, more than a rounding error. */
const SAME_LINE = 1e-9;
/** For smaller areas (square degrees), the sign is a rounding error. */
const NO_DIRECTION = 1e-13;

const comparePositions = (a: Position, b: Position): number => a[0] - b[0] || a[1] - b[1];
const isSame = (a: Position, b: Position): boolean => comparePositions(a, b) === 0;
const rounded = (degrees: number): number => Math.round(degrees * PRECISION) / PRECISION;

/**
 * Normalizes a ring: it starts at the westernmost corner and runs counter-clockwise. Sides may
 * cross (even-odd rule). Null for invalid coordinates, too many corners, or no area (MIR-42).
 */
export function zonePolygon(
  corners: readonly { latitude?: unknown; longitude?: unknown }[],
): Polygon | null {
  const positions: Position[] = [];

  for (const corner of corners) {
    const [longitude, latitude] = [degrees(corner.longitude, 180), degrees(corner.latitude, 90)];
    if (longitude === null || latitude === null) return null;
    const position: Position = [rounded(longitude), rounded(latitude)];
    if (positions.length === 0 || !isSame(positions.at(-1)!, position)) positions.push(position);
  }

  if (positions.length > 1 && isSame(positions[0]!, positions.at(-1)!)) positions.pop();
  if (positions.length < 3 || positions.length > MOST_CORNERS || !enclosesArea(positions))
    return null;

  return [normalForm(positions)];
}

/** Returns false for a line drawn there and back, or an outline drawn twice. */
function enclosesArea(ring: Ring): boolean {
  const sides = ring.map((from, at) => [from, ring[(at + 1) % ring.length]!] as const);
  const latitudes = [...new Set(ring.map(([, y]) => y))].toSorted((a, b) => a - b);

  return latitudes.slice(1).some((north, at) => {
    const south = latitudes[at]!;
    const crossed = sides.filter(
      ([[, a], [, b]]) => Math.min(a, b) <= south && Math.max(a, b) >= north,
    );

    // Tests two lines, because sides may meet on one.
    return [0.3, 0.6].some((share) => isEnclosed(crossed, south + (north - south) * share));
  });
}

function isEnclosed(sides: readonly (readonly [Position, Position])[], latitude: number): boolean {
  const longitudes = sides.map(
    ([[ax, ay], [bx, by]]) => ax + ((bx - ax) * (latitude - ay)) / (by - ay),
  );
  const sorted = longitudes.toSorted((a, b) => a - b);
  return sorted.some((longitude, at) => at % 2 === 1 && longitude - sorted[at - 1]! > SAME_LINE);
}

/**
 * Returns twice the signed area in square degrees, positive if counter-clockwise. 0 if two parts
 * are equally large.
 */
function doubleArea(ring: Ring): number {
  const [x, y] = ring[0]!;
  return ring.reduce((sum, [ax, ay], at) => {
    const [bx, by] = ring[(at + 1) % ring.length]!;
    return sum + (ax - x) * (by - y) - (bx - x) * (ay - y);
  }, 0);
}

/**
 * Starts at the westernmost, then southernmost corner and runs counter-clockwise. If that is
 * ambiguous, the first list in order wins.
 */
function normalForm(ring: Ring): Ring {
  const area = doubleArea(ring);
  const directions =
    Math.abs(area) < NO_DIRECTION
      ? [ring, ring.toReversed()]
      : [area > 0 ? ring : ring.toReversed()];

  const first = ring.toSorted(comparePositions)[0]!;
  const forms = directions.flatMap((direction) =>
    direction.flatMap((position, at) =>
      isSame(position, first) ? [[...direction.slice(at), ...direction.slice(0, at)]] : [],
    ),
  );

  return forms.toSorted(firstRing)[0]!;
}

function firstRing(one: Ring, other: Ring): number {
  const at = one.findIndex((position, index) => !isSame(position, other[index]!));
  return at < 0 ? 0 : comparePositions(one[at]!, other[at]!);
}
