import { defineSignal } from '@temporalio/workflow';

/** Input of snapshotPin. */
export type SnapshotPinInput = { organizationId: number };

/** A pin was set or taken away. A hint: the workflow re-reads the row. */
export const snapshotPinChanged = defineSignal('pinChanged');
