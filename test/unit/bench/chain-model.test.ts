import { describe, expect, test } from '@jest/globals';
import {
  coresOf,
  costsOf,
  erpCallsOf,
  flowsOf,
  hintedPolls,
  INTERVALS,
  PARTS,
  resourcesOf,
  type ChainPlan,
  type MeasuredChain,
  type Parts,
} from '../../../bench/support/chain-model.ts';
import { offeredLoad } from '../../../bench/support/queues.ts';

const all = (cores: number) => Object.fromEntries(PARTS.map((part) => [part, cores])) as Parts;

const REFERENCE: MeasuredChain = {
  name: 'reference',
  restaurants: 100,
  connections: 10,
  idle: all(0.3),
  orders: { perSecond: 4, foreign: 0, calls: 8, p50Ms: 0, p95Ms: 0, cores: all(0.5) },
  stops: { perSecond: 2, cores: all(0.4) },
  edit: { seconds: 50, stopsPerSecond: 1, cores: all(0.55) },
};
const SMALLER: MeasuredChain = { ...REFERENCE, name: 'smaller', connections: 5, idle: all(0.2) };
const COSTS = costsOf(REFERENCE, SMALLER);

const PLAN: ChainPlan = {
  restaurants: 100,
  connections: 10,
  erpRate: 10,
  apis: 2,
  syncWorkers: 1,
  orderWorkers: 1,
  buildWorkers: 1,
  databaseCores: 2,
  temporalCores: 2,
  ordersPerSecond: 0,
  foreignPerSecond: 0,
  stopsPerSecond: 0,
  menusPerSecond: 0,
  erpCallMs: 500,
  intervals: INTERVALS,
};

describe('costs of a measured chain', () => {
  test('divide the time without guests between the processes and their connections', () => {
    expect(COSTS.second.APIs).toBeCloseTo(100);
    expect(COSTS.connectionSecond.APIs).toBeCloseTo(20);
  });

  test('leave out what the chain uses without guests', () => {
    expect(COSTS.order.PostgreSQL).toBeCloseTo(50);
    expect(COSTS.stop.Temporal).toBeCloseTo(50);
  });

  test('leave out stop-list changes from the cost of a menu', () => {
    // 0.55 cores less 0.3 at rest and 0.05 of stop-lists, for 50 s and 100 menus.
    expect(COSTS.menu['worker build']).toBeCloseTo(100);
  });

  test('return the measured cores of the reference', () => {
    expect(coresOf(PLAN, COSTS).APIs).toBeCloseTo(0.3);
    expect(coresOf({ ...PLAN, ordersPerSecond: 4 }, COSTS).PostgreSQL).toBeCloseTo(0.5);
  });

  test('agree with the load that the simulated flows offer', () => {
    const plan = { ...PLAN, ordersPerSecond: 3, stopsPerSecond: 1, menusPerSecond: 0.5 };
    const load = offeredLoad(resourcesOf(plan), flowsOf(plan, COSTS));
    const cores = coresOf(plan, COSTS);
    expect(load['worker sync']).toBeCloseTo(cores['worker sync']);
    expect(load['APIs']).toBeCloseTo(cores.APIs / 2);
  });
});

describe('calls to the ERP', () => {
  test('follow the intervals of the connections when there are no guests', () => {
    const { orders, changes, rest } = erpCallsOf({ ...PLAN, connections: 900 });
    expect(orders).toBe(0);
    expect(changes).toBeCloseTo(900 / 45 + 900 / 30);
    expect(rest).toBeCloseTo(900 / 30 + 9 + 1);
  });

  test('are at most one poll in five seconds and connection, for any number of webhooks', () => {
    expect(hintedPolls({ connections: 10, ordersPerSecond: 0, foreignPerSecond: 0 })).toBe(0);
    expect(hintedPolls({ connections: 10, ordersPerSecond: 0, foreignPerSecond: 0.01 })).toBeCloseTo(0.01, 3);
    expect(hintedPolls({ connections: 10, ordersPerSecond: 0, foreignPerSecond: 1_000 })).toBeCloseTo(2, 1);
  });

  test('offer the rate a load of all classes together', () => {
    const plan = { ...PLAN, ordersPerSecond: 2, stopsPerSecond: 1 };
    const calls = Object.values(erpCallsOf(plan)).reduce((sum, one) => sum + one, 0);
    expect(offeredLoad(resourcesOf(plan), flowsOf(plan, COSTS))['ERP_RATE']).toBeCloseTo(calls / 10);
  });
});
