import { defineSignal } from '@temporalio/workflow';
import type { BuildQueues } from '../../../kernel/pure/queues.ts';
import type { DebounceTimes } from '../rules/debounce.ts';

/** Input of snapshotRebuild. The environment sets the durations of the debounce. */
export type SnapshotRebuildInput = DebounceTimes & {
  organizationId: number;
  queues: BuildQueues;
  /** Builds after which the history starts anew; 500 when absent. */
  roundsPerRun?: number;
};

/** Opens or extends the debounce window. A hint: the workflow re-reads dirty_seq. */
export const snapshotDirtied = defineSignal('dirtied');
