import { describe, expect, test } from '@jest/globals';
import {
  BINDING_RULES,
  decideBinding,
  itemConditions,
  type BindingCondition,
} from '../../../modules/binding/rules/binding-states.ts';
import { BINDING_STATES } from '../../../modules/catalog/rules/states.ts';
import { graceEndsAt, graceHasPassed } from '../../../modules/binding/rules/grace.ts';

/** An independent copy of the state table. */
const ROWS: readonly {
  row: string;
  from: readonly ('OK' | 'MISSING')[];
  conditions: readonly BindingCondition[];
  to: 'OK' | 'MISSING';
  effects: readonly string[];
}[] = [
  {
    row: 'a live item keeps an OK binding and refreshes what was last seen',
    from: ['OK'],
    conditions: ['ITEM_LIVE'],
    to: 'OK',
    effects: ['REFRESH_LAST_SEEN'],
  },
  {
    row: 'a live item ends a MISSING binding and closes its incident as ITEM_RETURNED',
    from: ['MISSING'],
    conditions: ['ITEM_LIVE'],
    to: 'OK',
    effects: ['CLOSE_AS_RETURNED', 'REFRESH_LAST_SEEN'],
  },
  {
    row: 'a live item with another name opens NAME_CHANGED',
    from: ['OK'],
    conditions: ['ITEM_LIVE', 'NAME_CHANGED'],
    to: 'OK',
    effects: ['REFRESH_LAST_SEEN', 'OPEN_NAME_CHANGED'],
  },
  {
    row: 'an item that returns under another name is reported as returned and as renamed',
    from: ['MISSING'],
    conditions: ['ITEM_LIVE', 'NAME_CHANGED'],
    to: 'OK',
    effects: ['CLOSE_AS_RETURNED', 'REFRESH_LAST_SEEN', 'OPEN_NAME_CHANGED'],
  },
  {
    row: 'an item deleted within the grace window changes nothing',
    from: ['OK'],
    conditions: ['WITHIN_GRACE'],
    to: 'OK',
    effects: [],
  },
  {
    row: 'an item deleted beyond the grace window is MISSING and opens ITEM_MISSING',
    from: ['OK'],
    conditions: ['GRACE_PASSED'],
    to: 'MISSING',
    effects: ['OPEN_ITEM_MISSING'],
  },
  {
    row: 'a MISSING binding stays as it is while its item stays away',
    from: ['MISSING'],
    conditions: ['GRACE_PASSED'],
    to: 'MISSING',
    effects: [],
  },
  {
    row: 'candidates for a MISSING binding open POSSIBLE_REPLACEMENT, also in the evaluation that missed it',
    from: ['MISSING'],
    conditions: ['GRACE_PASSED', 'CANDIDATES_FOUND'],
    to: 'MISSING',
    effects: ['OFFER_REPLACEMENT'],
  },
  {
    row: 'a product without a live variant is unpublished',
    from: ['MISSING'],
    conditions: ['GRACE_PASSED', 'NO_LIVE_VARIANT'],
    to: 'MISSING',
    effects: ['UNPUBLISH'],
  },
  {
    row: 'everything at once: the item is missed, replaced and was the last of its product',
    from: ['OK'],
    conditions: ['GRACE_PASSED', 'CANDIDATES_FOUND', 'NO_LIVE_VARIANT'],
    to: 'MISSING',
    effects: ['OPEN_ITEM_MISSING', 'OFFER_REPLACEMENT', 'UNPUBLISH'],
  },
  {
    row: 'an OK binding is neither replaced nor does it hide its product',
    from: ['OK'],
    conditions: ['WITHIN_GRACE', 'CANDIDATES_FOUND', 'NO_LIVE_VARIANT'],
    to: 'OK',
    effects: [],
  },
];

describe('the state table of a binding', () => {
  test.each(ROWS)('$row', ({ from, conditions, to, effects }) => {
    for (const state of from)
      expect(decideBinding(state, conditions)).toEqual({ state: to, effects });
  });

  test('covers every row of the data in a case above', () => {
    const walked = BINDING_RULES.filter((rule) =>
      ROWS.some(
        ({ from, conditions }) =>
          conditions.includes(rule.when) &&
          from.some((state) => {
            const passed: readonly string[] = [state, decideBinding(state, conditions).state];
            return rule.from.some((entry) => passed.includes(entry));
          }),
      ),
    );

    expect(walked).toEqual([...BINDING_RULES]);
    expect(BINDING_RULES).toHaveLength(7);
    expect(new Set(BINDING_RULES.map((rule) => rule.to))).toEqual(new Set(BINDING_STATES));
  });
});

const MINUTE = 60_000;
const grace = { imports: 2, minutes: 30 };

describe('the grace window', () => {
  test.each([
    { imports: 0, minutes: 29.99, passed: false },
    { imports: 1, minutes: 1, passed: true },
    { imports: 0, minutes: 30, passed: true },
  ])(
    '[BND-10] passes after $imports imports and $minutes minutes from the deletion: $passed',
    ({ imports, minutes, passed }) => {
      expect(graceHasPassed({ deletedAt: 1_000, imports }, grace, 1_000 + minutes * MINUTE)).toBe(
        passed,
      );
    },
  );

  test('ends its minutes after the deletion even without an import', () => {
    expect(graceEndsAt({ deletedAt: 5, imports: 1 }, grace)).toBe(5 + 30 * MINUTE);
  });
});

describe('the conditions of an item', () => {
  const item = { name: 'Борщ', lastSeenName: 'Борщ', absence: null };

  test('distinguish a live item, one with another name, and one that was never seen before', () => {
    expect(itemConditions(item, grace, 0)).toEqual(['ITEM_LIVE']);
    expect(itemConditions({ ...item, name: 'Уха' }, grace, 0)).toEqual([
      'ITEM_LIVE',
      'NAME_CHANGED',
    ]);
    expect(itemConditions({ ...item, lastSeenName: null }, grace, 0)).toEqual(['ITEM_LIVE']);
  });

  test('report only the deletion of a deleted item, with any last name', () => {
    const absence = { deletedAt: 0, imports: 0 };
    expect(itemConditions({ ...item, name: 'Уха', absence }, grace, MINUTE)).toEqual([
      'WITHIN_GRACE',
    ]);
    expect(itemConditions({ ...item, name: 'Уха', absence }, grace, 31 * MINUTE)).toEqual([
      'GRACE_PASSED',
    ]);
  });
});
