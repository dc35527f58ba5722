import { randomUUID } from 'node:crypto';
import type { Body } from './wire.ts';

/** Statuses in the order in which a restaurant sets them. */
export const DELIVERY_STATUSES = [
  'Unconfirmed',
  'WaitCooking',
  'ReadyForCooking',
  'CookingStarted',
  'CookingCompleted',
  'Waiting',
  'OnWay',
  'Delivered',
  'Closed',
  'Cancelled',
] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type DeliveryError = { readonly code: string; readonly message: string };

type Place = {
  readonly deliveryId: string;
  readonly organizationId: string;
  readonly terminalGroupId: string;
};

export type Delivery = {
  readonly id: string;
  readonly organizationId: string;
  readonly terminalGroupId: string;
  readonly correlationId: string;
  readonly number: number;
  readonly isPickup: boolean;
  /** Rubles after discounts. */
  readonly sum: number;
  readonly order: Body;
  readonly movedFrom: Place | null;
  movedTo: Place | null;
  creation: 'InProgress' | 'Success' | 'Error';
  error: DeliveryError | null;
  status: DeliveryStatus;
  /** Increments with every change of any order. */
  revision: number;
  /** Time of each status in ms. */
  readonly reached: Map<DeliveryStatus | 'Created', number>;
};

/** Result of a creation, or null if it never ends. */
export type Ending = { readonly afterMs: number; readonly error: DeliveryError | null } | null;

export type DeliverySettings = {
  /** Time until a terminal accepts an order, ms. */
  settleMs: number;
  /** Time between automatic statuses in ms. With 0, only control calls change the status. */
  cookMs: number;
  /** Time in ms that the cloud waits for a terminal. Null uses the time in the order. */
  frontTimeoutMs: number | null;
  /** Answer to an order with an existing id. */
  duplicates: 'error' | '400';
  /** Revisions follow the clock, or only changes. */
  revisions: 'clock' | 'changes';
  /** Age at which a revision is too old, ms. */
  revisionLifeMs: number;
  /**
   * Maximum orders in an answer by date or revision, above which the request is rejected. Null
   * means no limit.
   */
  mostOrders: number | null;
};

const DEFAULTS: DeliverySettings = {
  settleMs: 300,
  cookMs: 0,
  frontTimeoutMs: null,
  duplicates: 'error',
  revisions: 'clock',
  revisionLifeMs: 3 * 3_600_000,
  mostOrders: null,
};

export type NewDelivery = Pick<
  Delivery,
  'id' | 'organizationId' | 'terminalGroupId' | 'correlationId' | 'isPickup' | 'sum' | 'order'
>;

/** Every change gets the next revision and is announced. */
export type Deliveries = {
  readonly settings: DeliverySettings;
  add(delivery: NewDelivery, ending: Ending): Delivery;
  find(id: string): Delivery | undefined;
  ofCommand(correlationId: string): Delivery | undefined;
  /** Oldest first. */
  list(): readonly Delivery[];
  settle(delivery: Delivery, error: DeliveryError | null): void;
  setStatus(delivery: Delivery, status: DeliveryStatus): void;
  /**
   * Gives the order a new id. The former order is canceled (or keeps its status) and refers to
   * it.
   */
  move(
    delivery: Delivery,
    organizationId: string,
    terminalGroupId: string,
    keepsStatus?: boolean,
  ): Delivery;
  /** Returns the revision of the last change. */
  revision(): number;
  clear(): void;
};

const COURIER_PATH: readonly DeliveryStatus[] = DELIVERY_STATUSES.filter(
  (status) => status !== 'ReadyForCooking' && status !== 'Cancelled',
);
const PICKUP_PATH = COURIER_PATH.filter((status) => status !== 'OnWay' && status !== 'Delivered');

/** `announce` receives every change. */
export function createDeliveries(announce: (delivery: Delivery) => void): Deliveries {
  const all = new Map<string, Delivery>();
  const timers = new Set<NodeJS.Timeout>();
  const settings = { ...DEFAULTS };
  let lastRevision = 0;

  /** Returns a unique revision that is similar to Unix milliseconds. */
  const nextRevision = (): number => (lastRevision = Math.max(Date.now(), lastRevision + 1));

  const later = (ms: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);

    timers.add(timer.unref());
  };

  const change = (delivery: Delivery, fields: Partial<Delivery>): void => {
    Object.assign(delivery, fields, { revision: nextRevision() });
    announce(delivery);
  };

  const cook = (delivery: Delivery): void => {
    if (settings.cookMs === 0) return;
    later(settings.cookMs, () => {
      const path = delivery.isPickup ? PICKUP_PATH : COURIER_PATH;
      const next = path[path.indexOf(delivery.status) + 1];
      if (delivery.status === 'Cancelled' || next === undefined) return;
      setStatus(delivery, next);
      cook(delivery);
    });
  };

  const settle = (delivery: Delivery, error: DeliveryError | null): void => {
    if (delivery.creation !== 'InProgress') return;
    if (error !== null) return change(delivery, { creation: 'Error', error });
    delivery.reached.set('Unconfirmed', Date.now());
    change(delivery, { creation: 'Success' });
    cook(delivery);
  };

  const setStatus = (delivery: Delivery, status: DeliveryStatus): void => {
    delivery.reached.set(status, Date.now());
    change(delivery, { status });
  };

  const put = (
    fields: NewDelivery & Pick<Delivery, 'movedFrom' | 'creation' | 'status'>,
  ): Delivery => {
    const delivery: Delivery = {
      ...fields,
      number: 1000 + all.size,
      movedTo: null,
      error: null,
      revision: nextRevision(),
      reached: new Map([['Created', Date.now()]]),
    };

    all.set(delivery.id, delivery);

    return delivery;
  };

  return {
    settings,
    add(fields, ending) {
      const delivery = put({
        ...fields,
        movedFrom: null,
        creation: 'InProgress',
        status: 'Unconfirmed',
      });

      if (ending?.afterMs === 0) settle(delivery, ending.error);
      else if (ending !== null) later(ending.afterMs, () => settle(delivery, ending.error));

      return delivery;
    },
    find: (id) => all.get(id.toLowerCase()),
    ofCommand: (correlationId) =>
      [...all.values()].find((delivery) => delivery.correlationId === correlationId),
    list: () => [...all.values()],
    settle,
    setStatus,
    move(delivery, organizationId, terminalGroupId, keepsStatus = false) {
      const moved = put({
        ...delivery,
        id: randomUUID(),
        correlationId: randomUUID(),
        organizationId,
        terminalGroupId,
        movedFrom: {
          deliveryId: delivery.id,
          organizationId: delivery.organizationId,
          terminalGroupId: delivery.terminalGroupId,
        },
      });

      const status = keepsStatus ? delivery.status : 'Cancelled';
      change(delivery, {
        status,
        movedTo: { deliveryId: moved.id, organizationId, terminalGroupId },
      });

      change(moved, {});
      cook(moved);

      return moved;
    },
    revision: () =>
      settings.revisions === 'changes'
        ? lastRevision
        : (lastRevision = Math.max(Date.now(), lastRevision)),
    clear() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      all.clear();
      Object.assign(settings, DEFAULTS);
    },
  };
}
