import { describe, expect, test } from '@jest/globals';
import { RUN_STATUSES } from '../../../modules/mirror/rules/jobs.ts';
import { inBatches } from '../../../kernel/pure/lists.ts';
import { createAnomalies, mergeAnomalies } from '../../../modules/mirror/rules/anomalies.ts';
import { normalizeOrganization } from '../../../modules/mirror/rules/organization.ts';
import { fingerprintText, revisionToSave } from '../../../modules/mirror/rules/revision.ts';
import { RUN_TRANSITIONS, statusesBefore } from '../../../modules/mirror/rules/jobs.ts';
import {
  evaluateShrink,
  isCovered,
  isSuspicious,
  isSuspiciousList,
  measureShrink,
} from '../../../modules/mirror/rules/shrink.ts';
import { normalizeTimeZone } from '../../../modules/mirror/rules/values.ts';

const NONE = { before: 0, vanished: 0 };

describe('the fields of an organization', () => {
  const organization = (over: object, anomalies = createAnomalies()) =>
    normalizeOrganization({ id: 'AB', name: ' Quay ', ...over }, anomalies);

  test.each([
    [
      { address: 'root', restaurantAddress: 'late', additionalInfo: { restaurantAddress: 'info' } },
      'root',
    ],
    [
      { address: ' ', restaurantAddress: 'late', additionalInfo: { restaurantAddress: 'info' } },
      'info',
    ],
    [{ address: null, restaurantAddress: 'late', additionalInfo: null }, 'late'],
    [{}, null],
  ])('include, for the address %j, %s', (source, address) => {
    expect(organization(source).address).toBe(address);
  });

  test.each([
    [{ latitude: 1, longitude: 2, additionalInfo: { latitude: 3, longitude: 4 } }, [1, 2]],
    [{ latitude: 0, longitude: 0, additionalInfo: { latitude: 3, longitude: 4 } }, [3, 4]],
    [{ latitude: 1, additionalInfo: { latitude: 3, longitude: 4 } }, [3, 4]],
    [{ latitude: 0, longitude: 37.6 }, [0, 37.6]],
    [{ latitude: 0, longitude: 0 }, [null, null]],
  ])('include, for the coordinates %j, %j', (source, coordinates) => {
    const { latitude, longitude } = organization(source);

    expect([latitude, longitude]).toEqual(coordinates);
  });

  test.each([
    [{ latitude: '55.7', longitude: ' -37.6 ' }, [55.7, -37.6], 0],
    [{ latitude: '0', longitude: '0.000000' }, [null, null], 0],
    [{ latitude: '55,7', longitude: '37,6' }, [null, null], 1],
    [{ latitude: '', longitude: '37.6' }, [null, null], 1],
    [{ latitude: '0x10', longitude: '1e1' }, [null, null], 1],
    [{ latitude: '91', longitude: '37.6' }, [null, null], 1],
    [{ latitude: true, longitude: ['37.6'] }, [null, null], 1],
    [{ latitude: 91, longitude: 37.6 }, [null, null], 1],
    [{ latitude: 55.7, longitude: -181 }, [null, null], 1],
    [{ latitude: {}, longitude: [], additionalInfo: { latitude: 3, longitude: 4 } }, [3, 4], 0],
    [{ latitude: null, longitude: 'x' }, [null, null], 0],
    [{ latitude: 55.7, longitude: null }, [null, null], 0],
    [{ latitude: 51.5, longitude: 0 }, [51.5, 0], 0],
    [{ latitude: -90, longitude: 180 }, [-90, 180], 0],
  ])(
    '[MIR-51] include, for the coordinates %j, %j with anomalies: %d',
    (source, coordinates, count) => {
      const anomalies = createAnomalies();
      const { latitude, longitude } = organization(source, anomalies);

      expect([latitude, longitude]).toEqual(coordinates);
      expect(anomalies.list()).toEqual(
        count === 0 ? [] : [{ code: 'INVALID_COORDINATES', count, samples: ['ab'] }],
      );
    },
  );

  test('include the id in lower case and the name without blanks', () => {
    expect(organization({ code: ' ' })).toMatchObject({ erpId: 'ab', name: 'Quay', code: null });
  });
});

test.each([
  ['Europe/Moscow', 'Europe/Moscow'],
  [' UTC ', 'UTC'],
  ['europe/MOSCOW', 'Europe/Moscow'],
  ['2026-01-01T00:00[Europe/Moscow]', null],
  ['03:00:00', '+03:00'],
  ['-02:30', '-02:30'],
  ['Mars/Olympus', null],
  ['', null],
  [null, null],
])('[FUL-51] the time zone %j is read as %j', (text, zone) => {
  expect(normalizeTimeZone(text)).toBe(zone);
});

describe('the shrink guard', () => {
  test.each([
    [2, 1, 30, false],
    [100, 30, 30, false],
    [100, 31, 30, true],
    [3, 2, 30, true],
    [0, 2, 30, false],
  ])(
    'judges a list in which %d restaurants had entries and %d lose them, at %d percent: %s',
    (had, lost, percent, is) => {
      expect(isSuspiciousList({ had, lost }, percent)).toBe(is);
    },
  );

  const counts = (dishes: [number, number], modifiers: [number, number]) => [
    { role: 'DISH' as const, before: dishes[0], vanished: dishes[1] },
    { role: 'MODIFIER' as const, before: modifiers[0], vanished: modifiers[1] },
  ];

  test.each([
    [counts([100, 30], [100, 30]), 30, false],
    [counts([100, 31], [100, 31]), 31, true],
    [counts([100, 40], [300, 0]), 40, true],
    [counts([100, 0], [100, 60]), 30, false],
    [counts([0, 0], [0, 0]), 0, false],
    [[], 0, false],
  ])('judges %j, of which %d percent vanished', (vanished, percent, suspicious) => {
    const shrink = measureShrink(vanished, [], NONE);

    expect(shrink.percent).toBe(percent);
    expect(isSuspicious(shrink, 30)).toBe(suspicious);
  });

  test('counts all items, and an acceptance covers the same share and no larger one', () => {
    const shrink = measureShrink(counts([100, 40], [300, 8]), [], NONE);

    expect(shrink).toEqual({
      before: 400,
      vanished: 48,
      percent: 40,
      organization: null,
      modifierGroups: null,
    });
    expect([39.9, 40, 41].map((accepted) => isCovered(shrink, accepted))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('[MIR-63] counts dishes that would lose all their modifiers, unless there are few of them', () => {
    const bared = (before: number, vanished: number) =>
      measureShrink(counts([100, 3], [100, 0]), [], { before, vanished });

    expect(bared(10, 4)).toMatchObject({
      percent: 40,
      modifierGroups: { before: 10, vanished: 4, percent: 40 },
    });
    expect(bared(9, 9)).toMatchObject({ percent: 3, modifierGroups: null });
    expect(bared(10, 0)).toMatchObject({ percent: 3, modifierGroups: null });
  });

  describe('[MIR-44] for one restaurant', () => {
    const priced = (organizationId: number, before: number, vanished: number) => ({
      role: 'DISH' as const,
      organizationId,
      before,
      vanished,
    });
    const judged = (
      prices: ReturnType<typeof priced>[],
      {
        percent = 0,
        modifiers = null as { before: number; vanished: number; percent: number } | null,
        isFull = false,
      } = {},
    ) => {
      const facts = { menu: { percent }, modifierGroups: modifiers };
      const { fails, heldBack, keepsModifiers } = evaluateShrink(facts, prices, {
        isFull,
        thresholdPercent: 30,
      });
      return {
        fails,
        heldBack: heldBack.map(({ organizationId }) => organizationId),
        keepsModifiers,
      };
    };

    test('[MIR-101] releases an accepted restaurant up to the accepted share', () => {
      const prices = [priced(1, 30, 30), priced(2, 30, 20), priced(3, 30, 0)];
      const released = (percent: number) => {
        const verdict = evaluateShrink({ menu: { percent: 0 }, modifierGroups: null }, prices, {
          isFull: true,
          thresholdPercent: 30,
          accepted: { organizationIds: [2], percent },
        });
        return [
          verdict.fails,
          verdict.heldBack.length,
          verdict.released.map(({ organizationId }) => organizationId),
        ];
      };

      expect(released(67)).toEqual([false, 1, [2]]);
      expect(released(66)).toEqual([true, 2, []]);
    });

    test.each([
      ['more than the threshold and ten prices', [priced(1, 30, 10), priced(2, 30, 0)], [1], false],
      ['nine prices', [priced(1, 10, 9), priced(2, 30, 0)], [], false],
      ['no more than the threshold', [priced(1, 100, 30), priced(2, 100, 0)], [], false],
      [
        'half of the restaurants',
        [priced(1, 30, 30), priced(2, 30, 20), priced(3, 9, 0), priced(4, 9, 0)],
        [1, 2],
        false,
      ],
      ['more than half', [priced(1, 30, 30), priced(2, 30, 20), priced(3, 30, 0)], [1, 2], true],
      ['the only restaurant', [priced(1, 30, 30)], [1], true],
      ['nobody', [], [], false],
    ])('holds back each restaurant that would lose %s', (_what, prices, heldBack, fails) => {
      expect(judged(prices)).toEqual({ fails, heldBack, keepsModifiers: false });
      expect(judged(prices, { isFull: true })).toEqual({ fails, heldBack, keepsModifiers: false });
    });

    test('[MIR-12, MIR-63] fails a full run for its items and modifiers, and never an incremental one', () => {
      const modifiers = { before: 20, vanished: 20, percent: 100 };

      expect(judged([], { percent: 31, isFull: true }).fails).toBe(true);
      expect(judged([], { modifiers, isFull: true }).fails).toBe(true);
      expect(judged([], { percent: 31, modifiers })).toEqual({
        fails: false,
        heldBack: [],
        keepsModifiers: true,
      });
    });
  });

  test('[MIR-44] names the restaurant that would lose most, independent of the others', () => {
    const priced = (
      organizationId: number,
      dishes: [number, number],
      modifiers: [number, number],
    ) => counts(dishes, modifiers).map((row) => ({ ...row, organizationId }));
    const well = [1, 2, 3].flatMap((value) => priced(value, [100, 2], [100, 0]));

    const one = measureShrink(
      counts([300, 3], [300, 0]),
      [...well, ...priced(4, [50, 40], [150, 0])],
      NONE,
    );

    expect(one).toEqual({
      before: 600,
      vanished: 3,
      percent: 80,
      organization: { organizationId: 4, before: 200, vanished: 40, percent: 80 },
      modifierGroups: null,
    });
    expect(measureShrink([], well, NONE).organization).toEqual({
      organizationId: 1,
      before: 200,
      vanished: 2,
      percent: 2,
    });
    expect(measureShrink([], well.toReversed(), NONE).organization).toMatchObject({
      organizationId: 1,
    });
    expect(measureShrink([], priced(1, [5, 0], [5, 0]), NONE)).toEqual({
      before: 0,
      vanished: 0,
      percent: 0,
      organization: null,
      modifierGroups: null,
    });
  });
});

describe('the revision of a run', () => {
  test.each([
    [[5], 5],
    [[7, 5, 6], 5],
    [[7, null], null],
    [[], null],
  ])('combines the batches %j to %j', (revisions, saved) => {
    expect(revisionToSave(revisions)).toBe(saved);
  });

  test('the fingerprint depends on organizations, price category and normalizer, not on order or case', () => {
    const facts = {
      organizationErpIds: ['b', 'A'],
      priceCategoryErpId: null,
      normalizerVersion: 1,
    };
    const text = fingerprintText(facts);

    expect(fingerprintText({ ...facts, organizationErpIds: ['a', 'B'] })).toBe(text);
    expect(fingerprintText({ ...facts, organizationErpIds: ['a'] })).not.toBe(text);
    expect(fingerprintText({ ...facts, organizationErpIds: ['a', 'c'] })).not.toBe(text);
    expect(fingerprintText({ ...facts, priceCategoryErpId: 'p' })).not.toBe(text);
    expect(fingerprintText({ ...facts, normalizerVersion: 2 })).not.toBe(text);
  });
});

test('anomalies of batches are added by code, sorted, with few samples', () => {
  const batches: Parameters<typeof mergeAnomalies>[0] = [
    [{ code: 'UNKNOWN_PRODUCT', count: 2, samples: ['a', 'b'] }],
    [
      { code: 'UNKNOWN_PRODUCT', count: 3, samples: ['b', 'c', 'd'] },
      { code: 'BLANK_NAME', count: 1, samples: ['x'] },
      { code: 'EMPTY_MENU', count: 1, samples: [] },
    ],
  ];

  expect(mergeAnomalies(batches)).toEqual([
    { code: 'BLANK_NAME', count: 1, samples: ['x'] },
    { code: 'EMPTY_MENU', count: 1, samples: [] },
    { code: 'UNKNOWN_PRODUCT', count: 5, samples: ['a', 'b', 'c'] },
  ]);
  expect(mergeAnomalies(batches.toReversed()).map(({ code, count }) => [code, count])).toEqual([
    ['BLANK_NAME', 1],
    ['EMPTY_MENU', 1],
    ['UNKNOWN_PRODUCT', 5],
  ]);
});

test('twelve organizations form two batches of at most ten', () => {
  expect(inBatches([...Array(12).keys()], 10).map((batch) => batch.length)).toEqual([10, 2]);
  expect(inBatches([...Array(20).keys()], 10).map((batch) => batch.length)).toEqual([10, 10]);
  expect(inBatches([], 10)).toEqual([]);
});

test('[MIR-1] a run starts RUNNING, every status is reachable, and an ended run never changes', () => {
  const reached = new Set<string>(['RUNNING']);
  for (const status of reached)
    for (const next of RUN_TRANSITIONS[status as keyof typeof RUN_TRANSITIONS]) reached.add(next);

  expect([...reached].toSorted()).toEqual([...RUN_STATUSES].toSorted());
  for (const status of RUN_STATUSES)
    expect(RUN_TRANSITIONS[status].length > 0).toBe(status === 'RUNNING');
  for (const status of RUN_STATUSES)
    expect(statusesBefore(status)).toEqual(status === 'RUNNING' ? [] : ['RUNNING']);
});
