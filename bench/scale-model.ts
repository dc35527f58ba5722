import {
  coresOf,
  costsOf,
  erpCallsOf,
  flowsOf,
  INTERVALS,
  PARTS,
  resourcesOf,
  type ChainPlan,
  type MeasuredChain,
} from './support/chain-model.ts';
import { MEASURED, OTHER, REFERENCE } from './support/measured-chains.ts';
import { offeredLoad, simulate } from './support/queues.ts';

// `npm run carte -- bench scale-model`: a model of a chain of 10,000 restaurants on 500
// connections, from the costs that `bench scale` measured. Nothing is started.
const RESTAURANTS = Number(process.env['BENCH_RESTAURANTS'] ?? 10_000);
const CONNECTIONS = Number(process.env['BENCH_CONNECTIONS'] ?? 500);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 300);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
/**
 * Per 1,000 restaurants: orders, the peak of 80,000 events a day, changes of stop-lists, menus to
 * build.
 */
const PER_THOUSAND = { orders: 2, foreign: 3.24, stops: 0.5, menus: 0.5 };

const costs = costsOf(REFERENCE, OTHER);
const plan = (one: Pick<ChainPlan, 'restaurants' | 'connections'>): ChainPlan => ({
  ...one,
  erpRate: 10,
  apis: 2,
  syncWorkers: 1,
  orderWorkers: 1,
  buildWorkers: 1,
  databaseCores: 2,
  temporalCores: 2,
  ordersPerSecond: (one.restaurants / 1_000) * PER_THOUSAND.orders,
  foreignPerSecond: (one.restaurants / 1_000) * PER_THOUSAND.foreign,
  stopsPerSecond: (one.restaurants / 1_000) * PER_THOUSAND.stops,
  menusPerSecond: (one.restaurants / 1_000) * PER_THOUSAND.menus,
  erpCallMs: 500,
  intervals: INTERVALS,
});

console.log(`Costs of ${REFERENCE.name}, ms of processor time:`);
console.table(costs);
for (const run of MEASURED) check(run);

const small = plan({ restaurants: RESTAURANTS, connections: CONNECTIONS });
/** Settings and splits, one after the other: each step keeps those before it. */
const STEPS: readonly (readonly [name: string, change: Partial<ChainPlan>])[] = [
  ['the settings of today', {}],
  [
    'stop-lists polled every 5 min, orders every 2 min',
    { intervals: { ...INTERVALS, stopLists: 300, orderWatch: 120 } },
  ],
  ['ERP_RATE 200', { erpRate: 200 }],
  ['12 build workers', { buildWorkers: 12 }],
  ['8 cores for each database and Temporal', { databaseCores: 8, temporalCores: 8 }],
  ['4 workers each of the roles sync and order', { syncWorkers: 4, orderWorkers: 4 }],
  ['10 APIs, divided by restaurants', { apis: 10 }],
];
let current = small;
for (const [name, change] of STEPS) {
  current = { ...current, ...change };
  show(name, current);
}

/** Prints the prediction of the model for a measured chain next to the measured values. */
function check(run: MeasuredChain): void {
  const still = { ordersPerSecond: 0, foreignPerSecond: 0, stopsPerSecond: 0, menusPerSecond: 0 };
  // The emulator answers at once.
  const idle = { ...plan(run), ...still, erpCallMs: 0 };
  const busy = { ...idle, ordersPerSecond: run.orders.perSecond, foreignPerSecond: run.orders.foreign };
  const cores = [coresOf(idle, costs), coresOf(busy, costs)] as const;
  const calls = Object.values(erpCallsOf(busy)).reduce((sum, one) => sum + one, 0);
  const [resources, flows] = [resourcesOf(busy), flowsOf(busy, costs)];
  const order = simulate({ resources, flows, seconds: SECONDS, seed: SEED }).jobs['order']!;
  console.log(`${run.name}: model, measured, and how far off the model is`);
  console.table({
    ...Object.fromEntries(
      PARTS.flatMap((part) => [
        [`${part}, cores at rest`, beside(cores[0][part], run.idle[part])],
        [`${part}, cores with orders`, beside(cores[1][part], run.orders.cores[part])],
      ]),
    ),
    'ERP calls a second with orders': beside(calls, run.orders.calls),
    'seconds of an order to the ERP, p50': beside(order.p50Ms / 1_000, run.orders.p50Ms / 1_000),
    'seconds of an order to the ERP, p95': beside(order.p95Ms / 1_000, run.orders.p95Ms / 1_000),
  });
}

function beside(model: number, measured: number) {
  return {
    model: model.toFixed(3),
    measured: Number.isNaN(measured) ? '–' : measured.toFixed(3),
    off: measured > 0 ? `${((model / measured - 1) * 100).toFixed(0)} %` : '–',
  };
}

/** Prints the load of every part and the times of jobs; a load above 1 is a queue without end. */
function show(name: string, one: ChainPlan): void {
  const [resources, flows] = [resourcesOf(one), flowsOf(one, costs)];
  const load = Object.entries(offeredLoad(resources, flows))
    .filter(([, share]) => share > 0)
    .toSorted(([, a], [, b]) => b - a);
  const { jobs } = simulate({ resources, flows, seconds: SECONDS, seed: SEED });
  console.log(`\n${one.restaurants} restaurants on ${one.connections} connections, ${name}`);
  console.log(`  load: ${load.map(([part, share]) => `${part} ${share.toFixed(2)}`).join(', ')}`);
  const [busiest, most] = load[0]!;
  console.log(`  saturates first: ${busiest}, at ${Math.round(one.restaurants / most)} restaurants`);
  for (const job of ['order', 'stop-list change', 'menu'] as const) {
    const { arrived, ended, p50Ms, p95Ms } = jobs[job]!;
    const left = arrived - ended;
    console.log(
      `  ${job}: p50 ${(p50Ms / 1_000).toFixed(2)} s, p95 ${(p95Ms / 1_000).toFixed(2)} s; ${left} of ${arrived} not done after ${SECONDS} s`,
    );
  }
}
