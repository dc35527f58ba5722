/** Input of snapshotRebuild. Durations in milliseconds; the product's defaults come from the environment. */
export type SnapshotRebuildInput = {
  organizationId: number;
  debounceMs: number;
  debounceMaxMs: number;
  /** Builds after which the history starts anew; 500 when absent. */
  roundsPerRun?: number;
};

/** Name of the signal that opens or extends the debounce window. A hint: the workflow re-reads dirty_seq. */
export const SNAPSHOT_DIRTIED = 'dirtied';

/** Input of snapshotPin. */
export type SnapshotPinInput = { organizationId: number };

/** Name of the signal that a pin was set or taken away. A hint: the workflow re-reads the row. */
export const SNAPSHOT_PIN_CHANGED = 'pinChanged';
