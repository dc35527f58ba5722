import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  chooseByErp,
  chooseZone,
  type ZoneCandidate,
} from '../../../modules/delivery/rules/zones/choose-zone.ts';
import type { ZoneTerms } from '../../../modules/delivery/rules/zones/zone-terms.ts';
import { contains } from '../../../modules/delivery/rules/zones/containment.ts';
import type { Position, Ring } from '../../../modules/mirror/rules/zone-polygon.ts';
import { repetitions } from '../../support/repetitions.ts';

const SQUARE: Ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
];
const HOLE: Ring = [
  [1, 1],
  [3, 1],
  [3, 3],
  [1, 3],
];

describe('a polygon with a hole', () => {
  test.each<[string, Position, boolean]>([
    ['a point inside', [0.5, 2], true],
    ['no point in its hole', [2, 2], false],
    ['no point outside', [5, 2], false],
    ['points of its western side', [0, 2], true],
    ['points of its southern side', [2, 0], true],
    ['the south-western corner', [0, 0], true],
    ['no point of its eastern side', [4, 2], false],
    ['no point of its northern side', [2, 4], false],
    ['none of its other corners', [4, 4], false],
    ['no point of the western side of its hole', [1, 2], false],
    ['points of the eastern side of its hole', [3, 2], true],
  ])('contains %s', (_, point, expected) => {
    expect(contains([SQUARE, HOLE], point)).toBe(expected);
    expect(contains([SQUARE.toReversed(), HOLE.toReversed()], point)).toBe(expected);
  });

  test('contains nothing without corners', () => {
    expect(contains([], [0, 0])).toBe(false);
    expect(contains([[]], [0, 0])).toBe(false);
  });

  test('[FUL-30] contains each point of a map without gaps exactly once, borders and corners included', () => {
    const size = 4;
    const jitter = fc.double({ min: -0.3, max: 0.3, noNaN: true });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(jitter, { minLength: 2 * (size + 1) ** 2, maxLength: 2 * (size + 1) ** 2 }),
        fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), share, fc.boolean()), {
          minLength: 30,
          maxLength: 30,
        }),
        (moved, probes) => {
          // Corners inside the map are moved and shared by four cells; corners on the edge of the
          // map stay.
          const corner = (x: number, y: number): Position => {
            const at = 2 * (y * (size + 1) + x);
            const isInside = x > 0 && x < size && y > 0 && y < size;
            return isInside ? [x + moved[at]!, y + moved[at + 1]!] : [x, y];
          };
          const cells = Array.from({ length: size * size }, (_, at): Ring => {
            const [x, y] = [at % size, Math.floor(at / size)];
            return [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
          });
          const owners = (point: Position) =>
            cells.filter((ring) => contains([ring], point)).length;
          for (const [x, y, part, isUpright] of probes) {
            expect(owners(corner(x, y))).toBe(1);
            const [[ax, ay], [bx, by]] = [
              corner(x, y),
              isUpright ? corner(x, y + 1) : corner(x + 1, y),
            ];
            expect(owners([ax + (bx - ax) * part * 0.99, ay + (by - ay) * part * 0.99])).toBe(1);
          }
        },
      ),
      { numRuns: repetitions(40) },
    );
  });
});

describe('the choice among zones that contain a point', () => {
  const terms: ZoneTerms = {
    minSumKopecks: 0,
    deliveryFeeKopecks: 0,
    durationMinutes: 45,
    terminalGroupId: null,
    terminalGroupErpId: null,
    sources: { minSum: 'NOBODY', deliveryFee: 'NOBODY', duration: 'ZONE' },
  };
  const zone = (zoneId: number, priority = 100, isServed = true): ZoneCandidate => ({
    zoneId,
    priority,
    terms: isServed ? terms : null,
  });

  test.each([
    ['none', [], 'ZONE_NOT_FOUND', 'NO_ZONE'],
    ['one that is not served now', [zone(1, 1, false)], 'ZONE_NOT_FOUND', 'NOT_SERVED_NOW'],
  ] as const)('rejects the candidates: %s', (_, candidates, outcome, rule) => {
    expect(chooseZone(candidates, 'PRIORITY')).toEqual({ outcome, rule });
  });

  test.each(['REFUSE', 'PRIORITY'] as const)('returns the only zone that is served: %s', (rule) => {
    expect(chooseZone([zone(1, 1, false), zone(2)], rule)).toEqual({
      outcome: 'CHOSEN',
      zoneId: 2,
      terms,
      rule: 'ONLY_ZONE',
    });
  });

  test('[FUL-46] follows the ERP for organization and terminal group, and our zone for minimum and fee', () => {
    const named = (id: number, name: string, organizationErpId: string, isServed = true) => ({
      ...zone(id, 100, isServed),
      name,
      organizationErpId,
    });
    const says = (organizationId: string, of: string | null = null) => ({
      organizationId,
      terminalGroupId: 'till',
      zone: of,
      minutes: 50,
    });
    const candidates = [named(1, 'North', 'a'), named(2, 'South', 'b'), named(3, 'Centre', 'b')];
    const chosen = {
      outcome: 'CHOSEN',
      rule: 'ERP',
      terms: { ...terms, terminalGroupErpId: 'till', durationMinutes: 50 },
    };

    expect(chooseByErp(candidates, [says('b', 'Centre'), says('a')], 'REFUSE')).toEqual({
      ...chosen,
      zoneId: 3,
    });
    expect(chooseByErp(candidates, [says('c'), says('a', 'Unknown')], 'REFUSE')).toEqual({
      ...chosen,
      zoneId: 1,
    });
    expect(chooseByErp(candidates, [says('b')], 'REFUSE')).toEqual({
      outcome: 'ZONES_OVERLAP',
      rule: 'SEVERAL_ZONES',
    });
    expect(chooseByErp(candidates, [], 'REFUSE')).toEqual({
      outcome: 'ZONE_NOT_FOUND',
      rule: 'ERP',
    });
    expect(chooseByErp(candidates, [says('c')], 'REFUSE')).toBeNull();
    expect(chooseByErp([named(1, 'North', 'a', false)], [says('a')], 'REFUSE')).toMatchObject({
      rule: 'NOT_SERVED_NOW',
    });
  });

  test('[FUL-31] rejects several zones unless exactly one has the lowest priority number', () => {
    const two = [zone(1, 20), zone(2, 10)];

    expect(chooseZone(two, 'REFUSE')).toEqual({ outcome: 'ZONES_OVERLAP', rule: 'SEVERAL_ZONES' });
    expect(chooseZone(two, 'PRIORITY')).toMatchObject({
      outcome: 'CHOSEN',
      zoneId: 2,
      rule: 'PRIORITY',
    });
    expect(chooseZone([...two, zone(3, 10)], 'PRIORITY')).toEqual({
      outcome: 'ZONES_OVERLAP',
      rule: 'EQUAL_PRIORITIES',
    });
  });
});
