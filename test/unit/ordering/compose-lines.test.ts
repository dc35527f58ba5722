import { describe, expect, test } from '@jest/globals';
import {
  composeLines,
  mergeLines,
  type WantedLine,
} from '../../../modules/ordering/rules/compose-lines.ts';
import type { CartLine, OfferedVariant } from '../../../modules/ordering/rules/cart-facts.ts';
import { group, modifier, variant as dish } from '../../support/offered.ts';

const SAUCES = group('sauces', [modifier('red'), modifier('white', { max: 2 })]);
const variant = (variantId: number, given: Partial<OfferedVariant> = {}) =>
  dish(variantId, { groups: [SAUCES], ...given });
const wanted = (given: Partial<WantedLine> = {}): WantedLine => ({
  variantId: 1,
  quantity: 2,
  modifiers: [],
  ...given,
});
const stored = (given: Partial<CartLine> = {}): CartLine => ({
  lineId: 'old',
  variantId: 1,
  productId: 51,
  itemId: 'old item',
  name: 'old name',
  variantName: 'old size',
  quantity: 1,
  modifiers: [],
  comment: null,
  unitPriceKopecks: 700,
  seenPriceKopecks: 650,
  ...given,
});
const red = { groupKey: 'sauces', modifierId: 'red', name: 'old red', quantity: 1 };
const chosen = (modifierId: string, quantity = 1, groupId = SAUCES.groupId) => ({
  groupId,
  modifierId,
  quantity,
});

type Fixture = { stored?: CartLine[]; variants?: OfferedVariant[] };
const composed = (
  lines: WantedLine[],
  { stored: before = [], variants = [variant(1)] }: Fixture = {},
) => {
  let made = 0;
  const offered = new Map(variants.map((entry) => [entry.variantId, entry]));
  return composeLines(lines, before, offered, () => `new ${(made += 1)}`);
};
const fault = (field: string, code: string) => expect.objectContaining({ field, code });

describe('a requested line', () => {
  test('contains the offered variant, with a new id and an unseen price', () => {
    expect(
      composed([wanted({ modifiers: [chosen('WHITE'), chosen('RED')], comment: '  no\nonions ' })]),
    ).toEqual({
      errors: [],
      lines: [
        {
          lineId: 'new 1',
          variantId: 1,
          productId: 101,
          itemId: 'item 1',
          name: 'dish 1',
          variantName: 'large',
          quantity: 2,
          modifiers: [
            { groupKey: 'sauces', modifierId: 'white', name: 'name of white', quantity: 1 },
            { groupKey: 'sauces', modifierId: 'red', name: 'name of red', quantity: 1 },
          ],
          comment: 'no onions',
          unitPriceKopecks: 0,
          seenPriceKopecks: null,
        },
      ],
    });
  });

  test.each([[undefined], [null], [''], [' \n ']])('contains no comment for %j', (comment) => {
    expect(composed([wanted({ comment })]).lines[0]!.comment).toBeNull();
  });

  test('contains a comment of at most 200 characters', () => {
    expect(composed([wanted({ comment: 'x'.repeat(201) })]).lines[0]!.comment).toBe(
      'x'.repeat(200),
    );
  });

  test('receives the default units of a group that it omits', () => {
    const offered = variant(1, {
      groups: [SAUCES, group('spice', [modifier('hot', { default: 2 })])],
    });

    expect(
      composed([wanted({ modifiers: [chosen('red')] })], { variants: [offered] }).lines[0]!
        .modifiers,
    ).toEqual([
      { groupKey: 'sauces', modifierId: 'red', name: 'name of red', quantity: 1 },
      { groupKey: 'spice', modifierId: 'hot', name: 'name of hot', quantity: 2 },
    ]);
  });

  test('fails for an unknown variant, with any other variants in the cart', () => {
    const lines = [wanted(), wanted({ lineId: 'old', variantId: 9 }), wanted({ variantId: 8 })];
    const { errors, lines: left } = composed(lines, { stored: [stored()] });

    expect(errors).toEqual([
      fault('lines.1.variantId', 'not_found'),
      fault('lines.2.variantId', 'not_found'),
    ]);
    expect(left).toMatchObject([{ variantId: 1 }]);
  });

  test('keeps its id of the cart, in any letter case, and replaces an unknown id', () => {
    const lines = [wanted({ lineId: 'OLD' }), wanted({ lineId: 'foreign' }), wanted()];

    expect(composed(lines, { stored: [stored()] }).lines.map((line) => line.lineId)).toEqual([
      'old',
      'new 1',
      'new 2',
    ]);
  });

  test('keeps nothing but its id if its variant changes', () => {
    const { lines } = composed([wanted({ lineId: 'old', variantId: 2 })], {
      stored: [stored()],
      variants: [variant(2)],
    });

    expect(lines).toMatchObject([
      { lineId: 'old', itemId: 'item 2', unitPriceKopecks: 0, seenPriceKopecks: null },
    ]);
  });

  test('cannot have the id of another line, but several may have no id', () => {
    const lines = [wanted({ lineId: 'old' }), wanted({ lineId: 'Old' }), wanted(), wanted()];

    expect(composed(lines, { stored: [stored()] }).errors).toEqual([
      fault('lines.1.lineId', 'duplicate'),
    ]);
  });
});

describe('an existing line of a cart', () => {
  test('keeps the price that the guest has seen if only its quantity changes', () => {
    const before = stored({ modifiers: [red] });
    const { lines } = composed(
      [wanted({ lineId: 'old', quantity: 5, modifiers: [chosen('red')] })],
      {
        stored: [before],
      },
    );

    expect(lines).toMatchObject([
      { quantity: 5, unitPriceKopecks: 700, seenPriceKopecks: 700, name: 'dish 1' },
    ]);
  });

  test.each<[string, WantedLine['modifiers'], number | null]>([
    ['more of a modifier', [chosen('red', 2)], null],
    ['another modifier', [chosen('white')], null],
    ['a modifier less', [], null],
    ['one more, of which none is wanted', [chosen('white', 0), chosen('red')], 700],
  ])('loses or keeps the seen price with %s', (_, modifiers, seenPriceKopecks) => {
    const { lines } = composed([wanted({ lineId: 'old', modifiers })], {
      stored: [stored({ modifiers: [red] })],
    });

    expect(lines).toMatchObject([{ unitPriceKopecks: 700, seenPriceKopecks }]);
  });

  test('equals itself for any order of its modifiers', () => {
    const before = stored({ modifiers: [{ ...red, modifierId: 'white' }, red] });
    const { lines } = composed(
      [wanted({ lineId: 'old', modifiers: [chosen('red'), chosen('white')] })],
      {
        stored: [before],
      },
    );

    expect(lines).toMatchObject([{ seenPriceKopecks: 700 }]);
  });

  test.each([
    [
      'the menu no longer has',
      [],
      { itemId: 'old item', name: 'old name', productId: 51, variantName: 'old size' },
    ],
    [
      'is stopped',
      [variant(1, { unavailable: 'STOP_LIST' })],
      { itemId: 'item 1', name: 'dish 1', productId: 101, variantName: 'large' },
    ],
  ])('keeps the earlier choice for a dish that %s, without an error', (_, variants, dish) => {
    const lines = [wanted({ lineId: 'old', modifiers: [chosen('what', 99)], comment: 'hot' })];

    expect(composed(lines, { stored: [stored({ modifiers: [red] })], variants })).toEqual({
      errors: [],
      lines: [
        {
          ...stored({ modifiers: [red] }),
          ...dish,
          quantity: 2,
          comment: 'hot',
          seenPriceKopecks: null,
        },
      ],
    });
  });

  test('a new line of a stopped dish has no modifiers and no error', () => {
    const variants = [variant(1, { unavailable: 'STOP_LIST' })];

    expect(composed([wanted({ modifiers: [chosen('red')] })], { variants })).toMatchObject({
      errors: [],
      lines: [{ modifiers: [], unitPriceKopecks: 0 }],
    });
  });
});

describe('a requested modifier', () => {
  test.each<[string, WantedLine['modifiers'], string, string]>([
    [
      'of no group of the variant',
      [chosen('red'), chosen('hot', 1, 'other')],
      'modifiers.1.groupId',
      'not_found',
    ],
    [
      'that its group does not have',
      [chosen('red'), chosen('hot')],
      'modifiers.1.modifierId',
      'not_found',
    ],
    ['of which there may be fewer', [chosen('white', 3)], 'modifiers', 'max'],
    ['above the sum of its group', [chosen('red', 6)], 'modifiers', 'max'],
  ])('fails if it is one %s', (_, modifiers, field, code) => {
    expect(composed([wanted(), wanted({ modifiers })]).errors).toEqual([
      fault(`lines.1.${field}`, code),
    ]);
  });

  test('causes an error if it is missing, with the group that needs it', () => {
    const variants = [variant(1, { groups: [group('sauces', [modifier('red')], { min: 1 })] })];

    expect(composed([wanted()], { variants }).errors).toEqual([
      {
        field: 'lines.0.modifiers',
        code: 'min',
        message: 'The group id-of-sauces needs at least 1.',
      },
    ]);
  });

  test('fails with its own limit', () => {
    expect(composed([wanted({ modifiers: [chosen('white', 3)] })]).errors).toEqual([
      { field: 'lines.0.modifiers', code: 'max', message: 'The modifier white takes at most 2.' },
    ]);
  });

  test('causes only the error that it is unknown, because limits are checked afterwards', () => {
    const modifiers = [chosen('red', 9), chosen('hot')];

    expect(composed([wanted({ modifiers })]).errors).toEqual([
      fault('lines.0.modifiers.1.modifierId', 'not_found'),
    ]);
  });

  test('violates no limit if it is unchanged, because limits of the menu may have changed', () => {
    const before = stored({ modifiers: [{ ...red, quantity: 9 }] });
    const again = [wanted({ lineId: 'old', modifiers: [chosen('red', 9)] })];

    expect(composed(again, { stored: [before] }).errors).toEqual([]);
    expect(
      composed([wanted({ lineId: 'old', modifiers: [chosen('red', 8)] })], { stored: [before] })
        .errors,
    ).toEqual([fault('lines.0.modifiers', 'max')]);
  });

  test('stays under its old group and name if it was removed since', () => {
    const gone = { groupKey: 'spice', modifierId: 'hot', name: 'old hot', quantity: 1 };
    const modifiers = [chosen('hot', 2, 'an id of yesterday')];
    const { lines, errors } = composed([wanted({ lineId: 'old', modifiers })], {
      stored: [stored({ modifiers: [red, gone] })],
    });

    expect(errors).toEqual([]);
    expect(lines[0]!.modifiers).toEqual([{ ...gone, quantity: 2 }]);
  });

  test('uses its current name, in the group in which it was chosen', () => {
    const groups = [group('first', [modifier('red', { name: 'first red' })]), SAUCES];
    const { lines } = composed([wanted({ lineId: 'old', modifiers: [chosen('red')] })], {
      stored: [stored({ modifiers: [red] })],
      variants: [variant(1, { groups })],
    });

    expect(lines[0]!.modifiers).toEqual([{ ...red, name: 'name of red' }]);
  });
});

describe('the current group for an outdated group id', () => {
  const SPICES = group('spices', [modifier('red'), modifier('hot')]);
  const read = (modifiers: WantedLine['modifiers']) =>
    composed([wanted({ modifiers })], { variants: [variant(1, { groups: [SAUCES, SPICES] })] });

  test('contains everything that was chosen, if only one does', () => {
    const { lines, errors } = read([
      chosen('RED', 1, 'old id'),
      chosen('HOT', 1, 'old id'),
      chosen('white'),
    ]);

    expect(errors).toEqual([]);
    expect(lines[0]!.modifiers.map((choice) => [choice.groupKey, choice.modifierId])).toEqual([
      ['spices', 'red'],
      ['spices', 'hot'],
      ['sauces', 'white'],
    ]);
  });

  test('remains unknown if several contain it', () => {
    expect(read([chosen('red', 1, 'old id')]).errors).toEqual([
      fault('lines.0.modifiers.0.groupId', 'not_found'),
    ]);
  });

  test('remains unknown if no group contains all of it', () => {
    expect(read([chosen('hot', 1, 'old id'), chosen('white', 1, 'old id')]).errors).toEqual([
      fault('lines.0.modifiers.0.groupId', 'not_found'),
      fault('lines.0.modifiers.1.groupId', 'not_found'),
    ]);
  });
});

describe('the lines of another cart', () => {
  test('increase equal lines, which keep their id', () => {
    const same = stored({
      lineId: 'theirs',
      quantity: 4,
      modifiers: [{ ...red, name: 'whatever' }],
    });
    const ours = stored({ quantity: 3, modifiers: [red] });

    expect(mergeLines([ours], [same])).toEqual([{ ...ours, quantity: 7 }]);
  });

  test('add up to at most 99 units of a line', () => {
    expect(mergeLines([stored({ quantity: 50 })], [stored({ quantity: 49 })])).toMatchObject([
      { quantity: 99 },
    ]);
    expect(mergeLines([stored({ quantity: 50 })], [stored({ quantity: 50 })])).toMatchObject([
      { quantity: 99 },
    ]);
  });

  test.each<[string, Partial<CartLine>]>([
    ['another variant', { variantId: 2 }],
    ['other words', { comment: 'hot' }],
    ['other modifiers', { modifiers: [red] }],
  ])('remain separate if they have %s', (_, given) => {
    const theirs = stored({ lineId: 'theirs', ...given });

    expect(mergeLines([stored()], [theirs])).toEqual([stored(), theirs]);
  });

  test('increase each other if they are equal, without changing the carts', () => {
    const [into, added] = [
      [stored({ variantId: 2 })],
      [stored({ quantity: 1 }), stored({ quantity: 2 })],
    ];

    expect(mergeLines(into, added).map((line) => line.quantity)).toEqual([1, 3]);
    expect([into.length, added[0]!.quantity]).toEqual([1, 1]);
  });
});
