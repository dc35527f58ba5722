import { describe, expect, test } from '@jest/globals';
import {
  chooseErpNames,
  nameableLists,
  type ChosenTypes,
  type ErpDiscountChoice,
  type ErpPaymentChoice,
} from '../../../modules/delivery/rules/erp-names.ts';

const HERE = ['elsewhere', 'here'];
const payment = (id: string, given: Partial<ErpPaymentChoice> = {}): ErpPaymentChoice => ({
  id,
  code: null,
  name: null,
  kind: 'Cash',
  organizationIds: HERE,
  ...given,
});
const discount = (id: string, given: Partial<ErpDiscountChoice> = {}): ErpDiscountChoice => ({
  id,
  name: null,
  mode: 'FlexibleSum',
  isManual: true,
  minOrderSum: null,
  organizationIds: HERE,
  ...given,
});
type Fixture = {
  payments?: ErpPaymentChoice[];
  discounts?: ErpDiscountChoice[];
  chosen?: Partial<ChosenTypes>;
};
const names = ({ payments = [], discounts = [], chosen = {} }: Fixture) =>
  chooseErpNames(
    'here',
    { paymentTypes: payments, discountTypes: discounts },
    { paymentTypes: {}, discountTypeId: null, ...chosen },
  );

describe('the ERP payment type of an order', () => {
  test.each<[string, ErpPaymentChoice[], ReturnType<typeof names>['payments']]>([
    ['cannot be chosen if the ERP has none', [], {}],
    ['defaults to the only one of its kind', [payment('a')], { CASH: { id: 'a', kind: 'Cash' } }],
    [
      'defaults to the card if the courier takes cards',
      [payment('a', { kind: 'Card' }), payment('b')],
      { CASH: { id: 'b', kind: 'Cash' }, CARD_COURIER: { id: 'a', kind: 'Card' } },
    ],
    [
      'cannot be of another kind',
      [payment('a', { kind: 'External' }), payment('b', { kind: null })],
      {},
    ],
    [
      'cannot be one that the organization does not take',
      [payment('a', { organizationIds: ['elsewhere'] }), payment('b')],
      { CASH: { id: 'b', kind: 'Cash' } },
    ],
    ['stays empty if there are several', [payment('a'), payment('b', { code: 'BONUS' })], {}],
    [
      'defaults to the only one of several with the code of its kind, in any case',
      [payment('a'), payment('b', { code: 'caSH' }), payment('c', { code: 'CARD' })],
      { CASH: { id: 'b', kind: 'Cash' } },
    ],
    [
      'stays empty if several have the code',
      [payment('a', { code: 'CASH' }), payment('b', { code: 'CASH' })],
      {},
    ],
  ])('%s', (_, payments, expected) => {
    expect(names({ payments }).payments).toEqual(expected);
  });

  test('follows the choice of staff, for any list of the ERP', () => {
    const chosen = { paymentTypes: { CASH: 'x' } };

    expect(names({ payments: [payment('a')], chosen }).payments).toEqual({
      CASH: { id: 'x', kind: 'Cash' },
    });
    expect(names({ chosen }).payments).toEqual({ CASH: { id: 'x', kind: 'Cash' } });
  });
});

describe('the ERP discount of an order', () => {
  test.each<[string, ErpDiscountChoice[], string | null]>([
    ['cannot be chosen if the ERP has none', [], null],
    ['defaults to the only manual one with a free sum', [discount('a')], 'a'],
    ['cannot be a percentage', [discount('a', { mode: 'Percent' })], null],
    ['cannot be automatic', [discount('a', { isManual: false })], null],
    ['cannot require a minimum', [discount('a', { minOrderSum: 0 })], null],
    [
      'cannot be of another organization',
      [discount('a', { organizationIds: ['elsewhere'] })],
      null,
    ],
    ['defaults to the only suitable one', [discount('a', { mode: 'Percent' }), discount('b')], 'b'],
    ['stays empty if there are several', [discount('a'), discount('b')], null],
  ])('%s', (_, discounts, expected) => {
    expect(names({ discounts }).discountTypeId).toBe(expected);
  });

  test('follows the choice of staff, for any list of the ERP', () => {
    expect(
      names({ discounts: [discount('a')], chosen: { discountTypeId: 'x' } }).discountTypeId,
    ).toBe('x');
  });
});

test('[MIR-57] an order may name entries of its restaurants, and payment types of a kind of ours', () => {
  const [here, elsewhere] = [{ organizationIds: ['here'] }, { organizationIds: ['elsewhere'] }];
  const can = (paymentTypes: ErpPaymentChoice[], discountTypes: ErpDiscountChoice[] = []) =>
    Object.values(nameableLists(new Set(['here', 'there']), { paymentTypes, discountTypes }));
  const foreign = payment('a', { kind: 'External', ...here });

  expect(can([])).toEqual([false, false]);
  expect(
    can([payment('a', { organizationIds: [] })], [discount('b', { organizationIds: [] })]),
  ).toEqual([false, false]);
  expect(can([payment('a', elsewhere)], [discount('b', elsewhere)])).toEqual([false, false]);
  expect(can([foreign, payment('b', { kind: null, ...here })])).toEqual([false, false]);
  expect(
    can([foreign, payment('b', { kind: 'Card', organizationIds: ['elsewhere', 'there'] })]),
  ).toEqual([true, false]);
  expect(can([payment('a', here)], [discount('b', elsewhere), discount('c', here)])).toEqual([
    true,
    true,
  ]);
});
