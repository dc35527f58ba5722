import { describe, expect, test } from '@jest/globals';
import { codeOnly, maskPersonal } from '../../../erp/personal.ts';

const M = '[masked]';
const mask = (value: unknown): unknown =>
  JSON.parse(maskPersonal(JSON.stringify(value), 'IN_BOTH'));

describe('the log of an exchange about a guest', () => {
  test('[ERP-15] contains ids, states, sums and times, and nothing else', () => {
    const id = '0d000001-0000-4000-8000-000000000001';
    const order = {
      status: 'WaitCooking',
      sum: 420.5,
      number: 1017,
      completeBefore: '2031-02-03 08:15:02.117',
      isAsap: true,
      phone: '+79995550142',
      customer: { id, name: 'Anna' },
      deliveryPoint: { coordinates: { latitude: 54.7 }, address: { house: '17', flat: 12 } },
      comment: 'Ring',
      items: [{ type: 'Product', product: { id, name: 'Soup' }, amount: 2, comment: 'for Anna' }],
      somethingNew: { name: 'Anna', note: 17, isVip: true, list: ['Anna', 5] },
    };

    expect(
      mask({ id, timestamp: 1, errorInfo: { code: 'Common', message: 'Anna' }, order }),
    ).toEqual({
      id,
      timestamp: 1,
      errorInfo: { code: 'Common', message: M },
      order: {
        status: 'WaitCooking',
        sum: 420.5,
        number: 1017,
        completeBefore: '2031-02-03 08:15:02.117',
        isAsap: true,
        phone: M,
        customer: M,
        deliveryPoint: M,
        comment: M,
        items: [{ type: 'Product', product: { id, name: M }, amount: 2, comment: M }],
        somethingNew: { name: M, note: M, isVip: M, list: [M, M] },
      },
    });
  });

  test('loses a sentence in the field of a word, and keeps null and empty lists', () => {
    expect(
      mask({
        code: 'Anna is unknown',
        status: null,
        orders: [],
        organizationIds: ['a-1', 'Anna Berg'],
      }),
    ).toEqual({
      code: M,
      status: null,
      orders: [],
      organizationIds: ['a-1', M],
    });
  });

  test('[ERP-21] loses ids in exchanges about one guest, except of restaurants and categories', () => {
    const id = '0d000001-0000-4000-8000-000000000001';
    const guest = {
      id,
      customerId: id,
      categoryId: id,
      organizationId: id,
      comment: 'Ring',
      categories: [{ id }],
      code: 'X_1',
    };

    expect(JSON.parse(maskPersonal(JSON.stringify(guest), 'ONE_GUEST'))).toEqual({
      id: M,
      customerId: M,
      categoryId: id,
      organizationId: id,
      comment: M,
      categories: [{ id: M }],
      code: 'X_1',
    });
  });

  test.each([['<html>Anna</html>'], ['{"phone":"+7999']])(
    'contains only the length of %s',
    (text) => {
      expect(maskPersonal(text, 'ONE_GUEST')).toBe(`${text.length} characters that are not JSON`);
    },
  );
});

describe('the code of a rejection that may quote a guest', () => {
  test.each([
    ['the field when it is one word', 'TOO_MANY_REQUESTS', 'Too many', 'TOO_MANY_REQUESTS'],
    [
      'a known code in the sentence',
      undefined,
      'InvalidPhone: the phone of Anna is not valid',
      'InvalidPhone',
    ],
    ['[ERP-15] nothing of a sentence', undefined, 'Anna McDonald is unknown', undefined],
    ['nothing of a sentence in the field', 'Anna is unknown', undefined, undefined],
  ])('%s', (_what, field, sentence, code) => {
    expect(codeOnly(field, sentence)).toBe(code);
  });
});
