import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { createErpPorts } from '../../../modules/connections/erp-calls/erp-ports.ts';
import { createClientCards } from '../../../modules/gifts/cards/client-cards.ts';
import { GIFT_ALERTS, raiseGiftAlerts } from '../../../modules/gifts/reconciliation/gift-alerts.ts';
import { expireRights } from '../../../modules/gifts/rights/expire-rights.ts';
import { importMenuList } from '../../../modules/mirror/import-menu-list.ts';
import { importOrganizations } from '../../../modules/mirror/import-organizations.ts';
import { importStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { importTerminals } from '../../../modules/mirror/import-terminals.ts';
import type { MirrorDeps } from '../../../modules/mirror/runs/fenced-import.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { drawRunId, openRun } from '../../../modules/mirror/runs/open-run.ts';
import { importZones } from '../../../modules/mirror/zones/import-zones.ts';
import { prepareSnapshot } from '../../../modules/menus/snapshot/prepare-snapshot.ts';
import { startEmulator, type Emulator } from '../../../packages/erp-emulator/server.ts';
import { createErpClient } from '../../../erp/client.ts';
import { createFailpoints } from '../../../platform/failpoint.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { PROMISED_PHONES } from '../../../packages/erp-emulator/data/guests.ts';
import { signIn, type AdminApi } from '../../../packages/demo/seed/admin-api.ts';
import { GUEST_PHONE } from '../../../packages/demo/seed/catalog.ts';
import { firstImports } from '../../../packages/demo/seed/imports.ts';
import { signInCustomer } from '../../../packages/demo/seed/sign-in-customer.ts';
import { SHARED_PICTURES } from '../../../packages/demo/seed/shop.ts';
import { seedDemo } from '../../../packages/demo/seed/seed.ts';
import { ensureTroubles } from '../../../packages/demo/seed/troubles.ts';
import type { Dish } from '../../../packages/demo/seed/products.ts';
import { evaluateBindings } from '../../../modules/binding/evaluate-bindings.ts';
import { createErpStreets } from '../../../modules/delivery/addresses/erp-streets.ts';
import { sendOrder } from '../../../modules/ordering/at-erp/send-order.ts';
import { demoCatalog } from '../../../tools/start/demo-catalog.ts';
import { adminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { startCustomerProvider } from '../../support/customer-provider.ts';
import { testSecrets } from '../../support/connection.ts';
import {
  compareMenu,
  publishedPairs,
  readTruths,
  type PublicMenu,
} from '../../support/compare-menu.ts';
import { migratedDatabase } from '../../support/database.ts';
import { compileMenuSchema } from '../../support/menu-schema.ts';
import { importMenu, type TestFixture } from '../../support/mirror.ts';
import {
  ago,
  countRows,
  databaseNow,
  saveSetting,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import { type CarteEvents } from '../../../kernel/pure/events.ts';

let api: TestApi;
let emulator: Emulator;
let fixture: Omit<TestFixture, 'connectionId' | 'close' | 'url'>;
let customers: Awaited<ReturnType<typeof startCustomerProvider>>;
let stop: (() => Promise<void>) | undefined;

beforeAll(async () => {
  emulator = await startEmulator({ size: 'demo' });
  const database = await migratedDatabase();
  const { db } = database;
  const erp = createErpClient({
    baseUrl: emulator.url,
    ...createErpPorts({ db, secrets: testSecrets, perSecond: null }),
    log: createLog({ service: 'test', level: 'silent' }),
  });
  const metrics = createMetrics('test');
  const deps: MirrorDeps = { db, erp, metrics, failpoint: createFailpoints(null) };
  fixture = {
    deps,
    metrics,
    db,
    emulator,
    async open(job, run = {}) {
      const runId = await drawRunId(db);
      const { connectionId = 0, ...rest } = run;
      await openRun(db, {
        runId,
        job,
        connectionId,
        trigger: 'EVENT',
        workflowId: `test/${runId}`,
        ...rest,
      });
      return runId;
    },
  };
  // Without Temporal, imports run when a connection is announced. The rate limit is off, because
  // several starts follow within one minute.
  customers = await startCustomerProvider();
  const env = { RATE_LIMIT_ADMIN: 'off', ...customers.env };
  const log = createLog({ service: 'test', level: 'silent' });
  const clientCards = createClientCards({ db, erp, secrets: testSecrets, log });
  const onEventsCommitted = () => void importNewConnections().then(sendOrders);
  api = await startTestApi({ routes, database, env, deps: { clientCards }, onEventsCommitted });
  stop = async () => {
    await api.stop();
    await customers.stop();
    await erp.close();
    await database.close();
    await emulator.stop();
  };
});
afterAll(() => stop?.());

async function importNewConnections(): Promise<void> {
  const events = await selectRows(fixture.db, 'outbox', ['id', 'payload'], {
    event: 'ConnectionChanged',
    deliveredAt: null,
  });
  for (const { id, payload } of events) {
    const { change, connectionId } = payload as CarteEvents['ConnectionChanged'];
    if (change !== 'CREATED') continue;
    await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() }, { id });
    await importEverything(connectionId);
  }
}

async function importEverything(connectionId: number): Promise<void> {
  const { deps, db } = fixture;
  const single = async (
    job: 'ORGANIZATIONS' | 'TERMINALS' | 'MENU_LIST' | 'STOP_LIST' | 'ZONES',
    work: (deps: MirrorDeps, run: { runId: number; connectionId: number }) => Promise<unknown>,
  ) => {
    const runId = await fixture.open(job, { connectionId });
    await work(deps, { runId, connectionId });
    await closeRun(deps, { runId, status: 'SUCCESS', reason: null });
  };
  await single('ORGANIZATIONS', importOrganizations);
  await single('TERMINALS', importTerminals);
  await single('MENU_LIST', importMenuList);
  const menus = await selectRows(db, 'mirror_external_menu', ['id'], { connectionId });
  const open: TestFixture['open'] = (job, run) => fixture.open(job, { ...run, connectionId });
  const ofConnection: TestFixture = {
    ...fixture,
    open,
    connectionId,
    url: '',
    close: async () => undefined,
  };
  for (const { id } of menus) await importMenu(ofConnection, id, 'FULL');
  await single('STOP_LIST', importStopLists);
  await single('ZONES', importZones);
}

async function importedRun(externalMenuId: number, mode: 'FULL' | 'INCREMENTAL'): Promise<number> {
  const { id: connectionId } = await selectRow(fixture.db, 'connection', ['id']);
  const open: TestFixture['open'] = (job, run) => fixture.open(job, { ...run, connectionId });
  const ofConnection: TestFixture = {
    ...fixture,
    open,
    connectionId,
    url: '',
    close: async () => undefined,
  };
  const { runId } = await importMenu(ofConnection, externalMenuId, mode);
  const log = createLog({ service: 'test', level: 'silent' });
  await evaluateBindings({ ...fixture.deps, metrics: fixture.metrics, log }, { runId });
  return runId;
}

async function sendOrders(): Promise<void> {
  const open = await selectRows(fixture.db, 'customer_order', ['id'], { state: 'ACCEPTED' });
  const deps = {
    ...fixture.deps,
    metrics: fixture.metrics,
    secrets: testSecrets,
    erpStreets: createErpStreets(fixture.deps.erp),
  };
  for (const { id } of open) await sendOrder(deps, id);
}

const counts = async () => {
  const row = {
    franchisees: await countRows(fixture.db, 'franchisee'),
    entities: await countRows(fixture.db, 'legal_entity'),
    connections: await countRows(fixture.db, 'connection'),
    categories: await countRows(fixture.db, 'catalog_category'),
    axes: await countRows(fixture.db, 'catalog_variant_axis'),
    pictures: await countRows(fixture.db, 'media'),
    products: await countRows(fixture.db, 'catalog_product'),
    published: await countRows(fixture.db, 'catalog_product', { status: 'PUBLISHED' }),
    gifts: await countRows(fixture.db, 'reward', { isActive: true, healthState: 'OK' }),
    rights: await countRows(fixture.db, 'compensation', { status: 'GRANTED', source: 'ADMIN' }),
    promisedByCategory: await countRows(fixture.db, 'compensation', {
      status: 'GRANTED',
      source: 'ERP_CATEGORY',
    }),
    promisedByComment: await countRows(fixture.db, 'compensation', {
      status: 'GRANTED',
      source: 'ERP_COMMENT',
    }),
  };
  return row;
};
const setting = async () =>
  (await selectRow(fixture.db, 'setting', ['value'], { key: 'gift_markers' })).value;
type OrganizationList = { items: { id: string }[] };
const seed = (lines: string[]) =>
  seedDemo({
    baseUrl: api.url,
    email: ADMIN.email,
    password: ADMIN.password,
    apiLogin: emulator.apiLogin,
    pictures: { side: 300, isShared: true },
    customersUrl: customers.issuer,
    log: (line) => void lines.push(line),
  });

describe('the demo catalog', () => {
  test("[SNP-1] builds a valid menu like the ERP's for each of twelve organizations, at most 1 MB", async () => {
    const lines: string[] = [];
    await seed(lines);

    const built = await counts();
    expect(built).toMatchObject({
      franchisees: 1,
      entities: 1,
      connections: 1,
      axes: 1,
      pictures: SHARED_PICTURES,
      gifts: 2,
      rights: 2,
      promisedByCategory: 1,
      promisedByComment: 1,
    });
    expect(built['published']).toBe(built['products']);
    expect(built['products']).toBeGreaterThanOrEqual(220);
    expect(lines).toContainEqual(
      expect.stringMatching(/^import MENU 9001: success, \d+ new items$/),
    );
    const organizations = await selectRows(
      fixture.db,
      'mirror_organization',
      ['id', 'erpId'],
      {},
      { orderBy: 'id' },
    );
    expect(organizations).toHaveLength(12);
    const isValid = compileMenuSchema();
    const published = await publishedPairs(fixture.db);
    for (const { id, erpId } of organizations) {
      const built = await prepareSnapshot(fixture.db, id, new Date());
      if (built?.kind !== 'READY')
        throw new Error(`Organization ${id} has no menu: ${built?.kind}`);
      expect(built.productCount).toBeGreaterThanOrEqual(50);
      expect(built.guess.encoded.identity.length).toBeLessThanOrEqual(1_000_000);
      const menu = JSON.parse(built.guess.encoded.identity.toString()) as PublicMenu;
      expect(isValid(menu) ? null : isValid.errors).toBeNull();
      // The prices and the availability in the ERP, item by item.
      expect(compareMenu(menu, await readTruths(emulator, erpId), published)).toEqual([]);
    }
  });

  test('finds everything in another start, creates nothing and preserves drafts of staff', async () => {
    const before = await counts();
    const [free] = await fixture.db.query<{ sizeId: number }>(
      `select min(size.id) as "sizeId" from mirror_item item join mirror_item_size size on size.item_id = item.id
        where item.role = 'DISH' and item.deleted_at is null and item.id not in (select item_id from catalog_item_triage) group by item.id having count(*) = 1 limit 1`,
    );
    const admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
    const variants = [{ erpItemSizeId: free!.sizeId }];
    await admin.post('/erp/items/create-product', {
      name: 'Черновик повара',
      categoryIds: [],
      variants,
    });

    const lines: string[] = [];
    await seed(lines);

    expect(await counts()).toEqual({ ...before, products: before['products']! + 1 });
    expect(lines).toEqual([expect.stringContaining('0 products published now')]);
  });

  test('continues in the next start after an interruption', async () => {
    const before = await counts();
    // Simulates a first start that ended between creating and publishing products.
    await fixture.db.query(
      `update catalog_product set status = 'DRAFT' where id % 10 = 0 and status = 'PUBLISHED'`,
    );
    await seed([]);
    expect(await counts()).toEqual(before);
  });

  test('includes the gifts of the demo guest, and promises used ones again in another start', async () => {
    await updateRows(
      fixture.db,
      'compensation',
      { expiresAt: ago('1 second') },
      {
        id: fixture.db.db
          .selectFrom('compensation')
          .select('id')
          .orderBy('grantedAt')
          .limit(1)
          .$asScalar(),
      },
    );
    expect(await expireRights({ db: fixture.db })).toEqual({ expired: 1 });

    await seed([]);

    expect(await counts()).toMatchObject({ gifts: 2, rights: 2 });
    const menus = await fixture.db.db
      .selectFrom('catalog_item_binding as b')
      .innerJoin('mirror_item as i', 'i.id', 'b.itemId')
      .innerJoin('reward as r', 'r.erpItemId', 'i.erpId')
      .select('b.itemId')
      .execute();
    expect(menus).toEqual([]);
  });

  test('[OPS-71] reads markers, and shows staff and customers one right per kind of promise', async () => {
    const admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
    type Rights = { items: { source: string; status: string; rewardCode: string }[] };
    const readRights = async (phone: string) =>
      ((await admin.get(`/compensations?client=${encodeURIComponent(phone)}`)) as Rights).items.map(
        ({ source, status, rewardCode }) => [source, status, rewardCode],
      );
    const { id: organizationId } = (
      (await (await fetch(`${api.url}/api/v1/organizations`)).json()) as OrganizationList
    ).items[0]!;
    const ownGifts = async (phone: string) => {
      const authorization = `Bearer ${await signInCustomer(customers.issuer, phone)}`;
      const own = await fetch(`${api.url}/api/v1/gifts?organization_id=${organizationId}`, {
        headers: { authorization },
      });
      return ((await own.json()) as { gifts: { name: string }[] }).gifts.map(({ name }) => name);
    };

    expect(await setting()).toEqual({ usual: 'CATEGORY', connections: {} });
    expect(await readRights(PROMISED_PHONES.category)).toEqual([
      ['ERP_CATEGORY', 'GRANTED', 'TART'],
    ]);
    expect(await readRights(PROMISED_PHONES.comment)).toEqual([
      ['ERP_COMMENT', 'GRANTED', 'JUICE'],
    ]);
    expect(await ownGifts(PROMISED_PHONES.category)).toEqual(['Шоколадный тарт']);
    expect(await ownGifts(PROMISED_PHONES.comment)).toEqual(['Вишнёвый морс']);
    expect((await ownGifts(GUEST_PHONE)).toSorted()).toEqual(['Вишнёвый морс', 'Шоколадный тарт']);
    expect(await raiseGiftAlerts({ db: fixture.db }, GIFT_ALERTS)).toEqual({ alerts: 0 });
  });

  test('[OPS-71] completes interrupted markers in another start and preserves those that staff have set', async () => {
    const [{ id }] = (await selectRows(fixture.db, 'connection', ['id'])) as [{ id: number }];
    await saveSetting(fixture.db, 'gift_markers', {
      usual: 'CATEGORY',
      connections: { [id]: 'COMMENT' },
    });
    await seed([]);
    const finished = await setting();
    await saveSetting(fixture.db, 'gift_markers', { usual: 'COMMENT', connections: {} });
    await updateRows(fixture.db, 'setting', { version: 7 }, { key: 'gift_markers' });
    await seed([]);

    expect([finished, await setting()]).toEqual([
      { usual: 'CATEGORY', connections: {} },
      { usual: 'COMMENT', connections: {} },
    ]);
  });

  test('finds its objects after staff have renamed franchisee, legal entity and connection', async () => {
    const before = await counts();
    const admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
    for (const path of ['/franchisees', '/legal-entities', '/connections']) {
      const { items } = (await admin.get(path)) as { items: { id: number; version: number }[] };
      for (const { id, version } of items)
        await admin.patch(`${path}/${id}`, { version, name: `Новое имя ${id}` });
    }

    await seed([]);

    expect(await counts()).toEqual(before);
  });

  test('starts an import that came with an update, because its schedule may be an hour away', async () => {
    await updateRows(fixture.db, 'sync_run', { status: 'FAILED' }, { job: 'ZONES' });
    const { id, connectionId } = await selectRow(fixture.db, 'sync_run', ['id', 'connectionId'], {
      job: 'ZONES',
    });
    const asked: unknown[] = [];
    const admin = await signIn(api.url, ADMIN.email, ADMIN.password);
    // Without Temporal, nothing else runs the action.
    const post: AdminApi['post'] = async (path, body) => {
      asked.push([path, body]);
      await updateRows(fixture.db, 'sync_run', { status: 'SUCCESS' }, { id });
      return undefined as never;
    };
    await firstImports({ ...admin, post }, { id: connectionId, isNew: false }, () => undefined);

    expect(asked).toEqual([['/sync/run', { job: 'ZONES', scope: String(connectionId) }]]);
  });

  test('[OPS-112] shows one open incident, one rejected shrink and one failed order', async () => {
    const admin = await signIn(api.url, ADMIN.email, ADMIN.password);
    const connection = await selectRow(fixture.db, 'connection', ['id']);
    // Runs the steps of workers without Temporal.
    const post: AdminApi['post'] = async (path, body, key) => {
      if (path !== '/sync/run') return admin.post(path, body, key);
      const { scope, mode } = body as { scope: string; mode: 'FULL' | 'INCREMENTAL' };
      const menu = await selectRow(fixture.db, 'mirror_external_menu', ['id'], { erpId: scope });
      return { runId: await importedRun(menu.id, mode) } as never;
    };
    const seedTroubles = async () => {
      const dishes = await admin.all<Dish>('/erp/items');
      const place = { baseUrl: api.url, emulatorUrl: emulator.url };
      return ensureTroubles({ ...admin, post }, connection, { dishes, place });
    };
    const made = [await seedTroubles(), await seedTroubles()];
    type Listed<Item> = { items: Item[] };
    const { items: incidents } = await admin.get<Listed<{ type: string }>>(
      '/binding-incidents?status=OPEN',
    );
    const { items: runs } = await admin.get<Listed<{ reason: string }>>(
      '/sync/runs?job=MENU&status=FAILED',
    );
    const { items: orders } = await admin.get<Listed<{ orderId: string }>>('/orders?status=FAILED');

    expect(made).toEqual([3, 0]);
    expect(incidents.map(({ type }) => type)).toEqual(['NAME_CHANGED']);
    expect(runs.map(({ reason }) => reason)).toEqual(['SUSPICIOUS_SHRINK']);
    expect(orders).toHaveLength(1);
  });

  test('reports in one plain sentence why it stops', async () => {
    const options = {
      baseUrl: api.url,
      ...ADMIN,
      customersUrl: undefined,
      emulatorUrl: undefined,
      isSmall: false,
      log: () => undefined,
    };

    await expect(demoCatalog({ ...options, password: 'a wrong one' })).rejects.toMatchObject({
      name: 'StartFailure',
      message: expect.stringMatching(
        /^The demo catalog could not be completed: POST \/auth\/login answered 401 \([^{}]+\)\. To start without it, set DEMO=off\.$/,
      ),
    });
    await expect(demoCatalog({ ...options, baseUrl: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      name: 'StartFailure',
      message: expect.stringMatching(
        /^The demo catalog could not be completed: http:\/\/127\.0\.0\.1:1 does not answer\. To start/,
      ),
    });
  });
});
