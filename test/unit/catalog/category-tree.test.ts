import { expect, test } from '@jest/globals';
import { nestCategories, nestingFaults } from '../../../modules/catalog/rules/category-tree.ts';

test('categories nest under their parents, in order and without omissions', () => {
  const rows = [
    { id: 3, parentId: 1 },
    { id: 1, parentId: null },
    { id: 2, parentId: 1 },
    { id: 4, parentId: 99 },
  ];
  expect(nestCategories(rows)).toEqual([
    {
      id: 1,
      parentId: null,
      children: [
        { id: 3, parentId: 1, children: [] },
        { id: 2, parentId: 1, children: [] },
      ],
    },
    { id: 4, parentId: 99, children: [] },
  ]);
});

test.each([
  ['nothing', []],
  [
    'four levels',
    [
      [1, null],
      [2, 1],
      [3, 2],
      [4, 3],
    ],
  ],
  [
    'five levels, told from below',
    [
      [5, 4],
      [4, 3],
      [3, 2],
      [2, 1],
      [1, null],
    ],
    [[5, 'TOO_DEEP']],
  ],
  [
    'a parent that does not exist, and what hangs below',
    [
      [3, 2],
      [2, 9],
      [1, null],
    ],
    [
      [3, 'UNKNOWN_PARENT'],
      [2, 'UNKNOWN_PARENT'],
    ],
  ],
  [
    'its own parent',
    [
      [1, 1],
      [2, null],
    ],
    [[1, 'CYCLE']],
  ],
  [
    'a circle, and what hangs on it',
    [
      [4, 3],
      [1, 2],
      [2, 3],
      [3, 1],
    ],
    [
      [4, 'CYCLE'],
      [1, 'CYCLE'],
      [2, 'CYCLE'],
      [3, 'CYCLE'],
    ],
  ],
] as [string, [number, number | null][], [number, string][]?][])(
  'the check of nesting finds: %s',
  (_, parents, faults = []) => {
    expect(nestingFaults(new Map(parents))).toEqual(faults.map(([id, fault]) => ({ id, fault })));
  },
);

/** Counts reads of parents. */
class CountedParents extends Map<number, number | null> {
  reads = 0;

  override get(id: number) {
    this.reads += 1;
    return super.get(id);
  }

  override has(id: number) {
    this.reads += 1;
    return super.has(id);
  }
}

test('the check of a chain of 100,000 categories visits each category once', () => {
  const chain = Array.from({ length: 100_000 }, (_, at): [number, number | null] => [
    at,
    at === 0 ? null : at - 1,
  ]);
  const parents = new CountedParents(chain.toReversed());

  expect(nestingFaults(parents)).toHaveLength(100_000 - 4);
  // Walking up from each of them would read 5 billion.
  expect(parents.reads).toBeLessThan(5 * 100_000);
});
