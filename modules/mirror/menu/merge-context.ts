import type { Tx } from '../../../platform/db/database.ts';

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
  /** Organizations among them whose prices stay as they are (rule MIR-44). */
  heldBackIds: readonly number[];
  /** Dishes for which the answer states no modifiers keep those they have (rule MIR-63). */
  keepsModifiers: boolean;
};

/** One merge and what its statements need; the run must have a record. */
export async function mergeContext(
  tx: Tx,
  { runId, externalMenuId, organizationIds }: Pick<MergeContext, 'runId' | 'externalMenuId' | 'organizationIds'>,
  isFull: boolean,
): Promise<MergeContext> {
  const record = await tx.db.selectFrom('sync_run').select('startedAt').where('id', '=', runId).executeTakeFirst();
  if (record === undefined) throw new Error(`run ${runId} has no record`);
  return {
    tx,
    runId,
    externalMenuId,
    organizationIds,
    isFull,
    startedAt: record.startedAt,
    heldBackIds: [],
    keepsModifiers: false,
  };
}
