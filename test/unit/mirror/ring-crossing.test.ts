import { describe, expect, test } from '@jest/globals';
import { contains } from '../../../modules/delivery/rules/zones/containment.ts';
import { crossingArea } from '../../../modules/mirror/rules/ring-crossing.ts';
import { zonePolygon, type Position } from '../../../modules/mirror/rules/zone-polygon.ts';

/** Corners (latitude, longitude) in the order of the ERP. */
const corners = (ring: readonly (readonly [number, number])[]) =>
  ring.map(([latitude, longitude]) => ({ latitude, longitude }));

/** Square meters of a square degree at the equator. */
const SQUARE_DEGREE = 111_195 ** 2;

const CROSSING_ZONES: [string, [number, number][], { within: Position[]; outside: Position[] }][] = [
  [
    'whose corner is a loop',
    [[54.7, 20.5], [54.7, 20.56], [54.7401, 20.5599], [54.7399, 20.5601], [54.74, 20.5]],
    { within: [[20.53, 54.72]], outside: [[20.57, 54.72]] },
  ],
  [
    'two of whose corners are in the wrong order',
    [[54.7, 20.5], [54.7, 20.52], [54.7, 20.54], [54.72, 20.56], [54.71, 20.56], [54.74, 20.54], [54.74, 20.5]],
    { within: [[20.52, 54.72]], outside: [[20.57, 54.72]] },
  ],
  [
    'whose corridor crosses its own side',
    [[54.7, 20.5], [54.7, 20.56], [54.72, 20.56], [54.72, 20.59], [54.72005, 20.59], [54.71999, 20.5601], [54.74, 20.56], [54.74, 20.5]],
    { within: [[20.53, 54.72]], outside: [[20.57, 54.71]] },
  ],
  [
    'whose last side crosses its first one',
    [[54.7002, 20.5002], [54.7, 20.56], [54.74, 20.56], [54.74, 20.5], [54.7001, 20.5004]],
    { within: [[20.53, 54.72]], outside: [[20.49, 54.72]] },
  ],
  [
    'with the outline of an hourglass',
    [[54.7, 20.5], [54.7, 20.6], [54.8, 20.5], [54.8, 20.6]],
    { within: [[20.55, 54.71], [20.55, 54.79]], outside: [[20.51, 54.75], [20.59, 54.75]] },
  ],
]; // oxfmt-ignore

describe('a zone that crosses itself', () => {
  test.each(CROSSING_ZONES)(
    '[MIR-42] contains points by the even-odd rule: %s',
    (_, ring, { within, outside }) => {
      const polygon = zonePolygon(corners(ring))!;

      expect(within.map((point) => contains(polygon, point))).not.toContain(false);
      expect(outside.map((point) => contains(polygon, point))).not.toContain(true);
      expect(crossingArea(polygon[0]!)).toBeGreaterThan(0);
    },
  );

  test('[FUL-52] reports in square meters the largest part that a crossing cuts off', () => {
    const hourglass = zonePolygon(corners([[0, 0], [2, 2], [2, 0], [0, 2]]))!; // oxfmt-ignore
    // oxfmt-ignore
    const plain = zonePolygon(corners([[0, 0], [0, 3], [4, 3], [4, 2], [1, 2], [1, 0.1], [2, 0.1], [2, -0.1]]))!;

    expect(crossingArea(hourglass[0]!)! / SQUARE_DEGREE).toBeCloseTo(1, 2);
    expect(crossingArea(plain[0]!)).toBeNull();
  });

  test('[FUL-52] follows the meters of its latitude', () => {
    const at = (latitude: number) =>
      // oxfmt-ignore
      crossingArea(zonePolygon(corners([[latitude, 0], [latitude + 0.02, 0.02], [latitude + 0.02, 0], [latitude, 0.02]]))![0]!)!;

    expect(at(60) / at(0)).toBeCloseTo(0.5, 2);
  });
});
