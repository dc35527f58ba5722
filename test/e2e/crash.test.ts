import { commentClearWorkflow } from '../../modules/gifts/messages/gifts.ts';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureClient } from '../../modules/gifts/clients/clients.ts';
import { QUEUES, queuesWithPrefix } from '../../kernel/pure/queues.ts';
import { recordEvents } from '../../modules/events/record-events.ts';
import { readEnv } from '../../modules/env.ts';
import { createSecretBox } from '../../platform/secrets.ts';
import { ordersChanged, pollingWorkflow } from '../../modules/mirror/messages/polling.ts';
import { connectTemporal } from '../../platform/temporal.ts';
import type { AdminClient } from '../support/admin-client.ts';
import { watchPrices } from '../support/chaos/price-watch.ts';
import { compareMenu, type PublicMenu, type Truth } from '../support/compare-menu.ts';
import { BLOCK, giftDesk } from '../support/gifts/gift-desk.ts';
import { deliveredHouse } from '../support/delivered-house.ts';
import { CANARY } from '../support/erp-orders.ts';
import { sinksWith } from '../support/guest-sinks.ts';
import { orderDesk } from '../support/orders.ts';
import { menuRows } from '../support/menu-rows.ts';
import { newPicture } from '../support/pictures.ts';
import { eventually } from '../support/processes.ts';
import { holdTable } from '../support/races.ts';
import { longTest, repetitions, wholeInSoak } from '../support/repetitions.ts';
import { grantTo, storedRights } from '../support/rights.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';
import { tracedTo, traceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';
import {
  QUICK_RECOVERY,
  startDemoProduct,
  type Product,
  type RunningApi,
  type RunningWorker,
  readAlwaysOpenRestaurant,
} from '../support/product.ts';
import {
  above,
  addRow,
  ago,
  countRows,
  databaseNow,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../support/rows.ts';

/**
 * Failpoints of one import, in order. A third death of a writing worker would end the import. The
 * long run also covers each failpoint alone.
 */
const FAILPOINTS = [
  ['menu-fetch', 'menu-staged'],
  ['menu-apply', 'menu-committed'],
];
const DEATHS = wholeInSoak(
  [...FAILPOINTS, ...FAILPOINTS.flat().map((place) => [place])],
  FAILPOINTS.slice(-1),
);

const DEBUG_LEVEL = 20;

let traces: TraceReceiver;
let product: Product;
let api: RunningApi;
let admin: AdminClient;
let worker: RunningWorker;
let organizationId: string;
let menuId: string;

beforeAll(async () => {
  traces = await traceReceiver();
  const polling = { SYNC_ASYNC_POLL: '300ms', SYNC_ASYNC_LIMIT: '60s' };
  const env = {
    ...QUICK_RECOVERY,
    SYNC_HEARTBEAT: '2s',
    SHUTDOWN_GRACE: wholeInSoak('20s', '10s'),
    TEMPORAL_STICKY_TIMEOUT: '1s',
    MEDIA_SWEEP_EVERY: '24h',
    LOG_LEVEL: 'debug',
    WEBHOOK_PRIVATE_RECEIVERS: 'on',
    ...polling,
    ...tracedTo(traces.url),
  };
  ({ product, api, worker, admin, menuId, organizationId } = await startDemoProduct({ env }));
});
afterAll(async () => {
  await product?.stop();
  await traces?.stop();
});

const readMenu = async () =>
  (await (
    await fetch(`${api.url}/api/v1/menu?organization_id=${organizationId}`)
  ).json()) as PublicMenu;
const awaitMenu = (expected: Truth) =>
  eventually('the menu catches up', async () => {
    const menu = await readMenu();
    return compareMenu(menu, [expected], []).length === 0 ? menu : undefined;
  });
/** Waits until a worker dies at this failpoint. */
async function diesAt(place: string): Promise<void> {
  const doomed = await product.startDoomedWorker({ CARTE_FAILPOINT: place });
  expect({ place, ended: await doomed.exited, last: doomed.output().slice(-1500) }).toMatchObject({
    ended: 'SIGKILL',
  });
}
const truth = () =>
  product.emulator.control<Truth>(`truth?menuId=${menuId}&organizationId=${organizationId}`);

test('[OPS-193] an unreadable answer of the ERP to an import is one line in the log of its worker', async () => {
  const endpoint = '/api/2/menu';
  await product.emulator.control('fault', { kind: 'truncated-json', endpoint });
  const { connectionId } = await selectRow(product.db, 'mirror_external_menu', ['connectionId'], {
    erpId: menuId,
  });
  const { runId } = await eventually('the import is begun', () =>
    admin
      .post<{ runId: number }>('/sync/run', { job: 'MENU_LIST', scope: String(connectionId) })
      .catch(() => undefined),
  );
  const lines = await eventually('the worker has logged its end', async () => {
    const found = worker
      .output()
      .split('\n')
      .filter((line) => line.includes('"workflowId":"sync/menu-list/'))
      .map(
        (line) =>
          JSON.parse(line) as {
            level: number;
            msg: string;
            stack?: string;
            [field: string]: unknown;
          },
      )
      .filter(({ level }) => level > DEBUG_LEVEL);
    return found.some(({ msg }) => msg === 'execution failed') ? found : undefined;
  });
  await product.emulator.control('clear-faults');

  expect(await selectRow(product.db, 'sync_run', ['reason'], { id: runId })).toEqual({
    reason: 'NOT_JSON',
  });
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'execution failed',
      workflowType: 'menuListImport',
      reason: 'NOT_JSON',
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('stack');
});

describe('a worker stopped while an import cannot end', () => {
  test('[OPS-25] ends by itself without a failure, and the import is resumed', async () => {
    await product.emulator.control('reprice', { menuId, percent: 7 });
    const held = await holdTable(product.db, 'mirror_price');
    let runId: number;
    let code: number | string;
    let lines: string[];
    try {
      ({ runId } = await eventually('the import is begun', () =>
        admin
          .post<{ runId: number }>('/sync/run', { job: 'MENU', scope: menuId, mode: 'FULL' })
          .catch(() => undefined),
      ));
      await held.waits(1);
      code = await worker.stop();
      lines = worker.output().split('\n');
      worker = await product.startWorker();
    } finally {
      await held.release();
    }
    const run = await eventually('the import has ended', async () => {
      const found = await admin.get<{ status: string }>(`/sync/runs/${runId}`);
      return found.status === 'RUNNING' ? undefined : found;
    });

    expect(
      lines.filter((line) => /"level":60|did not stop in time|Worker failed/.test(line)),
    ).toEqual([]);
    expect(code).toBe(0);
    expect(run.status).toBe('SUCCESS');
    expect(compareMenu(await awaitMenu(await truth()), [await truth()], [])).toEqual([]);
  });
});

describe.each(DEATHS.map((places) => [places.join(', '), places] as const))(
  'a worker killed at %s',
  (_, places) => {
    test.each(Array.from({ length: repetitions(1) }, (_, index) => index + 1))(
      '[OPS-2] loses nothing and shows no partial menu, time %i',
      async (round) => {
        await worker.stop();
        const before = await readMenu();
        await product.emulator.control('reprice', { menuId, percent: 7 + round });
        const expected = await truth();
        const { runId } = await admin.post<{ runId: number }>('/sync/run', {
          job: 'MENU',
          scope: menuId,
          mode: 'INCREMENTAL',
        });
        const mixtures = watchPrices(readMenu);
        for (const place of places) await diesAt(place);
        worker = await product.startWorker();
        const run = await eventually('the run ends', async () => {
          const found = await admin.get<{ status: string; reason: string | null }>(
            `/sync/runs/${runId}`,
          );
          return found.status === 'RUNNING' ? undefined : found;
        });
        const after = await eventually('the new prices are public', async () => {
          const menu = await readMenu();
          return compareMenu(menu, [expected], []).length === 0 ? menu : undefined;
        });

        expect(run).toMatchObject({ status: 'SUCCESS' });
        expect(await mixtures(before, after)).toEqual([]);
        const [last] = await selectRows(
          product.db,
          'outbox',
          ['id'],
          {},
          { orderBy: 'id desc', limit: 1 },
        );
        await eventually('every event is delivered', async () => {
          const waiting = await selectRows(product.db, 'outbox', ['id'], { deliveredAt: null });
          return waiting.some(({ id }) => id <= last!.id) ? undefined : true;
        });
      },
    );
  },
);

longTest(
  '[ERP-13] a worker killed between two polls for an asynchronous menu is followed by another one',
  async () => {
    const { items } = await admin.get<{ items: { id: number; version: number }[] }>(
      '/external-menus',
    );
    const menu = items[0]!;
    await admin.patch(`/external-menus/${menu.id}`, { version: menu.version, isAsync: true });
    await product.emulator.control('reprice', { menuId, percent: 3 });
    await product.emulator.control('async-menu', { menuId, mode: 'success', polls: 12 });
    type Calls = { calls: { sequence: number; request: { asyncMode?: boolean } }[] };
    const readCalls = (endpoint: string, since = 0) =>
      product.emulator.control<Calls>(`calls?endpoint=${endpoint}&since=${since}`);
    const since = (await product.emulator.control<Calls>('calls')).calls.at(-1)!.sequence;
    const { runId } = await admin.post<{ runId: number }>('/sync/run', {
      job: 'MENU',
      scope: menuId,
      mode: 'FULL',
    });
    await eventually('two polls', async () =>
      (await readCalls('/api/1/commands/status', since)).calls.length >= 2 ? true : undefined,
    );

    worker.child.kill('SIGKILL');
    await worker.exited;
    const polledBefore = (await readCalls('/api/1/commands/status', since)).calls.length;
    worker = await product.startWorker();
    const run = await eventually('the run ends', async () => {
      const found = await admin.get<{ status: string }>(`/sync/runs/${runId}`);
      return found.status === 'RUNNING' ? undefined : found;
    });

    expect(run).toMatchObject({ status: 'SUCCESS', reason: null });
    expect(polledBefore).toBeLessThan(13);
    // The menu was prepared and fetched once; polling continued.
    const menuCalls = (await readCalls('/api/menu/v3/by_id', since)).calls;
    expect(menuCalls.map((call) => call.request.asyncMode)).toEqual([true, false]);
    expect((await readCalls('/api/1/commands/status', since)).calls.length).toBeGreaterThanOrEqual(
      13,
    );
  },
);

longTest(
  'a killed media sweep continues at its batch, and no picture in use loses a file',
  async () => {
    await worker.stop();
    const folder = join(product.dataDir, 'media');
    const filesIn = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((dirent) => dirent.isFile())
        .map((dirent) => join(dirent.parentPath, dirent.name).slice(folder.length + 1))
        .toSorted();
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await newPicture(300, 100))]), 'soup.png');
    const uploaded = await fetch(`${api.url}/api/admin/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.accessToken}` },
      body: form,
    });
    expect(uploaded.status).toBe(201);
    const pictures = await filesIn();
    const orphans = Array.from({ length: 600 }, (_, at) => {
      const sha256 = createHash('sha256').update(`nobody's ${at}`).digest('hex');
      return `originals/${sha256}.jpeg`;
    });
    await mkdir(dirname(join(folder, orphans[0]!)), { recursive: true });
    await Promise.all(orphans.map((file) => writeFile(join(folder, file), 'x')));
    const longAgo = new Date(Date.now() - 48 * 3_600_000);
    await Promise.all(
      [...pictures, ...orphans].map((file) => utimes(join(folder, file), longAgo, longAgo)),
    );
    const orphansLeft = async () =>
      (await filesIn()).filter((file) => orphans.includes(file)).length;

    const doomed = await product.startDoomedWorker({ CARTE_FAILPOINT: 'media-file-removed#550' });
    const temporal = await connectTemporal({ ...product.temporal, identity: 'crash-test' });
    const sweep = (workflowId: string) =>
      temporal.client.workflow.start('mediaSweep', {
        workflowId,
        taskQueue: QUEUES.workflows,
        // With a shorter heartbeat, a live worker on a busy machine would time out.
        args: [{ heartbeatMs: 3_000 }],
      });
    const first = await sweep('media-sweep/killed');
    expect({ ended: await doomed.exited, last: doomed.output().slice(-1500) }).toMatchObject({
      ended: 'SIGKILL',
    });
    worker = await product.startWorker();
    await first.result();
    const claimed = await orphansLeft();
    const { events } = await first.fetchHistory();
    const attempts = events?.flatMap(
      (event) => event.activityTaskStartedEventAttributes?.attempt ?? [],
    );
    // The dead worker's files may be removed when its claim expires.
    await updateRows(product.db, 'media_claim', { until: ago('1 second') });
    await (await sweep('media-sweep/next')).result();
    await temporal.close();

    // The first batch was done, and another worker has continued.
    expect(attempts?.[0]).toBeGreaterThan(1);
    expect(claimed).toBeGreaterThan(0);
    expect(claimed).toBeLessThanOrEqual(50);
    expect(await filesIn()).toEqual(pictures);
    expect(
      await countRows(product.db, 'media_claim', { purpose: 'SWEEP', until: above(databaseNow()) }),
    ).toBe(0);
  },
);

/**
 * Failpoints between the call that creates an order and its row. The long run covers more
 * failpoints.
 */
const ORDER_DEATHS = [
  ['order-created'],
  ...wholeInSoak([['order-begun', 'order-created'], ['order-looked']], []),
];

describe.each(ORDER_DEATHS.map((places) => [places.join(', '), places] as const))(
  'a worker killed at %s',
  (_, places) => {
    test('[ORD-51] creates an order once at the ERP, and another worker continues', async () => {
      await worker.stop();
      const { ENCRYPTION_KEYS } = readEnv(product.env);
      const desk = await orderDesk(product, createSecretBox(ENCRYPTION_KEYS));
      const id = await desk.accepted();
      const left: unknown[] = [];
      for (const place of places) {
        await diesAt(place);
        left.push(await desk.row(id));
      }
      worker = await product.startWorker();
      const row = await eventually('the order is confirmed', async () => {
        const found = await desk.row(id);
        return found.state === 'CONFIRMED' ? found : undefined;
      });

      expect(left).toMatchObject(places.map(() => ({ state: 'SENT' })));
      expect(row).toMatchObject({ problem: null, erpOrderId: id });
      expect(await desk.states(id)).toEqual(['ACCEPTED', 'SENT', 'CONFIRMED']);
      expect(await desk.atErp(id)).toHaveLength(1);
    });
  },
);

describe('a worker that clears a gift marker found twice in a comment', () => {
  const [before, between, after] = [
    '\t«Орехи»\r\n🥜 [9 этаж] ',
    '\r\n  не звонить\u00a0',
    ' e\u0301 \r',
  ];
  const comment = `${before}${BLOCK}${between}${BLOCK}${after}`;
  const withoutOne = `${before}${between}${BLOCK}${after}`;
  /**
   * Failpoints in order, each with the blocks that remain on the card: both until a write, then
   * one.
   */
  type Act = readonly (readonly [place: string, there: 'BOTH' | 'ONE'])[];
  const redeemed: Act = [['order-written', 'BOTH']];
  const takenOut: Act = [['marker-taken-out', 'ONE']];
  /**
   * Failpoints after the redemption and during the removal of the marker. The short run covers two.
   */
  const steps: Act = wholeInSoak(
    [
      ...redeemed,
      ['marker-read', 'BOTH'],
      ['marker-remembered', 'BOTH'],
      ...takenOut,
      ['marker-verified', 'ONE'],
    ],
    [...redeemed, ...takenOut],
  );
  /** Later visits of failpoints. A worker that died after the write does not reach these. */
  const later: Act[] = [
    [
      ['marker-read#2', 'BOTH'],
      ['marker-read#3', 'ONE'],
    ],
    [['marker-remembered#2', 'ONE']],
  ];
  /** The long run also covers each of the other failpoints alone. */
  const alone: Act[] = [
    [['marker-read#2', 'BOTH']],
    [['marker-read#3', 'ONE']],
    [['marker-remembered#2', 'ONE']],
    [['marker-taken-out', 'ONE']],
    [['marker-verified', 'ONE']],
  ];
  const named = (acts: readonly Act[]) =>
    acts.map((act) => [act.map(([place]) => place).join(', '), act] as const);
  let temporal: Awaited<ReturnType<typeof connectTemporal>>;
  let desk: Awaited<ReturnType<typeof giftDesk>>;
  beforeAll(async () => {
    const { ENCRYPTION_KEYS } = readEnv(product.env);
    temporal = await connectTemporal({ ...product.temporal, identity: 'crash-test' });
    const deps = { temporal: temporal.client, queues: queuesWithPrefix('') };
    const connection = await selectRow(product.db, 'connection', ['id']);
    const fixture = { ...product, connectionId: connection.id };
    desk = await giftDesk(fixture, { ...deps, upkeep: deps }, createSecretBox(ENCRYPTION_KEYS));
    // No restaurant has this reward's item, so the check of rewards would block the remaining
    // right.
    await updateRows(product.db, 'reward', { isActive: false }, { code: 'tart' });
  });
  afterAll(() => temporal?.close());
  /**
   * Starts the clearing of a client with a short heartbeat, so that another worker soon takes over.
   */
  const startClearing = (clientId: string) =>
    temporal.client.workflow.start('commentClear', {
      workflowId: commentClearWorkflow.id({ clientId }),
      taskQueue: QUEUES.workflows,
      args: [{ clientId, queues: QUEUES, heartbeatMs: 3_000 }],
    });

  test.each(named([steps, ...wholeInSoak(alone, [])]))(
    '[CMP-16] removes one block, keeps the other text, and redeems the right once if killed at %s',
    async (_, act) => {
      await worker.stop();
      const client = await desk.promised('ERP_COMMENT', { comment }, 2);
      const { orderId, announce } = await desk.orderedWith(client);
      const seen: unknown[] = [];
      const untold: number[] = [];
      await announce();
      for (const [place] of act) {
        await diesAt(place);
        const [right, clearing] = [await desk.statusOf(client.right), await client.clearing()];
        seen.push([
          place,
          (await client.card()).comment === comment ? 'BOTH' : 'ONE',
          right,
          clearing?.state,
        ]);
        untold.push(
          await countRows(product.db, 'outbox', { event: 'MarkersWait', deliveredAt: null }),
        );
        if (place === 'order-written') await startClearing(client.clientId);
      }
      worker = await product.startWorker();
      await client.isCleared();
      await eventually('its execution ends', async () => {
        const { status } = await client.handle().describe();
        return status.name === 'RUNNING' ? undefined : true;
      });

      expect(seen).toEqual(act.map((step) => [...step, 'REDEEMED', 'TO_CLEAR']));
      // The worker dies after the redemption and before its event is delivered.
      expect(act === steps ? untold[0] : 1).toBe(1);
      expect((await client.card()).comment).toBe(withoutOne);
      expect(await client.markers()).toEqual([
        [0, false],
        [1, true],
      ]);
      expect(await desk.statusOf(client.rights[1]!)).toBe('GRANTED');
      expect(
        await product.db.query(
          `select compensation_id as right, redeemed_order_id as "orderId" from compensation_move
             join compensation on compensation.id = compensation_id where to_status = 'REDEEMED' and client_id = $1`,
          [client.clientId],
        ),
      ).toEqual([{ right: client.right, orderId }]);
      expect(await client.conflicts()).toEqual([]);
      expect(await desk.desk.atErp(orderId)).toHaveLength(1);
    },
  );

  longTest.each(named(later))(
    '[CMP-16] removes only one block if killed at %s of one clearing',
    async (_, act) => {
      await worker.stop();
      const client = await desk.promised('ERP_COMMENT', { comment }, 2);
      const clearing = await startClearing(client.clientId);
      await client.redeem();
      const seen: unknown[] = [];
      for (const [place] of act) {
        await diesAt(place);
        const { state } = (await client.clearing())!;
        seen.push([place, (await client.card()).comment === comment ? 'BOTH' : 'ONE', state]);
      }
      worker = await product.startWorker();
      await client.isCleared();
      await clearing.result();

      expect(seen).toEqual(act.map((step) => [...step, 'TO_CLEAR']));
      expect((await client.card()).comment).toBe(withoutOne);
      expect(await client.markers()).toEqual([
        [0, false],
        [1, true],
      ]);
      expect(await desk.statusOf(client.rights[1]!)).toBe('GRANTED');
      expect(await client.conflicts()).toEqual([]);
    },
  );
});

longTest(
  '[CMP-89, OPS-103] a worker killed after it read older orders of a client redeems no gift twice',
  async () => {
    const { db, emulator, env } = product;
    await worker.stop();
    const { ENCRYPTION_KEYS } = readEnv(env);
    const secrets = createSecretBox(ENCRYPTION_KEYS);
    const connection = await selectRow(db, 'connection', ['id']);
    const desk = await orderDesk(product, secrets);
    const [phone, itemId] = ['+79995550177', randomUUID()];
    const rewardId = await menuRows(db).insert('reward', {
      code: 'late',
      name: 'Тарт',
      erp_item_id: itemId,
      is_active: false,
    });
    // The reward is inactive, because active rewards are checked and no restaurant has this reward.
    await addRow(db, 'reward_former_dish', { rewardId, erpItemId: itemId });
    const clientId = await db.transaction((tx) =>
      ensureClient(tx, { secrets }, { connectionId: connection.id, phone }),
    );
    const right = await grantTo(db, { clientId, rewardId });
    const order = {
      organizationId: desk.organizationId,
      phone,
      items: [{ productId: itemId }],
      daysAgo: 20,
    };
    const { orderInfo } = await emulator.control<{ orderInfo: { id: string } }>(
      'put-delivery',
      order,
    );
    await addRow(db, 'client_history', {
      clientId,
      connectionId: connection.id,
      ordersFrom: ago('25 days'),
      ordersTo: ago('7 days'),
    });
    const histories = () => selectRows(db, 'client_history', '*');
    const temporal = await connectTemporal({ ...product.temporal, identity: 'crash-test' });
    const look = () =>
      temporal.client.workflow
        .getHandle(pollingWorkflow.id({ connectionId: connection.id }))
        .signal(ordersChanged);

    const doomed = await product.startDoomedWorker({ CARTE_FAILPOINT: 'history-applied' });
    await look();
    const ended = await doomed.exited;
    const left = await histories();
    const [redeemed] = await storedRights(db, [right]);
    worker = await product.startWorker();
    await look();
    await eventually('the history is read', async () =>
      (await histories()).length === 0 ? true : undefined,
    );
    await temporal.close();

    expect({ ended, last: doomed.output().slice(-1500) }).toMatchObject({ ended: 'SIGKILL' });
    expect(left).toHaveLength(1);
    expect(redeemed).toMatchObject({ status: 'REDEEMED', redeemedOrderId: orderInfo.id });
    expect(await storedRights(db, [right])).toEqual([redeemed]);
    expect(await countRows(db, 'unauthorized_gift', { rewardId })).toBe(0);
  },
);

test('[EVT-11, EVT-12] a worker killed between a message and its record sends events in order, once', async () => {
  const receiver = await webhookReceiver();
  await worker.stop();
  const endpoint = await admin.post<{ id: number; secret: string }>('/webhook-endpoints', {
    url: receiver.url,
    types: ['product.published', 'product.unpublished'],
  });
  receiver.secret = endpoint.secret;
  const change = (productId: number, reason: string) =>
    recordEvents(product.db, 'product.unpublished', [
      { id: productId, organizationId: null, data: { productId, reason } },
    ]);
  for (const reason of ['A', 'B', 'C'])
    for (const productId of [900_001, 900_002]) await change(productId, reason);

  const doomed = await product.startDoomedWorker({ CARTE_FAILPOINT: 'webhook-sent#3' });
  const ended = await doomed.exited;
  worker = await product.startWorker();
  await eventually('every delivery is recorded', async () =>
    (await countRows(product.db, 'webhook_delivery', { isPending: true })) === 0 &&
    new Set(receiver.accepted.map(({ id }) => id)).size === 6
      ? true
      : undefined,
  );
  await receiver.close();
  await deleteRows(product.db, 'webhook_endpoint');

  expect({ ended, last: doomed.output().slice(-1500) }).toMatchObject({ ended: 'SIGKILL' });
  expect(receiver.refused).toBe(0);
  // Events that the dead worker had sent without a record were sent again.
  expect(receiver.accepted.length).toBeGreaterThan(6);
  for (const subject of ['product/900001', 'product/900002']) {
    const reasons = receiver.accepted
      .filter((event) => event.subject === subject)
      .map(({ data }) => String(data['reason']));
    expect([...new Set(reasons)]).toEqual(['A', 'B', 'C']);
    // A repetition begins with an earlier event and continues in order.
    expect(reasons.at(-1)).toBe('C');
  }
});

longTest(
  '[OPS-53, ORD-44] guest data is in encrypted columns only, and absent after its erasure',
  async () => {
    const { emulator, db, temporal: server, env } = product;
    const secrets = createSecretBox(readEnv(env).ENCRYPTION_KEYS);
    const temporal = await connectTemporal({ ...server, identity: 'canary' });
    const words = [
      CANARY.name,
      CANARY.comment,
      'Кенарев',
      '9995550142',
      '999 555-01-42',
      'домофон кенаря',
      'передумал кенарь',
    ];
    const look = () =>
      sinksWith(words, {
        product,
        temporal: temporal.client,
        secrets,
        opsUrls: [api.opsUrl, worker.opsUrl],
        traces,
      });
    await deleteRows(db, 'personal_data');
    const answers: string[] = [];
    async function ask<T>(
      method: string,
      path: string,
      body?: object,
      key = randomUUID(),
    ): Promise<T> {
      const response = await fetch(`${api.url}/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) answers.push(text);
      return JSON.parse(text) as T;
    }
    await emulator.control('webhook', {
      url: `${api.url}/api/webhooks/erp`,
      token: env['WEBHOOK_SECRET'],
    });
    await emulator.control('delivery-settings', { settleMs: 50, cookMs: 0 });
    const shop = await readAlwaysOpenRestaurant({ emulator });
    const menu = await ask<PublicMenu>('GET', `/menu?organization_id=${shop}`);
    const { id: variantId } = menu.products
      .flatMap(({ variants }) => variants)
      .find(
        (variant) =>
          variant.available && variant.price > 0 && variant.modifierGroupIds.length === 0,
      )!;
    const { address } = await deliveredHouse(api.url, shop);

    async function place(): Promise<string> {
      const lines = [{ variantId, quantity: 90, modifiers: [], comment: CANARY.comment }];
      const { cartId } = await ask<{ cartId: string }>('POST', '/cart', {
        organizationId: shop,
        lines,
      });
      const { addressId } = await ask<{ addressId: string }>('POST', '/addresses', {
        cartId,
        address: { ...address, flat: '12', doorphone: 'домофон кенаря', comment: CANARY.comment },
      });
      const question = {
        cartId,
        fulfillment: { type: 'DELIVERY', addressId, slotId: 'asap' },
        paymentMethod: 'CASH',
      };
      const wish = {
        ...question,
        customer: { name: CANARY.name, phone: '+7 999 555-01-42' },
        comment: CANARY.comment,
      };
      const key = randomUUID();
      // Rejections must not repeat the text of the guest.
      await ask('POST', '/orders', {
        ...wish,
        customer: { name: CANARY.name, phone: CANARY.comment },
      });
      await ask('POST', '/orders', { ...wish, slotId: CANARY.comment });
      await ask('POST', '/orders', { ...wish, paymentMethod: 'SBP' });
      const { quote } = await ask<{ quote: { id: string } | null }>(
        'POST',
        '/checkout/preflight',
        question,
      );
      const { orderId } = await ask<{ orderId: string }>(
        'POST',
        '/orders',
        { ...wish, quoteId: quote?.id ?? null },
        key,
      );
      await ask('POST', '/orders', { ...wish, comment: `${CANARY.comment}!` }, key);
      return orderId;
    }
    const reaches = (orderId: string, state: string) =>
      eventually(`the order is ${state}`, async () => {
        const [row] = await selectRows(db, 'customer_order', ['state'], { id: orderId });
        return row?.state === state ? true : undefined;
      });

    const [made, refused] = [await place(), await place()];
    for (const id of [made, refused]) await reaches(id, 'CONFIRMED');
    await emulator.control('fault', { kind: 'order-error-later' });
    const late = await place();
    await reaches(late, 'FAILED');
    await ask('POST', `/orders/${made}/cancel`, { reason: 'передумал кенарь' });
    const early = await admin.raw('POST', `/orders/${made}/erase`, { reason: 'просьба' });
    await emulator.control('delivery-status', { orderId: made, status: 'Closed' });
    await emulator.control('delivery-status', { orderId: refused, status: 'Cancelled' });
    await reaches(made, 'CLOSED');
    await reaches(refused, 'CANCELLED');
    const sent = JSON.stringify(await emulator.control('deliveries'));
    const before = await look();
    for (const id of [made, refused, late])
      await admin.post(`/orders/${id}/erase`, { reason: 'просьба' });
    const after = await look();
    await temporal.close();

    // The restaurant receives the text, which proves that the searched text existed.
    for (const word of [CANARY.name, CANARY.comment, 'домофон кенаря'])
      expect(sent).toContain(word);
    expect(answers.filter((answer) => words.some((word) => answer.includes(word)))).toEqual([]);
    expect(answers.length).toBeGreaterThanOrEqual(3 * 4);
    expect(before).toEqual({
      temporal: [],
      logs: [],
      metrics: [],
      traces: [],
      tables: [],
      encrypted: ['personal_data.data_encrypted'],
    });
    expect(early.status).toBe(409);
    expect(after).toEqual({
      temporal: [],
      logs: [],
      metrics: [],
      traces: [],
      tables: [],
      encrypted: [],
    });
  },
  500_000,
);
