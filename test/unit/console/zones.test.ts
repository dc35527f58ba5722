import { describe, expect, test } from '@jest/globals';
import {
  findBounds,
  haveCommonArea,
  innerPoint,
  buildShape,
  type Rings,
} from '../../../packages/console/src/pure/polygons.ts';
import {
  buildDrawing,
  findOverlaps,
  parsePosition,
  positionText,
  zoneChange,
  type DrawnZone,
} from '../../../packages/console/src/pure/zones.ts';

const box = (west: number, south: number, east: number, north: number): Rings => [
  [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ],
];

const zone = (id: number, rings: Rings | null, more: Partial<DrawnZone> = {}): DrawnZone => ({
  id,
  name: `Zone ${id}`,
  displayName: null,
  priority: 100,
  style: null,
  isActive: true,
  geometry: rings === null ? null : { coordinates: rings },
  ...more,
});

describe('polygons', () => {
  const square = box(0, 0, 4, 4);
  const overlap = (one: Rings, other: Rings) =>
    haveCommonArea(buildShape(one)!, buildShape(other)!);

  test.each<[what: string, other: Rings, expected: boolean]>([
    ['a neighbor with a common border', box(4, 0, 8, 4), false],
    ['a neighbor with a part of the border', box(4, 1, 8, 3), false],
    ['a polygon that touches a corner', box(4, 4, 8, 8), false],
    ['a distant polygon', box(10, 10, 12, 12), false],
    ['a polygon across the border', box(3, 1, 6, 3), true],
    ['a polygon inside', box(1, 1, 2, 2), true],
    ['a polygon around', box(-1, -1, 9, 9), true],
    ['a half with common borders', box(0, 0, 2, 4), true],
    ['an equal polygon', box(0, 0, 4, 4), true],
  ])('[CSL-21] %s', (_, other, expected) => {
    expect([overlap(square, other), overlap(other, square)]).toEqual([expected, expected]);
  });

  test('[CSL-21] a polygon in the hole of another one has no common area with it', () => {
    const ring: Rings = [...box(0, 0, 9, 9), ...box(2, 2, 7, 7)];

    expect(overlap(ring, box(3, 3, 6, 6))).toBe(false);
    expect(overlap(ring, box(3, 3, 8, 6))).toBe(true);
  });

  test('[CSL-21] the place of a name is inside, also next to a hole', () => {
    expect(innerPoint(square)).toEqual([2, 2]);
    expect(innerPoint([...box(0, 0, 9, 9), ...box(1, 1, 7, 8)])).toEqual([8, 4.5]);
    expect(innerPoint([])).toBeNull();
    expect([findBounds([]), buildShape([])]).toEqual([null, null]);
  });
});

describe('the map of zones', () => {
  const low = zone(1, box(0, 0, 4, 4), { priority: 10 });
  const high = zone(2, box(3, 0, 8, 4), {
    priority: 20,
    style: { color: '#112233', opacity: 0.6 },
  });
  const apart = zone(3, box(20, 0, 24, 4));
  const gone = zone(4, box(0, 0, 4, 4), { isActive: false });
  const zones = [low, high, apart, gone, zone(5, null)];

  test('[CSL-21] names the overlaps of active zones by priority', () => {
    const lowest = zone(6, box(2, 2, 5, 3), { priority: 1 });
    const overlaps = findOverlaps([...zones, lowest]);

    expect([...overlaps].map(([id, others]) => [id, others.map((other) => other.id)])).toEqual([
      [6, [1, 2]],
      [1, [6, 2]],
      [2, [6, 1]],
      [3, []],
      [5, []],
    ]);
  });

  test('[CSL-21] draws the zone that serves an overlap last, with its priority', () => {
    const { areas, labels, point } = buildDrawing(zones, findOverlaps(zones), 2, null);

    expect(areas.features.map(({ properties: { id } }) => id)).toEqual([4, 3, 2, 1]);
    expect(labels.features.map(({ properties: { label } }) => label)).toEqual([
      'Zone 4',
      'Zone 3',
      'Zone 2\n20',
      'Zone 1\n10',
    ]);
    expect(areas.features[2]!.properties).toMatchObject({
      color: '#112233',
      opacity: 0.6,
      isChosen: true,
    });
    expect(point.features).toEqual([]);
  });

  test('[CSL-12] reads a point with the latitude first, as people write it', () => {
    expect(parsePosition('55.7558, 37.6173')).toEqual([37.6173, 55.7558]);
    expect(parsePosition(positionText([37.6173, -5.5]))).toEqual([37.6173, -5.5]);
    expect(
      ['', '55.7558', '95, 37', '55, 181', 'a, b', '55,7558, 37,6173'].map(parsePosition),
    ).toEqual(Array.from({ length: 6 }, () => null));
  });
});

describe('an edit of a zone', () => {
  const texts = { description: 'Near', notice: 'Call' };
  const styled = { ...zone(1, null, { style: { color: '#112233', opacity: 0.6 } }), texts };
  const plain = { ...zone(2, null), texts: {} };

  test('[CSL-9] keeps the text and the part of the style that were not changed', () => {
    expect(zoneChange({ priority: 5, texts: { notice: 'Ring' } }, styled)).toEqual({
      priority: 5,
      texts: { description: 'Near', notice: 'Ring' },
    });
    expect(zoneChange({ style: { opacity: 0.2 } }, styled)).toEqual({
      style: { color: '#112233', opacity: 0.2 },
    });
  });

  test('[CSL-9] clears a text and the style', () => {
    expect(zoneChange({ texts: { notice: null }, style: { color: null } }, styled)).toEqual({
      texts: { description: 'Near' },
      style: null,
    });
  });

  test('[CSL-9] completes the style of a zone that had none', () => {
    expect(zoneChange({ style: { color: '#445566' } }, plain)).toEqual({
      style: { color: '#445566', opacity: 0.3 },
    });
    expect(zoneChange({ style: { opacity: 0.2 } }, plain)).toEqual({
      style: { color: expect.stringMatching(/^#[0-9a-f]{6}$/), opacity: 0.2 },
    });
  });
});
