import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../../kernel/pure/define-workflow.ts';
import type { BuildQueues } from '../../../../kernel/pure/queues.ts';
import type { DebounceTimes } from '../rules/debounce.ts';

export type SnapshotRebuildInput = DebounceTimes & {
  organizationId: number;
  queues: BuildQueues;
  /** Builds before the execution continues as new; 500 by default. */
  roundsPerRun?: number;
};

/**
 * Rebuilds the menu of an organization. Has its own queue, because rebuilds of all restaurants
 * would delay workflows of stop-lists and orders (rule SNP-44).
 */
export const snapshotRebuildWorkflow = defineWorkflow<SnapshotRebuildInput>()({
  type: 'snapshotRebuild',
  versioning: 'PINNED',
  id: ({ organizationId }: { organizationId: number }) => `snapshot/${organizationId}`,
  queue: 'build',
});

/** Opens or extends the debounce window. Only a hint: the workflow reads dirty_seq. */
export const snapshotDirtied = defineSignal('dirtied');
