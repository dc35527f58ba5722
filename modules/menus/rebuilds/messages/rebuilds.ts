import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../../kernel/pure/define-workflow.ts';
import type { BuildQueues } from '../../../../kernel/pure/queues.ts';
import type { DebounceTimes } from '../rules/debounce.ts';

/** Input of snapshotRebuild. The environment sets the durations of the debounce. */
export type SnapshotRebuildInput = DebounceTimes & {
  organizationId: number;
  queues: BuildQueues;
  /** Builds after which the execution continues as new; 500 if absent. */
  roundsPerRun?: number;
};

/**
 * Rebuilds the menu of one organization. They can run for all restaurants at once, so they have
 * their own queue: otherwise other workflows, such as those of stop-lists and orders, would wait
 * behind them (rule SNP-44).
 */
export const snapshotRebuildWorkflow = defineWorkflow<SnapshotRebuildInput>()({
  type: 'snapshotRebuild',
  versioning: 'PINNED',
  id: ({ organizationId }: { organizationId: number }) => `snapshot/${organizationId}`,
  queue: 'build',
});

/** Opens or extends the debounce window. A hint: the workflow re-reads dirty_seq. */
export const snapshotDirtied = defineSignal('dirtied');
