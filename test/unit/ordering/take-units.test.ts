import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StopRow } from '../../../modules/menus/rules/offers/facts.ts';
import { balanceRule } from '../../../modules/menus/rules/offers/stops.ts';
import { evaluateCart } from '../../../modules/ordering/rules/evaluate-cart.ts';
import type {
  CartFacts,
  CartLine,
  OfferedVariant,
} from '../../../modules/ordering/rules/cart-facts.ts';
import type { OfferedGroup } from '../../../modules/ordering/rules/modifier-choice.ts';
import { repetitions } from '../../support/repetitions.ts';

const CHEESE = 'cheese';
/** A dish: variants 1 (size S) and 2 (size L) with cheese; variant 3 is the cheese as a dish. */
const PIZZA = 'pizza';
const modifier = { min: null, max: null, free: 0, default: 0, unavailable: null };
const toppings: OfferedGroup = {
  groupId: 'mg_1',
  groupKey: 'g',
  name: 'Добавки',
  min: 0,
  max: 9,
  free: 0,
  modifiers: [
    { ...modifier, modifierId: CHEESE, sizeErpId: '', name: 'Сыр', priceKopecks: 100, default: 1 },
  ],
};
const variant = (variantId: number, given: Partial<OfferedVariant>): [number, OfferedVariant] => [
  variantId,
  {
    variantId,
    productId: variantId,
    itemId: PIZZA,
    erpSizeId: null,
    name: `dish ${variantId}`,
    variantName: null,
    unavailable: null,
    priceKopecks: 1_000 * variantId,
    hours: null,
    groups: [],
    role: null,
    personCount: 0,
    personSplittingEnabled: false,
    toolCount: 9,
    sugarCount: 0,
    ...given,
  },
];
const facts = (rows: StopRow[], given: Partial<CartFacts> = {}): CartFacts => ({
  at: 0,
  timeZone: 'UTC',
  organizationId: 1,
  fulfillmentType: null,
  customer: null,
  uses: new Map(),
  isServed: true,
  takesDiscounts: true,
  variants: new Map([
    variant(1, { erpSizeId: 'S', groups: [toppings] }),
    variant(2, { erpSizeId: 'L', groups: [toppings] }),
    variant(3, { itemId: CHEESE }),
  ]),
  balance: balanceRule({ rows, terminalGroups: new Map(), terminals: 'ANY' }),
  discounts: [],
  serviceItems: [],
  compositionRules: [],
  deliveryFeeKopecks: 0,
  gifts: [],
  giftsPerOrder: 1,
  giftReplacements: [],
  ...given,
});
const row = (itemErpId: string, balance: number, sizeErpId = ''): StopRow => ({
  terminalGroupId: '',
  itemErpId,
  sizeErpId,
  balance,
});
const line = (lineId: string, variantId: number, quantity: number, cheese = 0): CartLine => ({
  lineId,
  variantId,
  productId: variantId,
  itemId: variantId === 3 ? CHEESE : PIZZA,
  name: `dish ${variantId}`,
  variantName: null,
  quantity,
  modifiers:
    variantId === 3 ? [] : [{ groupKey: 'g', modifierId: CHEESE, name: 'Сыр', quantity: cheese }],
  comment: null,
  unitPriceKopecks: 0,
  seenPriceKopecks: null,
});
const options = { leaveAtDoor: false, cutlery: 0, sugar: 0 };
const cart = (lines: CartLine[], given: CartFacts) =>
  evaluateCart({ lines, promocode: null, options, giftChoices: [] }, given);
const listUnits = ({ lines }: ReturnType<typeof cart>) =>
  lines.map(({ lineId, quantity }): [string, number] => [lineId, quantity]);

describe('units above the balance', () => {
  test('disappear and are reported with the number before and after, the cheapest first', () => {
    const evaluated = cart([line('a', 1, 2), line('b', 2, 3)], facts([row(PIZZA, 4)]));

    expect(listUnits(evaluated)).toEqual([
      ['a', 1],
      ['b', 3],
    ]);
    expect(evaluated.totalKopecks).toBe(7_000);
    expect(evaluated.changes).toEqual([
      {
        lineId: 'a',
        variantId: 1,
        itemId: PIZZA,
        name: 'dish 1',
        action: 'QUANTITY_REDUCED',
        quantity: { before: 2, after: 1 },
        removedModifiers: [],
        reason: 'STOP_LIST',
      },
    ]);
  });

  test.each<[string, StopRow[], [string, number][]]>([
    [
      'a row of another item',
      [row(CHEESE, 1)],
      [
        ['a', 2],
        ['b', 2],
      ],
    ],
    [
      'as many as are wanted',
      [row(PIZZA, 4)],
      [
        ['a', 2],
        ['b', 2],
      ],
    ],
    [
      'a part of a unit',
      [row(PIZZA, 3.9)],
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
    [
      'one size',
      [row(PIZZA, 1, 'L')],
      [
        ['a', 2],
        ['b', 1],
      ],
    ],
    [
      'one size and all sizes',
      [row(PIZZA, 2), row(PIZZA, 1, 'L')],
      [
        ['a', 1],
        ['b', 1],
      ],
    ],
    [
      'two rows, of which the smaller one counts',
      [row(PIZZA, 2), { ...row(PIZZA, 1), terminalGroupId: 't' }],
      [['b', 1]],
    ],
  ])('change with %s', (_, rows, units) => {
    const evaluated = cart([line('a', 1, 2), line('b', 2, 2)], facts(rows));

    expect(listUnits(evaluated)).toEqual(units);
  });

  test('include all units for a balance below one, as if it were stopped', () => {
    const evaluated = cart([line('a', 1, 2), line('b', 2, 2)], facts([row(PIZZA, 0.5)]));

    expect(evaluated).toMatchObject({
      lines: [],
      changes: [
        { lineId: 'a', action: 'REMOVED', reason: 'STOP_LIST' },
        { lineId: 'b', action: 'REMOVED', reason: 'STOP_LIST' },
      ],
    });
  });

  test('[ORD-74] disappear from the dish if they are of a modifier, and dishes have priority', () => {
    const evaluated = cart([line('a', 2, 2, 2), line('c', 3, 1)], facts([row(CHEESE, 3)]));

    expect(
      evaluated.lines.map(({ quantity, modifiers }) => [quantity, modifiers[0]?.quantity]),
    ).toEqual([
      [2, 1],
      [1, undefined],
    ]);
    expect(evaluated.changes).toMatchObject([
      {
        lineId: 'a',
        action: 'MODIFIERS_REMOVED',
        removedModifiers: [{ modifierId: CHEESE, quantity: 1 }],
      },
    ]);
    // Without remaining units the choice is 0, which means that no default is added.
    expect(cart([line('a', 2, 2, 1)], facts([row(CHEESE, 1)])).lines[0]!.modifiers).toMatchObject([
      { quantity: 0 },
    ]);
  });

  test('cannot be added as a service item', () => {
    const serviceItems = [{ role: 'CUTLERY', name: 'Приборы', itemId: 'fork', sizeErpId: '' }];
    const given = (balance: number) =>
      evaluateCart(
        {
          lines: [line('a', 1, 1)],
          promocode: null,
          options: { ...options, cutlery: 5 },
          giftChoices: [],
        },
        facts([row('fork', balance)], { serviceItems }),
      );

    expect(given(2).serviceItems).toMatchObject([{ role: 'CUTLERY', quantity: 2 }]);
    expect(given(0.5).serviceItems).toEqual([]);
  });

  test('[ORD-74] remain as few as possible, for any order of lines', () => {
    const anyLine = fc.record({
      variantId: fc.integer({ min: 1, max: 3 }),
      quantity: fc.integer({ min: 1, max: 5 }),
      cheese: fc.integer({ min: 0, max: 2 }),
    });
    const anyRow = fc.record({
      item: fc.constantFrom(PIZZA, CHEESE),
      size: fc.constantFrom('', 'S', 'L'),
      balance: fc.oneof(
        fc.integer({ min: -1, max: 12 }),
        fc.double({ min: 0, max: 9, noNaN: true }),
      ),
    });
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 5 }),
        fc.array(anyRow, { maxLength: 3 }),
        (wanted, limits) => {
          const lines = wanted.map((entry, at) =>
            line(`l${at}`, entry.variantId, entry.quantity, entry.cheese),
          );
          const rows = limits.map((limit) => row(limit.item, limit.balance, limit.size));
          const evaluated = cart(lines, facts(rows));
          const turned = cart(lines.toReversed(), facts(rows));
          /** Units that count for a row: of dishes, and of modifiers. */
          const counted = ({ itemErpId, sizeErpId }: StopRow) => {
            const dishes = evaluated.lines
              .filter(({ itemId }) => itemId === itemErpId)
              .filter(
                ({ variantId }) => sizeErpId === '' || ['', 'S', 'L', ''][variantId] === sizeErpId,
              )
              .reduce((sum, entry) => sum + entry.quantity, 0);
            const added =
              itemErpId === CHEESE && sizeErpId === ''
                ? evaluated.lines.reduce(
                    (sum, entry) => sum + entry.quantity * (entry.modifiers[0]?.quantity ?? 0),
                    0,
                  )
                : 0;
            return { dishes, all: dishes + added };
          };

          expect(turned.totalKopecks).toBe(evaluated.totalKopecks);
          for (const entry of rows)
            expect(counted(entry).all).toBeLessThanOrEqual(Math.max(0, entry.balance));
          for (const { lineId, variantId, itemId, quantity } of lines) {
            if (evaluated.lines.find((entry) => entry.lineId === lineId)?.quantity === quantity)
              continue;
            const limiting = rows.filter(
              (entry) =>
                entry.itemErpId === itemId &&
                ['', ['', 'S', 'L', ''][variantId]].includes(entry.sizeErpId),
            );
            expect(limiting.some((entry) => counted(entry).dishes + 1 > entry.balance)).toBe(true);
          }
        },
      ),
      {
        numRuns: repetitions(300),
        examples: [
          [
            [2, 1].map((quantity) => ({ variantId: 2, quantity, cheese: 2 })),
            [{ item: CHEESE, size: '' as const, balance: 3 }],
          ],
        ],
      },
    );
  });
});

describe('[ORD-116] a line with a required group', () => {
  const HAM = 'ham';
  const offered = (modifierId: string, given: Partial<OfferedGroup['modifiers'][number]> = {}) => ({
    ...modifier,
    modifierId,
    sizeErpId: '',
    name: modifierId,
    priceKopecks: 100,
    ...given,
  });
  const required = (given: Partial<OfferedGroup> = {}): OfferedGroup => ({
    ...toppings,
    min: 1,
    modifiers: [offered(CHEESE), offered(HAM)],
    ...given,
  });
  const took = (quantities: Record<string, number>, groupKey = 'g') =>
    Object.entries(quantities).map(([modifierId, quantity]) => ({
      groupKey,
      modifierId,
      name: modifierId,
      quantity,
    }));
  const pizza = (
    quantity: number,
    chosen: Record<string, number>,
    variantId = 1,
    lineId = 'a',
  ): CartLine => ({
    ...line(lineId, variantId, quantity),
    modifiers: took(chosen),
  });
  const judge = (lines: CartLine[], rows: StopRow[], groups = [required()]) => {
    const variants = new Map([
      variant(1, { groups }),
      variant(2, { groups }),
      variant(3, { itemId: CHEESE }),
    ]);
    const evaluated = cart(lines, facts(rows, { variants }));
    const turned = cart(lines.toReversed(), facts(rows, { variants }));
    expect(Object.fromEntries(listUnits(turned))).toEqual(Object.fromEntries(listUnits(evaluated)));
    return evaluated;
  };
  const listChosen = ({ lines }: ReturnType<typeof cart>) =>
    lines.map(({ quantity, modifiers, brokenLimits }) => [
      quantity,
      Object.fromEntries(modifiers.map((choice) => [choice.modifierId, choice.quantity])),
      brokenLimits.length,
    ]);

  test('loses units for which the group cannot be filled', () => {
    const evaluated = judge([pizza(2, { [CHEESE]: 1 })], [row(CHEESE, 1)]);

    expect(listChosen(evaluated)).toEqual([[1, { [CHEESE]: 1 }, 0]]);
    expect(evaluated.changes).toMatchObject([
      {
        lineId: 'a',
        action: 'QUANTITY_REDUCED',
        quantity: { before: 2, after: 1 },
        reason: 'STOP_LIST',
      },
    ]);
    expect(evaluated.changes).toHaveLength(1);
  });

  test.each<[string, CartLine[], StopRow[], OfferedGroup[], unknown[]]>([
    [
      'keeps its units if another chosen modifier fills the group, and loses the modifier',
      [pizza(2, { [CHEESE]: 1, [HAM]: 1 })],
      [row(CHEESE, 1)],
      [required()],
      [[2, { [HAM]: 1 }, 0]],
    ],
    [
      'loses units by the modifiers of a group together',
      [pizza(5, { [CHEESE]: 1, [HAM]: 1 })],
      [row(CHEESE, 2), row(HAM, 3)],
      [required({ min: 2 })],
      [[2, { [CHEESE]: 1, [HAM]: 1 }, 0]],
    ],
    [
      'loses units by the strictest of two groups',
      [
        {
          ...pizza(4, { [CHEESE]: 1 }),
          modifiers: [...took({ [CHEESE]: 1 }), ...took({ [HAM]: 2 }, 'h')],
        },
      ],
      [row(CHEESE, 3), row(HAM, 5)],
      [required(), required({ groupKey: 'h', groupId: 'mg_2', min: 2 })],
      [[2, { [CHEESE]: 1, [HAM]: 2 }, 0]],
    ],
    [
      'shares one modifier of two groups',
      [
        {
          ...pizza(4, { [CHEESE]: 1 }),
          modifiers: [...took({ [CHEESE]: 1 }), ...took({ [CHEESE]: 1 }, 'h')],
        },
      ],
      [row(CHEESE, 5)],
      [required(), required({ groupKey: 'h', groupId: 'mg_2' })],
      [[2, { [CHEESE]: 1 }, 0]],
    ],
    [
      'keeps more of a modifier than the minimum only if all units have it',
      [pizza(3, { [CHEESE]: 2 })],
      [row(CHEESE, 3)],
      [required()],
      [[3, { [CHEESE]: 1 }, 0]],
    ],
    [
      'loses units by the minimum of a single modifier',
      [pizza(3, { [CHEESE]: 2 })],
      [row(CHEESE, 5)],
      [required({ min: 0, modifiers: [offered(CHEESE, { min: 2 })] })],
      [[2, { [CHEESE]: 2 }, 0]],
    ],
    [
      'frees its dishes for other lines',
      [pizza(3, { [HAM]: 1 }, 1, 'b'), pizza(3, { [CHEESE]: 1 }, 2, 'a')],
      [row(PIZZA, 3), row(CHEESE, 1)],
      [required()],
      [
        [2, { [HAM]: 1 }, 0],
        [1, { [CHEESE]: 1 }, 0],
      ],
    ],
    [
      'frees the modifier for a dearer line',
      [pizza(2, { [CHEESE]: 1 }, 1, 'b'), pizza(2, { [CHEESE]: 1 }, 2, 'a')],
      [row(CHEESE, 3)],
      [required()],
      [
        [1, { [CHEESE]: 1 }, 0],
        [2, { [CHEESE]: 1 }, 0],
      ],
    ],
    [
      'stays and breaks its limit if not even one unit can be filled',
      [pizza(2, { [CHEESE]: 2 })],
      [row(CHEESE, 1)],
      [required({ min: 2 })],
      [[2, { [CHEESE]: 0 }, 1]],
    ],
    [
      'keeps its units for a group that its choice did not fill before',
      [pizza(2, { [CHEESE]: 1 })],
      [row(CHEESE, 2)],
      [required({ min: 2 })],
      [[2, { [CHEESE]: 1 }, 1]],
    ],
  ])('%s', (_what, lines, rows, groups, expected) => {
    expect(listChosen(judge(lines, rows, groups))).toEqual(expected);
  });

  test('keeps the largest number of units that can be filled, for any balance', () => {
    const few = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        few,
        few,
        (quantity, min, cheese, ham) => {
          const chosen = { [CHEESE]: min, [HAM]: 1 };
          const evaluated = judge(
            [pizza(quantity, chosen)],
            [row(CHEESE, cheese), row(HAM, ham)],
            [required({ min })],
          );
          const isFilled = (units: number) =>
            Math.min(min, Math.floor(cheese / units)) + Math.min(1, Math.floor(ham / units)) >= min;
          const most = Array.from({ length: quantity }, (_, at) => quantity - at).find(isFilled);

          expect(listUnits(evaluated)).toEqual([['a', most ?? quantity]]);
          expect(evaluated.lines[0]!.brokenLimits).toHaveLength(most === undefined ? 1 : 0);
        },
      ),
      { numRuns: repetitions(300) },
    );
  });
});
