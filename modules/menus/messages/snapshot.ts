import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/** The execution continues as new after `looksPerRun` reads. */
export type SnapshotPinInput = { organizationId: number; looksPerRun?: number };

export const snapshotPinWorkflow = defineWorkflow<SnapshotPinInput>()({
  type: 'snapshotPin',
  versioning: 'AUTO_UPGRADE',
  id: ({ organizationId }: { organizationId: number }) => `snapshot-pin/${organizationId}`,
});

/** A pin was set or removed. Only a hint: the workflow reads the row. */
export const snapshotPinChanged = defineSignal('pinChanged');
