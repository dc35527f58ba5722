import { orient2d } from 'robust-predicates';
import type { Position, Ring } from './zone-polygon.ts';

/** Meters per degree of latitude. */
const METERS = 111_195;
/** More crossings are no accident, and the first ones include a large one. */
const MOST_CROSSINGS = 1_000;

type Side = {
  from: Position;
  to: Position;
  west: number;
  east: number;
  south: number;
  north: number;
};

/**
 * Returns the square meters (at least 1) that the worst crossing of a ring cuts off (FUL-52). Null
 * if no sides cross; touching is allowed.
 */
export function crossingArea(ring: Ring): number | null {
  const origin = ring[0]!;
  const moved = ring.map(([x, y]): Position => [x - origin[0], y - origin[1]]);
  const areaUpTo = [0];
  for (const [at, corner] of moved.entries())
    areaUpTo.push(areaUpTo[at]! + doubleArea(corner, moved[(at + 1) % moved.length]!));
  const sizes: number[] = [];

  for (const { side, other, i, j } of findCrossings(listSides(ring))) {
    const [x, y] = meetingPoint(side, other);
    const point: Position = [x - origin[0], y - origin[1]];
    const corners = areaUpTo[j]! - areaUpTo[i + 1]!;
    const loop = doubleArea(point, moved[i + 1]!) + corners + doubleArea(moved[j]!, point);
    const smaller = Math.min(Math.abs(loop), Math.abs(areaUpTo.at(-1)! - loop)) / 2;
    sizes.push(smaller * METERS ** 2 * Math.cos((y * Math.PI) / 180));
    if (sizes.length === MOST_CROSSINGS) break;
  }

  return sizes.length === 0 ? null : Math.max(1, Math.round(Math.max(...sizes)));
}

type Crossing = { side: Side; other: Side; i: number; j: number };

function* findCrossings(sides: readonly Side[]): Generator<Crossing> {
  for (const [i, side] of sides.entries())
    for (let j = i + 2; j < sides.length; j += 1) {
      const other = sides[j]!;
      if (isNear(side, other) && isCrossing(side, other)) yield { side, other, i, j };
    }
}

const doubleArea = ([ax, ay]: Position, [bx, by]: Position): number => ax * by - bx * ay;

const listSides = (ring: Ring): Side[] =>
  ring.map((from, at) => toSide(from, ring[(at + 1) % ring.length]!));

function toSide(from: Position, to: Position): Side {
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

/** Returns 1 for a corner left of a side, -1 right of it, 0 on it. Computes exactly. */
const turn = (side: Side, [x, y]: Position): number =>
  Math.sign(orient2d(side.from[0], side.from[1], side.to[0], side.to[1], x, y));

const isCrossing = (a: Side, b: Side): boolean =>
  turn(a, b.from) * turn(a, b.to) < 0 && turn(b, a.from) * turn(b, a.to) < 0;

function meetingPoint(
  { from: [ax, ay], to: [bx, by] }: Side,
  { from: [cx, cy], to: [dx, dy] }: Side,
): Position {
  const [ux, uy, vx, vy] = [bx - ax, by - ay, dx - cx, dy - cy];
  const share = ((cx - ax) * vy - (cy - ay) * vx) / (ux * vy - uy * vx);
  return [ax + ux * share, ay + uy * share];
}
