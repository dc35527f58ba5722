import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/** The execution continues as new after `looksPerRun` reads. */
export type BusyModeInput = { looksPerRun?: number };

/** Ends the busy modes of all organizations. */
export const busyModeWorkflow = defineWorkflow<BusyModeInput>()({
  type: 'busyMode',
  versioning: 'AUTO_UPGRADE',
  id: () => 'busy-mode',
});

/** A busy mode has changed. Only a hint: the workflow reads the rows. */
export const busyModeChanged = defineSignal('busyModeChanged');
