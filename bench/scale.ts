import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, waiting } from './support/chain.ts';
import { guests, type Ordered } from './support/guests.ts';
import { report, type Row } from './support/report.ts';
import { quantile } from './support/steady.ts';

// `npm run bench:scale`: a chain of 1,000 restaurants on 50 connections, with the settings of production: two APIs, the workers `sync` and
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

const log = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
const rows: Row[] = [];
const details: Record<string, unknown> = { restaurants: RESTAURANTS, connections: CONNECTIONS, rate: RATE };
const tell = (what: string, measured: string, bar = '', reached = true) => {
  rows.push({ what, measured, yardstick: '', ratio: null, bar, reached });
  log(`${what}: ${measured}`);
};
const spread = (values: readonly number[]) =>
  `median ${quantile(values, 0.5).toFixed(0)}, p95 ${quantile(values, 0.95).toFixed(0)}, most ${Math.max(...values).toFixed(0)} ms`;

const chain = await startChain({ restaurants: RESTAURANTS, connections: CONNECTIONS, log });
try {
  tell('from an empty database to the last public menu', `${chain.firstMinutes.toFixed(1)} min`);
  tell('memory of an API with all menus', memoryOf(chain.apis[1]!.child.pid!));
  const shop = await guests(
    chain.apis.map(({ url }) => url),
    chain.restaurants,
  );
  let next = 0;
  const order = () => shop.order((next += 1));
  await used('a minute without guests', 60, () => delay(60_000));
  await steady(order);
  await edit();
  await outage(order);
  await anotherApi();
  tell(
    'memory at the end',
    [...chain.apis, ...chain.workers].map(({ name, child }) => `${name} ${memoryOf(child.pid!)}`).join('; '),
  );
} finally {
  await report('scale', rows, details);
  await chain.stop();
}

/** Runs `work` and tells what it cost for each second. */
async function used(what: string, seconds: number, work: () => Promise<unknown>): Promise<void> {
  const before = {
    at: performance.now(),
    cpu: chain.processors(),
    db: await chain.databases(),
    events: await chain.historyEvents(),
  };
  const mostConnections = { carte: 0, temporal: 0 };
  const watch = setInterval(() => {
    void chain.databases().then(({ carte, temporal }) => {
      mostConnections.carte = Math.max(mostConnections.carte, carte.connections);
      mostConnections.temporal = Math.max(mostConnections.temporal, temporal.connections);
    });
  }, 2_000);
  await work();
  clearInterval(watch);
  const took = (performance.now() - before.at) / 1_000;
  const [cpu, db, events] = [chain.processors(), await chain.databases(), await chain.historyEvents()];
  // A part that was away before has used nothing until then.
  const cores = Object.entries(cpu).map(
    ([part, ms]) => `${part} ${((ms - (before.cpu[part] || 0)) / 1_000 / took).toFixed(2)}`,
  );
  tell(`${what}: cores`, cores.join(', '));
  const rate = (part: 'carte' | 'temporal') =>
    `${((db[part].walBytes - before.db[part].walBytes) / took / 1_024).toFixed(0)} KiB/s of log, ` +
    `${((db[part].commits - before.db[part].commits) / took).toFixed(0)} commits/s, at most ${mostConnections[part]} connections`;
  tell(`${what}: PostgreSQL of the product`, rate('carte'));
  tell(`${what}: PostgreSQL of Temporal`, rate('temporal'));
  tell(
    `${what}: history events of executions that ended`,
    `${((events - before.events) / took).toFixed(0)}/s over ${took.toFixed(0)} s (${seconds} s asked)`,
  );
}

/** Begins orders at a steady rate, whether or not those before have been answered. */
async function orders(order: () => Promise<Ordered>, rate: number, seconds: number) {
  const answered: Ordered[] = [];
  const refused: string[] = [];
  const lateMs: number[] = [];
  const all: Promise<void>[] = [];
  const begun = performance.now();
  for (let at = 0; at < rate * seconds; at += 1) {
    const due = begun + (at * 1_000) / rate;
    if (due > performance.now()) await delay(due - performance.now());
    lateMs.push(performance.now() - due);
    all.push(
      order().then(
        (each) => void answered.push(each),
        (error: unknown) => void refused.push(String(error).slice(0, 2_000)),
      ),
    );
  }
  await Promise.all(all);
  return { answered, refused, lateMs };
}

async function steady(order: () => Promise<Ordered>): Promise<void> {
  let result: Awaited<ReturnType<typeof orders>>;
  await used(`${RATE} orders a second`, STEADY_SECONDS, async () => {
    result = await orders(order, RATE, STEADY_SECONDS);
  });
  const { answered, refused, lateMs } = result!;
  details['steady'] = { refused: refused.slice(0, 20), lateP95: quantile(lateMs, 0.95) };
  tell('orders accepted', `${answered.length} of ${answered.length + refused.length}`, 'all', refused.length === 0);
  const part = (read: (each: Ordered) => number) => spread(answered.map(read));
  tell(
    'POST /cart',
    part(({ cartMs }) => cartMs),
  );
  tell(
    'preflight',
    part(({ preflightMs }) => preflightMs),
  );
  tell(
    'POST /orders',
    part(({ orderMs }) => orderMs),
  );
  await told('orders that the external system has confirmed', answered);
}

/** Waits until every order has an outcome, and tells how long that took from acceptance. */
async function told(what: string, placed: readonly Ordered[]): Promise<void> {
  const ids = placed.map(({ orderId }) => orderId);
  const begun = performance.now();
  const open = async () => {
    const [row] = await chain.product.db.query<{ open: number }>(
      `select count(*) as open from customer_order where id = any ($1) and state in ('ACCEPTED', 'SENT')`,
      [ids],
    );
    return Number(row!.open);
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
  tell(
    what,
    `${waits.length} of ${ids.length}, ${spread(waits.map(({ ms }) => Number(ms)))} after they were accepted; the last one ${((performance.now() - begun) / 1_000).toFixed(0)} s after the last order`,
    'all',
    waits.length === ids.length,
  );
}

/** Milliseconds from a stopped dish in the external system until guests of that restaurant are told. */
async function stopList(sold: readonly { organizationId: string; itemId: string }[], round: number): Promise<number> {
  const at = sold[(round * 37) % sold.length]!;
  const begun = performance.now();
  await chain.product.emulator.control('stop', { organizationId: at.organizationId, itemIds: [at.itemId] });
  const url = `${chain.apis[round % 2]!.url}/api/v1/availability?organization_id=${at.organizationId}`;
  for (;;) {
    const { unavailableItemIds } = (await (await fetch(url)).json()) as { unavailableItemIds: string[] };
    if (unavailableItemIds.includes(at.itemId)) return performance.now() - begun;
    if (performance.now() - begun > 300_000) return Number.POSITIVE_INFINITY;
    await delay(20);
  }
}

async function edit(): Promise<void> {
  const { product, apis } = chain;
  await product.emulator.control('webhook', {
    url: `${apis[0]!.url}/api/webhooks/erp`,
    token: product.env['WEBHOOK_SECRET'],
    mode: 'normal',
  });
  const sold = await product.db.query<{ organizationId: string; itemId: string }>(
    `select distinct on (s.organization_id) s.organization_erp_id as "organizationId", i.erp_id as "itemId" from snapshot s
       join mirror_price p on p.organization_id = s.organization_id and p.lost_at is null
       join catalog_variant v on v.item_size_id = p.item_size_id join catalog_product c on c.id = v.product_id and c.status = 'PUBLISHED'
       join mirror_item_size z on z.id = v.item_size_id join mirror_item i on i.id = z.item_id and i.deleted_at is null
      where not exists (select 1 from mirror_stop_list l where l.item_erp_id = i.erp_id and l.organization_id = s.organization_id)
      order by s.organization_id, i.id`,
  );
  const quiet: number[] = [];
  let round = 0;
  for (; round < 20; round += 1) quiet.push(await stopList(sold, round));
  tell('a stop-list change by webhook, nothing else', spread(quiet), 'p95 ≤ 2 s', quantile(quiet, 0.95) <= 2_000);
  const admin = await product.signIn(apis[0]!);
  type Category = { id: number; name: string; version: number };
  const [category] = (await admin.get<{ items: Category[] }>('/categories?size=1')).items;
  const meanwhile: number[] = [];
  let seconds = 0;
  await used(`an edit that ${RESTAURANTS} menus show`, 0, async () => {
    const begun = performance.now();
    await admin.patch(`/categories/${category!.id}`, { name: `${category!.name} today`, version: category!.version });
    while ((await waiting(product)) > 0) {
      meanwhile.push(await stopList(sold, round));
      round += 1;
      seconds = (performance.now() - begun) / 1_000;
    }
  });
  tell('until the last menu shows the edit', `${seconds.toFixed(1)} s`);
  tell(
    `a stop-list change by webhook meanwhile (${meanwhile.length})`,
    spread(meanwhile),
    'p95 ≤ 2 s',
    quantile(meanwhile, 0.95) <= 2_000,
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
  const admin = await product.signIn(apis[0]!);
  type Category = { id: number; name: string; version: number };
  const { items } = await admin.get<{ items: Category[] }>('/categories?size=1');
  const [{ answered, refused }] = await Promise.all([
    orders(order, OUTAGE_RATE, OUTAGE_SECONDS),
    admin.patch(`/categories/${items[0]!.id}`, { name: `${items[0]!.name} again`, version: items[0]!.version }),
  ]);
  clearInterval(look);
  const events = await waiting(product);
  tell(
    'orders accepted while Temporal is away',
    `${answered.length} of ${answered.length + refused.length}; menus that were not answered: ${unanswered}`,
    'all',
    refused.length === 0 && unanswered === 0,
  );
  details['outage'] = { refused: refused.slice(0, 20), waiting: events };
  const back = performance.now();
  await used('Temporal is back', 0, async () => {
    await chain.startTemporal();
    while ((await waiting(product)) > 0 && performance.now() - back < GIVE_UP_MS) await delay(500);
  });
  tell(
    'until nothing waits any more',
    `${((performance.now() - back) / 1_000).toFixed(1)} s; ${events} events and menus had waited`,
  );
  await told('orders of the outage that the external system has confirmed', answered);
  const states = await product.db.query<{ state: string; count: number }>(
    `select state, count(*) as count from customer_order where id = any ($1) group by state`,
    [answered.map(({ orderId }) => orderId)],
  );
  tell('their states', states.map(({ state, count }) => `${state} ${count}`).join(', '));
}

async function anotherApi(): Promise<void> {
  const begun = performance.now();
  const api = await chain.product.startApi({ LOG_LEVEL: 'info' });
  const ready = performance.now() - begun;
  const loaded = () => /"menus":(\d+),"ms":(\d+),.*menus are loaded|menus are loaded/.exec(api.output());
  while (loaded() === null && performance.now() - begun < GIVE_UP_MS) await delay(50);
  tell(
    'another API',
    `ready after ${(ready / 1_000).toFixed(1)} s, all menus loaded after ${((performance.now() - begun) / 1_000).toFixed(1)} s; then ${memoryOf(api.child.pid!)}`,
  );
  for (const organization of chain.restaurants)
    await (await fetch(`${api.url}/api/v1/search?organization_id=${organization}&q=суп`)).arrayBuffer();
  tell('the same after a search in every restaurant', memoryOf(api.child.pid!));
}

/** Memory of a process: what it holds now and what it held at most. */
function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
  return `${mebibytes('VmRSS')} MiB, at most ${mebibytes('VmHWM')}`;
}
