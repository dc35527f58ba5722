import { defineQuery, defineSignal } from '@temporalio/workflow';
import { defineWorkflow, scheduleIdOf } from '../../../kernel/pure/define-workflow.ts';
import type { ObservedShrink, RunProgress } from '../schemas/mirror.ts';
import type { ActivityQueues } from '../../../kernel/pure/queues.ts';
import type { Job, RunMode, RunStatus, RunTrigger } from '../rules/jobs.ts';

export type { ObservedShrink, RunProgress };

/** Durations of an import; tests shorten them. Milliseconds. It ends itself after `limitMs`. */
export type ImportTimings = {
  asyncPollEveryMs?: number;
  asyncPollLimitMs?: number;
  heartbeatMs?: number;
  limitMs?: number;
  /** Pause before a suspicious list is requested again. */
  askAgainMs?: number;
};

/** Input of every import workflow. Ids only: an import reads its data from the rows. */
export type ImportInput = {
  /** Generated before the start if the caller needs it (manual run), else by openRun. */
  runId?: number;
  job: Job;
  connectionId: number;
  /** Our id of the external menu; only MENU. */
  externalMenuId?: number;
  /** The restaurant that a plan is limited to; only mode PLAN. */
  organizationId?: number;
  mode?: RunMode;
  trigger: RunTrigger;
  requestedBy?: number;
  /** The id of the starting request, for the audit. */
  requestId?: string;
  timings?: ImportTimings;
  queues: ActivityQueues;
};

/** Limit of an import whose input names none. */
const LIMIT_MS = 3_600_000;

/** The time after which an import ends itself as RUN_TIMEOUT, in milliseconds (rule MIR-47). */
export const importLimitMs = ({ timings }: Pick<ImportInput, 'timings'>): number => timings?.limitMs ?? LIMIT_MS;

/**
 * The time after which Temporal ends an import that cannot end itself, in milliseconds: the
 * workflow tasks of a wrong release fail permanently, and the lock would never be released (rule
 * OPS-44).
 */
export const executionLimitMs = (input: Pick<ImportInput, 'timings'>): number => 2 * importLimitMs(input);

/** Ids of an import, for the list of executions. */
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

/** Result of every import workflow: the counters of the run record. */
export type ImportResult = { runId: number; status: RunStatus; reason: string | null };

/** The progress of an import. */
export const importProgress = defineQuery<RunProgress>('progress');

type OfConnection = { connectionId: number };
type OfImport = OfConnection & { externalMenuId?: number | null };

const importWorkflow = <Type extends string>(type: Type, id: (key: OfImport) => string) =>
  defineWorkflow<ImportInput, ImportResult>()({ type, versioning: 'PINNED', id });

/**
 * The workflow of each import job. Schedule, manual run and event share its id, which is the lock
 * of the import.
 */
export const IMPORT_WORKFLOWS = {
  ORGANIZATIONS: importWorkflow('organizationsImport', ({ connectionId }) => `sync/organizations/${connectionId}`),
  TERMINALS: importWorkflow('terminalsImport', ({ connectionId }) => `sync/terminals/${connectionId}`),
  MENU_LIST: importWorkflow('menuListImport', ({ connectionId }) => `sync/menu-list/${connectionId}`),
  MENU: importWorkflow('menuImport', ({ connectionId, externalMenuId }) => {
    if (externalMenuId == null) throw new Error('A MENU import needs an external menu');
    return `sync/menu/${connectionId}/${externalMenuId}`;
  }),
  STOP_LIST: importWorkflow('stopListImport', ({ connectionId }) => `sync/stop-list/${connectionId}`),
  ZONES: importWorkflow('zonesImport', ({ connectionId }) => `sync/zones/${connectionId}`),
} as const satisfies Record<Job, unknown>;

/** The lock of one import. `externalMenuId` is required for MENU and ignored for other jobs. */
export const importLock = ({ job, ...key }: OfImport & { job: Job }): string => IMPORT_WORKFLOWS[job].id(key);

/**
 * Input of syncTick: the thin workflow a schedule starts. `markFullDue` sets full_due before
 * running (nightly).
 */
export type SyncTickInput = {
  job: Job;
  connectionId: number;
  externalMenuId?: number;
  markFullDue?: boolean;
  timings?: ImportTimings;
  queues: ActivityQueues;
};

/**
 * "already running" and "given up" (canceled with its connection, or too slow) are normal results
 * of a tick, not failures.
 */
export type SyncTickResult = { outcome: 'RAN' | 'ALREADY_RUNNING' | 'GIVEN_UP'; status?: RunStatus };

type OfTick = Omit<SyncTickInput, 'timings' | 'queues'>;

const tickPath = ({ job, connectionId, externalMenuId, markFullDue }: OfTick): string => {
  if (markFullDue) return `menu-full/${connectionId}`;
  const menu = externalMenuId === undefined ? '' : `/${externalMenuId}`;
  return `${job.toLowerCase().replace('_', '-')}/${connectionId}${menu}`;
};

/**
 * Runs one import under its lock. A schedule starts it, and Temporal appends a time stamp to its
 * id.
 */
export const syncTickWorkflow = defineWorkflow<SyncTickInput, SyncTickResult>()({
  type: 'syncTick',
  versioning: 'PINNED',
  id: (tick: OfTick) => `tick/${tickPath(tick)}`,
});

/** Id of the schedule that starts these ticks. */
export const tickScheduleId = (tick: OfTick): string => scheduleIdOf(tickPath(tick));

/** Input of stopListRefresh. Pauses in milliseconds; the product's defaults when absent. */
export type StopListRefreshInput = {
  connectionId: number;
  timings?: ImportTimings;
  queues: ActivityQueues;
  pauses?: { afterSuccessMs?: number; whileLockedMs?: number; afterFailureMs?: number };
};

/** Reads the stop-lists of a connection that webhooks have marked. */
export const stopListRefreshWorkflow = defineWorkflow<StopListRefreshInput>()({
  type: 'stopListRefresh',
  versioning: 'PINNED',
  id: ({ connectionId }: OfConnection) => `sync/stop-list-refresh/${connectionId}`,
});

/** Signals stopListRefresh. A hint: the marks of the rows decide. */
export const stopListsMarked = defineSignal('stopListsMarked');

/** Input of connectionSync. */
export type ConnectionSyncInput = {
  connectionId: number;
  trigger: RunTrigger;
  timings?: ImportTimings;
  queues: ActivityQueues;
};

/** Runs the first imports of a connection, in their order. */
export const connectionSyncWorkflow = defineWorkflow<ConnectionSyncInput>()({
  type: 'connectionSync',
  versioning: 'PINNED',
  id: ({ connectionId }: OfConnection) => `sync/all/${connectionId}`,
});
