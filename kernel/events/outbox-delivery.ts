import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../platform/db/database.ts';
import { latestRun } from '../../platform/latest-run.ts';
import { loggable, type Log } from '../../platform/log.ts';
import { withLogContext } from '../../platform/log-context.ts';
import { inSpan } from '../../platform/tracing.ts';
import type { OpenSpan, SpanAbout } from '../../platform/tracer.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { isDatabaseOutage } from '../../platform/database-outage.ts';
import { isTemporalUnavailable } from '../../platform/temporal.ts';
import type { Delivering } from './listeners.ts';
import {
  claimRows,
  selectEvents,
  markDelivered,
  markFailed,
  type ClaimedRow,
  type Lane,
} from './outbox-rows.ts';

export type DeliveryDeps = { db: Database; metrics: Pick<Metrics, 'outboxDelivered'>; log: Log };

export type Delivered = { delivered: number; failed: number };

export type OutboxDelivery = {
  /** Delivers all due rows that no process has leased. Resolves when all attempts have ended. */
  deliver(): Promise<Delivered>;
  /**
   * Starts first attempts after each transaction of this process that appends events. Only
   * `deliver` retries.
   */
  start(): void;
  /** Resolves when idle. */
  stop(): Promise<void>;
};

/**
 * Minimum pause between polls, to find several events in each under load. No delay after idle
 * time.
 */
const PAUSE_MS = 50;
/** Rows whose delivery ends within this time share one statement. */
const MARK_MS = 20;

/** No limit, because each event has its own. */
const ENDLESS = { limitMs: null };

/**
 * Availability does not wait behind catalog edits, nor new rows behind failed ones. Together,
 * lanes use about all connections of the pool.
 */
const LANES: readonly Lane[] = [
  { isUrgent: true, isFirstAttempt: true, slots: 4, limitMs: 5_000 },
  { isUrgent: true, isFirstAttempt: false, slots: 1, limitMs: 5_000 },
  // The slowest listener lists all schedules of Temporal.
  { isUrgent: false, isFirstAttempt: true, slots: 3, limitMs: 40_000 },
  { isUrgent: false, isFirstAttempt: false, slots: 1, limitMs: 40_000 },
];

/**
 * Delivers at least once: if the process crashes, another continues when the lease ends. Failed
 * rows are retried with a growing delay and finally parked. Create one delivery per process.
 */
export function createOutboxDelivery<Deps extends DeliveryDeps>(
  deps: Deps,
  listeners: Delivering<Deps>,
  lanes = LANES,
): OutboxDelivery {
  const total: Delivered = { delivered: 0, failed: 0 };
  const mark = gathered(MARK_MS, (ids: readonly number[]) => markDelivered(deps.db.prepared, ids));
  const attempt = async (row: ClaimedRow, lane: Lane): Promise<void> => {
    total[(await deliverRow({ ...deps, mark }, listeners, row, lane)) ? 'delivered' : 'failed'] +=
      1;
  };

  const running = lanes.map((lane) => createLane(deps, lane, [...listeners.keys()], attempt));

  async function deliverDue(): Promise<Delivered> {
    const before = { ...total };
    await Promise.all(running.map((lane) => lane.take()));
    await Promise.all(running.map((lane) => lane.ended()));
    return { delivered: total.delivered - before.delivered, failed: total.failed - before.failed };
  }

  const followed = latestRun(async (lane: (typeof running)[number]) => {
    await lane.take();
    await delay(PAUSE_MS);
  }, ENDLESS);

  const claiming = new Set<Promise<unknown>>();
  const untilEnded = <T>(work: Promise<T>): Promise<T> => {
    const ending = work.finally(() => claiming.delete(ending));
    claiming.add(ending);
    return ending;
  };

  let unfollow = (): void => undefined;

  return {
    deliver: () => untilEnded(deliverDue()),
    start() {
      unfollow = deps.db.onEventsCommitted((events) => {
        // Only lanes of these events may poll.
        const due = running.filter(
          ({ lane }) => lane.isFirstAttempt && selectEvents(lane, [...events]).length > 0,
        );
        void untilEnded(
          Promise.all(due.map(followed)).catch((error: unknown) =>
            deps.log.warn(
              { error: loggable(error) },
              'events stay in the outbox until the next sweep',
            ),
          ),
        );
      });
    },
    async stop() {
      unfollow();
      // Failures are reported to the caller of `deliver`.
      await Promise.allSettled(claiming);
      await Promise.all(running.map((lane) => lane.ended()));
    },
  };
}

/** Claims due rows of one lane, at most one per slot. */
function createLane(
  { db }: DeliveryDeps,
  lane: Lane,
  events: readonly string[],
  attempt: (row: ClaimedRow, lane: Lane) => Promise<void>,
): { lane: Lane; take(): Promise<void>; ended(): Promise<unknown> } {
  const running = new Set<Promise<void>>();
  const take = latestRun<'lane'>(async () => {
    for (;;) {
      if (running.size === lane.slots) await Promise.race(running);
      const free = lane.slots - running.size;
      const rows = await claimRows(db.prepared, lane, events, free);

      for (const row of rows) {
        const work = attempt(row, lane).finally(() => running.delete(work));
        running.add(work);
      }

      if (rows.length < free) return;
    }
  }, ENDLESS);

  return { lane, take: () => take('lane'), ended: () => Promise.all(running) };
}

/**
 * Returns true if delivered. Never rejects: if the result cannot be stored, the row is delivered
 * again after its lease.
 */
function deliverRow<Deps extends DeliveryDeps>(
  deps: Deps & { mark: (id: number) => Promise<void> },
  listeners: Delivering<Deps>,
  row: ClaimedRow,
  lane: Lane,
): Promise<boolean> {
  const { id, event, requestId, traceparent } = row;
  const about = (): SpanAbout => ({
    name: `deliver ${event}`,
    kind: 'consumer',
    parent: traceparent,
    attributes: {
      'messaging.system': 'carte.outbox',
      'messaging.operation.type': 'process',
      'messaging.destination.name': event,
      'messaging.message.id': String(id),
    },
  });

  return inSpan(about, (span) =>
    withLogContext({ requestId: requestId ?? undefined, traceId: span?.traceId }, () =>
      deliver(deps, listeners, row, lane, span),
    ),
  );
}

async function deliver<Deps extends DeliveryDeps>(
  deps: Deps & { mark: (id: number) => Promise<void> },
  listeners: Delivering<Deps>,
  row: ClaimedRow,
  { limitMs }: Lane,
  span: OpenSpan | null,
): Promise<boolean> {
  const { id: outboxId, event, attempts } = row;
  try {
    const listen = listeners.get(event);
    if (listen === undefined) throw new Error(`there is no listener for ${event}`);
    await within(limitMs, listen(row.payload, deps));
    await deps.mark(row.id);
    deps.metrics.outboxDelivered.inc({ event, outcome: 'delivered' });

    return true;
  } catch (error) {
    span?.fail(error);
    deps.log.warn({ err: error, event, outboxId, attempts }, 'event not delivered');
    const message = error instanceof Error ? error.message : String(error);
    const isOutage = isTemporalUnavailable(error) || isDatabaseOutage(error);
    const isParked = await markFailed(deps.db, row, { message, isOutage }).catch(
      (fault: unknown) => {
        deps.log.warn({ err: fault, event, outboxId }, 'the failure of an event was not recorded');
        return false;
      },
    );
    if (isParked)
      deps.log.error({ event, outboxId, attempts }, 'event parked: an operator must check it');

    deps.metrics.outboxDelivered.inc({ event, outcome: isParked ? 'parked' : 'failed' });

    return false;
  }
}

/** The work may continue after the limit. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(
    () => reject(new Error(`a listener took longer than ${limitMs} ms`)),
    limitMs,
  );

  limit.unref();

  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(limit);
  }
}

/** Batches calls: `work` gets the inputs of `waitMs`. */
export function gathered<T>(
  waitMs: number,
  work: (all: readonly T[]) => Promise<void>,
): (one: T) => Promise<void> {
  let brought: T[] = [];
  let next: Promise<void> | null = null;

  return (one) => {
    brought.push(one);
    next ??= delay(waitMs).then(() => {
      const all = brought;
      brought = [];
      next = null;
      return work(all);
    });

    return next;
  };
}
