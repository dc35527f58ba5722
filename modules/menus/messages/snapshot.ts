import { defineSignal } from '@temporalio/workflow';

/** Input of snapshotPin; after `looksPerRun` looks at the row the history starts anew. */
export type SnapshotPinInput = { organizationId: number; looksPerRun?: number };

/** A pin was set or taken away. A hint: the workflow re-reads the row. */
export const snapshotPinChanged = defineSignal('pinChanged');
