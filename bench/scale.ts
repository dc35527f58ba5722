import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { editEveryMenu, stopLists } from './support/chain-changes.ts';
import { startChain } from './support/chain.ts';
import { guests, type Ordered } from './support/guests.ts';
import { report, type Row } from './support/report.ts';
import { atRate, quantile } from './support/steady.ts';
import { HIGH_ORDER_LIMITS } from '../test/support/order-limits.ts';
import { countRows, saveSetting } from '../test/support/rows.ts';

// `npm run carte -- bench scale`: a chain of 1,000 restaurants on 50 connections, with the settings of production: two APIs, the workers `sync`, `build` and
// `order`, Temporal's production server and two PostgreSQL that wait for the disk. Orders at a steady rate, an edit of the whole catalogue,
// an outage of Temporal, another API. Everything runs on this machine, the load as well, so processor time counts more than the clock.
const RESTAURANTS = Number(process.env['BENCH_RESTAURANTS'] ?? 1_000);
const CONNECTIONS = Number(process.env['BENCH_CONNECTIONS'] ?? 50);
const RATE = Number(process.env['BENCH_RATE'] ?? 20);
const STEADY_SECONDS = Number(process.env['BENCH_SECONDS'] ?? 180);
const OUTAGE_SECONDS = Number(process.env['BENCH_OUTAGE_SECONDS'] ?? 600);
/** Orders while Temporal is away; each of them is to be sent to the external system afterwards. */
const OUTAGE_RATE = Number(process.env['BENCH_OUTAGE_RATE'] ?? 1);
const GIVE_UP_MS = 30 * 60_000;
const QUIET_ROUNDS = 20;

const log = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
const rows: Row[] = [];
const details: Record<string, unknown> = { restaurants: RESTAURANTS, connections: CONNECTIONS, rate: RATE };
const addRow = (what: string, measured: string, bar = '', reached = true) => {
  rows.push({ what, measured, yardstick: '', ratio: null, bar, reached });
  log(`${what}: ${measured}`);
};
const spread = (values: readonly number[]) =>
  `median ${quantile(values, 0.5).toFixed(0)}, p95 ${quantile(values, 0.95).toFixed(0)}, most ${Math.max(...values).toFixed(0)} ms`;

const chain = await startChain({ restaurants: RESTAURANTS, connections: CONNECTIONS, log });
try {
  addRow('from an empty database to the last public menu', `${chain.firstMinutes.toFixed(1)} min`);
  addRow('memory of an API with all menus', memoryOf(chain.apis[1]!.child.pid!));
  const shop = guests(
    chain.apis.map(({ url }) => url),
    chain.restaurants,
  );
  await saveSetting(chain.product.db, 'order_limits', HIGH_ORDER_LIMITS);
  let next = 0;
  const order = () => shop.order((next += 1));
  await used('a minute without guests', () => delay(60_000));
  await steady(order);
  await edit();
  await outage(order);
  await anotherApi();
  addRow(
    'memory at the end',
    [...chain.apis, ...chain.workers].map(({ name, child }) => `${name} ${memoryOf(child.pid!)}`).join('; '),
  );
} finally {
  await report('scale', rows, details);
  await chain.stop();
}

/** Runs `work`, adds rows with what it cost for each second, and returns how many seconds it took. */
async function used(what: string, work: () => Promise<unknown>): Promise<number> {
  const before = {
    at: performance.now(),
    cpu: chain.processors(),
    db: await chain.databases(),
    events: await chain.historyEvents(),
  };
  await chain.forgetStatements();
  const mostConnections = { carte: 0, temporal: 0 };
  const watch = setInterval(() => {
    void chain.databases().then(({ carte, temporal }) => {
      mostConnections.carte = Math.max(mostConnections.carte, carte.connections);
      mostConnections.temporal = Math.max(mostConnections.temporal, temporal.connections);
    });
  }, 2_000);
  await work().finally(() => clearInterval(watch));
  const took = (performance.now() - before.at) / 1_000;
  details[`statements: ${what}`] = await chain.dearestStatements();
  const [cpu, db, events] = [chain.processors(), await chain.databases(), await chain.historyEvents()];
  // A part that was away before has used nothing until then.
  const cores = Object.entries(cpu).map(
    ([part, ms]) => `${part} ${((ms - (before.cpu[part] || 0)) / 1_000 / took).toFixed(2)}`,
  );
  addRow(`${what}: cores`, cores.join(', '));
  const rate = (part: 'carte' | 'temporal') =>
    `${((db[part].walBytes - before.db[part].walBytes) / took / 1_024).toFixed(0)} KiB/s of log, ` +
    `${((db[part].commits - before.db[part].commits) / took).toFixed(0)} commits/s, at most ${mostConnections[part]} connections`;
  addRow(`${what}: PostgreSQL of the product`, rate('carte'));
  addRow(`${what}: PostgreSQL of Temporal`, rate('temporal'));
  addRow(
    `${what}: history events of executions that ended`,
    `${((events - before.events) / took).toFixed(0)}/s over ${took.toFixed(0)} s`,
  );
  return took;
}

/** Orders at a steady rate, whether or not those before have been answered; `lateMs` is how late each of them began. */
async function orders(order: () => Promise<Ordered>, rate: number, seconds: number) {
  const answered: Ordered[] = [];
  const refused: string[] = [];
  const send = () =>
    order().then(
      (each) => void answered.push(each),
      (error: unknown) => void refused.push(String(error).slice(0, 2_000)),
    );
  const { lateMs } = await atRate(send, { rate, from: 0, to: rate * seconds });
  return { answered, refused, lateMs };
}

async function steady(order: () => Promise<Ordered>): Promise<void> {
  let result: Awaited<ReturnType<typeof orders>>;
  await used(`${RATE} orders a second`, async () => {
    result = await orders(order, RATE, STEADY_SECONDS);
  });
  const { answered, refused, lateMs } = result!;
  details['steady'] = { refused: refused.slice(0, 20), lateP95: quantile(lateMs, 0.95) };
  addRow('orders accepted', `${answered.length} of ${answered.length + refused.length}`, 'all', refused.length === 0);
  const part = (read: (each: Ordered) => number) => spread(answered.map(read));
  addRow(
    'POST /cart',
    part(({ cartMs }) => cartMs),
  );
  addRow(
    'preflight',
    part(({ preflightMs }) => preflightMs),
  );
  addRow(
    'POST /orders',
    part(({ orderMs }) => orderMs),
  );
  await awaitOutcomes('orders that the external system has confirmed', answered);
}

/** Waits until every order has an outcome, and adds a row with how long that took from acceptance. */
async function awaitOutcomes(what: string, placed: readonly Ordered[]): Promise<void> {
  const ids = placed.map(({ orderId }) => orderId);
  const begun = performance.now();
  const open = async () => {
    const open = await countRows(chain.product.db, 'customer_order', { id: ids, state: ['ACCEPTED', 'SENT'] });
    return Number(open);
  };
  while ((await open()) > 0) {
    if (performance.now() - begun > GIVE_UP_MS) break;
    await delay(500);
  }
  const waits = await chain.product.db.query<{ ms: number }>(
    `select extract(epoch from (confirmed.at - accepted.at)) * 1000 as ms
       from order_move accepted join order_move confirmed on confirmed.order_id = accepted.order_id and confirmed.state = 'CONFIRMED'
      where accepted.state = 'ACCEPTED' and accepted.order_id = any ($1)`,
    [ids],
  );
  addRow(
    what,
    `${waits.length} of ${ids.length}, ${spread(waits.map(({ ms }) => Number(ms)))} after they were accepted; the last one ${((performance.now() - begun) / 1_000).toFixed(0)} s after the last order`,
    'all',
    waits.length === ids.length,
  );
}

async function edit(): Promise<void> {
  const { product, apis } = chain;
  const stops = await stopLists(
    product,
    apis.map(({ url }) => url),
  );
  const add = (what: string, values: readonly number[]) =>
    addRow(`${what} (${values.length})`, spread(values), 'p95 ≤ 2 s', quantile(values, 0.95) <= 2_000);
  const quiet: number[] = [];
  for (let round = 0; round < QUIET_ROUNDS; round += 1) quiet.push(await stops.stop());
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
 * How long a connection went without an import of its stop-lists in the last `seconds`, whether its schedule or a webhook wanted it: a poll that
 * finds one under way leaves it at that.
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

async function outage(order: () => Promise<Ordered>): Promise<void> {
  const { product, apis } = chain;
  await chain.stopTemporal();
  log(`Temporal is away for ${OUTAGE_SECONDS} s`);
  let unanswered = 0;
  const look = setInterval(() => {
    const organization = chain.restaurants[Math.floor(Math.random() * chain.restaurants.length)]!;
    void fetch(`${apis[1]!.url}/api/v1/menu?organization_id=${organization}`)
      .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(String(answer.status)))))
      .catch(() => (unanswered += 1));
  }, 200);
  const { left } = await editEveryMenu(product, await product.signIn(apis[0]!));
  const { answered, refused } = await orders(order, OUTAGE_RATE, OUTAGE_SECONDS);
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
  await awaitOutcomes('orders of the outage that the external system has confirmed', answered);
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
  while (!api.output().includes('menus are loaded') && performance.now() - begun < GIVE_UP_MS) await delay(50);
  addRow(
    'another API',
    `ready after ${(ready / 1_000).toFixed(1)} s, all menus loaded after ${((performance.now() - begun) / 1_000).toFixed(1)} s; then ${memoryOf(api.child.pid!)}`,
  );
  for (const organization of chain.restaurants)
    await (await fetch(`${api.url}/api/v1/search?organization_id=${organization}&q=суп`)).arrayBuffer();
  addRow('the same after a search in every restaurant', memoryOf(api.child.pid!));
}

/** Memory of a process: what it holds now and what it held at most. */
function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
  return `${mebibytes('VmRSS')} MiB, at most ${mebibytes('VmHWM')}`;
}
