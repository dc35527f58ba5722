import { defineSignal } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/** Input of busyMode; after `looksPerRun` reads of the rows the execution continues as new. */
export type BusyModeInput = { looksPerRun?: number };

/** Waits for the end of the busy modes of all organizations. */
export const busyModeWorkflow = defineWorkflow<BusyModeInput>()({
  type: 'busyMode',
  versioning: 'AUTO_UPGRADE',
  id: () => 'busy-mode',
});

/** A busy mode was set, changed or ended. A hint: the workflow reads the rows again. */
export const busyModeChanged = defineSignal('busyModeChanged');
