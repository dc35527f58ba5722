import type { Client } from '@temporalio/client';
import type { Queues } from '../../kernel/pure/queues.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/db/database.ts';
import { readBacklogs } from './read-backlogs.ts';
import { readRows } from './read-rows.ts';

export type StateDeps = {
  db: Sql;
  temporal: Client;
  queues: Queues;
  metrics: Metrics;
  log: Log;
  /** Whether a channel for notifications is configured; without one nothing is unsent. */
  sendsNotifications: boolean;
};

/** A scrape waits no longer for either source; Prometheus gives up after 10 s. */
const LIMIT_MS = 3_000;

/**
 * A function that brings the gauges of `metrics.state` and the last successes to what the rows and Temporal say now. It never
 * rejects: a source that does not answer in time leaves its gauges absent, never stale, and `carte_state_up` says 0 for the
 * database. Scrapes at the same moment share one reading.
 */
export function createStateReader(deps: StateDeps): () => Promise<void> {
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    const [rows, backlogs] = await Promise.allSettled([
      within(readRows(deps.db), 'database'),
      within(readBacklogs(deps.temporal, deps.queues), 'Temporal'),
    ]);
    forget(deps.metrics);
    deps.metrics.state.up.set(rows.status === 'fulfilled' ? 1 : 0);
    if (rows.status === 'fulfilled') rows.value(deps.metrics, deps.sendsNotifications);
    else deps.log.warn({ err: rows.reason }, 'the state of the rows could not be read for a scrape');
    if (backlogs.status === 'rejected') return;
    for (const { backlog, oldestSeconds, ...labels } of backlogs.value) {
      deps.metrics.state.taskQueueBacklog.set(labels, backlog);
      deps.metrics.state.taskQueueOldest.set(labels, oldestSeconds);
    }
  };
  return () => (reading ??= read().finally(() => (reading = undefined)));
}

/** Takes every series away, so that what is not set again is absent. */
function forget({ erpLastSuccess, state }: Metrics): void {
  for (const gauge of [erpLastSuccess, ...Object.values(state)]) {
    gauge.reset();
    // Without labels a reset leaves 0, which would be a statement.
    gauge.remove({});
  }
}

async function within<T>(work: Promise<T>, source: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(() => reject(new Error(`${source} did not answer within ${LIMIT_MS} ms`)), LIMIT_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(limit);
  }
}
