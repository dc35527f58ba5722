import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

export type SnapshotPinInput = { organizationId: number; looksPerRun?: number };

export const snapshotPinWorkflow = defineWorkflow<SnapshotPinInput>()({
  type: 'snapshotPin',
  versioning: 'AUTO_UPGRADE',
  id: ({ organizationId }: { organizationId: number }) => `snapshot-pin/${organizationId}`,
});

/** A hint: the workflow reads the row. */
export const snapshotPinChanged = defineSignal('pinChanged');
