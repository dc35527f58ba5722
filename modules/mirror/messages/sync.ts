import { defineQuery, defineSignal } from '@temporalio/workflow';
import { defineWorkflow, toScheduleId } from '../../../kernel/pure/define-workflow.ts';
import type { ObservedShrink, RunProgress } from '../schemas/mirror.ts';
import type { ActivityQueues } from '../../../kernel/pure/queues.ts';
import type { Job, RunMode, RunStatus, RunTrigger } from '../rules/jobs.ts';

export type { ObservedShrink, RunProgress };

/** Times in ms. An import ends after `limitMs`. */
export type ImportTimings = {
  asyncPollEveryMs?: number;
  asyncPollLimitMs?: number;
  heartbeatMs?: number;
  limitMs?: number;
  /** Pause before a suspicious list is requested again. */
  askAgainMs?: number;
};

/** Contains only ids; data is read from rows. */
export type ImportInput = {
  /** Set for a manual run; otherwise openRun creates the run. */
  runId?: number;
  job: Job;
  connectionId: number;
  /** Set only for MENU. */
  externalMenuId?: number;
  /** Limits a plan to this restaurant. */
  organizationId?: number;
  mode?: RunMode;
  trigger: RunTrigger;
  requestedBy?: number;
  requestId?: string;
  timings?: ImportTimings;
  queues: ActivityQueues;
};

const LIMIT_MS = 3_600_000;

/** Returns the time in ms after which an import ends as RUN_TIMEOUT (MIR-47). */
export const importLimitMs = ({ timings }: Pick<ImportInput, 'timings'>): number =>
  timings?.limitMs ?? LIMIT_MS;

/**
 * Returns the time in ms after which Temporal ends an import. Otherwise a broken release, whose
 * workflow tasks fail permanently, would never release the lock (OPS-44).
 */
export const executionLimitMs = (input: Pick<ImportInput, 'timings'>): number =>
  2 * importLimitMs(input);

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

export type ImportResult = { runId: number; status: RunStatus; reason: string | null };

export const importProgress = defineQuery<RunProgress>('progress');

type OfConnection = { connectionId: number };
type OfImport = OfConnection & { externalMenuId?: number | null };

const importWorkflow = <Type extends string>(type: Type, id: (key: OfImport) => string) =>
  defineWorkflow<ImportInput, ImportResult>()({ type, versioning: 'PINNED', id });

/** The workflow id is the lock that schedules, manual runs and events share. */
export const IMPORT_WORKFLOWS = {
  ORGANIZATIONS: importWorkflow(
    'organizationsImport',
    ({ connectionId }) => `sync/organizations/${connectionId}`,
  ),
  TERMINALS: importWorkflow(
    'terminalsImport',
    ({ connectionId }) => `sync/terminals/${connectionId}`,
  ),
  MENU_LIST: importWorkflow(
    'menuListImport',
    ({ connectionId }) => `sync/menu-list/${connectionId}`,
  ),
  MENU: importWorkflow('menuImport', ({ connectionId, externalMenuId }) => {
    if (externalMenuId == null) throw new Error('A MENU import needs an external menu');
    return `sync/menu/${connectionId}/${externalMenuId}`;
  }),
  STOP_LIST: importWorkflow(
    'stopListImport',
    ({ connectionId }) => `sync/stop-list/${connectionId}`,
  ),
  ZONES: importWorkflow('zonesImport', ({ connectionId }) => `sync/zones/${connectionId}`),
} as const satisfies Record<Job, unknown>;

/** Returns the lock of an import. Only MENU uses `externalMenuId`. */
export const importLock = ({ job, ...key }: OfImport & { job: Job }): string =>
  IMPORT_WORKFLOWS[job].id(key);

/** `markFullDue` sets `full_due` first. */
export type SyncTickInput = {
  job: Job;
  connectionId: number;
  externalMenuId?: number;
  markFullDue?: boolean;
  timings?: ImportTimings;
  queues: ActivityQueues;
};

/** ALREADY_RUNNING and GIVEN_UP (canceled or too slow) are not failures. */
export type SyncTickResult = {
  outcome: 'RAN' | 'ALREADY_RUNNING' | 'GIVEN_UP';
  status?: RunStatus;
};

type OfTick = Omit<SyncTickInput, 'timings' | 'queues'>;

const tickPath = ({ job, connectionId, externalMenuId, markFullDue }: OfTick): string => {
  if (markFullDue) return `menu-full/${connectionId}`;
  const menu = externalMenuId === undefined ? '' : `/${externalMenuId}`;
  return `${job.toLowerCase().replace('_', '-')}/${connectionId}${menu}`;
};

/**
 * Runs one import under its lock. Temporal appends a timestamp to the id of a scheduled execution.
 */
export const syncTickWorkflow = defineWorkflow<SyncTickInput, SyncTickResult>()({
  type: 'syncTick',
  versioning: 'PINNED',
  id: (tick: OfTick) => `tick/${tickPath(tick)}`,
});

export const tickScheduleId = (tick: OfTick): string => toScheduleId(tickPath(tick));

/** `pauses` are in ms. */
export type StopListRefreshInput = {
  connectionId: number;
  timings?: ImportTimings;
  queues: ActivityQueues;
  pauses?: { afterSuccessMs?: number; whileLockedMs?: number; afterFailureMs?: number };
};

export const stopListRefreshWorkflow = defineWorkflow<StopListRefreshInput>()({
  type: 'stopListRefresh',
  versioning: 'PINNED',
  id: ({ connectionId }: OfConnection) => `sync/stop-list-refresh/${connectionId}`,
});

/** Only a hint for stopListRefresh: the flags in the rows decide. */
export const stopListsMarked = defineSignal('stopListsMarked');

export type ConnectionSyncInput = {
  connectionId: number;
  trigger: RunTrigger;
  timings?: ImportTimings;
  queues: ActivityQueues;
};

/** Runs the first imports of a connection in order. */
export const connectionSyncWorkflow = defineWorkflow<ConnectionSyncInput>()({
  type: 'connectionSync',
  versioning: 'PINNED',
  id: ({ connectionId }: OfConnection) => `sync/all/${connectionId}`,
});
