import type { Flow, Resources } from './queues.ts';

export const PARTS = [
  'APIs',
  'worker sync',
  'worker order',
  'worker build',
  'PostgreSQL',
  'Temporal',
  "Temporal's PostgreSQL",
] as const;
type Part = (typeof PARTS)[number];
/** Processor time of each part, in cores or ms. */
export type Parts = Readonly<Record<Part, number>>;

/** One run of `bench scale`; cores, and calls per second. NaN is what was not measured. */
export type MeasuredChain = {
  name: string;
  restaurants: number;
  connections: number;
  idle: Parts;
  /**
   * `foreign`: events a second about orders of others; `calls`: to the ERP; ms from acceptance to
   * confirmation.
   */
  orders: { perSecond: number; foreign: number; cores: Parts; calls: number; p50Ms: number; p95Ms: number };
  /** An edit that every menu shows; the cores include the stop-list changes meanwhile. */
  edit: { seconds: number; stopsPerSecond: number; cores: Parts } | null;
  /** `count` changes of stop-lists, one after the other. */
  stops: { perSecond: number; cores: Parts } | null;
};

/**
 * Processor time in ms: of a second without guests and without connections, and of one unit of each
 * kind of work.
 */
type Costs = { second: Parts; connectionSecond: Parts; order: Parts; menu: Parts; stop: Parts };

export type ChainPlan = {
  restaurants: number;
  connections: number;
  /** Calls to the ERP a second. */
  erpRate: number;
  apis: number;
  syncWorkers: number;
  orderWorkers: number;
  buildWorkers: number;
  /** Cores of each database and of Temporal. */
  databaseCores: number;
  temporalCores: number;
  ordersPerSecond: number;
  foreignPerSecond: number;
  stopsPerSecond: number;
  /** Menus that wait to be built, a second. */
  menusPerSecond: number;
  /** Time of one call at the ERP, during which an order occupies a slot of `carte-send`; ms. */
  erpCallMs: number;
  /** Seconds between two regular calls of a connection. */
  intervals: Intervals;
};

/** Seconds between two calls of a kind, and the calls that it makes each time. */
type Intervals = { stopLists: number; orderWatch: number; menus: number; hourly: number };

/** The settings of production. */
export const INTERVALS: Intervals = { stopLists: 45, orderWatch: 30, menus: 300, hourly: 3_600 };
/** External menus of a connection, and its imports that run once an hour. */
const MENUS = 3;
const HOURLY = 4;
/** Polls that webhooks cause are this far apart (rule ORD-98). */
const POLL_GAP_SECONDS = 5;
/** Announcements of one own order: it is created, and it is confirmed. */
const OWN_EVENTS = 2;
const SEND_SLOTS = 16;
/** Calls of the class of orders for one order: it is created, and most are read once. */
const CREATE_CALLS = 1;
const LOOK_CALLS = 0.73;
/** Time after which a new order is read, ms. */
const LOOK_MS = 1_000;
const CLASS = { orders: 0, guests: 1, changes: 2, rest: 3 } as const;

const parts = (value: (part: Part) => number): Parts =>
  Object.fromEntries(PARTS.map((part) => [part, value(part) > 0 ? value(part) : 0])) as Parts;
const NOTHING = parts(() => 0);

/**
 * Divides what the reference run used by what it did. The time without guests is divided between
 * the processes and their connections by means of a run with another number of connections. Parts
 * that one of the runs did not measure count as free of connections.
 */
export function costsOf(reference: MeasuredChain, other: MeasuredChain): Costs {
  const { connections, restaurants, idle, orders, edit, stops } = reference;
  const connectionSecond = parts(
    (part) => ((idle[part] - other.idle[part]) * 1_000) / (connections - other.connections),
  );
  const stop = stops === null ? NOTHING : parts((part) => ((stops.cores[part] - idle[part]) * 1_000) / stops.perSecond);
  return {
    second: parts((part) => idle[part] * 1_000 - connections * connectionSecond[part]),
    connectionSecond,
    order: parts((part) => ((orders.cores[part] - idle[part]) * 1_000) / orders.perSecond),
    menu:
      edit === null
        ? NOTHING
        : parts((part) => {
            const beside = idle[part] + (stop[part] * edit.stopsPerSecond) / 1_000;
            return ((edit.cores[part] - beside) * 1_000 * edit.seconds) / restaurants;
          }),
    stop,
  };
}

/** Polls a second that webhooks about orders cause on all connections together. */
export function hintedPolls({ connections, ordersPerSecond, foreignPerSecond }: HintSource): number {
  const events = ordersPerSecond * OWN_EVENTS + foreignPerSecond;
  return events === 0 ? 0 : connections / (POLL_GAP_SECONDS + connections / events);
}
type HintSource = Pick<ChainPlan, 'connections' | 'ordersPerSecond' | 'foreignPerSecond'>;

/** Calls to the ERP a second by class (rule ERP-24). */
export function erpCallsOf(plan: ChainPlan): Record<keyof typeof CLASS, number> {
  const { connections, intervals } = plan;
  return {
    orders: plan.ordersPerSecond * (CREATE_CALLS + LOOK_CALLS),
    guests: 0,
    changes:
      plan.stopsPerSecond + connections / intervals.stopLists + connections / intervals.orderWatch + hintedPolls(plan),
    rest:
      connections / intervals.orderWatch +
      (connections * MENUS) / intervals.menus +
      (connections * HOURLY) / intervals.hourly,
  };
}

/** Cores that each part needs. */
export function coresOf(plan: ChainPlan, costs: Costs): Parts {
  return parts(
    (part) =>
      (costs.second[part] +
        plan.connections * costs.connectionSecond[part] +
        plan.ordersPerSecond * costs.order[part] +
        plan.stopsPerSecond * costs.stop[part] +
        plan.menusPerSecond * costs.menu[part]) /
      1_000,
  );
}

/** The resources that serve the work of the chain. */
export function resourcesOf(plan: ChainPlan): Resources {
  return {
    ERP_RATE: { servers: 1 },
    'pause before a look': { servers: Infinity },
    'slots of carte-send': { servers: SEND_SLOTS * plan.orderWorkers },
    APIs: { servers: plan.apis },
    'worker sync': { servers: plan.syncWorkers },
    'worker order': { servers: plan.orderWorkers },
    'worker build': { servers: plan.buildWorkers },
    PostgreSQL: { servers: plan.databaseCores },
    Temporal: { servers: plan.temporalCores },
    "Temporal's PostgreSQL": { servers: plan.temporalCores },
  };
}

/** The work of the chain: random arrivals, one step per part that has a cost. */
export function flowsOf(plan: ChainPlan, costs: Costs): Flow[] {
  const steps = (one: Parts) =>
    PARTS.filter((part) => one[part] > 0).map((part) => ({ resource: part, ms: one[part] }));
  const erp = (priority: number, calls = 1) => ({ resource: 'ERP_RATE', ms: (calls * 1_000) / plan.erpRate, priority });
  const { changes, rest } = erpCallsOf(plan);
  return [
    {
      name: 'order',
      perSecond: plan.ordersPerSecond,
      steps: [
        ...steps(costs.order),
        erp(CLASS.orders, CREATE_CALLS),
        { resource: 'slots of carte-send', ms: plan.erpCallMs },
        { resource: 'pause before a look', ms: LOOK_MS },
        erp(CLASS.orders, LOOK_CALLS),
      ],
    },
    {
      name: 'stop-list change',
      perSecond: plan.stopsPerSecond,
      steps: [erp(CLASS.changes), ...steps(costs.stop)],
    },
    { name: 'poll of changes', perSecond: changes - plan.stopsPerSecond, steps: [erp(CLASS.changes)] },
    { name: 'other poll', perSecond: rest, steps: [erp(CLASS.rest)] },
    { name: 'processes at rest', perSecond: 1, steps: steps(costs.second) },
    { name: 'connection at rest', perSecond: plan.connections, steps: steps(costs.connectionSecond) },
    { name: 'menu', perSecond: plan.menusPerSecond, steps: steps(costs.menu) },
  ];
}
