import type { Client } from '@temporalio/client';
import type { Queues } from '../../kernel/pure/queues.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { readBacklogs } from './read-backlogs.ts';
import type { Read } from './plain-gauges.ts';
import { overdueRows, ROW_GROUPS, type Overdue } from './read-rows.ts';

export type StateDeps = {
  db: Pick<Database, 'transaction'>;
  temporal: Client;
  queues: Queues;
  metrics: Metrics;
  log: Log;
  /** Without a channel, no notification counts as unsent. */
  sendsNotifications: boolean;
  readOverdue: Overdue;
};

/** Limit for each group and for Temporal. Prometheus times out after 10 s. */
const LIMIT_MS = 3_000;
/** Groups read concurrently; each needs a connection (OPS-120). */
const AT_ONCE = 3;
/** Groups that start later are absent. */
const LAST_START_MS = 5_000;
/** No statement continues after the scrape. */
const STATEMENT_LIMIT = sql`set local statement_timeout = '2s'`;

/**
 * Returns a function that updates the gauges from rows and Temporal and never rejects. A group that
 * is not read in time is absent, never stale, and its `carte_state_group_up` is 0 (OPS-79).
 * `carte_state_up` is 0 if no group was read. Concurrent scrapes share one read.
 */
export function createStateReader(deps: StateDeps): () => Promise<void> {
  const { db, metrics, log, sendsNotifications } = deps;
  const groups = Object.entries({ ...ROW_GROUPS, retention: overdueRows(deps.readOverdue) });
  let reading: Promise<void> | undefined;
  const readGroup = async ([name, read]: readonly [name: string, read: Read]) => {
    const apply = within(
      db.transaction(async (tx) => {
        await STATEMENT_LIMIT.execute(tx.db);
        return read(tx);
      }),
      'database',
    );

    return apply.then(
      (set) => ({ name, set }),
      (err: unknown) => {
        log.warn({ err, group: name }, 'a group of gauges could not be read for a scrape');
        return { name, set: null };
      },
    );
  };

  const readGroups = async () => {
    const began = performance.now();
    const pending = groups.values();
    const results: Awaited<ReturnType<typeof readGroup>>[] = [];
    const readPending = async () => {
      for (const group of pending) {
        const isLate = performance.now() - began > LAST_START_MS;
        if (isLate)
          log.warn({ group: group[0] }, 'a scrape had no time left for a group of gauges');
        results.push(isLate ? { name: group[0], set: null } : await readGroup(group));
      }
    };

    await Promise.all(Array.from({ length: AT_ONCE }, readPending));

    return results;
  };

  const read = async (): Promise<void> => {
    const [results, [backlogs]] = await Promise.all([
      readGroups(),
      Promise.allSettled([within(readBacklogs(deps.temporal, deps.queues), 'Temporal')]),
    ]);

    forget(metrics);
    metrics.state.up.set(results.some(({ set }) => set !== null) ? 1 : 0);

    for (const { name, set } of results) {
      metrics.state.groupUp.set({ group: name }, set === null ? 0 : 1);
      set?.(metrics, sendsNotifications);
    }

    if (backlogs.status === 'rejected') return;

    for (const { backlog, oldestSeconds, ...labels } of backlogs.value) {
      metrics.state.taskQueueBacklog.set(labels, backlog);
      metrics.state.taskQueueOldest.set(labels, oldestSeconds);
    }
  };

  return () => (reading ??= read().finally(() => (reading = undefined)));
}

/** Series without a value must be absent. */
function forget({ erpLastSuccess, state }: Metrics): void {
  for (const gauge of [erpLastSuccess, ...Object.values(state)]) {
    gauge.reset();
    // For gauges without labels, `reset` alone would leave a false 0.
    gauge.remove({});
  }
}

async function within<T>(work: Promise<T>, source: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(
    () => reject(new Error(`${source} did not answer within ${LIMIT_MS} ms`)),
    LIMIT_MS,
  );

  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(limit);
  }
}
