import { describe, expect, test } from '@jest/globals';
import {
  newVariantErrors,
  optionErrors,
  orderErrors,
  type NewVariantFacts,
} from '../../../modules/catalog/rules/variant-rules.ts';

const ITEM = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const request = { erpItemId: ITEM, erpItemSizeId: 5, variantOptionId: 2 };
const facts: NewVariantFacts = {
  axisId: 1,
  variants: [{ id: 10, itemSizeId: 4, optionId: 1 }],
  itemExists: true,
  size: { erpItemId: ITEM, role: 'DISH', isDeleted: false },
  option: { id: 2, axisId: 1 },
};
const codes = (of: Partial<typeof request>, given: Partial<NewVariantFacts>) =>
  newVariantErrors({ ...request, ...of }, { ...facts, ...given }).map(
    ({ field, code }) => `${field} ${code}`,
  );

describe('[BND-3] a new variant', () => {
  test.each<[string, Partial<typeof request>, Partial<NewVariantFacts>, string[]]>([
    ['can be added', {}, {}, []],
    ['can be added by an id in capitals', { erpItemId: ITEM.toUpperCase() }, {}, []],
    [
      'cannot be of an unknown item',
      {},
      { itemExists: false, size: null },
      ['erpItemId not_found'],
    ],
    ['cannot be of an unknown size', {}, { size: null }, ['erpItemSizeId not_found']],
    [
      'cannot be of a size of another item',
      { erpItemId: '00000000-0000-4000-8000-000000000000' },
      {},
      ['erpItemSizeId invalid'],
    ],
    [
      'cannot be of a modifier',
      {},
      { size: { ...facts.size!, role: 'MODIFIER' } },
      ['erpItemSizeId not_a_dish'],
    ],
    [
      'cannot be of a deleted item',
      {},
      { size: { ...facts.size!, isDeleted: true } },
      ['erpItemSizeId deleted'],
    ],
    [
      'cannot be of a size that the product has',
      { erpItemSizeId: 4 },
      {},
      ['erpItemSizeId duplicate'],
    ],
    [
      'cannot have an option of another axis',
      {},
      { option: { id: 2, axisId: 7 } },
      ['variantOptionId not_found'],
    ],
    ['cannot have an unknown option', {}, { option: null }, ['variantOptionId not_found']],
    [
      'cannot have the option of another variant',
      { variantOptionId: 1 },
      { option: { id: 1, axisId: 1 } },
      ['variantOptionId duplicate'],
    ],
    [
      'beside one without an option',
      {},
      { variants: [{ id: 10, itemSizeId: 4, optionId: null }] },
      ['variantOptionId invalid'],
    ],
    [
      'beside several of which one has its size and one no option',
      { erpItemSizeId: 4 },
      {
        variants: [
          { id: 10, itemSizeId: 4, optionId: 1 },
          { id: 11, itemSizeId: 6, optionId: null },
        ],
      },
      ['erpItemSizeId duplicate', 'variantOptionId invalid'],
    ],
    ['takes the axis of its option', {}, { axisId: null }, []],
    [
      'reports all errors together',
      {},
      { size: null, option: null },
      ['erpItemSizeId not_found', 'variantOptionId not_found'],
    ],
  ])('%s', (_name, of, given, expected) => {
    expect(codes(of, given)).toEqual(expected);
  });

  test('needs no option if it is the only one, and needs one otherwise', () => {
    expect(optionErrors(null, null, { axisId: null, variants: [] }, null)).toEqual([]);
    expect(optionErrors(null, null, facts, null)).toMatchObject([
      { field: 'variantOptionId', code: 'required' },
    ]);
    expect(optionErrors(null, null, facts, 10)).toEqual([]);
    expect(optionErrors(1, { id: 1, axisId: 1 }, facts, 10)).toEqual([]);
  });
});

test.each([
  [[1, 2, 3], []],
  [[3, 1, 2], []],
  [
    [1, 2, 2],
    ['variantIds.2 duplicate', 'variantIds required'],
  ],
  [
    [1, 9, 3],
    ['variantIds.1 not_found', 'variantIds required'],
  ],
  [[1], ['variantIds required', 'variantIds required']],
])('the order %j contains every variant once', (order, expected) => {
  const variants = [{ id: 1 }, { id: 2 }, { id: 3 }];
  expect(orderErrors(order, variants).map(({ field, code }) => `${field} ${code}`)).toEqual(
    expected,
  );
});
