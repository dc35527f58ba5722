import { expect, test } from '@jest/globals';
import { normalCode } from '../../../modules/ordering/rules/discount-fields.ts';
import {
  findDifferences,
  isAmount,
  pickSums,
  toQuotedTerms,
  type QuotedSums,
  type QuotedTerms,
} from '../../../modules/ordering/rules/quote.ts';

const SOUP = { variantId: 7, quantity: 2, unitPrice: 25_050, modifiers: { 'spice/red': 1 } };
const TERMS: QuotedTerms = {
  organizationId: 'an-organization',
  type: 'DELIVERY',
  slotId: 'asap',
  addressId: 'an-address',
  promocode: null,
  options: { leaveAtDoor: false, cutlery: 1, sugar: 0 },
  lines: { one: SOUP },
};
const SUMS: QuotedSums = {
  subtotalKopecks: 50_100,
  discountKopecks: 100,
  deliveryFeeKopecks: 9_900,
  totalKopecks: 59_900,
  discounts: [],
};
const differences = (terms: Partial<QuotedTerms>, sums: Partial<QuotedSums> = {}) =>
  findDifferences(
    { terms: TERMS, sums: SUMS },
    { terms: { ...TERMS, ...terms }, sums: { ...SUMS, ...sums } },
  );

test('a valid quote has no differences', () => {
  expect(differences({}, { discounts: [{ code: 'x' }] as never })).toEqual([]);
});

test.each<[Partial<QuotedTerms>, string, unknown, unknown]>([
  [{ organizationId: 'another' }, 'organizationId', 'an-organization', 'another'],
  [{ type: 'PICKUP' }, 'type', 'DELIVERY', 'PICKUP'],
  [{ slotId: 'later' }, 'slotId', 'asap', 'later'],
  [{ addressId: null }, 'addressId', 'an-address', null],
  [{ promocode: 'LUNCH' }, 'promocode', null, 'LUNCH'],
  [{ options: { ...TERMS.options, leaveAtDoor: true } }, 'options.leaveAtDoor', false, true],
  [{ options: { ...TERMS.options, cutlery: 2 } }, 'options.cutlery', 1, 2],
  [{ options: { ...TERMS.options, sugar: 3 } }, 'options.sugar', 0, 3],
  [{ lines: { one: { ...SOUP, variantId: 8 } } }, 'lines.one.variantId', 7, 8],
  [{ lines: { one: { ...SOUP, quantity: 3 } } }, 'lines.one.quantity', 2, 3],
  [{ lines: { one: { ...SOUP, unitPrice: 25_075 } } }, 'lines.one.unitPrice', 25_050, 25_075],
  [
    { lines: { one: { ...SOUP, modifiers: { 'spice/red': 2 } } } },
    'lines.one.modifiers.spice/red',
    1,
    2,
  ],
  [{ lines: { one: { ...SOUP, modifiers: {} } } }, 'lines.one.modifiers.spice/red', 1, null],
])('the difference %j is reported as %s', (terms, field, quoted, now) => {
  expect(differences(terms)).toEqual([{ field, quoted, now }]);
});

test('[ORD-37] a removed gift is reported by its fields with a value', () => {
  const gift = { quantity: 1, rewardCode: 'juice', itemId: 'item', sizeId: null };
  const found = findDifferences(
    { terms: { ...TERMS, gifts: { right: gift } }, sums: SUMS },
    { terms: TERMS, sums: SUMS },
  );

  expect(found.map(({ field }) => field)).toEqual([
    'gifts.right.quantity',
    'gifts.right.rewardCode',
    'gifts.right.itemId',
  ]);
});

test.each<[Partial<QuotedSums>, string, number, number]>([
  [{ subtotalKopecks: 50_101 }, 'total.items', 50_100, 50_101],
  [{ discountKopecks: 0 }, 'total.discount', 100, 0],
  [{ deliveryFeeKopecks: 0 }, 'total.delivery', 9_900, 0],
  [{ totalKopecks: 60_000 }, 'total.toPay', 59_900, 60_000],
])('the difference %j is reported in kopecks as %s', (sums, field, quoted, now) => {
  expect(differences({}, sums)).toEqual([{ field, quoted, now }]);
  expect(isAmount(field)).toBe(true);
});

test('an added or removed line is reported with all its values', () => {
  const gone = differences({ lines: {} });

  expect(gone.map((difference) => difference.field)).toEqual([
    'lines.one.variantId',
    'lines.one.quantity',
    'lines.one.unitPrice',
    'lines.one.modifiers.spice/red',
  ]);
  expect(gone.map((difference) => difference.now)).toEqual([null, null, null, null]);
});

test('the quote contains the chosen and seen values, for any order of the lines', () => {
  const line = (lineId: string, variantId: number) => ({
    lineId,
    variantId,
    quantity: 2,
    unitPriceKopecks: 25_050,
    modifiers: [{ groupKey: 'spice', modifierId: 'red', quantity: 1 }],
  });
  const lines = [line('one', 7), line('two', 9)];
  const cart = { promocode: 'LUNCH', options: { cutlery: 1, sugar: 0 } };
  const facts = {
    wanted: { type: 'DELIVERY', slotId: 'asap', addressId: 'an-address', leaveAtDoor: true },
    organization: { id: 'an-organization' },
  };
  const terms = (given: typeof lines) =>
    toQuotedTerms({ lines: given, gifts: { included: [] } } as never, cart, facts as never);

  expect(terms(lines)).toEqual({
    ...TERMS,
    promocode: 'LUNCH',
    options: { leaveAtDoor: true, cutlery: 1, sugar: 0 },
    lines: { one: SOUP, two: { ...SOUP, variantId: 9 } },
  });
  const [before, after] = [terms(lines), terms(lines.toReversed())];
  expect(findDifferences({ terms: before, sums: SUMS }, { terms: after, sums: SUMS })).toEqual([]);
});

test('[CMP-98] the quote contains the included gifts with reward, dish and size', () => {
  const gift = { id: 'right', quantity: 2, rewardCode: 'juice', itemId: 'item', erpSizeId: null };
  const other = { ...gift, id: 'other', erpSizeId: 'large' };
  const gifts = (included: object[]) =>
    toQuotedTerms(
      { lines: [], gifts: { included } } as never,
      { promocode: null, options: TERMS.options },
      {
        wanted: {},
        organization: {},
      } as never,
    );

  const quoted = { quantity: 2, rewardCode: 'juice', itemId: 'item', sizeId: null };
  expect(gifts([gift, other]).gifts).toEqual({
    right: quoted,
    other: { ...quoted, sizeId: 'large' },
  });
  expect(gifts([])).not.toHaveProperty('gifts');
});

test('the totals of the quote are those of the cart, without its lines', () => {
  expect(pickSums({ ...SUMS, lines: [], persons: 1 } as never)).toEqual(SUMS);
});

test.each([
  [' lunch ', 'LUNCH'],
  ['обед', 'ОБЕД'],
  ['ｌｕｎｃｈ', 'LUNCH'],
  ['  ', null],
  [null, null],
])('the promo code %j is compared as %j', (written, compared) => {
  expect(normalCode(written)).toBe(compared);
});
