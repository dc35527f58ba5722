import { describe, expect, test } from '@jest/globals';
import { createAnomalies } from '../../../modules/mirror/rules/anomalies.ts';
import {
  deliveryMapRows,
  type DeliveryMapSource,
} from '../../../modules/mirror/rules/delivery-map.ts';

const HERE = 'AB000001-0000-4000-8000-000000000001';
const square = (
  name: string,
  west: number,
): NonNullable<DeliveryMapSource['deliveryZones']>[number] => ({
  name,
  coordinates: [
    { longitude: west, latitude: 0 },
    { longitude: west + 1, latitude: 0 },
    { longitude: west + 1, latitude: 1 },
    { longitude: west, latitude: 1 },
  ],
});
const rule = (
  zone: string,
  given: Partial<NonNullable<DeliveryMapSource['restrictions']>[number]> = {},
) => ({
  zone,
  weekMap: 127,
  priority: 1,
  minSum: 700,
  deliveryDurationInMinutes: 45,
  ...given,
});
const MAP: DeliveryMapSource = {
  organizationId: HERE,
  useSameDeliveryDuration: false,
  defaultDeliveryDurationInMinutes: 60,
  defaultSelfServiceDurationInMinutes: 20,
  useSameMinSum: false,
  useSameWorkTimeInterval: false,
  useSameRestrictionsOnAllWeek: false,
  restrictions: [],
  deliveryZones: [],
};
const buildRows = (source: Partial<DeliveryMapSource>) => {
  const anomalies = createAnomalies();
  const rows = deliveryMapRows({ ...MAP, ...source }, anomalies);
  return {
    ...rows,
    anomalies: anomalies.list().map(({ code, count, samples }) => [code, count, ...samples]),
  };
};
const sample = (zone: string) => `${HERE.toLowerCase()}/${zone}`;
const PLACES = [square('North', 0), square('South', 5)];

describe('the zones of a delivery map', () => {
  test('contain their rules, each with its position in the list of the ERP', () => {
    const restrictions = [
      rule('South', { from: 600, to: 1_440, minSum: 700.5, terminalGroupId: 'ABC' }),
      rule(' North ', { weekMap: 0, priority: -3, minSum: null, deliveryDurationInMinutes: 0.4 }),
      rule('South', {
        organizationId: HERE.toLowerCase(),
        minSum: 0,
        deliveryDurationInMinutes: 10_080,
      }),
    ];
    const { zones, anomalies } = buildRows({ deliveryZones: PLACES, restrictions });

    expect(anomalies).toEqual([]);
    expect(zones).toEqual([
      {
        name: 'North',
        polygon: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
        terms: [
          {
            position: 1,
            weekMap: 0,
            fromMinute: null,
            toMinute: null,
            priority: -3,
            minSumKopecks: null,
            durationMinutes: 0,
            terminalGroupErpId: null,
          },
        ],
      },
      {
        name: 'South',
        polygon: expect.any(Array),
        terms: [
          {
            position: 0,
            weekMap: 127,
            fromMinute: 600,
            toMinute: 1_440,
            priority: 1,
            minSumKopecks: 70_050,
            durationMinutes: 45,
            terminalGroupErpId: 'abc',
          },
          {
            position: 2,
            weekMap: 127,
            fromMinute: null,
            toMinute: null,
            priority: 1,
            minSumKopecks: 0,
            durationMinutes: 10_080,
            terminalGroupErpId: null,
          },
        ],
      },
    ]);
  });

  test('match by trimmed name, and duplicate and nameless ones are omitted', () => {
    const { zones, anomalies } = buildRows({
      deliveryZones: [
        square(' North ', 0),
        square('North', 5),
        square('  ', 7),
        { ...square('', 8), name: null },
      ],
    });

    expect(zones.map((zone) => [zone.name, zone.polygon?.[0]?.[0]])).toEqual([['North', [0, 0]]]);
    expect(anomalies).toEqual([
      ['BLANK_NAME', 2, sample('')],
      ['ZONE_LISTED_TWICE', 1, sample('North')],
    ]);
  });

  test('exist without a polygon if their outline is invalid', () => {
    const { zones, anomalies } = buildRows({ deliveryZones: [{ name: 'Line', coordinates: [] }] });

    expect(zones).toEqual([{ name: 'Line', polygon: null, terms: [] }]);
    expect(anomalies).toEqual([['INVALID_ZONE_POLYGON', 1, sample('Line')]]);
  });

  test('[FUL-52] keep a border that crosses itself, counted with the size of the crossing', () => {
    const [a, b, c, d] = square('North', 0).coordinates as [object, object, object, object];
    const { zones, anomalies } = buildRows({
      deliveryZones: [{ name: 'North', coordinates: [a, c, b, d] }],
    });

    expect(zones.map(({ polygon }) => polygon?.[0])).toHaveLength(1);
    expect(anomalies).toEqual([['ZONE_CROSSES_ITSELF', 1, `${sample('North')} (3090964307 m²)`]]);
  });

  test.each([
    ['no zone that the map has', rule('West')],
    ['no zone', rule('North', { zone: null })],
    ['another organization', rule('North', { organizationId: 'another' })],
  ])('receive no rule that names %s', (_, restriction) => {
    const { zones, anomalies } = buildRows({ deliveryZones: PLACES, restrictions: [restriction] });

    expect(zones.map((zone) => zone.terms)).toEqual([[], []]);
    expect(anomalies).toEqual([['UNKNOWN_ZONE', 1, sample(restriction.zone ?? '')]]);
  });

  test.each([
    { weekMap: -1 },
    { weekMap: 128 },
    { weekMap: 1.5 },
    { priority: 0.5 },
    { priority: 2_147_483_648 },
    { priority: -2_147_483_648 },
    { from: -1 },
    { from: 1_441 },
    { to: 0.5 },
    { to: 1_441 },
    { deliveryDurationInMinutes: -1 },
    { deliveryDurationInMinutes: 10_081 },
  ])('receive no invalid rule: %j', (given) => {
    const { zones, anomalies } = buildRows({
      deliveryZones: PLACES,
      restrictions: [rule('North', given)],
    });

    expect(zones[0]!.terms).toEqual([]);
    expect(anomalies).toEqual([['INVALID_ZONE_TERMS', 1, sample('North')]]);
  });

  test.each([
    { priority: 2_147_483_647 },
    { from: 0, to: 0 },
    { weekMap: 127 },
    { deliveryDurationInMinutes: 0 },
  ])('receive a rule with extreme values: %j', (given) => {
    const { zones, anomalies } = buildRows({
      deliveryZones: PLACES,
      restrictions: [rule('North', given)],
    });

    expect([zones[0]!.terms.length, anomalies]).toEqual([1, []]);
  });

  test('keep a rule without a sum', () => {
    const { minSum: _sum, ...restriction } = rule('North');
    const { zones, anomalies } = buildRows({ deliveryZones: PLACES, restrictions: [restriction] });

    expect(zones[0]!.terms).toMatchObject([{ minSumKopecks: null }]);
    expect(anomalies).toEqual([]);
  });

  test('keep a rule with an invalid sum, without the sum', () => {
    const { zones, anomalies } = buildRows({
      deliveryZones: PLACES,
      restrictions: [rule('North', { minSum: -1 })],
    });

    expect(zones[0]!.terms).toMatchObject([{ minSumKopecks: null, durationMinutes: 45 }]);
    expect(anomalies).toEqual([['INVALID_PRICE', 1, sample('North')]]);
  });
});

describe('the common values of the zones of an organization', () => {
  test('come from the ERP, in minutes and kopecks', () => {
    const { defaults } = buildRows({
      useSameDeliveryDuration: true,
      useSameMinSum: true,
      defaultMinSum: 500.25,
      useSameWorkTimeInterval: true,
      defaultFrom: 0,
      defaultTo: 1_440,
      useSameRestrictionsOnAllWeek: true,
    });

    expect(defaults).toEqual({
      useSameDuration: true,
      durationMinutes: 60,
      selfServiceMinutes: 20,
      useSameMinSum: true,
      minSumKopecks: 50_025,
      useSameInterval: true,
      fromMinute: 0,
      toMinute: 1_440,
      useSameWeek: true,
    });
  });

  test('remain empty if the ERP omits them', () => {
    expect(buildRows({}).defaults).toMatchObject({
      useSameDuration: false,
      useSameMinSum: false,
      minSumKopecks: null,
      useSameInterval: false,
      fromMinute: null,
      toMinute: null,
      useSameWeek: false,
    });
  });

  test('remain empty if they are invalid', () => {
    const { defaults } = buildRows({
      defaultDeliveryDurationInMinutes: -5,
      defaultSelfServiceDurationInMinutes: 10_081,
      defaultMinSum: -1,
      defaultFrom: 1_441,
      defaultTo: 0.5,
    });

    expect(defaults).toMatchObject({
      durationMinutes: 0,
      selfServiceMinutes: 0,
      minSumKopecks: null,
      fromMinute: null,
      toMinute: null,
    });
  });
});
