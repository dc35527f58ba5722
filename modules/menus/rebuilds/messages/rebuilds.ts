import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../../kernel/pure/define-workflow.ts';
import type { BuildQueues } from '../../../../kernel/pure/queues.ts';
import type { DebounceTimes } from '../rules/debounce.ts';

export type SnapshotRebuildInput = DebounceTimes & {
  organizationId: number;
  queues: BuildQueues;
  /** Default: 500. */
  roundsPerRun?: number;
};

/** A separate queue keeps rebuilds of all restaurants from delaying other workflows (SNP-44). */
export const snapshotRebuildWorkflow = defineWorkflow<SnapshotRebuildInput>()({
  type: 'snapshotRebuild',
  versioning: 'PINNED',
  id: ({ organizationId }: { organizationId: number }) => `snapshot/${organizationId}`,
  queue: 'build',
});

/** Opens or extends the debounce window. Only a hint: the workflow reads `dirty_seq`. */
export const snapshotDirtied = defineSignal('dirtied');
