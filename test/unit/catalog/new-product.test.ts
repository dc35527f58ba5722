import { describe, expect, test } from '@jest/globals';
import type { NewProductOfItems } from '../../../modules/catalog/schemas/catalog-requests.ts';
import {
  planNewProduct,
  type NewProductFacts,
} from '../../../modules/catalog/rules/new-product.ts';

const size = (itemId: number, isErpDefault = false) => ({
  itemId,
  role: 'DISH' as const,
  isDeleted: false,
  isErpDefault,
});
const facts: NewProductFacts = {
  axis: {
    id: 5,
    options: [
      { id: 51, code: 'S' },
      { id: 52, code: 'L' },
    ],
  },
  mainImageExists: false,
  categoryIds: new Set([1, 2]),
  sizes: new Map<number, NonNullable<ReturnType<NewProductFacts['sizes']['get']>>>([
    [10, size(100)],
    [11, size(100, true)],
    [12, size(90)],
    [13, { ...size(110), role: 'MODIFIER' }],
    [14, { ...size(120), isDeleted: true }],
  ]),
};
const variant = (
  erpItemSizeId: number,
  variantOptionCode: string | null = null,
  isDefault = false,
) => ({
  erpItemSizeId,
  variantOptionCode,
  isDefault,
});
const request = (changes: Partial<NewProductOfItems>): NewProductOfItems => ({
  name: 'Пицца',
  variantAxisCode: null,
  mainImageId: null,
  categoryIds: [1],
  variants: [variant(12)],
  ...changes,
});

function listErrors(changes: Partial<NewProductOfItems>, known: NewProductFacts = facts): string[] {
  const decision = planNewProduct(request(changes), known);
  return decision.kind === 'plan'
    ? []
    : decision.errors.map((error) => `${error.field} ${error.code}`);
}

describe('a product made of dishes', () => {
  test('needs no axis for one dish without sizes, and its only variant is the default', () => {
    expect(planNewProduct(request({ name: '  Пицца ' }), { ...facts, axis: null })).toEqual({
      kind: 'plan',
      plan: {
        name: 'Пицца',
        axisId: null,
        mainImageId: null,
        categoryIds: [1],
        variants: [{ erpItemSizeId: 12, optionId: null, isDefault: true }],
        itemIds: [90],
      },
    });
  });
});

test('a product of several sizes has the given options, picture and dishes, each dish once', () => {
  const variants = [variant(11, 'L'), variant(10, 'S')];
  const wanted = request({ variantAxisCode: 'SIZE', mainImageId: 7, variants });
  const planned = planNewProduct(wanted, { ...facts, mainImageExists: true });

  expect(planned).toEqual({
    kind: 'plan',
    plan: {
      name: 'Пицца',
      axisId: 5,
      mainImageId: 7,
      categoryIds: [1],
      variants: [
        { erpItemSizeId: 11, optionId: 52, isDefault: true },
        { erpItemSizeId: 10, optionId: 51, isDefault: false },
      ],
      itemIds: [100],
    },
  });
  const ofTwo = planNewProduct(
    { ...wanted, variants: [variant(10, 'S'), variant(12, 'L')] },
    { ...facts, mainImageExists: true },
  );
  expect(ofTwo).toMatchObject({ plan: { itemIds: [90, 100] } });
});

describe('the default variant', () => {
  const two = { variantAxisCode: 'SIZE', variants: [variant(10, 'S'), variant(11, 'L')] };
  const listDefaults = (changes: Partial<NewProductOfItems>) => {
    const decision = planNewProduct(request(changes), facts);
    return decision.kind === 'plan'
      ? decision.plan.variants.map((entry) => entry.isDefault)
      : decision.errors;
  };

  test('follows the choice of staff', () => {
    expect(listDefaults({ ...two, variants: [variant(10, 'S', true), variant(11, 'L')] })).toEqual([
      true,
      false,
    ]);
  });

  test('follows the ERP without a choice', () => {
    expect(listDefaults(two)).toEqual([false, true]);
  });

  test('comes first in the list if the ERP has no default either', () => {
    expect(listDefaults({ ...two, variants: [variant(10, 'S'), variant(12, 'L')] })).toEqual([
      true,
      false,
    ]);
  });
});

describe('invalid fields of a new product', () => {
  test.each<[string, Partial<NewProductOfItems>, string[]]>([
    ['an empty name', { name: ' ' }, ['name required']],
    ['an unknown picture', { mainImageId: 7 }, ['mainImageId not_found']],
    ['an unknown category', { categoryIds: [1, 3] }, ['categoryIds.1 not_found']],
    ['a category named twice', { categoryIds: [1, 1] }, ['categoryIds.1 duplicate']],
    ['an unknown size', { variants: [variant(99)] }, ['variants.0.erpItemSizeId not_found']],
    ['a modifier', { variants: [variant(13)] }, ['variants.0.erpItemSizeId not_a_dish']],
    ['a deleted dish', { variants: [variant(14)] }, ['variants.0.erpItemSizeId deleted']],
    [
      'several variants without an axis',
      { variants: [variant(10), variant(11)] },
      ['variantAxisCode required'],
    ],
    [
      'an option without an axis',
      { variants: [variant(12, 'S')] },
      ['variants.0.variantOptionCode without_axis'],
    ],
    [
      'an axis without an option',
      { variantAxisCode: 'SIZE' },
      ['variants.0.variantOptionCode required'],
    ],
    [
      'an unknown option',
      { variantAxisCode: 'SIZE', variants: [variant(12, 'XXL')] },
      ['variants.0.variantOptionCode not_found'],
    ],
    [
      'a size, an option and a default named twice',
      { variantAxisCode: 'SIZE', variants: [variant(10, 'S', true), variant(10, 'S', true)] },
      [
        'variants.1.erpItemSizeId duplicate',
        'variants.1.variantOptionCode duplicate',
        'variants.1.isDefault duplicate',
      ],
    ],
  ])('%s', (_, changes, errors) => {
    expect(listErrors(changes)).toEqual(errors);
  });

  test('make the plan invalid', () => {
    expect(planNewProduct(request({ name: ' ' }), facts).kind).toBe('invalid');
  });

  test('include an unknown axis once, not for every option', () => {
    const changes = { variantAxisCode: 'COLOUR', variants: [variant(12, 'RED')] };
    expect(listErrors(changes, { ...facts, axis: null })).toEqual(['variantAxisCode not_found']);
  });

  test('appear all together', () => {
    expect(
      listErrors({ name: '', categoryIds: [7], variants: [variant(99), variant(98)] }),
    ).toEqual([
      'name required',
      'variantAxisCode required',
      'categoryIds.0 not_found',
      'variants.0.erpItemSizeId not_found',
      'variants.1.erpItemSizeId not_found',
    ]);
  });
});
