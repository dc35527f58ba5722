import { setTimeout as delay } from 'node:timers/promises';
import { Connection, Client } from '@temporalio/client';
import { HIGH_ORDER_LIMITS } from '../test/support/order-limits.ts';
import {
  readAlwaysOpenRestaurant,
  startDemoProduct,
  type Product,
} from '../test/support/product.ts';
import { countRows, saveSetting } from '../test/support/rows.ts';
import { cpuMs } from './support/cpu.ts';
import { durableDatabase } from './support/durable-database.ts';
import { guests } from './support/guests.ts';
import { report, type Row } from './support/report.ts';
import { quantiles } from './support/steady.ts';

// `npm run carte -- bench order` measures the cost of an order from cart to closing, with an ERP
// without limits. Eight guests order without pauses, and PostgreSQL flushes to disk.
const GUESTS = 8;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
const WARM_UP = 100;
/** Time between two states of an order in the restaurant. */
const COOK_MS = 4_000;
/** Never reached. */
const LIMIT = '10000000';
const LIMIT_MS = 240_000;
const AIMS = { processorMs: 70, perSecond: 80 };

const database = await durableDatabase();

const { product, api, worker } = await startDemoProduct({
  database,
  env: {
    NODE_ENV: 'production',
    COOKIE_SECURE: 'on',
    ORDER_WATCH_EVERY: '30s',
    RATE_LIMIT_PUBLIC: LIMIT,
    RATE_LIMIT_ORDERING: LIMIT,
    RATE_LIMIT_NEW_CARTS: LIMIT,
  },
});

try {
  await saveSetting(product.db, 'order_limits', HIGH_ORDER_LIMITS);
  await product.emulator.control('delivery-settings', { settleMs: 300, cookMs: COOK_MS });
  const token = product.env['WEBHOOK_SECRET'];
  await product.emulator.control('webhook', { url: `${api.url}/api/webhooks/erp`, token });

  const organizationId = await readAlwaysOpenRestaurant(product);
  const { order } = guests([api.url], [organizationId]);
  let placed = 0;
  const ms: number[] = [];
  const guestUntil = async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      const { cartMs, preflightMs, orderMs } = await order((placed += 1));
      ms.push(cartMs + preflightMs + orderMs);
    }
  };

  const all = (isOver: () => boolean) =>
    Promise.all(Array.from({ length: GUESTS }, () => guestUntil(isOver)));

  await all(() => placed >= WARM_UP);
  await untilClosed(product);

  ms.length = 0;
  const [before, eventsBefore] = [processors(), await historyEvents(product)];
  const begun = performance.now();
  await all(() => performance.now() - begun >= SECONDS * 1_000);
  const perSecond = (ms.length * 1_000) / (performance.now() - begun);
  await untilClosed(product);

  const after = processors();
  const costs = Object.entries(after).map(
    ([name, used]) => [name, (used - before[name as keyof typeof before]) / ms.length] as const,
  );
  const total = costs.reduce((sum, [, cost]) => sum + cost, 0);
  const events = await historyEvents(product);
  const each = (of: keyof typeof events) =>
    ((events[of] - eventsBefore[of]) / ms.length).toFixed(1);
  const rows: Row[] = [
    {
      what: 'processor time of one order, all processes',
      measured: `${total.toFixed(0)} ms: ${costs.map(([name, cost]) => `${name} ${cost.toFixed(1)}`).join(', ')}`,
      yardstick: '',
      ratio: null,
      bar: `≤ ${AIMS.processorMs} ms`,
      reached: total <= AIMS.processorMs,
    },
    {
      what: `orders with carts and preflights, ${GUESTS} guests`,
      measured: `${perSecond.toFixed(1)}/s; ${quantiles(ms)} ms`,
      yardstick: '',
      ratio: null,
      bar: `≥ ${AIMS.perSecond}/s`,
      reached: perSecond >= AIMS.perSecond,
    },
    {
      what: 'history events of one order',
      measured: `${each('all')}, of them ${each('own')} its own`,
      yardstick: '',
      ratio: null,
      bar: '',
      reached: true,
    },
  ];

  await report('order', rows, { orders: ms.length, costs: Object.fromEntries(costs), events });
} finally {
  await product.stop();
}

async function untilClosed({ db }: Product): Promise<void> {
  const begun = performance.now();
  while (Number(await countRows(db, 'customer_order', { endedAt: null })) > 0) {
    if (performance.now() - begun > LIMIT_MS) throw new Error('orders were not closed in time');
    await delay(500);
  }
  // Lets the last workflows end.
  await delay(3_000);
}

/** CPU time of each process so far, ms. Temporal's share is the rest of this process's children. */
function processors() {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1_000;
  const [apiMs, workerMs] = [cpuMs(api.child.pid!), cpuMs(worker.child.pid!)];
  const postgres = cpuMs(database.pid);
  const temporal = cpuMs(process.pid) - own - apiMs - workerMs - postgres;

  return { API: apiMs, worker: workerMs, PostgreSQL: postgres, Temporal: temporal, emulator: own };
}

/** Counts history events of all executions, and of order executions alone. */
async function historyEvents({ temporal }: Product): Promise<{ all: number; own: number }> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    const sum = { all: 0, own: 0 };

    for await (const {
      type,
      workflowId,
      status,
      historyLength: listed,
    } of client.workflow.list()) {
      // The list contains the history length of ended executions only.
      const isRunning = status.name === 'RUNNING';
      const { historyLength } = isRunning
        ? await client.workflow.getHandle(workflowId).describe()
        : { historyLength: listed };
      sum.all += historyLength;
      if (type === 'order') sum.own += historyLength;
    }

    return sum;
  } finally {
    await connection.close();
  }
}
