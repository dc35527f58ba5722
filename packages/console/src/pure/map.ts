/** A point of a map as GeoJSON has it: longitude, then latitude. */
export type Position = readonly [longitude: number, latitude: number];

/** A square that shows a part of the world on a drawing of 1,000 × 1,000. */
export type View = { west: number; north: number; perUnit: number };

const SIZE = 1_000;
const RADIANS = Math.PI / 180;

/** Mercator's ordinate of a latitude, in degrees. */
const ordinate = (latitude: number): number => Math.log(Math.tan(Math.PI / 4 + (latitude * RADIANS) / 2)) / RADIANS;
const latitudeAt = (y: number): number => (2 * Math.atan(Math.exp(y * RADIANS)) - Math.PI / 2) / RADIANS;

/** The smallest view with all positions and a margin. */
export function viewOf(positions: readonly Position[]): View {
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => ordinate(y))];
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const span = Math.max(east - west, north - south, 0.001) * 1.08;
  return { west: (west + east - span) / 2, north: (south + north + span) / 2, perUnit: span / SIZE };
}

/** The point of the drawing for a position. */
export const drawn = ({ west, north, perUnit }: View, [longitude, latitude]: Position): [x: number, y: number] => [
  (longitude - west) / perUnit,
  (north - ordinate(latitude)) / perUnit,
];

/** The position for a point of the drawing. */
export const positionAt = ({ west, north, perUnit }: View, x: number, y: number): Position => [
  west + x * perUnit,
  latitudeAt(north - y * perUnit),
];
