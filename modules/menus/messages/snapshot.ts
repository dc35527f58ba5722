import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/** Input of snapshotPin; after `looksPerRun` checks of the row the execution continues as new. */
export type SnapshotPinInput = { organizationId: number; looksPerRun?: number };

/** Waits for the end of one restaurant's pin. */
export const snapshotPinWorkflow = defineWorkflow<SnapshotPinInput>()({
  type: 'snapshotPin',
  versioning: 'AUTO_UPGRADE',
  id: ({ organizationId }: { organizationId: number }) => `snapshot-pin/${organizationId}`,
});

/** A pin was set or removed. A hint: the workflow re-reads the row. */
export const snapshotPinChanged = defineSignal('pinChanged');
