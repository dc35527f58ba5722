import { describe, expect, test } from '@jest/globals';
import { evaluateCart, withFreeItems } from '../../../modules/ordering/rules/evaluate-cart.ts';
import {
  isOfContent,
  type CartContent,
  type CartFacts,
  type CartLine,
  type OfferedDiscount,
  type OfferedGift,
  type OfferedVariant,
} from '../../../modules/ordering/rules/cart-facts.ts';
import {
  evaluateAsAnswered,
  evaluateAsOrdered,
} from '../../../modules/ordering/rules/evaluate-as-ordered.ts';
import {
  discountRule,
  group as anyGroup,
  modifier,
  variant as dish,
} from '../../support/offered.ts';

const group: typeof anyGroup = (groupKey, modifiers, given) =>
  anyGroup(groupKey, modifiers, { max: 9, ...given });
const SAUCES = group('sauces', [modifier('red'), modifier('white', { unavailable: 'STOP_LIST' })]);
const variant = (variantId: number, given: Partial<OfferedVariant> = {}) =>
  dish(variantId, { personCount: 1, personSplittingEnabled: true, ...given });
const line = (lineId: string, given: Partial<CartLine> = {}): CartLine => ({
  lineId,
  variantId: 1,
  productId: 51,
  itemId: 'old item',
  name: 'old name',
  variantName: 'old size',
  quantity: 1,
  modifiers: [],
  comment: 'hot',
  unitPriceKopecks: 700,
  seenPriceKopecks: 700,
  ...given,
});
const took = (modifierId: string, quantity = 1) => ({
  groupKey: 'sauces',
  modifierId,
  name: `old ${modifierId}`,
  quantity,
});
const discount = (id: number, given: Partial<OfferedDiscount> = {}): OfferedDiscount => ({
  ...discountRule(id, { kind: 'FIXED', value: 10 * id }),
  code: `code ${id}`,
  name: `name ${id}`,
  isByPromocode: false,
  codeWithout: null,
  ...given,
});
type Fixture = Partial<Omit<CartFacts, 'variants'>> & { variants?: OfferedVariant[] };
const asked = (content: Partial<CartContent>): CartContent => ({
  lines: [],
  promocode: null,
  options: { leaveAtDoor: false, cutlery: 0, sugar: 0 },
  giftChoices: [],
  ...content,
});
const facts = ({ variants = [variant(1)], ...given }: Fixture = {}): CartFacts => ({
  at: 1_000,
  timeZone: 'UTC',
  organizationId: 1,
  fulfillmentType: null,
  customer: null,
  uses: new Map(),
  isServed: true,
  takesDiscounts: true,
  variants: new Map(variants.map((entry) => [entry.variantId, entry])),
  balance: () => Infinity,
  discounts: [],
  serviceItems: [],
  compositionRules: [],
  deliveryFeeKopecks: 0,
  gifts: [],
  giftsPerOrder: 1,
  giftReplacements: [],
  ...given,
});
const evaluated = (content: Partial<CartContent>, fixture: Fixture = {}) =>
  evaluateCart(asked(content), facts(fixture));

describe('an available line', () => {
  test('contains the currently offered dish, with the comment of the guest', () => {
    const content = { lines: [line('a', { quantity: 2, modifiers: [took('red', 3)] })] };
    const { lines, changes } = evaluated(content, { variants: [variant(1, { groups: [SAUCES] })] });

    expect(changes).toEqual([]);
    expect(lines).toEqual([
      {
        lineId: 'a',
        variantId: 1,
        productId: 101,
        itemId: 'item 1',
        name: 'dish 1',
        variantName: 'large',
        quantity: 2,
        modifiers: [{ groupKey: 'sauces', modifierId: 'red', name: 'name of red', quantity: 3 }],
        comment: 'hot',
        unitPriceKopecks: 1_300,
        seenPriceKopecks: 700,
        pricedModifiers: [
          {
            groupKey: 'sauces',
            groupId: 'id-of-sauces',
            modifierId: 'red',
            name: 'name of red',
            quantity: 3,
            freeQuantity: 0,
            unitPriceKopecks: 100,
          },
        ],
        lineTotalKopecks: 2_600,
        priceChanged: true,
        available: true,
        brokenLimits: [],
      },
    ]);
  });

  test.each([
    ['is the one that the guest has seen', 1_000, false, 1_000],
    ['is another one than the guest has seen', 999, true, 999],
    ['is seen for the first time', null, false, 1_000],
  ])('reports if its price %s', (_, seen, priceChanged, seenPriceKopecks) => {
    expect(evaluated({ lines: [line('a', { seenPriceKopecks: seen })] }).lines).toMatchObject([
      { priceChanged, seenPriceKopecks },
    ]);
  });

  test('reports limits that it violates after they have changed', () => {
    const groups = [group('sauces', [modifier('red')], { min: 2 })];
    const { lines } = evaluated(
      { lines: [line('a', { modifiers: [took('red')] })] },
      { variants: [variant(1, { groups })] },
    );

    expect(lines[0]!.brokenLimits).toMatchObject([{ code: 'min', groupKey: 'sauces', min: 2 }]);
  });
});

describe('free units of a paid item at an ERP without a discount', () => {
  const dishes = variant(1, { priceKopecks: 25_000 });
  const paid = (variantId: number, role = 'PAID_SOY') =>
    variant(variantId, { role, priceKopecks: 4_500, personSplittingEnabled: false });
  const free = (role = 'FREE_SOY') => ({ role, name: role, itemId: role, sizeErpId: '' });
  const perPerson = (role: string) => ({ role, everyPersons: 1, freeUnits: 1, isHidden: false });
  const lines = [
    line('dish', { quantity: 3, seenPriceKopecks: null }),
    line('soy', { variantId: 2, quantity: 5, seenPriceKopecks: null }),
  ];
  const ordered = (given: Fixture, content = lines) => {
    const fixture = facts({
      takesDiscounts: false,
      variants: [dishes, paid(2)],
      serviceItems: [free()],
      compositionRules: [perPerson('FREE_SOY')],
      ...given,
    });
    const cart = evaluateCart(asked({ lines: content }), fixture);
    const order = withFreeItems(cart, fixture);
    expect(order.subtotalKopecks).toBe(
      order.lines.reduce((sum, entry) => sum + entry.lineTotalKopecks, 0),
    );
    expect(order.totalKopecks).toBe(order.subtotalKopecks - order.discountKopecks);
    return {
      total: cart.totalKopecks,
      lines: order.lines.map(({ lineId, quantity }) => `${lineId} ${quantity}`),
      items: order.serviceItems.map(({ role, quantity }) => `${role} ${quantity}`),
      discounts: order.discountKopecks,
    };
  };

  test.each<[string, Fixture, CartLine[] | undefined, object]>([
    ['', {}, undefined, { total: 84_000, lines: ['dish 3', 'soy 2'], items: ['FREE_SOY 3'] }],
    [
      'if they are fewer than the free ones',
      {},
      [lines[0]!, { ...lines[1]!, quantity: 2 }],
      { total: 75_000, lines: ['dish 3'], items: ['FREE_SOY 3'] },
    ],
    [
      'as far as the free item is left',
      { balance: (item) => (item === 'FREE_SOY' ? 1 : Infinity) },
      undefined,
      { total: 93_000, lines: ['dish 3', 'soy 4'], items: ['FREE_SOY 1'] },
    ],
    [
      'only if the role has an item',
      { serviceItems: [] },
      undefined,
      { total: 97_500, lines: ['dish 3', 'soy 5'], items: [] },
    ],
    [
      'also for wasabi',
      {
        variants: [dishes, paid(2, 'PAID_WASABI')],
        serviceItems: [free('FREE_WASABI')],
        compositionRules: [perPerson('FREE_WASABI')],
      },
      undefined,
      { total: 84_000, lines: ['dish 3', 'soy 2'], items: ['FREE_WASABI 3'] },
    ],
    [
      'the cheapest first',
      { variants: [dishes, paid(2), variant(3, { role: 'PAID_SOY', priceKopecks: 9_000 })] },
      [...lines, line('dear', { variantId: 3, quantity: 1, seenPriceKopecks: null })],
      { total: 93_000, lines: ['dish 3', 'soy 2', 'dear 1'], items: ['FREE_SOY 3'] },
    ],
  ])('[ORD-67] become units of the free item %s', (_, given, content, expected) => {
    expect(ordered(given, content)).toEqual({ ...expected, discounts: 0 });
  });
});

describe('unavailable content of a cart', () => {
  test.each([
    ['is not in the menu', [], 'NOT_IN_MENU'],
    [
      'has left the menu of the organization',
      [variant(1, { unavailable: 'NOT_IN_MENU' })],
      'NOT_IN_MENU',
    ],
    ['is stopped', [variant(1, { unavailable: 'STOP_LIST' })], 'STOP_LIST'],
  ] as const)(
    'includes a dish that %s since, reported under the name that the guest has seen',
    (_, variants, reason) => {
      const { lines, changes, totalKopecks } = evaluated(
        { lines: [line('a')] },
        { variants: [...variants] },
      );

      expect([lines, totalKopecks]).toEqual([[], 0]);
      expect(changes).toEqual([
        {
          lineId: 'a',
          variantId: 1,
          itemId: 'old item',
          name: 'old name',
          action: 'REMOVED',
          removedModifiers: [],
          reason,
        },
      ]);
    },
  );

  const withSauces = { variants: [variant(1, { groups: [SAUCES] })] };

  test.each([
    ['is stopped', [took('red'), took('white', 2)], [['white', 2, 'old white']], 'STOP_LIST'],
    ['is gone', [took('red'), took('gone')], [['gone', 1, 'old gone']], 'NOT_IN_MENU'],
    [
      'is gone, beside one that is stopped',
      [took('gone'), took('white'), took('red')],
      [
        ['gone', 1, 'old gone'],
        ['white', 1, 'old white'],
      ],
      'STOP_LIST',
    ],
  ] as const)(
    'includes a modifier that %s, which is reported, and the dish stays',
    (_, modifiers, removed, reason) => {
      const { lines, changes } = evaluated({ lines: [line('a', { modifiers })] }, withSauces);

      expect(lines).toMatchObject([
        { modifiers: [{ modifierId: 'red', quantity: 1 }], unitPriceKopecks: 1_100 },
      ]);
      expect(changes).toEqual([
        {
          lineId: 'a',
          variantId: 1,
          itemId: 'old item',
          name: 'old name',
          action: 'MODIFIERS_REMOVED',
          removedModifiers: removed.map(([modifierId, quantity, name]) => ({
            modifierId,
            quantity,
            name,
          })),
          reason,
        },
      ]);
    },
  );

  test('causes no change if it was declined', () => {
    expect(
      evaluated({ lines: [line('a', { modifiers: [took('white', 0)] })] }, withSauces).changes,
    ).toEqual([]);
  });

  test('counts each size of a modifier for the units that all dishes need', () => {
    const groups = [group('sauces', [modifier('red', { sizeErpId: 'big' })])];
    const balance = (item: string, size: string) =>
      item === 'red' && size === 'big' ? 3 : Infinity;
    const { lines } = evaluated(
      { lines: [line('a', { quantity: 2, modifiers: [took('red', 2)] })] },
      { variants: [variant(1, { groups })], balance },
    );

    expect(lines).toMatchObject([{ quantity: 2, modifiers: [{ quantity: 1 }] }]);
  });

  test('includes every line if both units and modifiers are missing', () => {
    const balance = (item: string) => (item === 'item 1' ? 1 : Infinity);
    const { changes } = evaluated(
      { lines: [line('a', { quantity: 3, modifiers: [took('white')] })] },
      { ...withSauces, balance },
    );

    expect(changes).toMatchObject([
      { action: 'QUANTITY_REDUCED', quantity: { before: 3, after: 1 } },
      { action: 'MODIFIERS_REMOVED', reason: 'STOP_LIST' },
    ]);
  });

  test.each([0, 1])(
    'includes no modifier units of a removed dish, with a balance of %i',
    (units) => {
      const groups = [group('sauces', [modifier('red')])];
      const balance = (item: string) => (item === 'item 2' ? 0 : item === 'red' ? units : Infinity);
      const lines = [
        line('dear', { variantId: 2, modifiers: [took('red')] }),
        line('cheap', { modifiers: [took('red')] }),
      ];
      const variants = [variant(1, { groups }), variant(2, { groups, priceKopecks: 9_000 })];

      expect(evaluated({ lines }, { variants, balance }).lines).toMatchObject([
        { lineId: 'cheap', modifiers: [{ quantity: units }] },
      ]);
    },
  );

  test('counts as content, unlike automatic changes of the server', () => {
    const [change] = evaluated({ lines: [line('a')] }, { variants: [] }).changes;

    expect([change!, { action: 'SERVICE_ITEMS_CHANGED' as const }].map(isOfContent)).toEqual([
      true,
      false,
    ]);
  });
});

describe('a balance below the units of all lines', () => {
  const groups = [group('sauces', [modifier('red'), modifier('blue')])];
  const one = { balance: (item: string) => (item === 'item' ? 1 : Infinity) };
  const left = (lines: CartLine[], variants: OfferedVariant[]) =>
    evaluated(
      { lines },
      { variants: variants.map((entry) => ({ ...entry, itemId: 'item', groups })), ...one },
    ).lines.map((entry) => entry.lineId);

  test.each<[string, CartLine[], OfferedVariant[]]>([
    [
      'goes first to the dearer dish',
      [line('b'), line('a', { variantId: 2 })],
      [variant(1), variant(2, { priceKopecks: 1_001 })],
    ],
    [
      'goes first to the line with dearer modifiers',
      [line('b'), line('a', { modifiers: [took('red')] })],
      [variant(1)],
    ],
    [
      'goes first to the older variant at an equal price',
      [line('b', { variantId: 2 }), line('a')],
      [variant(1), variant(2)],
    ],
    [
      'goes by modifiers for one variant and price',
      [line('b', { modifiers: [took('red')] }), line('a', { modifiers: [took('blue')] })],
      [variant(1)],
    ],
  ])('%s, for any order of lines', (_, lines, variants) => {
    expect(left(lines, variants)).toEqual(['a']);
    expect(left(lines.toReversed(), variants)).toEqual(['a']);
  });

  test('counts modifiers in any order of the line', () => {
    const [red, blue] = [took('red'), took('blue')];
    const cart = (lines: CartLine[]) =>
      evaluated(
        { lines },
        {
          variants: [variant(1, { groups })],
          balance: (item) => (item === 'item 1' ? 3 : Infinity),
        },
      );
    const lines = [
      line('a', { quantity: 2, modifiers: [red, blue] }),
      line('b', { quantity: 3, modifiers: [blue, red] }),
    ];

    // Of equal lines, the line with the greater quantity comes first.
    expect(cart(lines).lines).toMatchObject([{ lineId: 'b', quantity: 3 }]);
    expect(cart(lines.toReversed()).lines).toMatchObject([{ lineId: 'b', quantity: 3 }]);
  });
});

describe('an organization that is not served', () => {
  const content = { lines: [line('a', { quantity: 2, modifiers: [took('gone'), took('red')] })] };
  const closed = (given: Fixture = {}) => evaluated(content, { isServed: false, ...given });

  test('keeps everything in the cart at its price, as unavailable', () => {
    const { lines, changes, totalKopecks } = closed({
      variants: [variant(1, { groups: [SAUCES] })],
    });

    expect([changes, totalKopecks]).toEqual([[], 1_400]);
    expect(lines).toEqual([
      {
        ...content.lines[0]!,
        pricedModifiers: [expect.objectContaining({ modifierId: 'red' })],
        lineTotalKopecks: 1_400,
        priceChanged: false,
        available: false,
        brokenLimits: [],
      },
    ]);
  });

  test('keeps an unknown dish too', () => {
    expect(closed({ variants: [] }).lines).toMatchObject([
      { lineId: 'a', pricedModifiers: [], unitPriceKopecks: 700 },
    ]);
  });

  test('reports a price that the guest has not seen', () => {
    const lines = [line('a', { seenPriceKopecks: 650 })];

    expect(evaluated({ lines }, { isServed: false }).lines).toMatchObject([{ priceChanged: true }]);
  });

  test('applies no discount and no gift', () => {
    const gift = {
      id: 'gift',
      quantity: 1,
      left: Infinity,
      unavailableReason: null,
    } as OfferedGift;
    const given = { discounts: [discount(1)], gifts: [gift] };
    const { discounts, gifts } = closed(given);

    expect([discounts, gifts.shown]).toEqual([[], []]);
    // Both would apply if the cart were served.
    const served = evaluated(content, given);
    expect([served.discounts.length, served.gifts.included.length]).toEqual([1, 1]);
  });
});

describe('the discounts of a cart', () => {
  const lines = [line('a')];

  test('appear as services in the order of their creation, applied or not, with amounts', () => {
    const { discounts, totalKopecks, discountKopecks } = evaluated(
      { lines },
      {
        discounts: [discount(2), discount(1), discount(3, { minSubtotalKopecks: 1_001 })],
        deliveryFeeKopecks: 50,
      },
    );

    expect(discounts).toEqual([
      {
        code: 'code 1',
        name: 'name 1',
        isByPromocode: false,
        discountId: 1,
        amountKopecks: 10,
        reason: null,
      },
      {
        code: 'code 2',
        name: 'name 2',
        isByPromocode: false,
        discountId: 2,
        amountKopecks: 20,
        reason: null,
      },
      {
        code: 'code 3',
        name: 'name 3',
        isByPromocode: false,
        discountId: 3,
        amountKopecks: 0,
        reason: 'MIN_SUM',
      },
    ]);
    expect([discountKopecks, totalKopecks]).toEqual([30, 1_020]);
  });

  test.each([
    ['EXPIRED', { endsAt: 1_000 }],
    ['NOT_STARTED', { startsAt: 1_001 }],
    ['ORGANIZATION', { organizationIds: [2] }],
  ] as const)('hide faults that a guest cannot correct, unless requested: %s', (reason, given) => {
    const told = (isByPromocode: boolean) =>
      evaluated(
        { lines, promocode: 'LUNCH' },
        { discounts: [discount(1, { ...given, isByPromocode })] },
      ).discounts;

    expect(told(true)).toMatchObject([{ discountId: 1, amountKopecks: 0, reason }]);
    expect(told(false)).toEqual([expect.objectContaining({ discountId: null })]);
  });

  test('include an unknown promo code after the others', () => {
    const asked = { lines, promocode: 'LUNCH' };

    expect(evaluated(asked, { discounts: [discount(1)] }).discounts).toEqual([
      expect.objectContaining({ discountId: 1, amountKopecks: 10 }),
      {
        code: 'LUNCH',
        name: 'LUNCH',
        isByPromocode: true,
        discountId: null,
        amountKopecks: 0,
        reason: 'UNKNOWN',
      },
    ]);
    expect(
      evaluated(asked, { discounts: [discount(1), discount(2, { isByPromocode: true })] })
        .discounts,
    ).toHaveLength(2);
    expect(evaluated({ lines }).discounts).toEqual([]);
  });
});

describe('the service items of a cart', () => {
  const SOY = { itemId: 'soy', sizeErpId: 'small', role: 'FREE_SOY', name: 'Soy' };
  const rules = [{ role: 'FREE_SOY', everyPersons: 1, freeUnits: 1, isHidden: false }];
  const paid = (variantId: number, given: Partial<OfferedVariant> = {}) =>
    variant(variantId, { role: 'PAID_SOY', priceKopecks: 300, ...given });

  test('follow the roles of the organization, as far as their balance allows', () => {
    const cart = (given: Fixture) =>
      evaluated({ lines: [line('a', { quantity: 3 })] }, { compositionRules: rules, ...given });

    expect(cart({}).serviceItems).toEqual([]);
    expect(cart({}).persons).toBe(4);
    expect(cart({ serviceItems: [SOY] }).serviceItems).toEqual([
      { ...SOY, quantity: 3, isHidden: false },
    ]);
    const balance = (item: string, size: string) =>
      item === 'soy' && size === 'small' ? 2 : Infinity;
    expect(cart({ serviceItems: [SOY], balance }).serviceItems).toMatchObject([{ quantity: 2 }]);
  });

  test('count as discounts if paid ones become free, by name and then by amount', () => {
    const lines = [
      line('dish', { quantity: 6 }),
      line('b', { variantId: 3, quantity: 1 }),
      line('c', { variantId: 2, quantity: 2 }),
      line('d', { variantId: 4, quantity: 2 }),
      line('e', { variantId: 4, quantity: 1 }),
    ];
    const variants = [
      variant(1),
      paid(2, { name: 'Soy', priceKopecks: 0 }),
      paid(3, { name: 'Soy B' }),
      paid(4, { name: 'Soy A' }),
    ];
    const { discounts, totalKopecks } = evaluated(
      { lines },
      {
        variants,
        compositionRules: rules,
        serviceItems: [SOY],
        discounts: [discount(1, { value: 6_000 })],
      },
    );

    // Two units are free anyway, so the deduction is at most the price of the dishes.
    expect(discounts).toEqual([
      {
        code: 'PAID_SOY',
        name: 'Soy A',
        isByPromocode: false,
        discountId: null,
        amountKopecks: 300,
        reason: null,
      },
      {
        code: 'PAID_SOY',
        name: 'Soy A',
        isByPromocode: false,
        discountId: null,
        amountKopecks: 600,
        reason: null,
      },
      {
        code: 'PAID_SOY',
        name: 'Soy B',
        isByPromocode: false,
        discountId: null,
        amountKopecks: 300,
        reason: null,
      },
      expect.objectContaining({ discountId: 1, amountKopecks: 6_000 }),
    ]);
    expect(totalKopecks).toBe(0);
  });

  test('appear by their first role if they have several', () => {
    const lines = [line('dish'), line('soy', { variantId: 3 }), line('wasabi', { variantId: 2 })];
    const variants = [
      variant(1),
      variant(2, { role: 'PAID_WASABI', name: 'A wasabi', priceKopecks: 1 }),
      paid(3, { name: 'Soy' }),
    ];
    const both = [...rules, { ...rules[0]!, role: 'FREE_WASABI' }].toReversed();

    expect(
      evaluated({ lines }, { variants, compositionRules: both }).discounts.map(
        (entry) => entry.code,
      ),
    ).toEqual(['PAID_SOY', 'PAID_WASABI']);
  });
});

describe('a cart that is ordered', () => {
  const door = { role: 'LEAVE_AT_DOOR', name: 'door', itemId: 'door', sizeErpId: '' };
  const content = asked({ lines: [line('a')] });
  const byPickup = discount(1, { fulfillmentTypes: ['PICKUP'] });

  test.each([
    ['without a difference', {}, { type: 'PICKUP', leaveAtDoor: false }, true],
    [
      'despite a discount of its fulfillment type',
      { discounts: [byPickup] },
      { type: 'PICKUP', leaveAtDoor: false },
      false,
    ],
    [
      'despite a discount of another type',
      { discounts: [byPickup] },
      { type: 'DELIVERY', leaveAtDoor: false },
      false,
    ],
    [
      'despite another choice about the door',
      { serviceItems: [door] },
      { type: 'DELIVERY', leaveAtDoor: true },
      false,
    ],
  ] as const)('returns the plain evaluation for the answer %s', (_, fixture, chosen, isShared) => {
    const given = facts(fixture as Fixture);
    const ordered = evaluateAsOrdered(content, given, chosen);
    const answered = evaluateAsAnswered(content, given, chosen, ordered);

    expect(answered).toEqual(evaluateCart(content, given));
    expect(answered === ordered).toBe(isShared);
  });

  test('includes the discounts of its type and the item for the door', () => {
    const given = facts({ discounts: [byPickup], serviceItems: [door] });

    expect(
      evaluateAsOrdered(content, given, { type: 'PICKUP', leaveAtDoor: false }).discountKopecks,
    ).toBe(10);
    expect(
      evaluateAsOrdered(content, given, { type: 'DELIVERY', leaveAtDoor: true }).serviceItems,
    ).toMatchObject([{ role: 'LEAVE_AT_DOOR', quantity: 1 }]);
  });
});
