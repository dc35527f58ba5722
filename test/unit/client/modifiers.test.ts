import { describe, expect, test } from '@jest/globals';
import {
  defaultModifiers,
  groupsOf,
  problemsOf,
  type MenuModifier,
  type MenuModifierGroup,
} from '../../../packages/client/src/storefront.ts';

type Part = Partial<MenuModifier> & { id: string };
const modifier = (part: Part): MenuModifier => ({
  name: part.id,
  price: 10,
  image: null,
  available: true,
  isDefault: false,
  ...part,
});
const group = (
  id: string,
  [min, max]: readonly [number, number],
  ...parts: Part[]
): MenuModifierGroup => ({
  id,
  name: id,
  uiType: 'CHECKBOX',
  min,
  max,
  free: 0,
  collapsed: false,
  modifiers: parts.map(modifier),
});
const buildMenu = (...modifierGroups: MenuModifierGroup[]) => ({ modifierGroups });
const all = { modifierGroupIds: ['a', 'b'] };
/** Modifiers as `group/modifier × units`. */
const short = (choice: ReturnType<typeof defaultModifiers>) =>
  choice.map(({ groupId, modifierId, quantity }) => `${groupId}/${modifierId} × ${quantity}`);
const codes = (problems: ReturnType<typeof problemsOf>) =>
  problems.map(
    ({ code, group: { id }, modifier: part }) =>
      `${code} ${id}${part === null ? '' : `/${part.id}`}`,
  );

describe('[HTTP-104] the function defaultModifiers', () => {
  test.each([
    ['default units', group('a', [0, 2], { id: 'x', isDefault: true }, { id: 'y' }), ['a/x × 1']],
    ['nothing in a group that needs nothing', group('a', [0, 2], { id: 'x' }), []],
    [
      'the cheapest that a group needs',
      group('a', [1, 1], { id: 'x', price: 20 }, { id: 'y', price: 0 }, { id: 'z', price: 5 }),
      ['a/y × 1'],
    ],
    [
      'the next one if the cheapest is sold out',
      group('a', [1, 1], { id: 'x', price: 20 }, { id: 'y', price: 0, available: false }),
      ['a/x × 1'],
    ],
    [
      'several kinds where each is limited',
      group('a', [3, 4], { id: 'x', price: 1, max: 2 }, { id: 'y', price: 2, max: 2 }),
      ['a/x × 2', 'a/y × 1'],
    ],
    ['the least of a modifier', group('a', [0, 5], { id: 'x', min: 2 }), ['a/x × 2']],
    [
      'default units first, then what is missing',
      group('a', [2, 2], { id: 'x', isDefault: true, max: 1, price: 9 }, { id: 'y', price: 1 }),
      ['a/x × 1', 'a/y × 1'],
    ],
  ])('chooses %s', (_, offered, chosen) => {
    const menu = buildMenu(offered);

    expect(short(defaultModifiers(menu, all))).toEqual(chosen);
    expect(problemsOf(menu, all, defaultModifiers(menu, all))).toEqual([]);
  });

  test('keeps a group too small if it has too little for sale, and problemsOf reports it', () => {
    const menu = buildMenu(group('a', [1, 1], { id: 'x', available: false }));

    expect(defaultModifiers(menu, all)).toEqual([]);
    expect(codes(problemsOf(menu, all, []))).toEqual(['TOO_FEW a']);
  });
});

describe('[HTTP-104] the function problemsOf', () => {
  const menu = buildMenu(
    group(
      'a',
      [1, 2],
      { id: 'x', isDefault: true },
      { id: 'y', max: 1 },
      { id: 'z', available: false },
    ),
    group('b', [0, 1], { id: 'x' }),
  );
  const units = (groupId: string, modifierId: string, quantity: number) => ({
    groupId,
    modifierId,
    quantity,
  });

  test.each([
    ['default units where the group is left out', [], []],
    ['declined default units', [units('a', 'x', 0)], ['TOO_FEW a']],
    ['a sum that is too large', [units('a', 'x', 3)], ['TOO_MANY a']],
    ['too many of one modifier', [units('a', 'y', 2)], ['TOO_MANY a/y']],
    ['a modifier that is sold out', [units('a', 'z', 1)], ['UNAVAILABLE a/z']],
    ['the modifier of another group with the same id', [units('b', 'x', 2)], ['TOO_MANY b']],
    [
      'units of one modifier in two entries',
      [units('a', 'y', 1), units('a', 'y', 1)],
      ['TOO_MANY a/y'],
    ],
  ])('judges %s', (_, chosen, found) => {
    expect(codes(problemsOf(menu, all, chosen))).toEqual(found);
  });

  test('reports the limits of the group or of the modifier', () => {
    expect(problemsOf(menu, all, [units('a', 'y', 2)])).toMatchObject([{ min: 0, max: 1 }]);
    expect(problemsOf(menu, all, [units('a', 'x', 0)])).toMatchObject([
      { min: 1, max: 2, modifier: null },
    ]);
  });

  test('reports through groupsOf the groups of the variant in its order', () => {
    expect(groupsOf(menu, { modifierGroupIds: ['b', 'gone', 'a'] }).map(({ id }) => id)).toEqual([
      'b',
      'a',
    ]);
  });
});
