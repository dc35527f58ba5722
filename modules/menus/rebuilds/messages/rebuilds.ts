import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../../kernel/pure/define-workflow.ts';
import type { BuildQueues } from '../../../../kernel/pure/queues.ts';
import type { DebounceTimes } from '../rules/debounce.ts';

export type SnapshotRebuildInput = DebounceTimes & {
  organizationId: number;
  queues: BuildQueues;
  /** By default 500. */
  roundsPerRun?: number;
};

/**
 * Rebuilds of all restaurants would delay other workflows, so they have their own queue (SNP-44).
 */
export const snapshotRebuildWorkflow = defineWorkflow<SnapshotRebuildInput>()({
  type: 'snapshotRebuild',
  versioning: 'PINNED',
  id: ({ organizationId }: { organizationId: number }) => `snapshot/${organizationId}`,
  queue: 'build',
});

/** A hint that opens or extends the debounce window: the workflow reads dirty_seq. */
export const snapshotDirtied = defineSignal('dirtied');
