import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { importMenuList } from '../../../modules/mirror/import-menu-list.ts';
import { importStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { importTerminals } from '../../../modules/mirror/import-terminals.ts';
import { importZones } from '../../../modules/mirror/zones/import-zones.ts';
import { getRun } from '../../../modules/mirror/runs/list-runs.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { deleteRows, not, saveSetting, selectRows } from '../../support/rows.ts';

const STOP_LISTS = '/api/1/stop_lists';
const ZONES = '/api/1/delivery_restrictions';
const TERMINALS = '/api/1/terminal_groups';
const MENU = '/api/menu/v3/by_id';
const uuid = (tail: number) => `00000000-0000-4000-8000-${String(tail).padStart(12, '0')}`;

let fixture: TestFixture;
let menuId: number;
let organizations: { id: number; erpId: string }[];
beforeAll(async () => {
  fixture = await mirrorFixture();
  menuId = await importBasics(fixture);
  organizations = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id', 'erpId'],
    {},
    { orderBy: 'id' },
  );
});
afterEach(async () => {
  for (const endpoint of [STOP_LISTS, ZONES, TERMINALS, MENU])
    await fixture.emulator.control('answer', { endpoint });
});
afterAll(() => fixture.close());

const answer = (endpoint: string, body: object) =>
  fixture.emulator.control('answer', { endpoint, body });
const erpId = (index: number) => organizations[index]!.erpId;
const IMPORTS = { STOP_LIST: importStopLists, ZONES: importZones, TERMINALS: importTerminals };
async function importNow(job: keyof typeof IMPORTS) {
  const runId = await fixture.open(job);
  const outcome = await IMPORTS[job](fixture.deps, { runId, connectionId: fixture.connectionId });
  return { outcome: outcome.outcome, anomalies: (await getRun(fixture.db, runId)).anomalies };
}

describe('[MIR-65] an unusual row of stop-lists', () => {
  const stop = (tail: number, more: object = {}) => ({
    productId: uuid(tail),
    balance: 0,
    ...more,
  });
  const list = (index: number, items: unknown) => ({
    organizationId: erpId(index),
    items: [{ terminalGroupId: uuid(11 + index), items }],
  });
  const stopped = async () =>
    (
      await selectRows(
        fixture.db,
        'mirror_stop_list',
        ['organizationId', 'itemErpId'],
        {},
        { orderBy: 'itemErpId' },
      )
    ).map(
      ({ organizationId, itemErpId }) =>
        `${organizations.findIndex(({ id }) => id === organizationId)}/${itemErpId.slice(-3)}`,
    );
  const readBalance = async (tail: number) =>
    Number(
      (await selectRows(fixture.db, 'mirror_stop_list', ['balance'], { itemErpId: uuid(tail) }))[0]
        ?.balance,
    );
  const importLists = async (...lists: object[]) => {
    await answer(STOP_LISTS, { terminalGroupStopLists: lists });
    return importNow('STOP_LIST');
  };

  test('stops its item if it is directly below the organization', async () => {
    await importLists(list(0, [stop(101)]), {
      organizationId: erpId(1),
      terminalGroupId: uuid(12),
      items: [stop(102)],
    });

    expect(await stopped()).toEqual(['0/101', '1/102']);
    expect(
      await selectRows(fixture.db, 'mirror_stop_list', ['terminalGroupErpId as id'], {
        itemErpId: uuid(102),
      }),
    ).toEqual([{ id: uuid(12) }]);
  });

  test('[MIR-72] increases the count if it names no product, and removes no stop of its restaurant', async () => {
    await importLists(
      list(0, [stop(101), stop(104)]),
      list(1, [stop(102), stop(105, { balance: 3 })]),
    );

    const { anomalies } = await importLists(
      list(0, [stop(101)]),
      list(1, [stop(102, { productId: '' }), stop(103), stop(105, { balance: 20 })]),
    );

    expect(await stopped()).toEqual(['0/101', '1/102', '1/103', '1/105']);
    expect(await readBalance(105)).toBe(20);
    expect(anomalies).toContainEqual({
      code: 'ODD_ROW',
      count: 1,
      samples: ['terminalGroupStopLists.1.items.0.items.0'],
    });
    await importLists(list(0, [stop(101)]), list(1, [stop(103)]));
    expect(await stopped()).toEqual(['0/101', '1/103']);
  });

  test.each([
    ['null', null],
    ['missing', undefined],
    ['a text', '0,5'],
    ['an object', {}],
  ])('[MIR-69] stops its item and is counted if the balance is %s', async (_what, balance) => {
    const { anomalies } = await importLists(
      list(0, [stop(101)]),
      list(1, [stop(102, { balance }), stop(103)]),
    );

    expect(await stopped()).toEqual(['0/101', '1/102', '1/103']);
    expect(await readBalance(102)).toBe(0);
    expect(anomalies).toContainEqual({
      code: 'ODD_ROW',
      count: 1,
      samples: ['terminalGroupStopLists.1.items.0.items.0.balance'],
    });
  });

  test('stops its item for a balance as text, and null is a list without stops', async () => {
    await importLists(list(0, [stop(101)]), list(1, [stop(102, { balance: '0.00' })]));
    expect(await stopped()).toEqual(['0/101', '1/102']);

    await importLists(list(0, [stop(101)]), list(1, null));
    expect(await stopped()).toEqual(['0/101']);
  });

  test('[MIR-66] keeps the stops of a restaurant if nothing in its list is readable', async () => {
    await importLists(list(0, [stop(101)]), list(1, [stop(102)]));

    await importLists(list(0, [stop(104)]), list(1, [stop(103, { productId: '' })]));
    expect(await stopped()).toEqual(['1/102', '0/104']);
    await importLists(list(0, [stop(101)]), {
      items: [{ terminalGroupId: null, items: [stop(105)] }],
    });
    expect(await stopped()).toEqual(['0/101', '1/102']);
  });
});

describe('[MIR-65] an unusual row of delivery maps', () => {
  const MAP = {
    useSameDeliveryDuration: true,
    defaultDeliveryDurationInMinutes: 60,
    defaultSelfServiceDurationInMinutes: 20,
    useSameMinSum: true,
    defaultMinSum: 500,
    useSameWorkTimeInterval: true,
    defaultFrom: 0,
    defaultTo: 0,
    useSameRestrictionsOnAllWeek: true,
  };
  const square = [
    [55.7, 49.1],
    [55.7, 49.2],
    [55.8, 49.2],
    [55.8, 49.1],
  ].map(([latitude, longitude]) => ({ latitude, longitude }));
  const rule = { zone: 'A', weekMap: 127, priority: 0, deliveryDurationInMinutes: 30 };
  const map = (index: number, more: object = {}) => ({
    organizationId: erpId(index),
    ...MAP,
    restrictions: [rule],
    deliveryZones: [{ name: 'A', coordinates: square }],
    ...more,
  });
  const importMaps = async (...maps: object[]) => {
    await answer(ZONES, { deliveryRestrictions: maps });
    return importNow('ZONES');
  };
  const zones = async (index: number) =>
    fixture.db.query<{ name: string; hasPolygon: boolean; rules: number }>(
      `select name, polygon is not null as "hasPolygon",
              (select count(*)::int from mirror_zone_terms terms where terms.zone_id = zone.id) as rules
         from mirror_delivery_zone zone where organization_id = $1 and inactive_at is null order by name`,
      [organizations[index]!.id],
    );

  test('keeps other maps valid if one has neither rules nor zones', async () => {
    const { outcome } = await importMaps(
      map(0),
      map(1, { restrictions: null, deliveryZones: null }),
    );

    expect(outcome).toBe('APPLIED');
    expect(await zones(0)).toEqual([{ name: 'A', hasPolygon: true, rules: 1 }]);
    expect(await zones(1)).toEqual([]);
  });

  test('counts as broken without coordinates, and as unusual with an unreadable week', async () => {
    const { anomalies } = await importMaps(
      map(0, {
        deliveryZones: [
          { name: 'A', coordinates: square },
          { name: 'B', coordinates: null },
        ],
        restrictions: [rule, { ...rule, weekMap: 'Monday' }],
      }),
    );

    expect(await zones(0)).toEqual([
      { name: 'A', hasPolygon: true, rules: 1 },
      { name: 'B', hasPolygon: false, rules: 0 },
    ]);
    expect(anomalies).toMatchObject([
      { code: 'ODD_ROW', samples: ['deliveryRestrictions.0.restrictions.1'] },
      { code: 'INVALID_ZONE_POLYGON' },
      { code: 'ORGANIZATION_NOT_ANSWERED' },
    ]);
  });

  test('counts as broken with an unreadable corner, and keeps its border', async () => {
    await importMaps(map(0), map(1));

    const { anomalies } = await importMaps(
      map(0),
      map(1, { deliveryZones: [{ name: 'A', coordinates: [...square, null] }] }),
    );

    expect(await zones(1)).toEqual([{ name: 'A', hasPolygon: true, rules: 1 }]);
    expect(anomalies).toMatchObject([{ code: 'INVALID_ZONE_POLYGON', count: 1 }]);
  });

  test.each([
    ['a rule is unreadable', { restrictions: [rule, 'closed'] }],
    ['a rule has an unreadable week', { restrictions: [rule, { ...rule, weekMap: {} }] }],
    ['a zone is unreadable', { deliveryZones: [{ name: 'A', coordinates: square }, 7] }],
    [
      'a zone has an unreadable name',
      { deliveryZones: [{ name: 'A', coordinates: square }, { name: {} }] },
    ],
  ])(
    '[MIR-72] keeps zones and rules of a map in which %s, and adds new ones',
    async (_what, more) => {
      const evening = { ...rule, weekMap: 31, priority: 1 };
      const second = {
        name: 'B',
        coordinates: square.map(({ latitude, longitude }) => ({
          latitude,
          longitude: longitude! + 1,
        })),
      };
      const whole = {
        restrictions: [rule, evening],
        deliveryZones: [{ name: 'A', coordinates: square }, second],
      };
      const added = {
        name: 'C',
        coordinates: square.map(({ latitude, longitude }) => ({
          latitude: latitude! + 1,
          longitude,
        })),
      };
      await importMaps(map(0, whole), map(1, whole));

      const zonesOf = (more as { deliveryZones?: object[] }).deliveryZones ?? [
        { name: 'A', coordinates: square },
      ];
      await importMaps(map(0), map(1, { ...more, deliveryZones: [...zonesOf, added] }));

      expect(await zones(0)).toEqual([{ name: 'A', hasPolygon: true, rules: 1 }]);
      expect(await zones(1)).toEqual([
        { name: 'A', hasPolygon: true, rules: 2 },
        { name: 'B', hasPolygon: true, rules: 0 },
        { name: 'C', hasPolygon: true, rules: 0 },
      ]);
      await importMaps(map(0), map(1));
      expect(await zones(1)).toEqual([{ name: 'A', hasPolygon: true, rules: 1 }]);
    },
  );

  test('[MIR-66] keeps the map of its restaurant', async () => {
    await importMaps(map(0), map(1));

    await importMaps(map(0), map(1, { restrictions: 'none', deliveryZones: [] }));

    expect(await zones(1)).toEqual([{ name: 'A', hasPolygon: true, rules: 1 }]);
  });
});

describe('[MIR-65] an unusual row of terminal groups', () => {
  test('affects only itself: a group without a name uses its id, and a null list keeps its groups', async () => {
    const group = (tail: number, name: unknown) => ({ id: uuid(tail), name, timeZone: 'UTC' });
    const groups = async (second: unknown) => {
      await answer(TERMINALS, {
        terminalGroups: [
          { organizationId: erpId(0), items: [group(11, null)] },
          { organizationId: erpId(1), items: second },
        ],
      });
      await importNow('TERMINALS');
      const names = await selectRows(
        fixture.db,
        'mirror_terminal_group',
        ['name'],
        { inactiveAt: null },
        { orderBy: 'erpId' },
      );
      return names.map(({ name }) => name);
    };

    expect(await groups([group(12, 'Quay')])).toEqual([uuid(11), 'Quay']);
    expect(await groups(null)).toEqual([uuid(11), 'Quay']);
    expect(await groups([group(12, 'Quay'), group(13, 'Park')])).toEqual([
      uuid(11),
      'Quay',
      'Park',
    ]);
    expect(await groups([group(12, 'Pier'), { id: 13, name: 'Park' }])).toEqual([
      uuid(11),
      'Pier',
      'Park',
    ]);
    expect(await groups(['Park', group(14, 'Hill')])).toEqual([uuid(11), 'Pier', 'Park', 'Hill']);
    expect(await groups([group(14, 'Hill')])).toEqual([uuid(11), 'Hill']);
  });

  test('[MIR-72] protects the groups of its restaurant, but not those of others, if it is a sleeping group', async () => {
    const group = (tail: number) => ({ id: uuid(tail), name: 'Group' });
    const active = async () =>
      (
        await selectRows(
          fixture.db,
          'mirror_terminal_group',
          ['erpId'],
          { inactiveAt: null },
          { orderBy: 'erpId' },
        )
      ).map((row) => row.erpId);
    await answer(TERMINALS, {
      terminalGroups: [
        { organizationId: erpId(0), items: [group(21), group(22)] },
        { organizationId: erpId(1), items: [group(23), group(24)] },
      ],
    });
    await importNow('TERMINALS');

    await answer(TERMINALS, {
      terminalGroups: [
        { organizationId: erpId(0), items: [group(21)] },
        { organizationId: erpId(1), items: [group(23)] },
      ],
      terminalGroupsInSleep: [{ organizationId: erpId(1).toUpperCase(), items: [null, group(25)] }],
    });
    await importNow('TERMINALS');

    expect(await active()).toEqual([uuid(21), uuid(23), uuid(24), uuid(25)]);
  });
});

describe('[MIR-65] an unusual row of a menu', () => {
  const dish = (tail: number, more: object = {}) => ({
    productId: uuid(tail),
    name: `Dish ${tail}`,
    sizePrices: [
      {
        sku: `s${tail}`,
        prices: [{ organizations: organizations.map((row) => row.erpId), price: 100 }],
      },
    ],
    ...more,
  });
  const importItems = async (...itemsGroups: object[]) => {
    await answer(MENU, { id: '9001', name: 'Site', revision: 1, formatVersion: 3, itemsGroups });
    const { runId } = await importMenu(fixture, menuId, 'INCREMENTAL');
    return {
      record: await getRun(fixture.db, runId),
      names: (await selectRows(fixture.db, 'mirror_item', ['name'], {}, { orderBy: 'name' })).map(
        (row) => row.name,
      ),
    };
  };

  test('keeps nameless dishes and categories under an id, and numbers as texts', async () => {
    const { names, record } = await importItems(
      {
        id: uuid(1),
        name: null,
        items: [dish(101, { name: null }), dish(102, { sortOrder: '1' })],
      },
      {
        id: uuid(2),
        name: 'Soups',
        items: [dish(103, { labels: [{ name: 'hot' }], sizePrices: [{ weight: '0.25' }] })],
      },
    );

    expect(names).toEqual([uuid(101), 'Dish 102', 'Dish 103']);
    expect(
      await selectRows(fixture.db, 'mirror_menu_category', ['name'], {}, { orderBy: 'name' }),
    ).toEqual([{ name: uuid(1) }, { name: 'Soups' }]);
    expect(record.anomalies).toContainEqual({
      code: 'BLANK_NAME',
      count: 2,
      samples: [uuid(1), uuid(101)],
    });
    expect(record.anomalies).toContainEqual(
      expect.objectContaining({ code: 'ODD_ROW', samples: ['itemsGroups.1.items.0.labels.0'] }),
    );
  });

  test('makes the menu invalid if the type of categories is wrong', async () => {
    await answer(MENU, { id: '9001', revision: 2, itemsGroups: ['soups'] });

    await expect(importMenu(fixture, menuId, 'FULL')).rejects.toMatchObject({
      kind: 'INVALID_ANSWER',
    });
  });
});

describe('[MIR-71] an unreadable row of a dish', () => {
  const price = (rubles: number) => [
    { organizations: organizations.map((row) => row.erpId), price: rubles },
  ];
  const size = (tail: number, rubles = 100) => ({
    sizeId: uuid(tail),
    sku: `s${tail}`,
    prices: price(rubles),
  });
  const sauce = () => ({
    id: uuid(901),
    sku: 'M901',
    name: 'Sauce',
    sizePrices: [{ prices: price(10) }],
  });
  const cheese = () => ({
    id: uuid(902),
    sku: 'M902',
    name: 'Cheese',
    sizePrices: [{ prices: price(20) }],
  });
  const group = { id: uuid(801), name: 'Extras', items: [{ id: uuid(901) }, { id: uuid(902) }] };
  const dish = (tail: number, more: object = {}) => ({
    productId: uuid(tail),
    name: `Dish ${tail}`,
    sizePrices: [size(1)],
    ...more,
  });
  const pizza = (more: object = {}) =>
    dish(201, { sizePrices: [size(1), size(2)], modifierGroups: [group], ...more });
  const others = () => [202, 203, 204].map((tail) => dish(tail));
  const importWith = async (
    items: unknown[],
    mode: 'FULL' | 'INCREMENTAL' = 'FULL',
    more: object = {},
  ) => {
    const itemsGroups = [{ id: uuid(1), name: 'Pizza', items: [...items, ...others()] }];
    const menu = {
      id: '9001',
      name: 'Site',
      formatVersion: 3,
      modifiers: [sauce(), cheese()],
      itemsGroups,
      ...more,
    };
    await answer(MENU, { ...menu, revision: (revision += 1) });
    const { runId } = await importMenu(fixture, menuId, mode);
    return getRun(fixture.db, runId);
  };
  let revision = 100;
  const forSale = async () =>
    (
      await fixture.db.query<{ text: string }>(
        `select item.name || '/' || right(size.erp_size_id, 1) || ' ' || price.price_kopecks / 100 || ' ' ||
                (select count(*) from mirror_modifier_group own join mirror_modifier_link link on link.modifier_group_id = own.id
                  where own.item_size_id = size.id) as text
           from mirror_item item join mirror_item_size size on size.item_id = item.id and size.deleted_at is null
           join mirror_item_placement place on place.item_id = item.id
           join mirror_price price on price.item_size_id = size.id and price.lost_at is null and price.organization_id = $1
          where item.deleted_at is null and item.role = 'DISH' order by 1`,
        [organizations[0]!.id],
      )
    ).map(({ text }) => text);
  const OTHERS = ['Dish 202/1 100 0', 'Dish 203/1 100 0', 'Dish 204/1 100 0'];
  const WHOLE = ['Dish 201/1 100 2', 'Dish 201/2 100 2', ...OTHERS];

  beforeEach(async () => {
    await saveSetting(fixture.db, 'sync.shrink_threshold_percent', 100);
    await importWith([pizza()]);
    await deleteRows(fixture.db, 'setting', { key: 'sync.shrink_threshold_percent' });
  });

  test.each([
    [
      'its only size is null',
      () => [pizza({ sizePrices: [null] })],
      WHOLE,
      'itemsGroups.0.items.0.sizePrices.0',
    ],
    [
      'its sizes are no list',
      () => [pizza({ sizePrices: 'none' })],
      WHOLE,
      'itemsGroups.0.items.0.sizePrices',
    ],
    [
      'one size is unreadable and the other has a new price',
      () => [pizza({ sizePrices: [size(1, 150), 7] })],
      ['Dish 201/1 150 2', 'Dish 201/2 100 2', ...OTHERS],
      'itemsGroups.0.items.0.sizePrices.1',
    ],
    [
      'the restaurants of a price are unreadable',
      () => [pizza({ sizePrices: [size(1), { ...size(2), prices: [{ price: 5 }] }] })],
      WHOLE,
      'itemsGroups.0.items.0.sizePrices.1.prices.0',
    ],
    [
      'its groups are unreadable',
      () => [pizza({ modifierGroups: [5] })],
      WHOLE,
      'itemsGroups.0.items.0.modifierGroups.0',
    ],
    [
      'a modifier of its group is unreadable',
      () => [pizza({ modifierGroups: [{ ...group, items: [{ id: 'x' }, { id: uuid(902) }] }] })],
      WHOLE,
      'itemsGroups.0.items.0.modifierGroups.0.items.0',
    ],
    ['its own id is unreadable', () => [pizza({ productId: 5 })], WHOLE, 'itemsGroups.0.items.0'],
    ['the row is null', () => [null], WHOLE, 'itemsGroups.0.items.0'],
  ])('removes nothing of the dish and is counted: %s', async (_what, items, expected, place) => {
    expect(await forSale()).toEqual(WHOLE);
    for (const mode of ['INCREMENTAL', 'FULL'] as const) {
      const run = await importWith(items(), mode);

      expect(run).toMatchObject({ status: 'SUCCESS', items: { deleted: 0 } });
      expect(run.anomalies).toContainEqual(expect.objectContaining({ code: 'ODD_ROW' }));
      expect(run.anomalies.find(({ code }) => code === 'ODD_ROW')!.samples).toContain(place);
      expect(await forSale()).toEqual(expected);
    }
  });

  test('removes nothing of a dish whose category or modifier is unreadable', async () => {
    await importWith([], 'FULL', {
      itemsGroups: [
        { name: 'No id', items: [pizza()] },
        { id: uuid(1), name: 'Pizza', items: others() },
      ],
    });
    expect(await forSale()).toEqual(WHOLE);

    await importWith([pizza()], 'FULL', { modifiers: [sauce(), { ...cheese(), id: 7 }] });
    expect(await forSale()).toEqual(WHOLE);
  });

  test('protects only its own dish, and only until the rows are readable', async () => {
    await saveSetting(fixture.db, 'sync.shrink_threshold_percent', 100);
    const itemsGroups = [
      { id: uuid(1), items: [pizza({ sizePrices: [null] }), ...others().slice(1)] },
    ];
    await importWith([], 'FULL', { itemsGroups });
    expect(await forSale()).toEqual([...WHOLE.slice(0, 2), ...OTHERS.slice(1)]);

    await importWith([pizza({ sizePrices: [size(1)], modifierGroups: [] })]);
    expect(await forSale()).toEqual(['Dish 201/1 100 0', ...OTHERS]);
    await deleteRows(fixture.db, 'setting', { key: 'sync.shrink_threshold_percent' });
  });

  test('loses a price that the answer removes next to an unreadable size', async () => {
    await importWith([
      pizza({ sizePrices: [{ ...size(1), prices: [{ ...price(1)[0], price: null }] }, 7] }),
    ]);

    expect(await forSale()).toEqual(['Dish 201/2 100 2', ...OTHERS]);
  });
});

describe('[MIR-73] an unreadable row of the list of menus', () => {
  const LIST = '/api/2/menu';
  afterAll(() => fixture.emulator.control('answer', { endpoint: LIST }));
  const importList = async (externalMenus: unknown[], priceCategories: unknown[] = []) => {
    await answer(LIST, { externalMenus, priceCategories });
    const runId = await fixture.open('MENU_LIST');
    await importMenuList(fixture.deps, { runId, connectionId: fixture.connectionId });
    const active = (table: 'mirror_external_menu' | 'mirror_price_category') =>
      selectRows(fixture.db, table, ['erpId'], { inactiveAt: null }, { orderBy: 'erpId' });
    const rows = [
      ...(await active('mirror_external_menu')),
      ...(await active('mirror_price_category')),
    ];
    return rows.map((row) => row.erpId);
  };
  const withdrawn = async () =>
    (
      await selectRows(fixture.db, 'mirror_external_menu', ['erpId'], { withdrawnAt: not(null) })
    ).map(({ erpId }) => erpId);

  test('removes and withdraws no menu, and removes no price category', async () => {
    expect(
      await importList([{ id: '1' }, { id: '2' }, { id: '3' }], [{ id: '7' }, { id: '8' }]),
    ).toEqual(['1', '2', '3', '7', '8']);
    expect(await importList([{ id: '1' }, { id: '2' }], [{ id: '7' }, { id: '8' }])).toEqual([
      '1',
      '2',
      '7',
      '8',
    ]);

    expect(await importList([{ id: '1' }, { name: 'Site' }], [{ id: '7' }])).toEqual([
      '1',
      '2',
      '7',
    ]);
    expect(await importList(['menu', { id: '4' }], [null, { id: '9' }])).toEqual([
      '1',
      '2',
      '4',
      '7',
      '9',
    ]);
    expect(await withdrawn()).not.toContain('3');
    await importList([{ id: '1' }]);
    expect(await withdrawn()).toContain('3');
  });
});

describe('[MIR-65] an unusual row of other lists', () => {
  const ask = async <T>(endpoint: string, body: object, call: () => Promise<T>): Promise<T> => {
    await answer(endpoint, body);
    const found = await call();
    await fixture.emulator.control('answer', { endpoint });
    return found;
  };
  const ids = () => organizations.map((row) => row.erpId);

  test('keeps payment types, discounts, order types and streets readable', async () => {
    const { erp } = fixture.deps;
    const { connectionId } = fixture;
    const payments = await ask(
      '/api/1/payment_types',
      {
        paymentTypes: [
          { id: uuid(1), paymentTypeKind: 'Cash', terminalGroups: null },
          {
            id: 'none',
            code: 7,
            terminalGroups: [{ id: uuid(2), organizationId: erpId(0) }, { id: 'x' }],
          },
          {
            id: uuid(3),
            code: 7,
            terminalGroups: [{ id: uuid(2), organizationId: erpId(0) }, { id: 'x' }],
          },
        ],
      },
      () => erp.paymentTypes(connectionId, ids()),
    );
    const discounts = await ask(
      '/api/1/discounts',
      {
        discounts: [
          {
            organizationId: erpId(0),
            items: [
              { id: uuid(4), percent: null, sum: '100.5', mode: 'FixedSum', isManual: true },
              { id: uuid(5), percent: 10, sum: 0, mode: null, isManual: true },
            ],
          },
        ],
      },
      () => erp.discounts(connectionId, ids()),
    );
    const types = await ask(
      '/api/1/deliveries/order_types',
      {
        orderTypes: [
          {
            organizationId: erpId(0),
            items: [{ id: uuid(6), name: 'Courier', orderServiceType: 'DeliveryByCourier' }],
          },
          {
            organizationId: erpId(1),
            items: [{ id: uuid(7), name: 'Hall', orderServiceType: null }],
          },
        ],
      },
      () => erp.orderTypes(connectionId, ids()),
    );
    const streets = await ask(
      '/api/1/streets/by_city',
      {
        streets: [
          { id: uuid(8), name: null },
          { id: uuid(9), name: 'Quay', isDeleted: 'no' },
        ],
      },
      () => erp.streets(connectionId, { organizationId: erpId(0), cityId: uuid(1) }),
    );

    expect(
      payments.map(({ id, code, terminalGroups }) => [id, code, terminalGroups.length]),
    ).toEqual([
      [uuid(1), null, 0],
      [uuid(3), '7', 1],
    ]);
    expect(discounts).toMatchObject([{ id: uuid(4), percent: 0, sum: 100.5 }]);
    expect(types).toMatchObject([{ id: uuid(6) }]);
    expect(streets.data.streets).toEqual([{ id: uuid(9), name: 'Quay' }]);
    expect(streets.odd).toMatchObject([{ place: 'streets.0' }, { place: 'streets.1.isDeleted' }]);
  });

  test('[MIR-66] keeps the terminal groups of missing organizations if it has no organization', async () => {
    const group = (tail: number) => ({ id: uuid(tail), name: `Group ${tail}` });
    const active = async () =>
      (
        await selectRows(
          fixture.db,
          'mirror_terminal_group',
          ['erpId'],
          { inactiveAt: null },
          { orderBy: 'erpId' },
        )
      ).map((row) => row.erpId);
    await ask(
      TERMINALS,
      {
        terminalGroups: [
          { organizationId: erpId(0), items: [group(31)] },
          { organizationId: erpId(1), items: [group(32)] },
        ],
      },
      () => importNow('TERMINALS'),
    );

    await ask(
      TERMINALS,
      {
        terminalGroups: [
          { organizationId: erpId(0).toUpperCase(), items: [group(33)] },
          { items: [group(34)] },
        ],
      },
      () => importNow('TERMINALS'),
    );

    expect(await active()).toEqual([uuid(32), uuid(33)]);
  });
});
