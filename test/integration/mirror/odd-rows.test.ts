import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { importStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { importTerminals } from '../../../modules/mirror/import-terminals.ts';
import { importZones } from '../../../modules/mirror/zones/import-zones.ts';
import { getRun } from '../../../modules/mirror/runs/list-runs.ts';
import { importBasics, importMenu, mirrorWorld, type TestWorld } from '../../support/mirror.ts';
import { selectRows } from '../../support/rows.ts';

const STOP_LISTS = '/api/1/stop_lists';
const ZONES = '/api/1/delivery_restrictions';
const TERMINALS = '/api/1/terminal_groups';
const MENU = '/api/menu/v3/by_id';
const uuid = (tail: number) => `00000000-0000-4000-8000-${String(tail).padStart(12, '0')}`;

let world: TestWorld;
let menuId: number;
let organizations: { id: number; erpId: string }[];
beforeAll(async () => {
  world = await mirrorWorld();
  menuId = await importBasics(world);
  organizations = await selectRows(world.db, 'mirror_organization', ['id', 'erpId'], {}, { orderBy: 'id' });
});
afterEach(async () => {
  for (const endpoint of [STOP_LISTS, ZONES, TERMINALS, MENU]) await world.emulator.control('answer', { endpoint });
});
afterAll(() => world.close());

const answer = (endpoint: string, body: object) => world.emulator.control('answer', { endpoint, body });
const erpId = (index: number) => organizations[index]!.erpId;
const IMPORTS = { STOP_LIST: importStopLists, ZONES: importZones, TERMINALS: importTerminals };
async function importNow(job: keyof typeof IMPORTS) {
  const runId = await world.open(job);
  const outcome = await IMPORTS[job](world.deps, { runId, connectionId: world.connectionId });
  return { outcome: outcome.outcome, anomalies: (await getRun(world.db, runId)).anomalies };
}

describe('[MIR-65] an odd row of stop-lists', () => {
  const stop = (tail: number, more: object = {}) => ({ productId: uuid(tail), balance: 0, ...more });
  const list = (index: number, items: unknown) => ({
    organizationId: erpId(index),
    items: [{ terminalGroupId: uuid(11 + index), items }],
  });
  const stopped = async () =>
    (await selectRows(world.db, 'mirror_stop_list', ['organizationId', 'itemErpId'], {}, { orderBy: 'itemErpId' })).map(
      ({ organizationId, itemErpId }) =>
        `${organizations.findIndex(({ id }) => id === organizationId)}/${itemErpId.slice(-3)}`,
    );
  const importLists = async (...lists: object[]) => {
    await answer(STOP_LISTS, { terminalGroupStopLists: lists });
    return importNow('STOP_LIST');
  };

  test('takes rows that stand directly below their organization', async () => {
    await importLists(list(0, [stop(101)]), {
      organizationId: erpId(1),
      terminalGroupId: uuid(12),
      items: [stop(102)],
    });

    expect(await stopped()).toEqual(['0/101', '1/102']);
    expect(
      await selectRows(world.db, 'mirror_stop_list', ['terminalGroupErpId as id'], { itemErpId: uuid(102) }),
    ).toEqual([{ id: uuid(12) }]);
  });

  test.each([['an empty product id', [stop(102, { productId: '' }), stop(103)], ['0/101', '1/103']]])(
    'costs itself and is counted: %s',
    async (_what, items, expected) => {
      const { anomalies } = await importLists(list(0, [stop(101)]), list(1, items));

      expect(await stopped()).toEqual(expected);
      expect(anomalies).toContainEqual({
        code: 'ODD_ROW',
        count: 1,
        samples: ['terminalGroupStopLists.1.items.0.items.0'],
      });
    },
  );

  test.each([
    ['null', null],
    ['missing', undefined],
    ['a text', '0,5'],
    ['an object', {}],
  ])('[MIR-69] stops its item and is counted if the balance is %s', async (_what, balance) => {
    const { anomalies } = await importLists(list(0, [stop(101)]), list(1, [stop(102, { balance }), stop(103)]));
    const rows = await selectRows(world.db, 'mirror_stop_list', ['balance'], { itemErpId: uuid(102) });

    expect(await stopped()).toEqual(['0/101', '1/102', '1/103']);
    expect(rows.map((row) => Number(row.balance))).toEqual([0]);
    expect(anomalies).toContainEqual({
      code: 'ODD_ROW',
      count: 1,
      samples: ['terminalGroupStopLists.1.items.0.items.0.balance'],
    });
  });

  test('reads a balance that is spelled as text, and null as a list without stops', async () => {
    await importLists(list(0, [stop(101)]), list(1, [stop(102, { balance: '0.00' })]));
    expect(await stopped()).toEqual(['0/101', '1/102']);

    await importLists(list(0, [stop(101)]), list(1, null));
    expect(await stopped()).toEqual(['0/101']);
  });

  test('[MIR-66] leaves a restaurant alone if nothing of its list is readable', async () => {
    await importLists(list(0, [stop(101)]), list(1, [stop(102)]));

    await importLists(list(0, [stop(104)]), list(1, [stop(103, { productId: '' })]));
    expect(await stopped()).toEqual(['1/102', '0/104']);
    await importLists(list(0, [stop(101)]), { items: [{ terminalGroupId: null, items: [stop(105)] }] });
    expect(await stopped()).toEqual(['0/101', '1/102']);
  });
});

describe('[MIR-65] an odd row of delivery maps', () => {
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
    world.db.query<{ name: string; hasPolygon: boolean; rules: number }>(
      `select name, polygon is not null as "hasPolygon",
              (select count(*)::int from mirror_zone_terms terms where terms.zone_id = zone.id) as rules
         from mirror_delivery_zone zone where organization_id = $1 and inactive_at is null order by name`,
      [organizations[index]!.id],
    );

  test('applies the other map if one has neither rules nor zones', async () => {
    const { outcome } = await importMaps(map(0), map(1, { restrictions: null, deliveryZones: null }));

    expect(outcome).toBe('APPLIED');
    expect(await zones(0)).toEqual([{ name: 'A', hasPolygon: true, rules: 1 }]);
    expect(await zones(1)).toEqual([]);
  });

  test('counts a zone without coordinates as broken, and a rule without a week as odd', async () => {
    const { anomalies } = await importMaps(
      map(0, {
        deliveryZones: [
          { name: 'A', coordinates: square },
          { name: 'B', coordinates: null },
        ],
        restrictions: [rule, { ...rule, weekMap: null, deliveryDurationInMinutes: null }],
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

  test('counts a zone with an unreadable corner as broken and keeps its border', async () => {
    await importMaps(map(0), map(1));

    const { anomalies } = await importMaps(
      map(0),
      map(1, { deliveryZones: [{ name: 'A', coordinates: [...square, null] }] }),
    );

    expect(await zones(1)).toEqual([{ name: 'A', hasPolygon: true, rules: 1 }]);
    expect(anomalies).toMatchObject([{ code: 'INVALID_ZONE_POLYGON', count: 1 }]);
  });

  test('[MIR-66] keeps the map of a restaurant whose row is unreadable', async () => {
    await importMaps(map(0), map(1));

    await importMaps(map(0), map(1, { useSameMinSum: 'sometimes', deliveryZones: [] }));

    expect(await zones(1)).toEqual([{ name: 'A', hasPolygon: true, rules: 1 }]);
  });
});

describe('[MIR-65] an odd row of terminal groups', () => {
  test('costs itself: a group without a name is known by its id, a list that is null keeps its groups', async () => {
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
        world.db,
        'mirror_terminal_group',
        ['name'],
        { inactiveAt: null },
        { orderBy: 'erpId' },
      );
      return names.map(({ name }) => name);
    };

    expect(await groups([group(12, 'Quay')])).toEqual([uuid(11), 'Quay']);
    expect(await groups(null)).toEqual([uuid(11), 'Quay']);
  });
});

describe('[MIR-65] an odd row of a menu', () => {
  const dish = (tail: number, more: object = {}) => ({
    productId: uuid(tail),
    name: `Dish ${tail}`,
    sizePrices: [{ sku: `s${tail}`, prices: [{ organizations: organizations.map((row) => row.erpId), price: 100 }] }],
    ...more,
  });
  const menuOf = async (...itemsGroups: object[]) => {
    await answer(MENU, { id: '9001', name: 'Site', revision: 1, formatVersion: 3, itemsGroups });
    const { runId } = await importMenu(world, menuId, 'INCREMENTAL');
    return {
      record: await getRun(world.db, runId),
      names: (await selectRows(world.db, 'mirror_item', ['name'], {}, { orderBy: 'name' })).map((row) => row.name),
    };
  };

  test('imports nameless dishes and categories under an id, and numbers that are texts', async () => {
    const { names, record } = await menuOf(
      { id: uuid(1), name: null, items: [dish(101, { name: null }), dish(102, { sortOrder: '1' })] },
      {
        id: uuid(2),
        name: 'Soups',
        items: [dish(103, { labels: [{ name: 'hot' }], sizePrices: [{ weight: '0.25' }] })],
      },
    );

    expect(names).toEqual([uuid(101), 'Dish 102', 'Dish 103']);
    expect(await selectRows(world.db, 'mirror_menu_category', ['name'], {}, { orderBy: 'name' })).toEqual([
      { name: uuid(1) },
      { name: 'Soups' },
    ]);
    expect(record.anomalies).toContainEqual({ code: 'BLANK_NAME', count: 2, samples: [uuid(1), uuid(101)] });
    expect(record.anomalies).toContainEqual(
      expect.objectContaining({ code: 'ODD_ROW', samples: ['itemsGroups.1.items.0.labels.0'] }),
    );
  });

  test('refuses a menu whose categories are of a wrong type', async () => {
    await answer(MENU, { id: '9001', revision: 2, itemsGroups: ['soups'] });

    await expect(importMenu(world, menuId, 'FULL')).rejects.toMatchObject({ kind: 'INVALID_ANSWER' });
  });
});

describe('[MIR-65] an odd row of other lists', () => {
  const ask = async <T>(endpoint: string, body: object, call: () => Promise<T>): Promise<T> => {
    await answer(endpoint, body);
    const found = await call();
    await world.emulator.control('answer', { endpoint });
    return found;
  };
  const ids = () => organizations.map((row) => row.erpId);

  test('leaves ways to pay, discounts, kinds of orders and streets readable', async () => {
    const { erp } = world.deps;
    const { connectionId } = world;
    const payments = await ask(
      '/api/1/payment_types',
      {
        paymentTypes: [
          { id: uuid(1), paymentTypeKind: 'Cash', terminalGroups: null },
          { id: 'none', code: 7, terminalGroups: [{ id: uuid(2), organizationId: erpId(0) }, { id: 'x' }] },
          { id: uuid(3), code: 7, terminalGroups: [{ id: uuid(2), organizationId: erpId(0) }, { id: 'x' }] },
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
          { organizationId: erpId(1), items: [{ id: uuid(7), name: 'Hall', orderServiceType: null }] },
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

    expect(payments.map(({ id, code, terminalGroups }) => [id, code, terminalGroups.length])).toEqual([
      [uuid(1), null, 0],
      [uuid(3), '7', 1],
    ]);
    expect(discounts).toMatchObject([{ id: uuid(4), percent: 0, sum: 100.5 }]);
    expect(types).toMatchObject([{ id: uuid(6) }]);
    expect(streets.data.streets).toEqual([{ id: uuid(9), name: 'Quay' }]);
    expect(streets.odd).toMatchObject([{ place: 'streets.0' }, { place: 'streets.1.isDeleted' }]);
  });

  test('[MIR-66] keeps the terminal groups of everybody that a list does not name if a row names nobody', async () => {
    const group = (tail: number) => ({ id: uuid(tail), name: `Group ${tail}` });
    const active = async () =>
      (await selectRows(world.db, 'mirror_terminal_group', ['erpId'], { inactiveAt: null }, { orderBy: 'erpId' })).map(
        (row) => row.erpId,
      );
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
      { terminalGroups: [{ organizationId: erpId(0).toUpperCase(), items: [group(33)] }, { items: [group(34)] }] },
      () => importNow('TERMINALS'),
    );

    expect(await active()).toEqual([uuid(32), uuid(33)]);
  });
});
