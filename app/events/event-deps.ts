import type { Client } from '@temporalio/client';
import type { ImportTimings } from '../../contracts/messages/sync.ts';
import type { Queues } from '../../contracts/queues.ts';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';

/** What a rebuild of a menu is started with; milliseconds. */
export type DebounceTimes = { debounceMs: number; debounceMaxMs: number };

/**
 * What delivering events needs. The two functions come from the composition root, because this folder names listeners and
 * calls no capability itself.
 */
export type EventDeps = {
  db: Database;
  temporal: Client;
  queues: Queues;
  debounce: DebounceTimes;
  /** Durations of the imports an event starts. */
  timings: ImportTimings;
  metrics: Pick<Metrics, 'outboxDelivered' | 'retentionDeleted'>;
  log: Log;
  /** Whether a channel for notices is configured; without one they are only stored. */
  sendsNotices: boolean;
  /** app/snapshot: brings a published menu to the stop-list of the tables. */
  patchAvailability: (organizationId: number) => Promise<unknown>;
  /** app/webhooks: does what stored events of the ERP's webhook ask for. */
  processWebhooks: () => Promise<unknown>;
  /** app/mirror: makes Temporal's schedules those that the rows want. */
  applySchedules: () => Promise<unknown>;
};
