import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importOrganizations } from '../../../modules/mirror/import-organizations.ts';
import { importStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { applyImport, type ApplyInput } from '../../../modules/mirror/menu/apply-import.ts';
import { stageRows } from '../../../modules/mirror/menu/stage-rows.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { enterRun } from '../../../modules/mirror/runs/run-fence.ts';
import type { ImportMode } from '../../../modules/mirror/rules/jobs.ts';
import type { ItemRow, MenuRows, SizeRow } from '../../../modules/mirror/rules/menu-rows.ts';
import { aConnection } from '../../support/connection.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { holdRow, holdTable } from '../../support/races.ts';
import {
  addRow,
  column,
  databaseNow,
  like,
  not,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let fixture: TestFixture;
let menu: Place, sibling: Place, stranger: Place;
let organizationIds: number[];
type Place = { connectionId: number; externalMenuId: number };

beforeAll(async () => {
  fixture = await mirrorFixture();
  await importBasics(fixture);
  const other = await aConnection(fixture.db, fixture.emulator.apiLogin);
  menu = await aMenu(fixture.connectionId, 'first');
  sibling = await aMenu(fixture.connectionId, 'second');
  stranger = await aMenu(other.id, 'third');
  const rows = await selectRows(fixture.db, 'mirror_organization', ['id'], {}, { orderBy: 'id' });
  organizationIds = rows.map((row) => row.id);
});
afterAll(() => fixture.close());

async function aMenu(connectionId: number, erpId: string): Promise<Place> {
  const menu = await addRow(fixture.db, 'mirror_external_menu', {
    connectionId,
    erpId,
    name: erpId,
  });
  await addRow(fixture.db, 'external_menu_setting', { externalMenuId: menu.id });
  return { connectionId, externalMenuId: menu.id };
}

const uuid = (set: number, at: number) =>
  `00000000-0000-4000-8${String(set).padStart(3, '0')}-${String(at).padStart(12, '0')}`;
const dish = (set: number, at: number, name = `Dish ${at}`): ItemRow => ({
  erpId: uuid(set, at),
  role: 'DISH',
  name,
  description: null,
  sku: null,
  type: null,
  orderItemType: null,
  measureUnit: null,
  productCategoryErpId: null,
  allergens: [],
  labels: [],
  isHidden: false,
});
const size = (set: number, at: number, name: string | null = null): SizeRow => ({
  itemErpId: uuid(set, at),
  role: 'DISH',
  erpSizeId: '',
  name,
  code: null,
  sku: null,
  weightGrams: null,
  nutrition: null,
  isDefault: true,
  isHidden: false,
});
const many = <T>(make: (at: number) => T, count = 20) =>
  Array.from({ length: count }, (_, at) => make(at));
const NOTHING: MenuRows = {
  revision: 1,
  productCategories: [],
  menuCategories: [],
  items: [],
  placements: [],
  sizes: [],
  prices: [],
  groups: [],
  links: [],
  unreadItems: [],
  anomalies: [],
};

async function staged(
  place: Place,
  rows: Partial<MenuRows>,
  mode: ImportMode = 'INCREMENTAL',
): Promise<ApplyInput> {
  const runId = await fixture.open('MENU', { ...place, mode });
  const counts = await stageRows(
    fixture.db,
    { runId, batch: 0, attempt: 1 },
    { ...NOTHING, ...rows },
  );
  const batch = { batch: 0, attempt: 1, rows: counts, revision: 1, anomalies: [] };
  return { ...place, runId, mode, organizationIds, fingerprint: 'same', batches: [batch] };
}
const apply = async (...run: Parameters<typeof staged>) =>
  applyImport(fixture.deps, await staged(...run));
const waitingTurns = () =>
  fixture.db.query(
    `select 1 from pg_locks where locktype = 'advisory' and not granted and database =
       (select oid from pg_database where datname = current_database())`,
  );
const APPLIED = expect.objectContaining({ outcome: 'APPLIED' });

describe('concurrent imports', () => {
  test('take turns if they have one connection', async () => {
    const runs = [
      await staged(menu, { items: [dish(4, 1)] }),
      await staged(sibling, { items: [dish(4, 2)] }),
    ];

    const events = await holdTable(fixture.db, 'outbox');
    const applied = Promise.all(runs.map((run) => applyImport(fixture.deps, run)));
    await events.waits(2);
    const turns = await waitingTurns();
    await events.release();

    expect(turns).toHaveLength(1);
    expect(await applied).toEqual([APPLIED, APPLIED]);
  });

  test('[MIR-59] take turns for stop-lists, and never wait for a menu', async () => {
    const stopLists = async () => {
      const run = {
        runId: await fixture.open('STOP_LIST', { connectionId: fixture.connectionId }),
        ...menu,
      };
      return importStopLists(fixture.deps, run);
    };
    const applying = await staged(menu, { items: [dish(5, 1)] });

    const dishes = await holdTable(fixture.db, 'mirror_item');
    const menuApplied = applyImport(fixture.deps, applying);
    await dishes.waits(1);
    const meanwhile = await stopLists();
    const states = await holdTable(fixture.db, 'mirror_stop_list_state');
    const both = Promise.all([stopLists(), stopLists()]);
    // One of the two stop-list imports waits for the other.
    await dishes.waits(3);
    const turns = await waitingTurns();
    await states.release();
    await dishes.release();

    expect(meanwhile).toEqual(APPLIED);
    expect(turns).toHaveLength(1);
    expect(await both).toEqual([APPLIED, APPLIED]);
    expect(await menuApplied).toEqual(APPLIED);
  });

  test('delete a dish that menus of two connections lose at the same moment', async () => {
    const before = many((at) => dish(1, at));
    const places = [
      await aMenu(menu.connectionId, 'loses'),
      await aMenu(stranger.connectionId, 'loses as well'),
    ];
    for (const place of places) await apply(place, { items: before }, 'FULL');
    const runs = await Promise.all(
      places.map((place) => staged(place, { items: before.slice(1) }, 'FULL')),
    );

    const events = await holdTable(fixture.db, 'outbox');
    const applied = Promise.all(runs.map((run) => applyImport(fixture.deps, run)));
    await events.waits(2);
    await events.release();

    expect(await applied).toEqual([APPLIED, APPLIED]);
    const gone = await selectRows(fixture.db, 'mirror_item', '*', {
      erpId: uuid(1, 0),
      deletedAt: not(null),
    });
    expect(gone).toHaveLength(1);
  });

  test.each<[string, Partial<MenuRows>, string]>([
    [
      'product category',
      { productCategories: [{ erpId: 'shared', name: 'Shared', isDeleted: false }] },
      `mirror_product_category where erp_id = 'shared'`,
    ],
    ['dish', { items: [dish(2, 1)] }, `mirror_item where erp_id = '${uuid(2, 1)}'`],
    [
      'size',
      { items: [dish(2, 2)], sizes: [size(2, 2)] },
      `mirror_item_size join mirror_item item on item.id = item_id where item.erp_id = '${uuid(2, 2)}'`,
    ],
  ])('create a %s once if two connections import it', async (_what, rows, where) => {
    await apply(menu, { items: [dish(2, 2)] });
    const runs = [await staged(menu, rows), await staged(stranger, rows)];

    const events = await holdTable(fixture.db, 'outbox');
    const applied = Promise.all(runs.map((run) => applyImport(fixture.deps, run)));
    await events.waits(2);
    await events.release();

    expect(await applied).toEqual([APPLIED, APPLIED]);
    expect(await fixture.db.query(`select 1 from ${where}`)).toHaveLength(1);
  });

  test('activate an organization in one of two connections that import it', async () => {
    await updateRows(fixture.db, 'mirror_organization', { inactiveAt: databaseNow() });
    const connections = [
      await aConnection(fixture.db, fixture.emulator.apiLogin),
      await aConnection(fixture.db, fixture.emulator.apiLogin),
    ];
    const runs = await Promise.all(
      connections.map(async ({ id }) => ({
        connectionId: id,
        runId: await fixture.open('ORGANIZATIONS', { connectionId: id }),
      })),
    );

    const events = await holdTable(fixture.db, 'outbox');
    const imported = Promise.all(runs.map((run) => importOrganizations(fixture.deps, run)));
    await events.waits(2);
    await events.release();

    expect(await imported).toEqual([APPLIED, APPLIED]);
    const active = await fixture.db.query<{ rows: number }>(
      `select count(*) filter (where inactive_at is null) as rows from mirror_organization group by erp_id`,
    );
    expect(active.length).toBeGreaterThan(1);
    expect(new Set(active.map(({ rows }) => rows))).toEqual(new Set([1]));
  });
});

test('the closing of a run waits until its application has committed', async () => {
  const run = await staged(menu, { items: [dish(3, 1)], sizes: [size(3, 1)] });
  let isClosed = false;

  const sizes = await holdTable(fixture.db, 'mirror_item_size');
  const applied = applyImport(fixture.deps, run);
  await sizes.waits(1);
  const closed = closeRun(fixture.deps, {
    runId: run.runId,
    status: 'FAILED',
    reason: 'ABANDONED',
  });
  const closing = closed.then(() => (isClosed = true));
  await Promise.race([sizes.waits(2), closing]);
  const wasClosedBefore = isClosed;
  await sizes.release();

  expect(wasClosedBefore).toBe(false);
  expect(await applied).toEqual(APPLIED);
  expect(await closed).toEqual({
    status: 'FAILED',
    reason: 'ABANDONED',
    outcome: 'FAILED ABANDONED',
  });
});

test('[OPS-37] an import may be silent in its turn for less than two minutes in total', async () => {
  const run = await staged(menu, {});
  const limits = await fixture.db.transaction(async (tx) => {
    expect(await enterRun(tx, run)).toEqual({ state: 'OPEN' });
    return tx.query<{ name: string; setting: string; unit: string }>(
      `select name, setting, unit from pg_settings
        where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`,
    );
  });

  expect(limits.map(({ name, unit }) => ({ name, unit }))).toEqual([
    { name: 'idle_in_transaction_session_timeout', unit: 'ms' },
    { name: 'statement_timeout', unit: 'ms' },
  ]);
  const [silent, statement] = limits.map(({ setting }) => Number(setting));
  expect(silent).toBeGreaterThan(0);
  expect(statement).toBeGreaterThan(0);
  expect(silent! + statement!).toBeLessThan(120_000);
});

test.each<[string, number, Partial<MenuRows>, ImportMode]>([
  ['renamed', 10, { items: many((at) => dish(10, at, `Renamed ${at}`)) }, 'INCREMENTAL'],
  ['vanished', 12, { items: many((at) => dish(12, at), 18) }, 'FULL'],
])(
  'an import locks %s dishes, which other connections may write too, in id order',
  async (_what, set, after, mode) => {
    const place = await aMenu(fixture.connectionId, `menu of set ${set}`);
    await apply(place, { items: many((at) => dish(set, at)) });
    const rows = await selectRows(
      fixture.db,
      'mirror_item',
      ['id'],
      { erpId: many((at) => uuid(set, at)) },
      { orderBy: 'id' },
    );
    const [low, high] = [rows[0]!.id, rows.at(-1)!.id];
    // Moves a row to the end of the table.
    await updateRows(fixture.db, 'mirror_item', { sku: column('sku') }, { id: low });
    const run = await staged(place, after, mode);

    const lowest = await holdRow(fixture.db, 'mirror_item', low);
    const applied = applyImport(fixture.deps, run);
    await lowest.waits(1);
    const free = await fixture.db.query(
      'select 1 from mirror_item where id = $1 for no key update skip locked',
      [high],
    );
    await lowest.release();

    expect(free).toHaveLength(1);
    expect(await applied).toEqual(APPLIED);
  },
);

test('an import locks renamed product categories, shared by all connections, in key order', async () => {
  const categories = (prefix: string) =>
    many((at) => ({
      erpId: `ordered-${String(at).padStart(2, '0')}`,
      name: `${prefix} ${at}`,
      isDeleted: false,
    }));
  await apply(menu, { productCategories: categories('Category').toReversed() });
  const rows = await selectRows(
    fixture.db,
    'mirror_product_category',
    ['id'],
    { erpId: like('ordered-%') },
    { orderBy: 'erpId' },
  );
  const [low, high] = [rows[0]!.id, rows.at(-1)!.id];
  await updateRows(fixture.db, 'mirror_product_category', { name: column('name') }, { id: low });
  const run = await staged(menu, { productCategories: categories('Renamed') });

  const lowest = await holdRow(fixture.db, 'mirror_product_category', low);
  const applied = applyImport(fixture.deps, run);
  await lowest.waits(1);
  const free = await fixture.db.query(
    'select 1 from mirror_product_category where id = $1 for no key update skip locked',
    [high],
  );
  await lowest.release();

  expect(free).toHaveLength(1);
  expect(await applied).toEqual(APPLIED);
});
