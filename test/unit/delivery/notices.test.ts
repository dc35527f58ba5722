import { describe, expect, test } from '@jest/globals';
import { expectationErrors } from '../../../modules/delivery/rules/expectation-rules.ts';
import {
  filledTemplate,
  templateErrors,
  type NoticeValues,
} from '../../../modules/delivery/rules/notice-template.ts';
import {
  listFulfillmentTypes,
  PAYMENT_CODES,
  PAYMENT_METHODS,
} from '../../../modules/delivery/rules/payment-methods.ts';

const values: NoticeValues = {
  organization: 'На Малышева',
  city: null,
  deliveryMinutes: 75,
  pickupMinutes: 35,
  opensAt: null,
  closesAt: '22:00',
  closingInMinutes: 40,
};

describe('the text of a notice', () => {
  test.each<[string, string | null]>([
    [
      'Доставка займёт {deliveryMinutes} мин., «{organization}»',
      'Доставка займёт 75 мин., «На Малышева»',
    ],
    ['Без значений, {с} скобками {}', 'Без значений, {с} скобками {}'],
    ['Откроемся в {opensAt}', null],
  ])('%s becomes %s', (text, expected) => {
    expect(filledTemplate(text, values)).toBe(expected);
  });

  test('[FUL-19] allows only names of existing values', () => {
    expect(templateErrors('text', '{opensAt} {city} {deliveryMinutes}')).toEqual([]);
    expect(
      templateErrors('text', '{midnight} {midnight} {toString}').map(({ field, code, message }) => [
        field,
        code,
        message.slice(0, 22),
      ]),
    ).toEqual([
      ['text', 'invalid', 'Unknown name "midnight'],
      ['text', 'invalid', 'Unknown name "toString'],
    ]);
  });
});

test('[FUL-18] an expectation rule has a category exactly if it is of one, and ends after it began', () => {
  const rule = { scope: 'GLOBAL', categoryId: null, activeFrom: null, activeTo: null } as const;
  const of = (more: Partial<Parameters<typeof expectationErrors>[0]>) =>
    expectationErrors({ ...rule, ...more }).map(({ field, code }) => `${field} ${code}`);

  expect(of({})).toEqual([]);
  expect(of({ scope: 'CATEGORY', categoryId: 1 })).toEqual([]);
  expect(of({ scope: 'CATEGORY' })).toEqual(['categoryId required']);
  expect(of({ categoryId: 1 })).toEqual(['categoryId not_supported']);
  expect(of({ activeFrom: new Date(2), activeTo: new Date(2) })).toEqual(['activeTo invalid']);
  expect(of({ activeFrom: new Date(1), activeTo: new Date(2) })).toEqual([]);
  expect([of({ activeFrom: new Date(1) }), of({ activeTo: new Date(2) })]).toEqual([[], []]);
});

test('[FUL-20] a payment method is accepted if staff enable it, never through a missing payment port', () => {
  const availability = [{ organizationId: 1, fulfillmentTypes: ['PICKUP'] as const }];
  const taken = (more: object, organizationId = 1) =>
    PAYMENT_CODES.filter(
      (code) =>
        listFulfillmentTypes({ code, isEnabled: true, availability, ...more }, organizationId, null)
          .length > 0,
    );

  expect(taken({})).toEqual(['CASH', 'CARD_COURIER']);
  expect(taken({}, 2)).toEqual([]);
  expect(taken({ isEnabled: false })).toEqual([]);
  expect(PAYMENT_CODES.filter((code) => PAYMENT_METHODS[code].isOnline)).toEqual([
    'CARD_ONLINE',
    'SBP',
    'SBERPAY',
  ]);
});
