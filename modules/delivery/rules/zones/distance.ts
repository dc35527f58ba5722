import type { Position } from '../../../mirror/rules/zone-polygon.ts';

export const EARTH_METERS = 6_371_000;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Measures along the surface of the Earth. */
export function distanceMeters([ax, ay]: Position, [bx, by]: Position): number {
  const [north, east] = [radians(by - ay) / 2, radians(bx - ax) / 2];
  const chord =
    Math.sin(north) ** 2 + Math.cos(radians(ay)) * Math.cos(radians(by)) * Math.sin(east) ** 2;
  return 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
}
