import { defineSignal } from '@temporalio/workflow';
import type { BuildQueues } from '../../../kernel/pure/queues.ts';

/** Input of snapshotRebuild. Durations in milliseconds; the product's defaults come from the environment. */
export type SnapshotRebuildInput = {
  organizationId: number;
  debounceMs: number;
  debounceMaxMs: number;
  queues: BuildQueues;
  /** Builds after which the history starts anew; 500 when absent. */
  roundsPerRun?: number;
};

/** Opens or extends the debounce window. A hint: the workflow re-reads dirty_seq. */
export const snapshotDirtied = defineSignal('dirtied');
