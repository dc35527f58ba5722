import type { Tx } from '../../../db/database.ts';

/** One apply transaction and what its statements need. */
export type MergeContext = {
  tx: Tx;
  runId: number;
  externalMenuId: number;
  /** Start of the run: the time that everything it touches is marked with. */
  startedAt: Date;
  isFull: boolean;
  /** Organizations of all batches. */
  organizationIds: readonly number[];
};
