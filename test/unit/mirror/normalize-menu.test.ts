import { describe, expect, test } from '@jest/globals';
import type { MenuSource, PlacementSource } from '../../../domain/mirror/menu-source.ts';
import { normalizeMenu } from '../../../domain/mirror/normalize-menu.ts';

const FIRST = '3f6a1c52-8d0e-4b7a-9c11-5e2d7a904b01';
const SECOND = '3f6a1c52-8d0e-4b7a-9c11-5e2d7a904b02';
const DISH = 'd0000001-0000-4000-8000-000000000001';
const OTHER_DISH = 'd0000001-0000-4000-8000-000000000002';
const SIZE = 'a0000001-0000-4000-8000-000000000001';
const CHEESE = 'e0000001-0000-4000-8000-000000000001';
const BACON = 'e0000001-0000-4000-8000-000000000002';

const context = (...organizations: string[]) => ({
  organizations: new Map((organizations.length === 0 ? [FIRST, SECOND] : organizations).map((id, at) => [id, at + 1])),
  digest: (text: string) => `digest(${text.replace('\n', '|')})`,
});

const place = (over: Partial<PlacementSource> = {}): PlacementSource => ({ productId: DISH, name: 'Soup', ...over });
const menuOf = (...items: PlacementSource[]): MenuSource => ({
  id: '9001',
  revision: 7,
  products: [
    { id: DISH, sku: '001', type: 'DISH' },
    { id: OTHER_DISH, sku: '002', type: 'DISH' },
  ],
  itemsGroups: [{ id: 'c1', name: 'Soups', items }],
});
const priceRows = (menu: MenuSource, ...organizations: string[]) =>
  normalizeMenu(menu, context(...organizations)).prices.map((row) => [
    row.erpSizeId,
    row.organizationId,
    row.priceKopecks,
  ]);

describe('prices', () => {
  const sized = (size: object): MenuSource => menuOf(place({ sizePrices: [size] }));

  test.each([
    ['by organization', { prices: [{ organizations: [FIRST, SECOND], price: 420 }] }, [['', 1, 42000], ['', 2, 42000]]],
    ['different prices', { prices: [{ organizations: [FIRST], price: 1 }, { organizations: [SECOND], price: 2 }] }, [['', 1, 100], ['', 2, 200]]],
    ['null is kept: stated, not for sale', { prices: [{ organizations: [FIRST], price: null }] }, [['', 1, null]]],
    ['zero is a price', { prices: [{ organizations: [FIRST], price: 0 }] }, [['', 1, 0]]],
    ['kopecks survive floating point', { prices: [{ organizations: [FIRST], price: 249.95 }] }, [['', 1, 24995]]],
    ['the first statement of an organization wins', { prices: [{ organizations: [FIRST, FIRST], price: 3 }, { organizations: [FIRST], price: 4 }] }, [['', 1, 300]]],
    ['uuids in capitals are the same organization', { prices: [{ organizations: [FIRST.toUpperCase()], price: 5 }] }, [['', 1, 500]]],
    ['a scalar price means nothing for several organizations', { price: 9 }, []],
    ['no price at all', {}, []],
  ])('%s', (_name, size, expected) => {
    expect(priceRows(sized(size))).toEqual(expected);
  }); // oxfmt-ignore

  test.each([
    ['a scalar price belongs to the only organization', { price: 12.5 }, [['', 1, 1250]]],
    ['a scalar null as well', { price: null }, [['', 1, null]]],
    ['no price at all says nothing', {}, []],
    ['the list wins over the scalar', { price: 1, prices: [{ organizations: [FIRST], price: 2 }] }, [['', 1, 200]]],
  ])('%s', (_name, size, expected) => {
    expect(priceRows(sized(size), FIRST)).toEqual(expected);
  });

  test('organizations outside the request are left out and counted once each', () => {
    const stranger = '0badcafe-0000-4000-8000-00000000dead';
    const prices = [{ organizations: [FIRST, stranger], price: 3 }];

    const rows = normalizeMenu(menuOf(place({ sizePrices: [{ prices }, { sizeId: SIZE, prices }] })), context());

    expect(rows.prices.map((row) => row.organizationId)).toEqual([1, 1]);
    expect(rows.anomalies).toEqual([{ code: 'UNKNOWN_ORGANIZATION', count: 1, samples: [stranger] }]);
  });

  test.each([-1, -0.001, 1_000_000_000.01, 1e16, 1e300])(
    'a price of %d is none and counted with its dish; others of the same size stay',
    (price) => {
      const prices = [
        { organizations: [FIRST], price },
        { organizations: [SECOND], price: 1_000_000_000 },
      ];

      const rows = normalizeMenu(sized({ prices }), context());

      expect(rows.prices.map((row) => [row.organizationId, row.priceKopecks])).toEqual([
        [1, null],
        [2, 100_000_000_000],
      ]);
      expect(rows.anomalies).toEqual([{ code: 'INVALID_PRICE', count: 1, samples: [DISH] }]);
      expect(priceRows(sized({ price }), FIRST)).toEqual([['', 1, null]]);
    },
  );
});

describe('items', () => {
  test('a dish in two categories is one item with two places, hidden only when it is hidden in both', () => {
    const menu = menuOf(place({ isHidden: true, name: ' Soup 🔥 ' }));
    menu.itemsGroups?.push({ id: 'c2', name: 'Hits', items: [place({ name: 'Other name' })] });

    const rows = normalizeMenu(menu, context());

    expect(rows.items).toHaveLength(1);
    expect(rows.items[0]).toMatchObject({ erpId: DISH, role: 'DISH', name: 'Soup 🔥', sku: '001', isHidden: false });
    expect(rows.placements).toEqual([
      { categoryErpId: 'c1', itemErpId: DISH, position: 0, isHidden: true },
      { categoryErpId: 'c2', itemErpId: DISH, position: 0, isHidden: false },
    ]);
  });

  test('an item whose only category is hidden is hidden', () => {
    const menu = menuOf();
    menu.itemsGroups = [{ id: 'c1', name: 'Staff', isHidden: true, items: [place()] }];

    expect(normalizeMenu(menu, context()).items[0]?.isHidden).toBe(true);
  });

  test('combos and placements without a product are left out, and counted by name', () => {
    const combo: PlacementSource = { itemType: 'COMBO', productId: null, name: ' Lunch ' };
    const nothing: PlacementSource = { itemType: 'DISH', productId: null, name: ' ' };

    const { items, placements, anomalies } = normalizeMenu(menuOf(combo, nothing, place()), context());

    expect([items, placements].map((rows) => rows.length)).toEqual([1, 1]);
    expect(items[0]?.erpId).toBe(DISH);
    expect(anomalies).toEqual([
      { code: 'COMBO_LEFT_OUT', count: 1, samples: ['Lunch'] },
      { code: 'PLACEMENT_WITHOUT_PRODUCT', count: 1, samples: ['c1'] },
    ]);
  });

  test('places are ordered by sortOrder and numbered without gaps', () => {
    const rows = normalizeMenu(
      menuOf(place({ sortOrder: 9 }), place({ productId: OTHER_DISH, sortOrder: 2 })),
      context(),
    );

    expect(rows.placements.map((row) => [row.itemErpId, row.position])).toEqual([
      [OTHER_DISH, 0],
      [DISH, 1],
    ]);
  });

  test('unknown enum values pass, blank texts become null, line ends are unified', () => {
    const menu = menuOf(place({ description: 'a\r\nb\u0000\r\n ' }));
    menu.products = [{ id: DISH, sku: ' ', type: 'SEASONAL', orderItemType: 'Assembled' }];

    expect(normalizeMenu(menu, context()).items[0]).toMatchObject({
      description: 'a\nb',
      sku: null,
      type: 'SEASONAL',
      orderItemType: 'Assembled',
    });
  });

  test('a placement without a product in the dictionary is imported and counted', () => {
    const menu = menuOf(place({ name: '  ' }));
    menu.products = [];

    const rows = normalizeMenu(menu, context());

    expect(rows.items[0]).toMatchObject({ erpId: DISH, name: DISH, sku: null });
    expect(rows.anomalies.map((each) => each.code)).toEqual(['BLANK_NAME', 'UNKNOWN_PRODUCT']);
  });

  test('allergens carry code and name, unknown ones are dropped', () => {
    const menu = menuOf(place({ allergenGroupIds: ['g', 'x', 'g'] }));
    menu.allergenGroups = [{ id: 'g', code: 'GLUTEN', name: 'Глютен' }];

    expect(normalizeMenu(menu, context()).items[0]?.allergens).toEqual([{ code: 'GLUTEN', name: 'Глютен' }]);
  });

  test('empty lists give no rows and are counted', () => {
    const rows = normalizeMenu({ id: '9001', revision: 8, itemsGroups: [], products: null }, context());

    expect(rows).toMatchObject({ revision: 8, items: [], prices: [], menuCategories: [] });
    expect(rows.anomalies).toEqual([{ code: 'EMPTY_MENU', count: 1, samples: ['9001'] }]);
  });
});

describe('sizes', () => {
  const sizeOf = (size: object) => normalizeMenu(menuOf(place({ sizePrices: [size] })), context()).sizes[0];

  test.each([
    [{ weight: 310, measureUnitType: 'GRAM' }, 310],
    [{ weight: 0.31, measureUnitType: 'KILOGRAM' }, 310],
    [{ weight: 0.5, measureUnitType: 'LITER' }, 500],
    [{ weight: 250, measureUnitType: 'MILLILITER' }, 250],
    [{ weight: Math.fround(310.4), measureUnitType: 'GRAM' }, 310.4],
    [{ weight: 2, measureUnitType: 'PIECE' }, null],
    [{ weight: null, measureUnitType: null }, null],
    [{ weight: 12 }, 12],
    [{ weight: 0 }, 0],
    [{ weight: -5 }, null],
    [{ weight: 1e300 }, null],
    [{ weight: 1e307, measureUnitType: 'KILOGRAM' }, null],
  ])('%j weighs %s grams', (size, grams) => {
    expect(sizeOf(size)?.weightGrams).toBe(grams);
  });

  test('nutrition is complete or absent, without float noise', () => {
    const nutritions = { fats: Math.fround(11.2), proteins: null, carbs: 0.1 + 0.2, energy: 236.00000000000003 };

    expect(sizeOf({ nutritions })?.nutrition).toEqual({ fats: 11.2, proteins: 0, carbs: 0.3, energy: 236 });
    expect(sizeOf({ nutritions: {} })?.nutrition).toBeNull();
    expect(sizeOf({ nutritions: { energy: 1e308 } })?.nutrition?.energy).toBe(1e308);
  });

  test('an unsized dish has one size with an empty id; sizes of several places are united', () => {
    const menu = menuOf(place({ sizePrices: [{ sizeId: null }] }));
    menu.itemsGroups?.push({
      id: 'c2',
      name: 'L',
      items: [place({ sizePrices: [{ sizeId: null }, { sizeId: SIZE }] })],
    });

    expect(normalizeMenu(menu, context()).sizes.map((row) => row.erpSizeId)).toEqual(['', SIZE]);
  });

  test('a dish without sizes has none, and no default is invented for several', () => {
    expect(normalizeMenu(menuOf(place({ sizePrices: [] })), context()).sizes).toEqual([]);
    const two = normalizeMenu(menuOf(place({ sizePrices: [{ sizeId: 'a' }, { sizeId: 'b' }] })), context());
    expect(two.sizes.map((row) => row.isDefault)).toEqual([false, false]);
  });
});

describe('modifiers', () => {
  const withGroups = (modifierGroups: PlacementSource['modifierGroups']): MenuSource => ({
    ...menuOf(place({ modifierGroups })),
    modifiers: [
      {
        id: CHEESE,
        sku: '90012',
        name: 'Cheese',
        isHidden: true,
        weight: 30,
        measureUnitType: 'GRAM',
        restrictions: { minQuantity: 0, maxQuantity: 2, freeQuantity: 1, defaultQuantity: 0 },
        sizePrices: [{ sizeId: null, prices: [{ organizations: [FIRST], price: 60 }] }],
      },
      { id: BACON, sku: '90013', name: null, sizePrices: [] },
    ],
  });

  test('groups without id keep apart by name, sku and an ordinal', () => {
    const rows = normalizeMenu(
      withGroups([
        { id: null, name: 'Add-ons', sku: 'G-7', items: [{ id: CHEESE }] },
        { id: null, name: 'Add-ons', sku: 'G-7', items: [{ id: BACON }] },
        { id: 'group-1', name: 'Sauce' },
        { id: 'group-1', name: 'Sauce again' },
      ]),
      context(),
    );

    expect(rows.groups.map((row) => [row.groupKey, row.position])).toEqual([
      ['~digest(Add-ons|G-7)', 0],
      ['~digest(Add-ons|G-7)#2', 1],
      ['group-1', 2],
      ['group-1#2', 3],
    ]);
    expect(rows.links.map((row) => [row.groupKey, row.modifierErpId])).toEqual([
      ['~digest(Add-ons|G-7)', CHEESE],
      ['~digest(Add-ons|G-7)#2', BACON],
    ]);
  });

  test('a group without a name is called by its sku or its modifiers, keeps its key, and is counted', () => {
    const rows = normalizeMenu(
      withGroups([
        { id: null, name: ' ', sku: null, items: [{ id: CHEESE }, { id: BACON }] },
        { id: 'group-1', name: '', sku: 'G-7', items: [{ id: CHEESE }] },
        { id: 'group-2', name: '' },
      ]),
      context(),
    );

    expect(rows.groups.map((row) => [row.groupKey, row.name])).toEqual([
      ['~digest(|)', 'Cheese, 90013'],
      ['group-1', 'G-7'],
      ['group-2', 'group-2'],
    ]);
    // The nameless modifier is the fourth.
    expect(rows.anomalies).toContainEqual({
      code: 'BLANK_NAME',
      count: 4,
      samples: ['~digest(|)', 'group-1', 'group-2'],
    });
  });

  test('null and absent overrides of a link take the value of the dictionary', () => {
    const rows = normalizeMenu(withGroups([{ name: 'G', items: [{ id: CHEESE, name: null }] }]), context());

    expect(rows.links[0]).toMatchObject({
      name: 'Cheese',
      isHidden: true,
      weightGrams: 30,
      minQuantity: 0,
      maxQuantity: 2,
      freeQuantity: 1,
      defaultQuantity: 0,
    });
  });

  test('stated overrides win, also the odd default 1 with maximum 0', () => {
    const link = {
      id: CHEESE,
      name: 'Double cheese',
      isHidden: false,
      weight: 77,
      restrictions: { minQuantity: 0, maxQuantity: 0, freeQuantity: 0, defaultQuantity: 1 },
    };

    const rows = normalizeMenu(withGroups([{ name: 'G', items: [link] }]), context());

    expect(rows.links[0]).toMatchObject({
      name: 'Double cheese',
      isHidden: false,
      weightGrams: 77,
      maxQuantity: 0,
      defaultQuantity: 1,
    });
  });

  test.each([
    [true, true],
    [false, false],
    [null, false],
  ])('childModifiersHaveMinMaxRestrictions %s means own restrictions: %s', (stated, expected) => {
    const group = { name: 'G', childModifiersHaveMinMaxRestrictions: stated, restrictions: null };

    expect(normalizeMenu(withGroups([group]), context()).groups[0]).toMatchObject({
      hasChildRestrictions: expected,
      minQuantity: 0,
      maxQuantity: 0,
    });
  });

  test('a link to a modifier outside the dictionary is left out and counted; a repeated one is taken once', () => {
    const stranger = 'e0000001-0000-4000-8000-00000000ffff';

    const rows = normalizeMenu(
      withGroups([{ name: 'G', items: [{ id: stranger }, { id: CHEESE }, { id: CHEESE.toUpperCase() }] }]),
      context(),
    );

    expect(rows.links.map((row) => row.modifierErpId)).toEqual([CHEESE]);
    expect(rows.anomalies).toContainEqual({ code: 'UNKNOWN_MODIFIER', count: 1, samples: [stranger] });
  });

  test('a global modifier is an item with one unsized size and one price, nameless ones show their sku', () => {
    const rows = normalizeMenu(withGroups(null), context());

    expect(rows.items.filter((row) => row.role === 'MODIFIER').map((row) => row.name)).toEqual(['Cheese', '90013']);
    expect(rows.sizes.filter((row) => row.role === 'MODIFIER').map((row) => row.erpSizeId)).toEqual(['', '']);
    expect(rows.prices.filter((row) => row.role === 'MODIFIER')).toEqual([
      { itemErpId: CHEESE, role: 'MODIFIER', erpSizeId: '', organizationId: 1, priceKopecks: 6000 },
    ]);
  });
});

test('the same answer gives the same rows', () => {
  const menu = menuOf(place({ sizePrices: [{ prices: [{ organizations: [SECOND, FIRST], price: 1 }] }] }));

  expect(normalizeMenu(menu, context())).toEqual(normalizeMenu(structuredClone(menu), context()));
});
