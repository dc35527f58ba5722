import { describe, expect, test } from '@jest/globals';
import type { MenuSource, PlacementSource } from '../../../modules/mirror/rules/menu-source.ts';
import { normalizeMenu } from '../../../modules/mirror/rules/normalize-menu.ts';

const FIRST = '3f6a1c52-8d0e-4b7a-9c11-5e2d7a904b01';
const SECOND = '3f6a1c52-8d0e-4b7a-9c11-5e2d7a904b02';
const DISH = 'd0000001-0000-4000-8000-000000000001';
const OTHER_DISH = 'd0000001-0000-4000-8000-000000000002';
const SIZE = 'a0000001-0000-4000-8000-000000000001';
const CHEESE = 'e0000001-0000-4000-8000-000000000001';
const BACON = 'e0000001-0000-4000-8000-000000000002';

const context = (...organizations: string[]) => ({
  organizations: new Map(
    (organizations.length === 0 ? [FIRST, SECOND] : organizations).map((id, at) => [id, at + 1]),
  ),
  digest: (text: string) => `digest(${text.replace('\n', '|')})`,
});

const place = (over: Partial<PlacementSource> = {}): PlacementSource => ({
  productId: DISH,
  name: 'Soup',
  ...over,
});
const buildMenu = (...items: PlacementSource[]): MenuSource => ({
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

describe('prices in a menu', () => {
  const sized = (size: object): MenuSource => buildMenu(place({ sizePrices: [size] }));

  test.each([
    ['follow the organization', { prices: [{ organizations: [FIRST, SECOND], price: 420 }] }, [['', 1, 42000], ['', 2, 42000]]],
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
    [
      'the list wins over the scalar',
      { price: 1, prices: [{ organizations: [FIRST], price: 2 }] },
      [['', 1, 200]],
    ],
  ])('%s', (_name, size, expected) => {
    expect(priceRows(sized(size), FIRST)).toEqual(expected);
  });

  test('exclude organizations outside the request, counted once each', () => {
    const stranger = '0badcafe-0000-4000-8000-00000000dead';
    const prices = [{ organizations: [FIRST, stranger], price: 3 }];

    const rows = normalizeMenu(
      buildMenu(place({ sizePrices: [{ prices }, { sizeId: SIZE, prices }] })),
      context(),
    );

    expect(rows.prices).toMatchObject(
      ['', SIZE].map((erpSizeId) => ({ role: 'DISH', erpSizeId, organizationId: 1 })),
    );
    expect(rows.anomalies).toEqual([
      { code: 'UNKNOWN_ORGANIZATION', count: 1, samples: [stranger] },
    ]);
  });

  test.each([-1, -0.001, 1_000_000_000.01, 1e16, 1e300])(
    'exclude %d, which is counted with its dish, and keep others of the same size',
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

describe('items in a menu', () => {
  test('exist once in two categories, with two positions, hidden only if hidden in both', () => {
    const menu = buildMenu(place({ isHidden: true, name: ' Soup 🔥 ' }));
    menu.itemsGroups?.push({ id: 'c2', name: 'Hits', items: [place({ name: 'Other name' })] });

    const rows = normalizeMenu(menu, context());

    expect(rows.items).toHaveLength(1);
    expect(rows.items[0]).toMatchObject({
      erpId: DISH,
      role: 'DISH',
      name: 'Soup 🔥',
      sku: '001',
      isHidden: false,
    });
    expect(rows.placements).toEqual([
      { categoryErpId: 'c1', itemErpId: DISH, position: 0, isHidden: true },
      { categoryErpId: 'c2', itemErpId: DISH, position: 0, isHidden: false },
    ]);
  });

  test('disappear if their only category is hidden', () => {
    const menu = buildMenu();
    menu.itemsGroups = [{ id: 'c1', name: 'Staff', isHidden: true, items: [place()] }];

    expect(normalizeMenu(menu, context()).items[0]?.isHidden).toBe(true);
  });

  test('[MIR-52] exclude combos and positions without a product, counted by name', () => {
    const combo: PlacementSource = { itemType: 'COMBO', productId: OTHER_DISH, name: ' Lunch ' };
    const nothing: PlacementSource = { itemType: 'DISH', productId: null, name: ' ' };

    const { items, placements, anomalies } = normalizeMenu(
      buildMenu(combo, nothing, place()),
      context(),
    );

    expect([items, placements].map((rows) => rows.length)).toEqual([1, 1]);
    expect(items[0]?.erpId).toBe(DISH);
    expect(anomalies).toEqual([
      { code: 'COMBO_LEFT_OUT', count: 1, samples: ['Lunch'] },
      { code: 'PLACEMENT_WITHOUT_PRODUCT', count: 1, samples: ['c1'] },
    ]);
  });

  test('receive positions ordered by sortOrder and numbered without gaps', () => {
    const rows = normalizeMenu(
      buildMenu(place({ sortOrder: 9 }), place({ productId: OTHER_DISH, sortOrder: 2 })),
      context(),
    );

    expect(rows.placements.map((row) => [row.itemErpId, row.position])).toEqual([
      [OTHER_DISH, 0],
      [DISH, 1],
    ]);
  });

  test('keep unknown enum values, and normalize blank texts and line ends', () => {
    const menu = buildMenu(place({ description: 'a\r\nb\u0000\r\n ' }));
    menu.products = [{ id: DISH, sku: ' ', type: 'SEASONAL', orderItemType: 'Assembled' }];

    expect(normalizeMenu(menu, context()).items[0]).toMatchObject({
      description: 'a\nb',
      sku: null,
      type: 'SEASONAL',
      orderItemType: 'Assembled',
    });
  });

  test.each([
    ['COMPOUND', 'Compound', []],
    [' compound ', 'Compound', []],
    ['product', 'Product', []],
    [null, null, []],
    [
      'Service',
      'Service',
      [{ code: 'UNKNOWN_ORDER_ITEM_TYPE', count: 1, samples: ['Борщ (Service)'] }],
    ],
  ])('[MIR-97] use the order line type %j as %j', (orderItemType, read, anomalies) => {
    const menu = buildMenu(place({ name: 'Борщ' }));
    menu.products = [{ id: DISH, sku: '1', type: 'DISH', orderItemType }];
    const rows = normalizeMenu(menu, context());

    expect(rows.items[0]!.orderItemType).toBe(read);
    expect(rows.anomalies).toEqual(anomalies);
  });

  test('include a position without a product in the dictionary, counted', () => {
    const menu = buildMenu(place({ name: '  ' }));
    menu.products = [];

    const rows = normalizeMenu(menu, context());

    expect(rows.items[0]).toMatchObject({ erpId: DISH, name: DISH, sku: null });
    expect(rows.anomalies.map((anomaly) => anomaly.code)).toEqual([
      'BLANK_NAME',
      'UNKNOWN_PRODUCT',
    ]);
  });

  test('contain allergens with code and name, without unknown ones', () => {
    const menu = buildMenu(place({ allergenGroupIds: ['g', 'x', 'g'] }));
    menu.allergenGroups = [{ id: 'g', code: 'GLUTEN', name: 'Глютен' }];

    expect(normalizeMenu(menu, context()).items[0]?.allergens).toStrictEqual([
      { code: 'GLUTEN', name: 'Глютен' },
    ]);
  });

  test('come to no rows from empty lists, which are counted', () => {
    const rows = normalizeMenu(
      { id: '9001', revision: 8, itemsGroups: [], products: null },
      context(),
    );

    expect(rows).toMatchObject({ revision: 8, items: [], prices: [], menuCategories: [] });
    expect(rows.anomalies).toEqual([{ code: 'EMPTY_MENU', count: 1, samples: ['9001'] }]);
  });
});

describe('sizes in a menu', () => {
  const normalizeSize = (size: object) =>
    normalizeMenu(buildMenu(place({ sizePrices: [size] })), context()).sizes[0];

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
    [{ weight: 1e9 }, 1e9],
    [{ weight: 1e300 }, null],
    [{ weight: 1e307, measureUnitType: 'KILOGRAM' }, null],
  ])('weigh, as %j, %s grams', (size, grams) => {
    expect(normalizeSize(size)?.weightGrams).toBe(grams);
  });

  test('[SNP-7] contain complete nutrition or none, without rounding noise', () => {
    const nutritions = {
      fats: Math.fround(11.2),
      proteins: 0,
      carbs: 0.1 + 0.2,
      energy: 236.00000000000003,
    };

    expect(normalizeSize({ nutritions })?.nutrition).toEqual({
      fats: 11.2,
      proteins: 0,
      carbs: 0.3,
      energy: 236,
    });
    expect(normalizeSize({ nutritions: {} })?.nutrition).toBeNull();
    for (const name of ['fats', 'proteins', 'carbs', 'energy'])
      for (const absent of [null, undefined]) {
        expect(normalizeSize({ nutritions: { [name]: 5 } })?.nutrition).toBeNull();
        expect(
          normalizeSize({ nutritions: { ...nutritions, [name]: absent } })?.nutrition,
        ).toBeNull();
      }
    expect(normalizeSize({ nutritions: { ...nutritions, energy: 1e308 } })?.nutrition?.energy).toBe(
      1e308,
    );
  });

  test('use an empty id for an unsized dish, and are united over several positions', () => {
    const menu = buildMenu(place({ sizePrices: [{ sizeId: null }] }));
    menu.itemsGroups?.push({
      id: 'c2',
      name: 'L',
      items: [place({ sizePrices: [{ sizeId: null }, { sizeId: SIZE }] })],
    });

    expect(normalizeMenu(menu, context()).sizes.map((row) => row.erpSizeId)).toEqual(['', SIZE]);
  });

  test('remain absent for a dish without any, and several have no invented default', () => {
    expect(normalizeMenu(buildMenu(place({ sizePrices: [] })), context()).sizes).toEqual([]);
    const two = normalizeMenu(
      buildMenu(place({ sizePrices: [{ sizeId: 'a' }, { sizeId: 'b' }] })),
      context(),
    );
    expect(two.sizes.map((row) => [row.isDefault, row.isHidden])).toEqual([
      [false, false],
      [false, false],
    ]);
  });
});

describe('modifiers in a menu', () => {
  const withGroups = (modifierGroups: PlacementSource['modifierGroups']): MenuSource => ({
    ...buildMenu(place({ modifierGroups })),
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

  test('form separate groups without ids by name, sku and an ordinal', () => {
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

  test('form a group without a name called by its sku or modifiers, counted', () => {
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

  test('use the value of the dictionary for null and absent overrides of a link', () => {
    const rows = normalizeMenu(
      withGroups([{ name: 'G', items: [{ id: CHEESE, name: null }] }]),
      context(),
    );

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

  test('use the stated overrides, even the default 1 with maximum 0', () => {
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
  ])(
    'follow childModifiersHaveMinMaxRestrictions %s for own restrictions: %s',
    (stated, expected) => {
      const group = { name: 'G', childModifiersHaveMinMaxRestrictions: stated, restrictions: null };

      expect(normalizeMenu(withGroups([group]), context()).groups[0]).toMatchObject({
        hasChildRestrictions: expected,
        isHidden: false,
        minQuantity: 0,
        maxQuantity: 0,
      });
    },
  );

  test('exclude and count links outside the dictionary, and count repeated links once', () => {
    const stranger = 'e0000001-0000-4000-8000-00000000ffff';

    const rows = normalizeMenu(
      withGroups([
        { name: 'G', items: [{ id: stranger }, { id: CHEESE }, { id: CHEESE.toUpperCase() }] },
      ]),
      context(),
    );

    expect(rows.links).toMatchObject([{ modifierErpId: CHEESE, position: 1 }]);
    expect(rows.anomalies).toContainEqual({
      code: 'UNKNOWN_MODIFIER',
      count: 1,
      samples: [stranger],
    });
  });

  test('weigh in the unit of their link, and are visible unless hidden', () => {
    const link = { id: BACON, weight: 0.5, measureUnitType: 'KILOGRAM' };
    const rows = normalizeMenu(
      withGroups([{ name: 'G', items: [link, { ...link, id: CHEESE }] }]),
      context(),
    );

    expect(rows.links.map((row) => [row.weightGrams, row.isHidden])).toEqual([
      [500, false],
      [500, true],
    ]);
  });

  test('form a group without a name called by at most three of them', () => {
    const modifiers = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id.toUpperCase() }));
    const menu = { ...withGroups([{ name: '', items: modifiers }]), modifiers };

    expect(normalizeMenu(menu, context()).groups[0]?.name).toBe('A, B, C');
  });

  test('exist as an item with one unsized size and one price, nameless ones with their sku', () => {
    const rows = normalizeMenu(withGroups(null), context());

    expect(rows.items.filter((row) => row.role === 'MODIFIER').map((row) => row.name)).toEqual([
      'Cheese',
      '90013',
    ]);
    expect(rows.sizes.filter((row) => row.role === 'MODIFIER').map((row) => row.erpSizeId)).toEqual(
      ['', ''],
    );
    expect(rows.prices.filter((row) => row.role === 'MODIFIER')).toEqual([
      { itemErpId: CHEESE, role: 'MODIFIER', erpSizeId: '', organizationId: 1, priceKopecks: 6000 },
    ]);
  });
});

describe('a menu with all fields', () => {
  const texts = {
    description: ' Hot ',
    labels: ['new', 'hot', 'new'],
    allergenGroupIds: ['g', 'h', 'i'],
  };
  const weighed = {
    weight: 310,
    measureUnitType: 'GRAM',
    nutritions: { fats: 1, proteins: 2, carbs: 3, energy: 4 },
  };
  const menu: MenuSource = {
    id: '9001',
    revision: 7,
    productCategories: [
      { id: 'p1', name: ' Dishes ', isDeleted: true },
      { id: 'p2', name: ' ' },
      { id: 'p1', name: 'Again' },
    ],
    allergenGroups: [
      { id: 'g', code: 'GLUTEN', name: 'Gluten' },
      { id: 'h', code: ' ', name: ' ' },
      { id: 'i', code: 'NUTS' },
    ],
    products: [
      {
        id: DISH.toUpperCase(),
        sku: '001',
        type: 'DISH',
        orderItemType: 'Product',
        measureUnit: 'portion',
        productCategoryId: 'p1',
      },
      { id: DISH, sku: 'another' },
    ],
    modifiers: [
      {
        id: CHEESE.toUpperCase(),
        sku: ' 90012 ',
        name: ' Cheese ',
        isHidden: true,
        productCategoryId: 'p2',
        ...texts,
        ...weighed,
        sizePrices: [
          { sizeId: SIZE, prices: [{ organizations: [FIRST], price: 1 }] },
          { sizeId: ' ', prices: [{ organizations: [FIRST], price: 2 }] },
        ],
      },
      { id: CHEESE, name: 'Again' },
      {
        id: BACON,
        name: 'Bacon',
        sizePrices: [{ sizeId: SIZE, prices: [{ organizations: [FIRST], price: 3 }] }],
      },
    ],
    itemsGroups: [
      {
        id: 'c1',
        name: ' Soups ',
        description: ' All hot ',
        isHidden: true,
        items: [
          place({
            ...texts,
            isHidden: true,
            sizePrices: [
              {
                sizeId: SIZE,
                sizeName: ' L ',
                sizeCode: ' l ',
                sku: ' 7 ',
                isDefault: true,
                isHidden: true,
                ...weighed,
              },
            ],
            modifierGroups: [
              {
                id: ' group-1 ',
                name: ' Sauces ',
                sku: ' G-7 ',
                isHidden: true,
                restrictions: {
                  minQuantity: 1,
                  maxQuantity: 1e12,
                  freeQuantity: -3,
                  defaultQuantity: 1.9,
                },
              },
            ],
          }),
        ],
      },
      { id: 'c2', name: ' ' },
      { id: 'c1', name: 'Again', items: [place({ productId: OTHER_DISH })] },
    ],
  };
  const rows = normalizeMenu(menu, context());
  const allergens = [
    { code: 'GLUTEN', name: 'Gluten' },
    { code: 'h', name: 'h' },
    { code: 'NUTS', name: 'NUTS' },
  ];
  const nutrition = { fats: 1, proteins: 2, carbs: 3, energy: 4 };

  test('contains each category once, and the content of a second one of its id', () => {
    expect(rows.productCategories).toStrictEqual([
      { erpId: 'p1', name: 'Dishes', isDeleted: true },
      { erpId: 'p2', name: 'p2', isDeleted: false },
    ]);
    expect(rows.menuCategories).toStrictEqual([
      {
        erpId: 'c1',
        name: 'Soups',
        description: 'All hot',
        isHidden: true,
        position: 0,
        hours: null,
      },
      { erpId: 'c2', name: 'c2', description: null, isHidden: false, position: 1, hours: null },
    ]);
    expect(rows.placements).toStrictEqual([
      { categoryErpId: 'c1', itemErpId: DISH, position: 0, isHidden: true },
      { categoryErpId: 'c1', itemErpId: OTHER_DISH, position: 1, isHidden: false },
    ]);
  });

  test('contains each dish once, with the values of its first product', () => {
    expect(rows.items[0]).toStrictEqual({
      erpId: DISH,
      role: 'DISH',
      name: 'Soup',
      description: 'Hot',
      sku: '001',
      type: 'DISH',
      orderItemType: 'Product',
      measureUnit: 'portion',
      productCategoryErpId: 'p1',
      allergens,
      labels: ['new', 'hot'],
      isHidden: true,
    });
    expect(rows.sizes[0]).toStrictEqual({
      itemErpId: DISH,
      role: 'DISH',
      erpSizeId: SIZE,
      name: 'L',
      code: 'l',
      sku: '7',
      weightGrams: 310,
      nutrition,
      isDefault: true,
      isHidden: true,
    });
  });

  test('contains no values of a dish without data', () => {
    expect(rows.items[1]).toStrictEqual({
      erpId: OTHER_DISH,
      role: 'DISH',
      name: 'Soup',
      description: null,
      sku: null,
      type: null,
      orderItemType: null,
      measureUnit: null,
      productCategoryErpId: null,
      allergens: [],
      labels: [],
      // The item is in a hidden category.
      isHidden: true,
    });
  });

  test('contains each modifier once, with its price without a size, or the first one', () => {
    expect(rows.items.slice(2)).toStrictEqual([
      {
        erpId: CHEESE,
        role: 'MODIFIER',
        name: 'Cheese',
        description: 'Hot',
        sku: '90012',
        type: null,
        orderItemType: null,
        measureUnit: null,
        productCategoryErpId: 'p2',
        allergens,
        labels: ['new', 'hot'],
        isHidden: true,
      },
      expect.objectContaining({
        erpId: BACON,
        description: null,
        sku: null,
        allergens: [],
        labels: [],
        isHidden: false,
      }),
    ]);
    expect(rows.sizes.slice(1)).toStrictEqual([
      {
        itemErpId: CHEESE,
        role: 'MODIFIER',
        erpSizeId: '',
        name: null,
        code: null,
        sku: '90012',
        weightGrams: 310,
        nutrition,
        isDefault: true,
        isHidden: true,
      },
      expect.objectContaining({
        itemErpId: BACON,
        weightGrams: null,
        nutrition: null,
        isHidden: false,
      }),
    ]);
    expect(rows.prices.map((row) => [row.itemErpId, row.priceKopecks])).toStrictEqual([
      [CHEESE, 200],
      [BACON, 300],
    ]);
  });

  test('contains groups with whole, non-negative quantities that fit a column', () => {
    expect(rows.groups).toStrictEqual([
      {
        itemErpId: DISH,
        groupKey: 'group-1',
        erpId: 'group-1',
        name: 'Sauces',
        sku: 'G-7',
        position: 0,
        isHidden: true,
        hasChildRestrictions: false,
        minQuantity: 1,
        maxQuantity: 2_147_483_647,
        freeQuantity: 0,
        defaultQuantity: 1,
      },
    ]);
  });

  test('lists what it lacks: names, products', () => {
    expect(rows.anomalies.map(({ code, count }) => [code, count])).toStrictEqual([
      ['BLANK_NAME', 2],
      ['UNKNOWN_PRODUCT', 1],
    ]);
  });
});

test('a dish twice in a category is hidden only if both are, and has the first position', () => {
  const placed = (...hidden: boolean[]) =>
    normalizeMenu(buildMenu(...hidden.map((isHidden) => place({ isHidden }))), context())
      .placements;

  expect(placed(true, false)).toStrictEqual([
    { categoryErpId: 'c1', itemErpId: DISH, position: 0, isHidden: false },
  ]);
  expect(placed(false, true)).toMatchObject([{ isHidden: false }]);
  expect(placed(true, true)).toMatchObject([{ isHidden: true }]);
});

test('a dish shown in one category and hidden in another is shown, in any order', () => {
  const hiddenIn = (...hidden: boolean[]) => {
    const itemsGroups = hidden.map((isHidden, at) => ({
      id: `c${at}`,
      name: 'C',
      isHidden,
      items: [place()],
    }));
    return normalizeMenu({ ...buildMenu(), itemsGroups }, context()).items.map(
      (item) => item.isHidden,
    );
  };

  expect([hiddenIn(true, false), hiddenIn(false, true), hiddenIn(true, true)]).toEqual([
    [false],
    [false],
    [true],
  ]);
});

test('positions without an order stay among those that have one', () => {
  const third = 'd0000001-0000-4000-8000-000000000003';
  const items = [
    place({ sortOrder: 5 }),
    place({ productId: OTHER_DISH }),
    place({ productId: third, sortOrder: 0 }),
  ];

  expect(
    normalizeMenu(buildMenu(...items), context()).placements.map((row) => row.itemErpId),
  ).toEqual([third, OTHER_DISH, DISH]);
});

test('a menu of an answer without a revision has none', () => {
  expect(normalizeMenu({ id: '9001' }, context())).toMatchObject({
    revision: null,
    menuCategories: [],
    items: [],
  });
});

test('equal answers produce equal rows', () => {
  const menu = buildMenu(
    place({ sizePrices: [{ prices: [{ organizations: [SECOND, FIRST], price: 1 }] }] }),
  );

  expect(normalizeMenu(menu, context())).toEqual(normalizeMenu(structuredClone(menu), context()));
});
