import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressInWords } from '../../../modules/ordering/rules/erp-address.ts';
import {
  erpGroupId,
  erpOrderBody,
  modifiersToSend,
  type OrderToSend,
} from '../../../modules/ordering/rules/erp-order.ts';
import { erpText } from '../../../kernel/pure/erp-text.ts';
import { computeSum } from '../../../packages/erp-emulator/endpoints/order-sum.ts';
import { repetitions } from '../../support/repetitions.ts';

const ORDER: OrderToSend = {
  orderId: '0d000001-0000-4000-8000-000000000001',
  number: 'A-17',
  organizationErpId: 'organization',
  terminalGroupErpId: 'terminal',
  externalMenuId: null,
  priceCategoryErpId: null,
  fulfillment: 'PICKUP',
  orderTypeErpId: null,
  completeBefore: null,
  customer: { name: 'Анна', phone: '+79990001122' },
  addressFormat: 'LEGACY',
  address: null,
  comment: null,
  leaveAtDoor: false,
  changeFrom: null,
  persons: null,
  personsAs: 'COMMENT',
  deliveryFee: 0,
  deliveryFeeItem: null,
  lines: [
    { erpId: 'soup', sizeErpId: null, quantity: 2, price: 42_050, comment: null, modifiers: [] },
  ],
  discounts: [],
  payment: { typeErpId: 'cash', kind: 'Cash', amount: 84_100 },
};

const ADDRESS = {
  city: 'Казань',
  street: 'улица Баумана',
  streetErpId: null,
  house: '36',
  building: null,
  flat: '12',
  entrance: '2',
  floor: null,
  doorphone: '12К4567В1234',
  comment: 'Позвоните',
  coords: [49.114398, 55.790214] as const,
};

const buildBody = (fields: Partial<OrderToSend> = {}) => erpOrderBody({ ...ORDER, ...fields });

describe('the content of an order for the ERP', () => {
  test('[ORD-65] contains a delivery fee as an item if the ERP has one for it, or in the comment', () => {
    const asItem = buildBody({
      deliveryFee: 19_990,
      deliveryFeeItem: { erpId: 'courier', sizeErpId: null },
    }).order;

    const inWords = buildBody({ deliveryFee: 19_990 }).order;
    expect([inWords.comment, inWords.items.length]).toEqual([
      'Доставка 199.9 ₽ сверх суммы блюд.',
      1,
    ]);
    expect(asItem.comment).toBeUndefined();
    expect(asItem.items.slice(1)).toEqual([
      { type: 'Product', productId: 'courier', amount: 1, price: 199.9, modifiers: [] },
    ]);
    // A free delivery is not sent at all.
    expect(
      buildBody({ deliveryFeeItem: { erpId: 'courier', sizeErpId: null } }).order.items,
    ).toHaveLength(1);
  });

  test.each(['[CO\u200cMP]x[/CO\u200cMP]', '[CO\u200dMP]x[/COMP]', '[\u034fCOMP]x[/COMP\u180e]'])(
    'contains no block that invisible characters hide: %j',
    (comment) => {
      expect(buildBody({ comment }).order.comment).toBeUndefined();
    },
  );

  test('contains for pickup our id, our mark, rubles, and no unknown values', () => {
    expect(buildBody()).toEqual({
      organizationId: 'organization',
      terminalGroupId: 'terminal',
      createOrderSettings: { checkStopList: true },
      order: {
        id: ORDER.orderId,
        externalNumber: 'A-17',
        sourceKey: 'carte',
        completeBefore: null,
        phone: '+79990001122',
        orderServiceType: 'DeliveryByClient',
        customer: { type: 'one-time', name: 'Анна' },
        items: [{ type: 'Product', productId: 'soup', amount: 2, price: 420.5, modifiers: [] }],
        payments: [
          {
            paymentTypeKind: 'Cash',
            paymentTypeId: 'cash',
            sum: 841,
            isProcessedExternally: false,
          },
        ],
      },
    });
  });

  test('counts a delivery without a type of its own as one by courier', () => {
    expect(buildBody({ fulfillment: 'DELIVERY' }).order.orderServiceType).toBe('DeliveryByCourier');
  });

  test.each([
    [
      'with its size and chosen modifiers',
      'medium',
      [{ erpId: 'thin', groupErpId: 'base', quantity: 1, price: 0 }],
    ],
    ['without sizes', null, [{ erpId: 'thin', groupErpId: null, quantity: 2, price: 1_550 }]],
    ['without modifiers', 'medium', []],
  ])(
    '[ORD-93] contains a dish of a modifier scheme as a compound %s',
    (_, sizeErpId, modifiers) => {
      const line = {
        erpId: 'pizza',
        sizeErpId,
        isCompound: true,
        quantity: 3,
        price: 59_000,
        comment: 'без лука',
      };
      expect(buildBody({ lines: [{ ...line, modifiers }] }).order.items).toEqual([
        {
          type: 'Compound',
          amount: 3,
          comment: 'без лука',
          ...(sizeErpId === null ? {} : { productSizeId: sizeErpId }),
          primaryComponent: { productId: 'pizza', price: 590, modifiers: [] },
          commonModifiers: modifiers.map(({ erpId, groupErpId, quantity, price }) => ({
            productId: erpId,
            ...(groupErpId === null ? {} : { productGroupId: groupErpId }),
            amount: quantity,
            price: price / 100,
          })),
        },
      ]);
    },
  );

  test('[ORD-38] contains the extension of a phone in its own field', () => {
    const customer = { name: 'Анна', phone: '+74951234567', phoneExtension: '0012' };
    expect(buildBody({ customer }).order).toMatchObject({
      phone: '+74951234567',
      phoneExtension: '0012',
    });
    expect(buildBody({}).order).not.toHaveProperty('phoneExtension');
  });

  test('contains all optional values', () => {
    const completeBefore = Temporal.PlainDateTime.from('2031-02-03T19:30');
    const line = { erpId: 'pizza', sizeErpId: 'large', quantity: 1, price: 0, comment: 'без лука' };
    const modifiers = [
      { erpId: 'cheese', groupErpId: 'extras', quantity: 2, price: 5_000 },
      { erpId: 'sauce', groupErpId: null, quantity: 1, price: 0 },
    ];
    const { order, ...rest } = buildBody({
      externalMenuId: '9001',
      priceCategoryErpId: 'site',
      orderTypeErpId: 'courier',
      completeBefore,
      fulfillment: 'DELIVERY',
      address: ADDRESS,
      terminalGroupErpId: null,
      lines: [{ ...line, modifiers }],
      discounts: [{ typeErpId: 'promo', amount: 12_345 }],
    });

    expect(rest).toMatchObject({
      terminalGroupId: null,
      createOrderSettings: { checkStopList: false },
    });
    expect(order).toMatchObject({
      menuId: '9001',
      priceCategoryId: 'site',
      orderTypeId: 'courier',
      completeBefore,
    });
    expect(order).not.toHaveProperty('orderServiceType');
    expect(order.items).toEqual([
      {
        type: 'Product',
        productId: 'pizza',
        productSizeId: 'large',
        amount: 1,
        price: 0,
        comment: 'без лука',
        modifiers: [
          { productId: 'cheese', productGroupId: 'extras', amount: 2, price: 50 },
          { productId: 'sauce', amount: 1, price: 0 },
        ],
      },
    ]);
    expect(order.discountsInfo).toEqual({
      discounts: [{ type: 'RMS', discountTypeId: 'promo', sum: 123.45 }],
    });
  });

  test('contains no payment if the order costs nothing', () => {
    expect(buildBody({ payment: { ...ORDER.payment, amount: 0 } }).order.payments).toEqual([]);
  });

  test("[ORD-33] contains in the comment values without a field, before the customer's comment", () => {
    const { comment } = buildBody({
      leaveAtDoor: true,
      changeFrom: 500_000,
      persons: 3,
      comment: 'Сдача с $& {}',
    }).order;
    expect(comment).toBe(
      'Оставить у двери. Сдача с 5000 ₽. Персон: 3. Комментарий гостя: Сдача с $& {}',
    );
  });
});

test('[ORD-68] persons are in the comment, or in the field for cutlery if the setting requires it', () => {
  const inWords = buildBody({ persons: 3 }).order;
  expect([inWords.comment, inWords.guests]).toEqual(['Персон: 3.', undefined]);
  expect(buildBody({ persons: null, personsAs: 'FIELDS' }).order.guests).toBeUndefined();
  const { comment, guests } = buildBody({ persons: 3, personsAs: 'FIELDS' }).order;
  expect({ comment, guests }).toEqual({
    comment: undefined,
    guests: { count: 3, splitBetweenPersons: false },
  });
});

describe('the ERP settings of a restaurant', () => {
  const line = { erpId: 'soup', sizeErpId: null, quantity: 1, price: 42_050, modifiers: [] };
  const lines = [
    { ...line, name: 'Борщ', comment: 'без\nсметаны' },
    { ...line, name: 'Хлеб', comment: null },
  ];

  test('[ORD-159] put comments of lines into the comment of the order if lines accept none', () => {
    const { items, comment } = buildBody({
      lines,
      comment: 'Звоните',
      lineCommentsAs: 'COMMENT',
    }).order;

    expect(items.map((item) => item.comment)).toEqual([undefined, undefined]);
    expect(comment).toBe('Борщ: без сметаны. Комментарий гостя: Звоните');
  });

  test('[ORD-159] put comments of lines into their own fields otherwise', () => {
    const { items, comment } = buildBody({ lines, comment: null, lineCommentsAs: 'FIELDS' }).order;

    expect([items.map((item) => item.comment), comment]).toEqual([
      ['без сметаны', undefined],
      undefined,
    ]);
  });

  test('[ORD-158] include the marketing source of staff', () => {
    expect(buildBody({ marketingSourceErpId: 'site' }).order.marketingSourceId).toBe('site');
    expect(buildBody({ marketingSourceErpId: null }).order).not.toHaveProperty('marketingSourceId');
  });
});

describe('the modifiers of a dish', () => {
  const cheese = {
    modifierId: 'cheese',
    groupErpId: 'extras',
    quantity: 2,
    freeQuantity: 1,
    unitPriceKopecks: 500,
  };

  test('[ORD-66] form a line at their price in each group, and one for their free units', () => {
    expect(
      modifiersToSend([
        cheese,
        { ...cheese, groupErpId: null },
        { ...cheese, modifierId: 'sauce', freeQuantity: 0 },
        { ...cheese, freeQuantity: 0 },
      ]),
    ).toEqual([
      { erpId: 'cheese', groupErpId: 'extras', quantity: 3, price: 500 },
      { erpId: 'cheese', groupErpId: 'extras', quantity: 1, price: 0 },
      { erpId: 'cheese', groupErpId: null, quantity: 1, price: 500 },
      { erpId: 'cheese', groupErpId: null, quantity: 1, price: 0 },
      { erpId: 'sauce', groupErpId: 'extras', quantity: 2, price: 500 },
    ]);
  });

  test.each<[string, { quantity: number; freeQuantity: number; unitPriceKopecks: number }, [number, number][]]>([
    ['one of three', { quantity: 3, freeQuantity: 1, unitPriceKopecks: 5_000 }, [[2, 5_000], [1, 0]]],
    ['both of two', { quantity: 2, freeQuantity: 2, unitPriceKopecks: 2_500 }, [[2, 0]]],
    ['none', { quantity: 2, freeQuantity: 0, unitPriceKopecks: 2_500 }, [[2, 2_500]]],
    ['some of a modifier that costs nothing', { quantity: 3, freeQuantity: 1, unitPriceKopecks: 0 }, [[3, 0]]],
  ])('[ORD-66] cost only the prices of the menu and 0 if %s of the units are free', (_, units, lines) => {
    const sent = modifiersToSend([{ ...cheese, ...units }]);

    expect(sent.map(({ quantity, price }) => [quantity, price])).toEqual(lines);
  }); // oxfmt-ignore

  test.each([
    ['group-7', 'group-7'],
    ['group-7#12', 'group-7'],
    ['group#1a#2', 'group#1a'],
    ['~0f3a#2', null],
  ])('use, for the group key %s, the group %s of the ERP', (key, id) => {
    expect(erpGroupId(key)).toBe(id);
  });

  test('remain absent if none were ordered', () => {
    expect(modifiersToSend([])).toEqual([]);
  });
});

describe('the total at the ERP', () => {
  const price = fc.integer({ min: 0, max: 99_999 });
  const modifier = fc.record({
    modifierId: fc.constantFrom('cheese', 'sauce', 'bacon'),
    groupErpId: fc.constantFrom(null, 'extras', 'more'),
    quantity: fc.integer({ min: 1, max: 9 }),
    free: fc.integer({ min: 0, max: 9 }),
  });
  const priceOf = { cheese: 4_990, sauce: 0, bacon: 10_001 };
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 99 }),
    price,
    modifiers: fc.array(modifier, { maxLength: 6 }),
  });

  test('[ORD-66] equals our total to the kopeck with free modifiers, each price of a modifier once', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), price, (drawn, deliveryFee) => {
        const ordered = drawn.map((entry) => ({
          ...entry,
          modifiers: entry.modifiers.map(({ free, ...rest }) => ({
            ...rest,
            unitPriceKopecks: priceOf[rest.modifierId],
            freeQuantity: Math.min(free, rest.quantity),
          })),
        }));
        const total = ordered.reduce((sum, entry) => {
          const modifiers = entry.modifiers.map(
            (one) => (one.quantity - one.freeQuantity) * one.unitPriceKopecks,
          );
          return sum + entry.quantity * modifiers.reduce((cost, one) => cost + one, entry.price);
        }, deliveryFee);
        const { order } = buildBody({
          deliveryFee,
          deliveryFeeItem: { erpId: 'courier', sizeErpId: null },
          lines: ordered.map((entry) => ({
            erpId: 'pizza',
            sizeErpId: null,
            isCompound: entry.quantity % 2 === 0,
            comment: null,
            ...entry,
            modifiers: modifiersToSend(entry.modifiers),
          })),
        });
        const sent = JSON.parse(JSON.stringify(order)) as typeof order;

        expect(computeSum(sent, () => Number.NaN)).toBe(total / 100);
        for (const item of sent.items) {
          const modifiers = item.type === 'Product' ? item.modifiers : item.commonModifiers;
          const keys = modifiers.map(
            (entry) => `${entry.productGroupId ?? ''}/${entry.productId}/${entry.price}`,
          );
          expect(new Set(keys).size).toBe(keys.length);
        }
      }),
      { numRuns: repetitions(500) },
    );
  });
});

describe('the address in an order for the ERP', () => {
  test('[ORD-33] contains street and house, and parts too long for their field as text for the courier', () => {
    const { deliveryPoint } = buildBody({ fulfillment: 'DELIVERY', address: ADDRESS }).order;
    expect(deliveryPoint).toEqual({
      coordinates: { latitude: 55.790214, longitude: 49.114398 },
      address: {
        type: 'legacy',
        street: { name: 'улица Баумана', city: 'Казань' },
        house: '36',
        flat: '12',
        entrance: '2',
      },
      comment: 'домофон 12К4567В1234. Позвоните',
    });
  });

  const NOTHING = {
    building: null,
    flat: null,
    entrance: null,
    floor: null,
    doorphone: null,
    comment: null,
  };
  const pointTo = (
    address: Partial<typeof ADDRESS> | object,
    addressFormat: OrderToSend['addressFormat'] = 'LEGACY',
  ) =>
    buildBody({
      fulfillment: 'DELIVERY',
      address: { ...ADDRESS, ...NOTHING, ...address },
      addressFormat,
    }).order.deliveryPoint!;

  test('contains every part in its field, of up to ten characters', () => {
    const parts = {
      building: '1234567890',
      flat: '1',
      entrance: '2',
      floor: '3',
      doorphone: '12К4567В12',
    };

    expect(pointTo(parts)).toMatchObject({ address: parts });
    expect(pointTo(parts)).not.toHaveProperty('comment');
  });

  test('omits unknown parts, also in the text for the courier', () => {
    expect(pointTo({})).toEqual({
      coordinates: { latitude: 55.790214, longitude: 49.114398 },
      address: { type: 'legacy', street: { name: 'улица Баумана', city: 'Казань' }, house: '36' },
    });
    expect(pointTo({ comment: '' })).not.toHaveProperty('comment');
  });

  test('contains for the courier every part that is too long, and no other', () => {
    const [house, building, floor] = ['36 литера А', '2 со стороны двора', 'цокольный этаж'];

    expect(pointTo({ house, building, floor })).toEqual({
      coordinates: { latitude: 55.790214, longitude: 49.114398 },
      address: {
        type: 'legacy',
        street: { name: 'улица Баумана', city: 'Казань' },
        house: '36 литера',
      },
      comment: 'дом 36 литера А. корп. 2 со стороны двора. этаж цокольный этаж',
    });
  });

  test('contains house and building completely if it is one line', () => {
    const [house, building] = ['36 литера А', '2 со стороны двора'];

    expect(pointTo({ house, building }, 'CITY')).toMatchObject({
      address: { type: 'city', line1: 'Казань, улица Баумана, 36 литера А, 2 со стороны двора' },
    });
    expect(pointTo({ house, building }, 'CITY')).not.toHaveProperty('comment');
    expect(pointTo({ city: '' }, 'CITY').address).toEqual({
      type: 'city',
      line1: 'улица Баумана, 36',
    });
  });

  test('appears to staff without unknown parts', () => {
    expect(addressInWords({ ...ADDRESS, ...NOTHING })).toBe('Казань, улица Баумана, 36');
    expect(addressInWords({ ...ADDRESS, ...NOTHING, flat: '', comment: '' })).toBe(
      'Казань, улица Баумана, 36',
    );
  });

  test('appears to staff with every part that leads to the door', () => {
    expect(addressInWords({ ...ADDRESS, floor: '3' })).toBe(
      'Казань, улица Баумана, 36, подъезд 2, этаж 3, кв. 12, домофон 12К4567В1234, Позвоните',
    );
  });

  test('uses the street of the dictionary, or one line', () => {
    const buildPoint = (fields: Partial<OrderToSend>) =>
      buildBody({ fulfillment: 'DELIVERY', ...fields }).order.deliveryPoint;
    const known = buildPoint({ address: { ...ADDRESS, streetErpId: 'street-7' } });
    const line = buildPoint({
      address: { ...ADDRESS, building: '2', coords: null },
      addressFormat: 'CITY',
    });

    expect(known?.address).toMatchObject({ type: 'legacy', street: { id: 'street-7' } });
    expect(line).toMatchObject({
      address: { type: 'city', line1: 'Казань, улица Баумана, 36, 2', flat: '12' },
    });
    expect(line).not.toHaveProperty('coordinates');
  });
});

describe('a text of a customer', () => {
  test.each([
    ['a block', 'Ring [COMP]Lemon tart[/COMP] twice', 'Ring twice'],
    ['a block in other letters, over lines', 'a[ comp ]x\ny[/Comp]b', 'a b'],
    [
      'a block that appears when the inner one goes',
      '[CO[COMP]x[/COMP]MP]tart[/COMP]',
      '[CO MP]tart',
    ],
    ['a block behind invisible characters', '[CO\u200bMP]tart[/CO\u202eMP]!', '!'],
    ['half of a block', 'a[COMP]tart', 'a tart'],
    ['control characters and lines', 'a\u0000b\r\n\tc\u001b[31m', 'a b c [31m'],
    ['half of a character', 'a\ud83d', 'a\ufffd'],
    ['emoji stay', '👨‍👩‍👧 ok', '👨‍👩‍👧 ok'],
  ])('%s', (_what, text, expected) => {
    expect(erpText(text, 100)).toBe(expected);
  });

  test('ends between characters', () => {
    expect(erpText('abcd', 3)).toBe('abc');
    expect(erpText('ab🍕cd', 3)).toBe('ab');
    expect(erpText('ab🍕cd', 4)).toBe('ab🍕');
  });

  test.each(['\u{10000}', '\u{10ffff}'])(
    'ends before %j, of the first and the last that have two units',
    (character) => {
      expect(erpText(`ab${character}cd`, 3)).toBe('ab');
    },
  );

  test('[ORD-32] contains no block or control character, fits, and stays equal when cleaned again', () => {
    const piece = fc.constantFrom(
      '[COMP]',
      '[/COMP]',
      '[',
      'CO',
      'MP]',
      '/',
      ' ',
      '\n',
      '\u200b',
      '\u0007',
      'x',
      '🍕',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 14 }),
        fc.integer({ min: 1, max: 30 }),
        (pieces, longest) => {
          const clean = erpText(pieces.join(''), longest);
          expect(clean).not.toMatch(/\[\s*\/?\s*comp\s*\]|\p{Cc}|\u200b/iu);
          expect(clean.length).toBeLessThanOrEqual(longest);
          expect(erpText(clean, longest)).toBe(clean);
        },
      ),
      { numRuns: 300 },
    );
  });
});
