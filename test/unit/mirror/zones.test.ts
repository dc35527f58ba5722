import { describe, expect, test } from '@jest/globals';
import { createAnomalies } from '../../../modules/mirror/rules/anomalies.ts';
import {
  deliveryMapRows,
  type DeliveryMapSource,
} from '../../../modules/mirror/rules/delivery-map.ts';
import { buildDeliveryMap, rule, square } from '../../support/delivery-map.ts';
import { matchZones } from '../../../modules/mirror/rules/match-zones.ts';
import {
  zonePolygon,
  type Polygon,
  type Position,
} from '../../../modules/mirror/rules/zone-polygon.ts';

const corners = (...positions: Position[]) =>
  positions.map(([longitude, latitude]) => ({ latitude, longitude }));
const SQUARE: Position[] = [
  [20.5, 54.7],
  [20.6, 54.7],
  [20.6, 54.8],
  [20.5, 54.8],
];

describe('a polygon of a zone', () => {
  test('[MIR-42] equals the polygon of every list of its corners', () => {
    const expected: Polygon = [SQUARE];

    for (let start = 0; start < 4; start += 1) {
      const turned = [...SQUARE.slice(start), ...SQUARE.slice(0, start)];
      expect(zonePolygon(corners(...turned))).toEqual(expected);
      expect(zonePolygon(corners(...turned.toReversed()))).toEqual(expected);
      expect(zonePolygon(corners(...turned, turned[0]!, turned[0]!))).toEqual(expected);
    }
  });

  test.each([
    ['no corner', []],
    ['two corners', corners([20, 54], [21, 54])],
    ['a corner that is repeated', corners([20, 54], [21, 54], [20, 54], [20, 54])],
    ['no area', corners([20, 54], [21, 54], [22, 54])],
    ['a way there and back', corners([20, 54], [21, 55], [22, 55], [21, 55])],
    ['an outline that is drawn twice', corners(...SQUARE, ...SQUARE)],
    ['a latitude beyond the pole', corners([20, 54], [21, 54], [21, 91])],
    [
      'a coordinate that is text and no number',
      [...corners([20, 54], [21, 54]), { latitude: '55,0', longitude: 21 }],
    ],
    ['a coordinate that is missing', [...corners([20, 54], [21, 54]), { latitude: 55 }]],
    ['an infinite coordinate', corners([20, 54], [21, 54], [21, Infinity])],
    [
      'more corners than a country',
      Array.from({ length: 5_001 }, (_, at) => corners([at / 1e4, (at % 2) / 10])[0]!),
    ],
  ])('cannot have %s', (_, broken) => {
    expect(zonePolygon(broken)).toBeNull();
  });

  test('[MIR-51] accepts coordinates written as text', () => {
    const asText = corners(...SQUARE).map(({ latitude, longitude }) => ({
      latitude: String(latitude),
      longitude: String(longitude),
    }));

    expect(zonePolygon(asText)).toEqual([SQUARE]);
  });

  /** Returns the ring from each of its corners, in both directions and mirrored. */
  const everyList = (ring: Position[]) =>
    ring.flatMap((_, start) => {
      const turned = [...ring.slice(start), ...ring.slice(0, start)];
      const mirrored = turned.map(([x, y]): Position => [y, x]);
      return [turned, turned.toReversed(), mirrored, turned.map(([x, y]): Position => [-x, y])];
    });

  test.each<[string, Position[]]>([
    ['has two sides that cross and an area', [[0, 0], [4, 4], [4, 0], [0, 2]]],
    ['has two sides that cross far from each other', [[0, 0], [2, -3], [4, 0], [4, 6], [3, -4], [1, 7], [0, 6]]],
    ['has a corner that reaches through its first side', [[0, 0], [10, 0], [10, 5], [6, 3], [5, -2], [4, 3], [0, 5], [-1, 3]]],
    ['has a side that goes through all others', [[0, 0], [6, 0], [6, 5], [-3, 1], [4, -2], [0, 5]]],
    ['is an hourglass', [[0, 0], [2, 2], [2, 0], [0, 2]]],
  ])('[MIR-42] keeps one normalized shape that %s, for any list of its corners', (_, ring) => {
    const rotations = ring.map((_position, start) => [...ring.slice(start), ...ring.slice(0, start)]);
    const polygons = [...rotations, ...rotations.map((rotation) => rotation.toReversed())].map((rotation) =>
      zonePolygon(corners(...rotation)),
    );

    expect(polygons[0]?.[0]).toHaveLength(ring.length);
    for (const polygon of polygons) expect(polygon).toEqual(polygons[0]);
    for (const mirrored of everyList(ring)) expect(zonePolygon(corners(...mirrored))?.[0]).toHaveLength(ring.length);
  }); // oxfmt-ignore

  test.each<[string, Position[]]>([
    ['has three corners', [[0, 0], [2, 0], [1, 1]]],
    ['touches itself in a corner', [[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 1]]],
    ['touches a side with a corner', [[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]]],
    ['has corners inside', [[0, 0], [5, 0], [5, 5], [4, 1], [3, 5], [2, 1], [1, 5]]],
    ['is a star', [[0, 5], [1, 1], [5, 0], [1, -1], [0, -5], [-1, -1], [-5, 0], [-1, 1]]],
  ])('may be one that %s, for any list of its corners', (_, ring) => {
    for (const entry of everyList(ring)) expect(zonePolygon(corners(...entry))?.[0]).toHaveLength(ring.length);
  }); // oxfmt-ignore

  test('may have at most 5,000 corners', () => {
    const round = (count: number) =>
      Array.from({ length: count }, (_, at): Position => {
        const angle = (2 * Math.PI * at) / count;
        return [10 * Math.cos(angle), 10 * Math.sin(angle)];
      });

    expect(zonePolygon(corners(...round(5_000)))?.[0]).toHaveLength(5_000);
    expect(zonePolygon(corners(...round(5_001)))).toBeNull();
  });
});

describe('the zones of an answer', () => {
  const square: Polygon = [SQUARE];
  const other: Polygon = [SQUARE.slice(0, 3)];

  test('keep their identity by name, with any polygon', () => {
    const known = [{ id: 1, name: 'North', polygon: square }];

    expect([...matchZones(known, [{ name: 'North', polygon: other }])]).toEqual([['North', 1]]);
  });

  test('keep their identity under a new name if a vanished zone had their polygon', () => {
    const known = [
      { id: 1, name: 'North', polygon: square },
      { id: 2, name: 'South', polygon: other },
    ];
    const listed = [
      { name: 'Harbour', polygon: square },
      { name: 'South', polygon: other },
    ];

    expect(new Map(matchZones(known, listed))).toEqual(
      new Map([
        ['Harbour', 1],
        ['South', 2],
      ]),
    );
  });

  test('keep their names when outlines move from one to another', () => {
    const known = [
      { id: 1, name: 'North', polygon: square },
      { id: 2, name: 'South', polygon: other },
    ];

    expect([...matchZones(known, [{ name: 'North', polygon: other }])]).toEqual([['North', 1]]);
    expect([
      ...matchZones(
        known,
        ['North', 'Harbour'].map((name) => ({ name, polygon: square })),
      ),
    ]).toEqual([['North', 1]]);
  });

  test('match a vanished zone by polygon under a new name, and are new otherwise', () => {
    const known = [
      { id: 1, name: 'North', polygon: square },
      { id: 2, name: 'South', polygon: other },
    ];

    expect([...matchZones(known, [{ name: 'Harbour', polygon: other }])]).toEqual([['Harbour', 2]]);
    expect([...matchZones(known.slice(0, 1), [{ name: 'Harbour', polygon: other }])]).toEqual([]);
  });

  test('[MIR-40] differ by name alone if two have one outline', () => {
    const twins = [
      { id: 1, name: 'Day', polygon: square },
      { id: 2, name: 'Night', polygon: square },
    ];

    expect([...matchZones(twins, [{ name: 'Evening', polygon: square }])]).toEqual([]);
    expect([
      ...matchZones(
        twins,
        ['Evening', 'Morning'].map((name) => ({ name, polygon: square })),
      ),
    ]).toEqual([]);
    expect([
      ...matchZones(twins.slice(0, 1), [
        { name: 'Evening', polygon: square },
        { name: 'Morning', polygon: square },
      ]),
    ]).toEqual([]);
    expect([
      ...matchZones([{ id: 1, name: 'Day', polygon: null }], [{ name: 'Evening', polygon: null }]),
    ]).toEqual([]);
  });
});

describe('[MIR-87] a delivery map without some values', () => {
  const organizationId = 'd0000001-0000-4000-8000-000000000001';
  const buildRows = (more: Partial<DeliveryMapSource>, ...rules: Parameters<typeof rule>[1][]) => {
    const restrictions = (rules.length === 0 ? [{}] : rules).map((values) => rule('Near', values));
    const anomalies = createAnomalies();
    const map = {
      ...buildDeliveryMap(organizationId, [square('Near', 30)], restrictions),
      ...more,
    };
    const { defaults, zones } = deliveryMapRows(map, anomalies);
    return { defaults, terms: zones[0]!.terms, anomalies: anomalies.list() };
  };
  const NO_DEFAULTS = {
    defaultDeliveryDurationInMinutes: null,
    defaultSelfServiceDurationInMinutes: null,
    defaultMinSum: null,
    defaultFrom: null,
    defaultTo: null,
  };
  const NO_FLAGS = {
    useSameDeliveryDuration: null,
    useSameMinSum: null,
    useSameWorkTimeInterval: null,
    useSameRestrictionsOnAllWeek: null,
  };

  test.each([
    ['defaults are null', NO_DEFAULTS],
    ['flags are null', NO_FLAGS],
    ['both are null', { ...NO_DEFAULTS, ...NO_FLAGS }],
    ['a common duration is null', { ...NO_DEFAULTS, useSameDeliveryDuration: true }],
  ])('keeps the values of its rules if %s', (_what, more) => {
    const { defaults, terms, anomalies } = buildRows(more, { weekMap: 3, from: 600, to: 900 });

    expect(anomalies).toEqual([]);
    expect(terms).toMatchObject([
      { weekMap: 3, fromMinute: 600, toMinute: 900, minSumKopecks: 70_000, durationMinutes: 45 },
    ]);
    expect(defaults).toMatchObject({
      useSameDuration: false,
      useSameMinSum: false,
      useSameInterval: false,
      useSameWeek: false,
    });
  });

  test('uses the common values if flags are null and no rule has its own', () => {
    const bare = {
      weekMap: null,
      from: null,
      to: null,
      minSum: null,
      deliveryDurationInMinutes: null,
      priority: null,
    };
    const common = {
      defaultDeliveryDurationInMinutes: 50,
      defaultMinSum: 900,
      defaultFrom: 540,
      defaultTo: 1_320,
    };
    const { defaults, terms, anomalies } = buildRows({ ...NO_FLAGS, ...common }, bare, bare);

    expect(anomalies).toEqual([]);
    expect(terms).toMatchObject([
      { durationMinutes: 50, priority: 0 },
      { durationMinutes: 50, priority: 0 },
    ]);
    expect(defaults).toMatchObject({
      useSameDuration: true,
      durationMinutes: 50,
      useSameMinSum: true,
      minSumKopecks: 90_000,
      useSameInterval: true,
      fromMinute: 540,
      toMinute: 1_320,
      useSameWeek: true,
    });
  });

  test('uses the common duration for the rules without one', () => {
    const { terms } = buildRows(
      { useSameDeliveryDuration: null },
      { deliveryDurationInMinutes: null },
      {},
    );

    expect(terms.map(({ durationMinutes }) => durationMinutes)).toEqual([60, 45]);
  });

  test('skips and counts a rule without any duration', () => {
    const { terms, anomalies } = buildRows(NO_DEFAULTS, { deliveryDurationInMinutes: null }, {});

    expect(terms).toHaveLength(1);
    expect(anomalies).toMatchObject([{ code: 'INVALID_ZONE_TERMS', count: 1 }]);
  });
});
