import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { editEveryMenu, stopLists } from './support/chain-changes.ts';
import {
  confirmedMs,
  manyOrders,
  ordersAtRate,
  signedInCustomers,
  withForeignOrders,
  withoutLoyalty,
} from './support/chain-load.ts';
import { measureUse, useRows } from './support/chain-use.ts';
import { startChain } from './support/chain.ts';
import { guests, type Ordered } from './support/guests.ts';
import { report, type Row } from './support/report.ts';
import { quantile } from './support/steady.ts';
import { HIGH_ORDER_LIMITS } from '../test/support/order-limits.ts';
import { countRows, saveSetting } from '../test/support/rows.ts';

// `npm run carte -- bench scale` measures a chain of 1,000 restaurants on 50 connections with
// production settings and servers. Load and servers share this machine, so CPU time counts more
// than wall time. BENCH_PHASES selects phases.
const RESTAURANTS = Number(process.env['BENCH_RESTAURANTS'] ?? 1_000);
const CONNECTIONS = Number(process.env['BENCH_CONNECTIONS'] ?? 50);
const OPEN_ORDERS = Number(process.env['BENCH_OPEN_ORDERS'] ?? 6_000);
/** Orders per second within and above the capacity of the ERP. */
const PACED_RATE = Number(process.env['BENCH_PACED_RATE'] ?? 2);
const RATE = Number(process.env['BENCH_RATE'] ?? 20);
const STEADY_SECONDS = Number(process.env['BENCH_SECONDS'] ?? 180);
const IDLE_SECONDS = Number(process.env['BENCH_IDLE_SECONDS'] ?? 60);
/** The peak of 80,000 events a day: 3.5 times the mean. */
const FOREIGN_EVENTS_RATE = Number(process.env['BENCH_FOREIGN_RATE'] ?? (80_000 / 86_400) * 3.5);
const CUSTOMERS = 40;
const OUTAGE_SECONDS = Number(process.env['BENCH_OUTAGE_SECONDS'] ?? 600);
/** Orders per second during an outage of Temporal. */
const OUTAGE_RATE = Number(process.env['BENCH_OUTAGE_RATE'] ?? 1);
const GIVE_UP_MS = 30 * 60_000;
const QUIET_ROUNDS = 20;
const MOST_TO_ERP_MS = 5_000;

const REQUESTS = {
  'POST /cart': 'cartMs',
  preflight: 'preflightMs',
  'POST /orders': 'orderMs',
} as const;

const PHASES = { idle, open, orders, loyalty, overload, edit, outage, api: anotherApi };
const SELECTED = process.env['BENCH_PHASES']?.split(',') ?? Object.keys(PHASES);

const log = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
const rows: Row[] = [];

const details: Record<string, unknown> = {
  restaurants: RESTAURANTS,
  connections: CONNECTIONS,
  openOrders: OPEN_ORDERS,
  pacedRate: PACED_RATE,
  rate: RATE,
};

const addRow = (what: string, measured: string, bar = '', reached = true) => {
  rows.push({ what, measured, yardstick: '', ratio: null, bar, reached });
  log(`${what}: ${measured}`);
};

const spread = (values: readonly number[]) =>
  `median ${quantile(values, 0.5).toFixed(0)}, p95 ${quantile(values, 0.95).toFixed(0)}, most ${Math.max(...values).toFixed(0)} ms`;

const chain = await startChain({ restaurants: RESTAURANTS, connections: CONNECTIONS, log });

try {
  addRow('from an empty database to the last public menu', `${chain.firstMinutes.toFixed(1)} min`);
  addRow('memory of an API with all menus', readMemory(chain.apis[1]!.child.pid!));
  await saveSetting(chain.product.db, 'order_limits', HIGH_ORDER_LIMITS);
  await saveSetting(chain.product.db, 'gift_markers', { usual: 'COMMENT', connections: {} });
  await chain.product.emulator.control('delivery-settings', { cookMs: 0 });
  await chain.product.emulator.control('webhook', {
    url: `${chain.apis[0]!.url}/api/webhooks/erp`,
    token: chain.product.env['WEBHOOK_SECRET'],
    mode: 'normal',
  });

  const shop = guests(
    chain.apis.map(({ url }) => url),
    chain.restaurants,
  );

  let next = 0;
  const order: Order = (customer) => shop.order((next += 1), customer);
  for (const [name, phase] of Object.entries(PHASES))
    if (SELECTED.includes(name)) await phase(order);
  addRow(
    'memory at the end',
    [...chain.apis, ...chain.workers]
      .map(({ name, child }) => `${name} ${readMemory(child.pid!)}`)
      .join('; '),
  );
} finally {
  await report('scale', rows, details);
  await chain.stop();
}

type Order = (customer?: Parameters<ReturnType<typeof guests>['order']>[1]) => Promise<Ordered>;

/** Adds rows with the resource use of `work` per second. Returns the duration in seconds. */
async function used(what: string, work: () => Promise<unknown>): Promise<number> {
  const use = await measureUse(chain, work);
  details[what] = { ...use, load: loadavg()[0] };
  for (const [name, measured] of useRows(use)) addRow(`${what}: ${name}`, measured);
  return use.seconds;
}

async function idle(): Promise<void> {
  await used('without guests', () => delay(IDLE_SECONDS * 1_000));
}

/** Sends orders without the workers' rate limit, under which they would take half an hour. */
async function open(order: Order): Promise<void> {
  await chain.restartWorkers({ ERP_RATE: 'off' });
  const begun = performance.now();
  const placed = await manyOrders(order, OPEN_ORDERS);
  const { ms, waitedSeconds } = await confirmedMs(chain.product, placed);
  addRow(
    'orders that stay open, sent without a limit of calls',
    `${ms.length} of ${OPEN_ORDERS} confirmed, ${((performance.now() - begun) / 1_000).toFixed(0)} s in all, ${waitedSeconds.toFixed(0)} s after the last`,
    'all',
    ms.length === OPEN_ORDERS,
  );

  await chain.restartWorkers({});
  await used('without guests, with open orders', () => delay(IDLE_SECONDS * 1_000));
}

async function orders(order: Order): Promise<void> {
  const what = `${PACED_RATE} orders a second, foreign orders at their peak`;
  await foreignly(what, () => placed(what, () => order(), PACED_RATE, MOST_TO_ERP_MS));
}

async function loyalty(order: Order): Promise<void> {
  const what = `${PACED_RATE} orders a second of customers, loyalty fails`;
  const customers = await signedInCustomers(chain, CUSTOMERS);
  let turn = 0;
  const ofCustomer = () => order(customers[(turn += 1) % customers.length]);
  await withoutLoyalty(chain.product, () =>
    foreignly(what, () => placed(what, ofCustomer, PACED_RATE, MOST_TO_ERP_MS)),
  );
}

async function overload(order: Order): Promise<void> {
  await placed(`${RATE} orders a second`, () => order(), RATE);
}

async function foreignly(what: string, work: () => Promise<unknown>): Promise<void> {
  const events = await withForeignOrders(chain, FOREIGN_EVENTS_RATE, work);
  addRow(`${what}: foreign events`, `${events}, ${FOREIGN_EVENTS_RATE.toFixed(1)} a second`);
}

/** Adds rows about requests and sending. `mostMs` is the target for the p95 of sending. */
async function placed(
  what: string,
  order: () => Promise<Ordered>,
  rate: number,
  mostMs = Infinity,
): Promise<void> {
  let result: Awaited<ReturnType<typeof ordersAtRate>>;
  await used(what, async () => {
    result = await ordersAtRate(order, rate, STEADY_SECONDS);
  });
  const { answered, refused, lateMs } = result!;
  details[`${what}: refused`] = { refused: refused.slice(0, 20), lateP95: quantile(lateMs, 0.95) };
  const all = answered.length + refused.length;
  addRow(`${what}: accepted`, `${answered.length} of ${all}`, 'all', refused.length === 0);
  for (const [request, key] of Object.entries(REQUESTS))
    addRow(`${what}: ${request}`, spread(answered.map((one) => one[key])));
  await outcomes(`${what}: confirmed by the ERP`, answered, mostMs);
}

/** Adds a row with the time from acceptance to the outcome. */
async function outcomes(
  what: string,
  orders: readonly Ordered[],
  mostMs = Infinity,
): Promise<void> {
  const { ms, waitedSeconds } = await confirmedMs(chain.product, orders);
  const open = await countRows(chain.product.db, 'customer_order', { state: ['CONFIRMED'] });
  addRow(
    what,
    `${ms.length} of ${orders.length}, ${spread(ms)} after they were accepted; the last one ${waitedSeconds.toFixed(0)} s after the last order; ${Number(open)} are open`,
    mostMs === Infinity ? 'all' : `all, p95 ≤ ${mostMs / 1_000} s`,
    ms.length === orders.length && quantile(ms, 0.95) <= mostMs,
  );
}

async function edit(): Promise<void> {
  const { product, apis } = chain;
  const stops = await stopLists(
    product,
    apis.map(({ url }) => url),
  );

  const add = (what: string, values: readonly number[]) =>
    addRow(
      `${what} (${values.length})`,
      spread(values),
      'p95 ≤ 2 s',
      quantile(values, 0.95) <= 2_000,
    );

  const quiet: number[] = [];
  await used(`${QUIET_ROUNDS} stop-list changes`, async () => {
    for (let round = 0; round < QUIET_ROUNDS; round += 1) quiet.push(await stops.stop());
  });
  add('a stop-list change by webhook, nothing else', quiet);
  const admin = await product.signIn(apis[0]!);
  const meanwhile: number[] = [];
  const seconds = await used(`an edit that ${RESTAURANTS} menus show`, async () => {
    const { left } = await editEveryMenu(product, admin);
    while ((await left()) > 0) meanwhile.push(await stops.stop());
  });

  addRow('until the last menu shows the edit', `${seconds.toFixed(1)} s`);
  add('a stop-list change by webhook meanwhile', meanwhile);
  await polls(seconds);
}

/**
 * Measures the longest time without a stop-list import per connection in the last `seconds`.
 * Includes imports by webhook, because a poll is skipped while an import runs.
 */
async function polls(seconds: number): Promise<void> {
  const [row] = await chain.product.db.query<{ polls: number; longest: number }>(
    `select count(*) filter (where is_poll)::int as polls, max(gap)::float as longest from (
       select trigger = 'SCHEDULE' as is_poll, started_at,
              extract(epoch from started_at - lag(started_at) over (partition by connection_id order by started_at)) as gap
         from sync_run where job = 'STOP_LIST') run
      where started_at > now() - make_interval(secs => $1)`,
    [seconds],
  );

  addRow(
    'polls of stop-lists meanwhile',
    `${row!.polls} of ${CONNECTIONS} connections; the longest time without an import ${row!.longest.toFixed(1)} s`,
    '≤ 60 s',
    row!.longest <= 60,
  );
}

async function outage(order: Order): Promise<void> {
  const { product, apis } = chain;
  await chain.stopTemporal();
  log(`Temporal is away for ${OUTAGE_SECONDS} s`);
  let unanswered = 0;
  const look = setInterval(() => {
    const organization = chain.restaurants[Math.floor(Math.random() * chain.restaurants.length)]!;
    void fetch(`${apis[1]!.url}/api/v1/menu?organization_id=${organization}`)
      .then((answer) =>
        answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(String(answer.status))),
      )
      .catch(() => (unanswered += 1));
  }, 200);

  const { left } = await editEveryMenu(product, await product.signIn(apis[0]!));
  const { answered, refused } = await ordersAtRate(() => order(), OUTAGE_RATE, OUTAGE_SECONDS);
  clearInterval(look);
  addRow(
    'orders accepted while Temporal is away',
    `${answered.length} of ${answered.length + refused.length}; menus that were not answered: ${unanswered}`,
    'all',
    refused.length === 0 && unanswered === 0,
  );

  details['outage'] = { refused: refused.slice(0, 20) };
  const seconds = await used('Temporal is back', async () => {
    await chain.startTemporal();
    const back = performance.now();
    while ((await left()) > 0 && performance.now() - back < GIVE_UP_MS) await delay(500);
  });

  const isLeft = await left();
  addRow(
    'until the last menu shows an edit of the outage',
    `${seconds.toFixed(1)} s; not shown: ${isLeft}`,
    '0',
    isLeft === 0,
  );

  await outcomes('orders of the outage that the external system has confirmed', answered);
  const states = await product.db.db
    .selectFrom('customer_order')
    .where(
      'id',
      'in',
      answered.map(({ orderId }) => orderId),
    )
    .select((row) => ['state', row.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();

  addRow('their states', states.map(({ state, count }) => `${state} ${count}`).join(', '));
}

async function anotherApi(): Promise<void> {
  const begun = performance.now();
  const api = await chain.product.startApi({ LOG_LEVEL: 'info' });
  const ready = performance.now() - begun;
  while (!api.output().includes('menus are loaded') && performance.now() - begun < GIVE_UP_MS)
    await delay(50);
  addRow(
    'another API',
    `ready after ${(ready / 1_000).toFixed(1)} s, all menus loaded after ${((performance.now() - begun) / 1_000).toFixed(1)} s; then ${readMemory(api.child.pid!)}`,
  );

  for (const organization of chain.restaurants)
    await (
      await fetch(`${api.url}/api/v1/search?organization_id=${organization}&q=суп`)
    ).arrayBuffer();

  addRow('the same after a search in every restaurant', readMemory(api.child.pid!));
}

function readMemory(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
  return `${mebibytes('VmRSS')} MiB, at most ${mebibytes('VmHWM')}`;
}
