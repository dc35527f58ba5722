import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { ObservedShrink, RunProgress } from '../schemas/mirror.ts';
import type { ActivityQueues, LiveQueues } from '../../../kernel/pure/queues.ts';
import type { Job, RunMode, RunStatus, RunTrigger } from '../../../kernel/pure/jobs.ts';

export type { ObservedShrink, RunProgress };

/** Durations of an import; tests shorten them. Milliseconds. Its lock is given back after `limitMs`, whatever has become of it. */
export type ImportTimings = {
  asyncPollEveryMs?: number;
  asyncPollLimitMs?: number;
  heartbeatMs?: number;
  limitMs?: number;
};

/** Input of every import workflow. Ids only: what an import needs it reads from the rows. */
export type ImportInput = {
  /** Drawn before the start when the caller must know it (manual run), else by openRun. */
  runId?: number;
  job: Job;
  connectionId: number;
  /** Our id of the external menu; only MENU. */
  externalMenuId?: number;
  mode?: RunMode;
  trigger: RunTrigger;
  requestedBy?: number;
  /** Of the request by which somebody has asked, for the audit. */
  requestId?: string;
  timings?: ImportTimings;
  queues: ActivityQueues;
};

/** Ids of an import, for whoever reads the list of executions. */
export function idsOfImport({
  runId,
  connectionId,
  externalMenuId,
}: Omit<ImportInput, 'queues'>): Record<string, number> {
  return {
    connectionId,
    ...(externalMenuId === undefined ? {} : { externalMenuId }),
    ...(runId === undefined ? {} : { runId }),
  };
}

/** Result of every import workflow: what the run record says, in counters. */
export type ImportResult = { runId: number; status: RunStatus; reason: string | null };

/** How far an import is. */
export const importProgress = defineQuery<RunProgress>('progress');

/** Input of syncTick: the thin workflow a schedule starts. `markFullDue` sets full_due before running (nightly). */
export type SyncTickInput = {
  job: Job;
  connectionId: number;
  externalMenuId?: number;
  markFullDue?: boolean;
  timings?: ImportTimings;
  queues: ActivityQueues;
};

/** "already running" and "given up" (cancelled with its connection, or too slow) are normal results of a tick, not failures. */
export type SyncTickResult = { outcome: 'RAN' | 'ALREADY_RUNNING' | 'GIVEN_UP'; status?: RunStatus };

/** Input of stopListRefresh. Pauses in milliseconds; the product's defaults when absent. */
export type StopListRefreshInput = {
  connectionId: number;
  timings?: ImportTimings;
  queues: ActivityQueues;
  pauses?: { afterSuccessMs?: number; whileLockedMs?: number; afterFailureMs?: number };
};

/** Wakes stopListRefresh. A hint: the marks of the rows decide. */
export const stopListsMarked = defineSignal('stopListsMarked');

/** Input of reconcile. */
export type ReconcileInput = { queues: ActivityQueues & LiveQueues };

/** Input of outboxSweep. */
export type OutboxSweepInput = { queues: LiveQueues };

/** Input of connectionSync. */
export type ConnectionSyncInput = {
  connectionId: number;
  trigger: RunTrigger;
  timings?: ImportTimings;
  queues: ActivityQueues;
};
