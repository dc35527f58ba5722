import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

export type BusyModeInput = { looksPerRun?: number };

export const busyModeWorkflow = defineWorkflow<BusyModeInput>()({
  type: 'busyMode',
  versioning: 'AUTO_UPGRADE',
  id: () => 'busy-mode',
});

/** A hint: the workflow reads the rows. */
export const busyModeChanged = defineSignal('busyModeChanged');
