import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  compareMarkers,
  countToLeave,
  isCountedOut,
  sourceMarker,
  type KnownMarker,
  type MarkerChanges,
  type MarkerRight,
  type MarkerRules,
} from '../../../modules/gifts/rules/markers.ts';
import { MarkersModel, SUBJECTS } from '../../support/gifts/markers-model.ts';
import { repetitions, wholeInSoak } from '../../support/repetitions.ts';

const marker = (subject: string, fields: Partial<KnownMarker> = {}): KnownMarker => ({
  subject,
  generation: 1,
  isPresent: true,
  right: 'LIVE',
  ...fields,
});
const FREE: MarkerRules<number> = { rewardOf: () => 7, onlyOneRight: false, hasRight: false };
const compare = (
  known: KnownMarker[],
  counts: Record<string, number>,
  rules: Partial<MarkerRules<number>> = {},
  isWhole = true,
): MarkerChanges<number> =>
  compareMarkers(
    known,
    { counts: new Map(Object.entries(counts)), isWhole },
    { ...FREE, ...rules },
  );
const NOTHING: MarkerChanges<number> = {
  granted: [],
  conflicts: [],
  returned: [],
  vanished: [],
  ignored: [],
};
const right = (subject: string, generation = 1) => ({ subject, generation, reward: 7 });

describe('a marker of a promise', () => {
  test('grants a right at the first reading, and no other while it stays, for any state of the right', () => {
    expect(compare([], { tart: 1 })).toEqual({ ...NOTHING, granted: [right('tart')] });
    for (const entry of ['LIVE', 'OVER', 'NONE'] satisfies MarkerRight[])
      expect(compare([marker('tart', { right: entry })], { tart: 1 })).toEqual(NOTHING);
  });

  test('[CMP-34] grants another right only if it was seen absent after the right was used', () => {
    const used = marker('tart', { right: 'OVER' });

    expect(compare([used], {})).toEqual({ ...NOTHING, vanished: [used] });
    expect(compare([{ ...used, isPresent: false }], { tart: 1 })).toEqual({
      ...NOTHING,
      granted: [right('tart', 2)],
    });
  });

  test('[CMP-34] grants a right for each of several equal blocks, and another when one is added', () => {
    expect(compare([], { tart: 2 }).granted).toEqual([right('tart', 1), right('tart', 2)]);
    expect(
      compare([marker('tart'), marker('tart', { generation: 2, right: 'OVER' })], { tart: 3 })
        .granted,
    ).toEqual([right('tart', 3)]);
  });

  test('grants nothing while no reward has its name, and is checked again the next time', () => {
    expect(
      compare([], { tart: 1, cake: 1 }, { rewardOf: (subject) => (subject === 'cake' ? 7 : null) }),
    ).toEqual({
      ...NOTHING,
      granted: [right('cake')],
      ignored: ['tart'],
    });
  });
});

describe('a removed marker', () => {
  test('[CMP-36] causes a discrepancy before its use, and the right stays and keeps a returned marker', () => {
    const removed = marker('tart');
    const rules = { onlyOneRight: true, hasRight: true };

    expect(compare([removed], {}, rules)).toEqual({ ...NOTHING, vanished: [removed] });
    const away = { ...removed, isPresent: false };
    expect(compare([away], { tart: 1 }, rules)).toEqual({ ...NOTHING, returned: [away] });
  });

  test('belongs to the ended right among equal ones', () => {
    const over = marker('tart', { generation: 2, right: 'OVER' });
    expect(
      compare([marker('tart'), over, marker('tart', { generation: 3 })], { tart: 2 }).vanished,
    ).toEqual([over]);
  });

  test('[CMP-90] counts as the one that we remove among equal ones with used rights', () => {
    const used = [1, 2, 3].map((generation) => marker('tart', { generation, right: 'USED' }));
    const [first, second] = used as [KnownMarker, KnownMarker];
    expect(compare(used, { tart: 2 }, { clears: second }).vanished).toEqual([second]);
    expect(compare(used, { tart: 1 }, { clears: first }).vanished).toEqual([first, used[2]]);
    expect(compare(used.toReversed(), { tart: 2 }, { clears: first }).vanished).toEqual([first]);
  });

  test('[CMP-35] counts as present while a damaged part may hide it', () => {
    expect(compare([marker('tart', { right: 'OVER' })], {}, {}, false)).toEqual(NOTHING);
    expect(compare([], { tart: 1 }, {}, false).granted).toEqual([right('tart')]);
  });
});

describe('a client with one right at a time', () => {
  const one = { onlyOneRight: true };

  test('receives it from the first marker', () => {
    expect(compare([], { tart: 1 }, one)).toEqual({ ...NOTHING, granted: [right('tart')] });
  });

  test.each([
    ['a second marker', [marker('cake')], { cake: 1, tart: 1 }, false],
    ['a marker beside a right from elsewhere', [], { tart: 1 }, true],
    [
      'a marker beside a right whose own marker is gone',
      [marker('cake', { isPresent: false })],
      { tart: 1 },
      false,
    ],
  ])('[CMP-37] causes a conflict by %s', (_what, known, counts, hasRight) => {
    expect(compare(known, counts, { ...one, hasRight })).toEqual({
      ...NOTHING,
      conflicts: [right('tart')],
    });
  });

  test('[CMP-37] causes conflicts by several together, not counting those without a reward', () => {
    expect(compare([], { cake: 1, tart: 1 }, one)).toEqual({
      ...NOTHING,
      conflicts: [right('cake'), right('tart')],
    });
    const rewardOf = (subject: string): number | null => (subject === 'tart' ? 7 : null);
    expect(compare([], { regular: 1, tart: 1 }, { ...one, rewardOf }).granted).toEqual([
      right('tart'),
    ]);
  });

  test('[CMP-37] causes each conflict once, and the marker after it is new', () => {
    const open = marker('tart', { right: 'NONE' });

    expect(compare([open], { tart: 1 }, one)).toEqual(NOTHING);
    expect(compare([open], {}, one)).toEqual({ ...NOTHING, vanished: [open] });
    expect(compare([{ ...open, isPresent: false }], { tart: 1 }, one).granted).toEqual([
      right('tart', 2),
    ]);
  });
});

describe('a marker that we have removed', () => {
  const isGone = (
    there: number,
    left: number | null,
    more: { isPresent?: boolean; isWhole?: boolean } = {},
  ) => {
    const counts = new Map(there === 0 ? [] : [['tart', there]]);
    const { isPresent = true, isWhole = true } = more;
    return isCountedOut(marker('tart', { isPresent, right: 'USED' }), { counts, isWhole }, left);
  };

  test('counts as absent when no more of its name are present than should stay', () => {
    expect([3, 2, 1, 0].map((there) => isGone(there, 2))).toEqual([false, true, true, true]);
    expect([isGone(1, 0), isGone(0, 0)]).toEqual([false, true]);
  });

  test('never counts as absent while a damaged part may hide it, or if it was absent or uncounted', () => {
    expect([
      isGone(0, 2, { isWhole: false }),
      isGone(0, 2, { isPresent: false }),
      isGone(0, null),
    ]).toEqual([false, false, false]);
  });

  test('all but one marker stay, and their number is stored if some are not stored', () => {
    expect([countToLeave(3, 2), countToLeave(2, 2), countToLeave(1, 2)]).toEqual([2, null, null]);
  });
});

test('[CMP-39] the key of a marker distinguishes clients, subjects and generations', () => {
  expect(
    sourceMarker('C1100001-0000-4000-8000-000000000001', { subject: 'tart', generation: 3 }),
  ).toBe('c1100001-0000-4000-8000-000000000001/tart/3');
});

/** Number of runs; 20,000 in a soak. */
const RUNS = repetitions(1) > 1 ? repetitions(2_000) : wholeInSoak(1_600, 500);
/** A seed for the edits that are the same in every run. */
const SEED = 1;
const STEPS = [
  'add',
  'add',
  'remove',
  'read',
  'read',
  'read',
  'read damaged',
  'use',
  'use away',
  'clear',
  'decide',
  'reward',
  'other',
];
const steps = (what: readonly string[]) =>
  fc.array(fc.record({ what: fc.constantFrom(...what), subject: fc.constantFrom(...SUBJECTS) }), {
    maxLength: 40,
    size: 'max',
  });

describe('random edits between two readings', () => {
  test.each([
    ['blocks, several of a name', false, 4],
    ['categories, one right at a time', true, 1],
  ])(
    '[CMP-38, CMP-39] follow the counts, and a second read changes nothing: %s',
    (_what, onlyOne, mostBlocks) => {
      const edits = fc.property(steps(STEPS), (sequence) => {
        const model = new MarkersModel(tally, onlyOne, mostBlocks);
        for (const entry of sequence) {
          const before = model.liveRights();
          model.step(entry);
          const most = onlyOne && entry.what.startsWith('read') ? Math.max(1, before) : Infinity;
          expect(model.liveRights()).toBeLessThanOrEqual(most);
        }
        model.read(true);
      });
      let tally: Record<string, number> = {};
      fc.assert(edits, { numRuns: RUNS });

      // Rare answers are counted only where they occur for certain.
      tally = {};
      fc.assert(edits, { numRuns: 400, seed: SEED });
      for (const name of [
        'granted',
        'returned',
        'vanished',
        'ignored',
        ...(onlyOne ? ['conflicts'] : []),
      ])
        expect([name, tally[name]! > 10]).toEqual([name, true]);
    },
  );

  test('[CMP-34] grant the right of every promise immediately if the card is read after each of them', () => {
    fc.assert(
      fc.property(steps(['add', 'remove', 'use', 'clear']), (sequence) => {
        const model = new MarkersModel({}, false, 4);
        for (const entry of sequence) {
          const count = model.actual.get(entry.subject)!;
          model.step(entry);
          const { granted, returned } = model.read(true);
          const isAdded = model.actual.get(entry.subject)! > count;
          expect(granted.length + returned.length).toBe(isAdded ? 1 : 0);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
