import { sql } from 'kysely';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { loggable, type Log } from '../../../platform/log.ts';
import { getOrder } from './order-view.ts';
import { FINAL_STATES } from '../rules/order-states.ts';
import type { Order } from '../schemas/orders.ts';

export type OrderStatusEvent = Pick<Order, 'orderId' | 'status' | 'problem' | 'message'> & {
  isFinal: boolean;
};

export type OrderWatch = {
  /** Calls `changed` if the status or problem changes. Returns a function that stops watching. */
  watch(seen: OrderStatusEvent, changed: (event: OrderStatusEvent) => void): () => void;
  stop(): Promise<void>;
};

type Watcher = { seen: string; changed: (event: OrderStatusEvent) => void };

/** Reads all watched orders with one statement. */
const LOOK_EVERY_MS = 1_000;

/** Identifies a status for clients that reconnect. */
export const statusKey = ({
  status,
  problem,
}: Pick<OrderStatusEvent, 'status' | 'problem'>): string => `${status}-${problem ?? 'NONE'}`;

/** Problem `not-found`. */
export async function orderStatus(from: Sql, id: string): Promise<OrderStatusEvent> {
  const { orderId, status, problem, message } = await getOrder(from, id);
  return { orderId, status, problem, message, isFinal: FINAL_STATES.has(status) };
}

/** Polls only while orders are watched. */
export function createOrderWatch(
  { db, log }: { db: Sql; log: Log },
  everyMs = LOOK_EVERY_MS,
): OrderWatch {
  const watchers = new Map<string, Set<Watcher>>();
  let running: Promise<void> = Promise.resolve();
  let isLooking = false;

  async function look(): Promise<void> {
    for (const { id, key } of await readKeys(db, [...watchers.keys()])) {
      const behind = [...(watchers.get(id) ?? [])].filter(({ seen }) => seen !== key);
      if (behind.length > 0) await report(id, behind).catch(noted);
    }
  }

  async function report(id: string, behind: readonly Watcher[]): Promise<void> {
    const event = await orderStatus(db, id);
    for (const watcher of behind) {
      watcher.seen = statusKey(event);
      watcher.changed(event);
    }
  }

  const noted = (error: unknown): void =>
    log.warn({ error: loggable(error) }, 'a watched order could not be read');

  const timer = setInterval(() => {
    if (isLooking || watchers.size === 0) return;
    isLooking = true;
    running = look()
      .catch(noted)
      .finally(() => (isLooking = false));
  }, everyMs);

  timer.unref();

  return {
    watch(event, changed) {
      const watcher = { seen: statusKey(event), changed };
      const ofOrder = watchers.get(event.orderId) ?? new Set();
      watchers.set(event.orderId, ofOrder.add(watcher));

      return () => {
        ofOrder.delete(watcher);
        if (ofOrder.size === 0) watchers.delete(event.orderId);
      };
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

async function readKeys(
  { db }: Sql,
  ids: readonly string[],
): Promise<{ id: string; key: string }[]> {
  const key = sql<string>`state || '-' || coalesce(problem, 'NONE')`.as('key');
  // Orders from other channels have no problems.
  const erpKey = sql<string>`state || '-NONE'`.as('key');

  return db
    .selectFrom('customer_order')
    .select(['id', key])
    .where('id', '=', anyOf(ids, 'uuid'))
    .unionAll(
      db
        .selectFrom('erp_order')
        .select(['id', erpKey])
        .where('movedTo', 'is', null)
        .where('id', '=', anyOf(ids, 'uuid')),
    )
    .execute();
}
