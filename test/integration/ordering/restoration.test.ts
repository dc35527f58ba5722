import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createErpClient } from '../../../erp/client.ts';
import { createErpPorts } from '../../../modules/connections/erp-calls/erp-ports.ts';
import { createErpStreets } from '../../../modules/delivery/addresses/erp-streets.ts';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { cancelRequested, orderWorkflow } from '../../../modules/ordering/messages/ordering.ts';
import { reconcileOrders } from '../../../modules/ordering/at-erp/reconcile-orders.ts';
import { isIntakeClosed } from '../../../modules/ordering/orders/intake.ts';
import {
  reconcileRestoration,
  type RestorationReport,
} from '../../../modules/ordering/restore/reconcile-restoration.ts';
import { sendOrder } from '../../../modules/ordering/at-erp/send-order.ts';
import { createFailpoints } from '../../../platform/failpoint.ts';
import { createLog } from '../../../platform/log.ts';
import { startArchivedPostgres, type ArchivedPostgres } from '../../support/archived-postgres.ts';
import { CANARY } from '../../support/erp-orders.ts';
import { testSecrets } from '../../support/connection.ts';
import { asApplication } from '../../support/database-roles.ts';
import { migrateForApplication } from '../../support/database.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { orderDesk } from '../../support/orders.ts';
import { eventually, root } from '../../support/processes.ts';
import { grantTo, storedRights } from '../../support/rights.ts';
import {
  addRow,
  ago,
  countRows,
  deleteRows,
  not,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import { syncWorker, type SyncWorker } from '../../support/sync-worker.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openDatabase, type Database } from '../../support/text-database.ts';
import type { Postgres } from '../../../tools/postgres.ts';

const BY_DATE = '/api/1/deliveries/by_delivery_date_and_phone';

let folder: string;
let archived: ArchivedPostgres;
let restored: Postgres;
let fixture: TestFixture;
let db: Database;
let erp: ReturnType<typeof createErpClient>;
let before: SyncWorker;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
let restoredTo: Date;
/** Order ids by the result of the restoration. */
const order = { known: '', withGift: '', byLines: '', atCallCenter: '', unsent: '', withdrawn: '' };
const cart = { withGift: '', byLines: '', atCallCenter: '', unsent: '', other: '' };
let right: string;
let otherRight: string;
let rightByPhone: string;
let discountId: number;
let report: RestorationReport;
const steps: string[] = [];
/** Health of the backup: before the first segment, after it, and with an old base backup. */
const health: (boolean | null)[] = [];

const databaseAt = (postgres: Postgres) => {
  const url = new URL(postgres.url);
  url.pathname = '/carte';
  return url.href;
};
const fault = (kind: string, more: object) => fixture.emulator.control('fault', { kind, ...more });
const deliveries = async () =>
  (await fixture.emulator.control<{ deliveries: { id: string }[] }>('deliveries')).deliveries.map(
    ({ id }) => id,
  );
const deps = () => ({
  db,
  erp,
  metrics: fixture.metrics,
  secrets: testSecrets,
  env: { SYNC_TIME_ZONE: 'UTC' },
  temporal: sync.temporal,
  queues: sync.queues,
  erpStreets: createErpStreets(erp),
});
const reconcile = (to: Date | null, settleMs = 0) =>
  reconcileRestoration(deps(), {
    restoredTo: to,
    settleMs,
    progress: (step) => void steps.push(step),
  });
const running = async () => {
  const ids: string[] = [];
  for await (const { workflowId } of sync.temporal.workflow.list({
    query: `ExecutionStatus = 'Running'`,
  }))
    ids.push(workflowId);
  return ids;
};

const command = (...args: string[]) =>
  promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'tools/restore-reconcile.ts', ...args],
    {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        DATABASE_URL: asApplication(databaseAt(restored)),
        TEMPORAL_ADDRESS: sync.address,
        TEMPORAL_NAMESPACE: sync.namespace,
        ERP_URL: fixture.emulator.url,
        ERP_RATE: 'off',
        ENCRYPTION_KEYS: `test@row:${Buffer.alloc(32, 7).toString('base64')}`,
        SYNC_TIME_ZONE: 'UTC',
      },
    },
  );

beforeAll(async () => {
  folder = await temporaryFolder('restoration');
  archived = await startArchivedPostgres(folder);
  health.push(await archived.check(new Date()));
  const ownerUrl = await archived.postgres.createDatabase('carte');
  await migrateForApplication(ownerUrl);
  const url = asApplication(ownerUrl);
  const live = await openDatabase({ url, applicationName: 'carte-test' });
  fixture = await mirrorFixture({ database: { db: live, url, close: () => live.close() } });
  before = await syncWorker(fixture);
  await importMenu(fixture, await importBasics(fixture));
  await fixture.emulator.control('delivery-settings', { settleMs: 20, cookMs: 0 });
  const desk = await orderDesk(fixture);
  const rows = menuRows(live);
  workers = await before.start();

  const dish = desk.sold[0]!;
  const rewardId = await rows.insert('reward', {
    code: 'tart',
    name: 'Тарт',
    erp_item_id: desk.gift.productId,
  });
  const clientId = await live.transaction((tx) =>
    ensureClient(
      tx,
      { secrets: testSecrets },
      { connectionId: fixture.connectionId, erpCustomerId: randomUUID() },
    ),
  );
  right = await grantTo(live, { clientId, rewardId });
  otherRight = await grantTo(live, { clientId, rewardId });
  const existing = await live.transaction((tx) =>
    ensureClient(
      tx,
      { secrets: testSecrets },
      { connectionId: fixture.connectionId, phone: CANARY.phone },
    ),
  );
  rightByPhone = await grantTo(live, { clientId: existing, rewardId });
  discountId = await rows.insert('discount', {
    code: 'ONCE',
    name: 'Один раз',
    kind: 'FIXED',
    value: 1,
    total_uses: 1,
  });
  const makeCart = async (quantity: number): Promise<string> => {
    const id = randomUUID();
    await rows.insert('cart', {
      id,
      organization_id: desk.organization.id,
      lines: JSON.stringify([{ lineId: randomUUID(), itemId: dish.productId, quantity }]),
      options: '{}',
      answered: '[[],[],[],0]',
    });
    return id;
  };
  Object.assign(cart, {
    withGift: await makeCart(1),
    byLines: await makeCart(2),
    atCallCenter: await makeCart(5),
    unsent: await makeCart(3),
    other: await makeCart(4),
  });
  const reaches = (id: string, state: string) =>
    eventually(`the order is ${state}`, async () =>
      (await desk.row(id)).state === state ? true : undefined,
    );
  await eventually('a segment is archived', async () => {
    await live.query('select 1');
    return (await archived.archivedSegments()) > 0 ? true : undefined;
  });
  health.push(
    await archived.check(new Date()),
    await archived.check(new Date(Date.now() - 49 * 3_600_000)),
  );
  order.known = await desk.accepted();
  await reaches(order.known, 'CONFIRMED');
  await archived.backUp();
  // The ERP does not have this payment method, so the order waits here.
  const waiting = { paymentMethod: 'SBP', sendForMs: 86_400_000 };
  order.withdrawn = await desk.accepted({ ...waiting, cartId: cart.other });
  const waits = (id: string) =>
    eventually('the order waits here', async () =>
      (await desk.row(id)).problem === 'NOT_CONFIGURED' ? true : undefined,
    );
  await waits(order.withdrawn);
  const [moment] = await live.query<{ at: string }>(`select clock_timestamp()::text as at`);
  restoredTo = new Date(moment!.at);

  // Guests, the ERP and Temporal continue after the restored moment.
  await before.temporal.workflow
    .getHandle(orderWorkflow.id({ orderId: order.withdrawn }))
    .signal(cancelRequested, { by: 'CUSTOMER' });
  await reaches(order.withdrawn, 'CANCELLED');
  order.withGift = await desk.accepted({
    cartId: cart.withGift,
    gift: right,
    discountIds: [discountId],
  });
  // Simulates an event of an earlier release, which does not name the cart.
  order.byLines = await desk.accepted({ gift: rightByPhone });
  const { sizes } = await fixture.emulator.control<{ sizes: typeof desk.sold }>(
    `truth?menuId=9001&organizationId=${desk.otherOrganizationId}`,
  );
  const there = sizes.find(
    (size) => size.productId === dish.productId && size.sizeId === dish.sizeId,
  )!;
  await Promise.all([reaches(order.withGift, 'CONFIRMED'), reaches(order.byLines, 'CONFIRMED')]);
  await addRow(live, 'setting', {
    key: 'call_center_organization',
    value: desk.otherOrganizationId,
  });
  order.atCallCenter = await desk.accepted({
    cartId: cart.atCallCenter,
    price: Math.round(there.price! * 100),
  });
  await reaches(order.atCallCenter, 'CONFIRMED');
  order.unsent = await desk.accepted({ ...waiting, cartId: cart.unsent });
  await waits(order.unsent);
  await workers.stop();
  await live.close();

  restored = await archived.restore(restoredTo);
  db = await openDatabase({
    url: asApplication(databaseAt(restored)),
    applicationName: 'carte-test',
  });
  const log = createLog({ service: 'test', level: 'silent' });
  const ports = createErpPorts({ db, secrets: testSecrets, perSecond: null });
  erp = createErpClient({ baseUrl: fixture.emulator.url, ...ports, log });
  const { address, namespace } = before;
  sync = await syncWorker(
    { ...fixture, db, deps: { ...fixture.deps, db, erp, failpoint: createFailpoints(null) } },
    { address, namespace },
  );
}, 300_000);
afterAll(async () => {
  await workers?.stop();
  await sync?.close();
  await before?.close();
  await erp?.close();
  await db?.close();
  await fixture?.close();
  await restored?.stop();
  await archived?.postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

test('[OPS-100, OPS-145] the backup is healthy while segments are archived and a base backup is recent', () => {
  expect([
    [false, true, false],
    [null, null, null],
  ]).toContainEqual(health);
});

test('[ORD-113] the restored database lacks the orders of the lost period and still has their carts', async () => {
  const orders = await selectRows(db, 'customer_order', ['id']);
  const carts = await selectRows(db, 'cart', ['id']);

  expect(orders.map(({ id }) => id).toSorted()).toEqual([order.known, order.withdrawn].toSorted());
  expect(carts.map(({ id }) => id).toSorted()).toEqual(
    [cart.withGift, cart.byLines, cart.atCallCenter, cart.unsent].toSorted(),
  );
  expect(await storedRights(db, [right])).toMatchObject([{ status: 'GRANTED' }]);
});

test('[ORD-112] a reconciliation interrupted by the ERP leaves intake closed, and nothing is sent', async () => {
  await fault('500', { endpoint: BY_DATE, times: 100 });
  await expect(reconcile(restoredTo)).rejects.toMatchObject({ name: 'ErpFailure' });
  await fixture.emulator.control('clear-faults');
  await deleteRows(db, 'erp_circuit');

  const { accepted, row } = await orderDesk({ db, emulator: fixture.emulator });
  const waiting = await accepted({ isAnnounced: false });
  const standing = await sendOrder({ ...deps(), failpoint: createFailpoints(null) }, waiting);

  expect(await isIntakeClosed(db)).toBe(true);
  expect(standing.stage).toBe('TO_SEND');
  expect(await row(waiting)).toMatchObject({ state: 'ACCEPTED', sentAt: null });
  expect(await deliveries()).not.toContain(waiting);
  await deleteRows(db, 'customer_order', { id: waiting });
});

test('[ORD-112] intake stays closed while an order may still be on its way to the ERP', async () => {
  await expect(reconcile(null, 600_000)).rejects.toThrow(
    `not decided about these orders yet: ${order.unsent}.`,
  );

  expect(await isIntakeClosed(db)).toBe(true);
});

describe('a completed reconciliation', () => {
  let atErpBefore: string[];
  beforeAll(async () => {
    atErpBefore = await deliveries();
    report = (await reconcile(null))!;
  }, 60_000);

  test('[ORD-112, OPS-97] opens intake and shows the steps and the report', async () => {
    expect(await isIntakeClosed(db)).toBe(false);
    expect(steps.slice(-6)).toEqual([
      'intake closed',
      'executions read',
      'executions terminated',
      'orders read',
      'orders recorded',
      'intake opened',
    ]);
    expect(await selectRow(db, 'restoration', ['report'])).toEqual({ report });
  });

  test('[OPS-97] reports the number of recovered objects and lists the unrecovered ones', () => {
    expect(report).toEqual({
      restoredTo: restoredTo.toISOString(),
      ordersRecorded: 3,
      cartsClosed: 3,
      rightsTaken: 1,
      discountUses: 1,
      ordersWithdrawn: [order.withdrawn],
      ordersNotAtErp: [order.unsent],
      ordersRefused: [],
      ordersWithoutRestaurant: [],
      unrecovered: { [order.byLines]: ['CART_BY_LINES', 'GIFTS_BY_PHONE'] },
      executionsTerminated: expect.any(Number),
      eventsDeliveredAgain: expect.any(Number),
      connectionsSkipped: [],
      organizationsRefused: [],
      ordersNotRead: [],
    });
  });

  test('[ORD-113] records orders of the lost period as the ERP has them', async () => {
    const rows = await selectRows(db, 'customer_order', ['id', 'state', 'cartId'], {
      id: [order.withGift, order.byLines],
    });
    const byId = Object.fromEntries(rows.map(({ id, ...row }) => [id, row]));

    expect(byId).toEqual({
      [order.withGift]: { state: 'CONFIRMED', cartId: cart.withGift },
      [order.byLines]: { state: 'CONFIRMED', cartId: cart.byLines },
    });
    expect(await countRows(db, 'erp_order')).toBe(0);
  });

  test('[ORD-113] assigns an order created in a call center to its restaurant', async () => {
    const own = await selectRow(db, 'customer_order', ['organizationId'], { id: order.known });
    const row = await selectRow(db, 'customer_order', ['organizationId', 'state', 'cartId'], {
      id: order.atCallCenter,
    });

    expect(row).toEqual({ ...own, state: 'CONFIRMED', cartId: cart.atCallCenter });
  });

  test('[ORD-114] closes carts that were ordered, and keeps the cart of an order that the ERP lacks', async () => {
    expect(await selectRows(db, 'cart', ['id'])).toEqual([{ id: cart.unsent }]);
  });

  test('[ORD-114] withdraws an order again that was withdrawn in the lost period', async () => {
    expect(
      await selectRow(db, 'customer_order', ['state', 'problem'], { id: order.withdrawn }),
    ).toEqual({
      state: 'CANCELLED',
      problem: 'WITHDRAWN',
    });
  });

  test('[CMP-115] redeems the right that an order used, and no other right', async () => {
    expect(await storedRights(db, [right, otherRight].toSorted())).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: right, status: 'REDEEMED', redeemedOrderId: order.withGift }),
        expect.objectContaining({ id: otherRight, status: 'GRANTED' }),
      ]),
    );
    expect(await countRows(db, 'unauthorized_gift')).toBe(0);
  });

  test('[CMP-116] redeems a right of an order without an execution by the phone of the order', async () => {
    expect(await storedRights(db, [rightByPhone])).toMatchObject([
      { status: 'REDEEMED', redeemedOrderId: order.byLines },
    ]);
  });

  test('[ORD-115] counts the use of a discount again', async () => {
    expect(await selectRows(db, 'discount_use', ['discountId', 'orderId'])).toEqual([
      { discountId, orderId: order.withGift },
    ]);
    const counted = await selectRows(db, 'discount_count', ['uses'], { discountId, uses: not(0) });
    expect(counted).toEqual([{ uses: 1 }]);
  });

  test('[OPS-97] makes the command without a time end with an error, because no restoration is running', async () => {
    await expect(command()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No restoration'),
    });
  });

  test('[OPS-98] resumes no execution of the lost period', async () => {
    const ids = await running();

    expect(ids).not.toContain(orderWorkflow.id({ orderId: order.unsent }));
    expect(ids).not.toContain(orderWorkflow.id({ orderId: order.withdrawn }));
  });

  test('[ORD-113, CMP-115] changes nothing when it is repeated, and repeats no order', async () => {
    const again = await command('--restored-to', restoredTo.toISOString(), '--settle-minutes', '0');
    workers = await sync.start();
    // Only orders that have been without an execution for a while get one.
    await updateRows(db, 'customer_order', { acceptedAt: ago('1 minute') });
    await reconcileOrders(deps());
    for (const orderId of [
      order.known,
      order.withGift,
      order.byLines,
      order.atCallCenter,
      order.withdrawn,
    ])
      await sendOrder({ ...deps(), failpoint: createFailpoints(null) }, orderId);
    await eventually('the executions of the orders run', async () => {
      const ids = await running();
      return [order.known, order.withGift, order.byLines, order.atCallCenter].every((orderId) =>
        ids.includes(orderWorkflow.id({ orderId })),
      )
        ? true
        : undefined;
    });

    expect(JSON.parse(again.stdout)).toMatchObject({
      ordersRecorded: 3,
      cartsClosed: 3,
      rightsTaken: 1,
      discountUses: 1,
    });
    expect((await deliveries()).toSorted()).toEqual(atErpBefore.toSorted());
    expect(await storedRights(db, [otherRight])).toMatchObject([{ status: 'GRANTED' }]);
  });
});
