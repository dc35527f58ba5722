import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readEnv } from '../modules/env.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { orderDesk } from '../test/support/orders.ts';
import { startDemoProduct } from '../test/support/product.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { cpuMs } from './support/cpu.ts';
import { durableDatabase } from './support/durable-database.ts';
import { record, startBare } from './support/side-by-side.ts';
import { report } from './support/report.ts';
import { ceilingOf, get } from './support/steady.ts';
import { fillLargeTables } from '../test/support/large-database.ts';
import { countRows, selectRow } from '../test/support/rows.ts';

// `npm run carte -- bench order`: how fast one worker of role `order` confirms accepted orders at
// an ERP without limits. Each order is sent to the ERP and looked up there after a second, by a
// workflow of its own. Four processes: this one (the emulator of the ERP), the worker, PostgreSQL,
// which waits for the disk at every commit, and Temporal. The yardstick is what bare node:http
// answers here.
const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 400);
/** True for a database with a million orders, `BENCH_LARGE=on`. */
const IS_LARGE = process.env['BENCH_LARGE'] === 'on';
const LIMIT_MS = 120_000;
const POLL_MS = 200;
/**
 * The beginning, when no order has been looked up yet, and the end, when few are left, do not show
 * the speed in between.
 */
const [FIRST, LAST] = [0.1, 0.9];

const folder = await temporaryFolder('bench-order');
const database = await durableDatabase();
const { product, api, worker } = await startDemoProduct({
  database,
  env: { OUTBOX_SWEEP_EVERY: '1s' },
});
let stopBare: (() => Promise<unknown>) | undefined;
try {
  const bare = await startBare(folder, {
    '/': await record(`${api.url}/api/v1/organizations`, {}, join(folder, 'answer')),
  });
  stopBare = () => bare.stop();
  const ceiling = await ceilingOf(() => get(`${bare.url}/`), 2);
  await Promise.all([worker.stop(), api.stop()]);

  await product.emulator.control('delivery-settings', { settleMs: 1, cookMs: 0 });
  const { ENCRYPTION_KEYS, ERP_RATE } = readEnv({ ...product.env, ERP_RATE: undefined });
  if (IS_LARGE) {
    const { id, connectionId } = await selectRow(
      product.db,
      'mirror_organization',
      ['id', 'connectionId'],
      {},
      { limit: 1 },
    );
    await fillLargeTables(product.db, { organizationId: id, connectionId });
  }
  const desk = await orderDesk(product, createSecretBox(ENCRYPTION_KEYS));
  for (let count = 0; count < ORDERS; count += 1) await desk.accepted();
  const callsBefore = await erpCalls();

  const started = await product.startWorker({}, 'order');
  const begun = performance.now();
  const before = processors(started.child.pid!);
  const reached: { at: number; orders: number }[] = [];
  for (;;) {
    const orders = await countRows(product.db, 'customer_order', { state: 'CONFIRMED' });
    reached.push({ at: performance.now() - begun, orders: orders });
    if (orders === ORDERS) break;
    if (performance.now() - begun > LIMIT_MS) throw new Error(`only ${orders} of ${ORDERS} orders were confirmed`);
    await delay(POLL_MS);
  }
  const seconds = (performance.now() - begun) / 1_000;
  const after = processors(started.child.pid!);
  const cores = Object.entries(after).map(
    ([name, ms]) => `${name} ${((ms - before[name as keyof typeof before]) / seconds / 1_000).toFixed(2)}`,
  );
  const moment = (share: number) => reached.find((entry) => entry.orders >= share * ORDERS)!;
  const [from, to] = [moment(FIRST), moment(LAST)];
  const perSecond = ((to.orders - from.orders) * 1_000) / (to.at - from.at);
  const callsEach = ((await erpCalls()) - callsBefore) / ORDERS;
  await report(
    'order',
    [
      {
        what: 'orders from accepted to CONFIRMED, one worker',
        measured: `${perSecond.toFixed(1)} orders/s; all ${ORDERS} in ${seconds.toFixed(1)} s; cores: ${cores.join(', ')}`,
        yardstick: `bare node:http ${Math.round(ceiling)} requests/s`,
        ratio: perSecond / ceiling,
        bar: '',
        reached: true,
      },
      {
        what: `the same as the product's own limit lets it (ERP_RATE ${ERP_RATE})`,
        measured: `${(ERP_RATE! / callsEach).toFixed(1)} orders/s; ${callsEach.toFixed(1)} calls of the ERP for one`,
        yardstick: '',
        ratio: null,
        bar: 'less than one worker does',
        reached: ERP_RATE! / callsEach < perSecond,
      },
    ],
    { orders: ORDERS, reached, cores, ceiling },
  );
} finally {
  await stopBare?.();
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Milliseconds of processor time that each process has used so far. All of them are children of
 * this one, and Temporal is the rest.
 */
function processors(workerPid: number) {
  const { user, system } = process.cpuUsage();
  const [worker, postgres, emulator] = [cpuMs(workerPid), cpuMs(database.pid), (user + system) / 1_000];
  const temporal = cpuMs(process.pid) - worker - postgres - emulator;
  return { worker, Temporal: temporal, PostgreSQL: postgres, emulator };
}

/** Calls of the ERP's interface so far. */
async function erpCalls(): Promise<number> {
  const { calls } = await product.emulator.control<{ calls: { sequence: number }[] }>('calls');
  return calls.at(-1)?.sequence ?? 0;
}
