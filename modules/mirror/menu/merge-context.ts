import type { Tx } from '../../../platform/db/database.ts';

export type MergeContext = {
  tx: Tx;
  runId: number;
  externalMenuId: number;
  startedAt: Date;
  isFull: boolean;
  organizationIds: readonly number[];
  /** Organizations that keep their prices (MIR-44). */
  heldBackIds: readonly number[];
  /** Dishes without modifiers in the response keep their modifiers (MIR-63). */
  keepsModifiers: boolean;
};

/** Reads the context of a merge. The run must be recorded. */
export async function mergeContext(
  tx: Tx,
  {
    runId,
    externalMenuId,
    organizationIds,
  }: Pick<MergeContext, 'runId' | 'externalMenuId' | 'organizationIds'>,
  isFull: boolean,
): Promise<MergeContext> {
  const record = await tx.db
    .selectFrom('sync_run')
    .select('startedAt')
    .where('id', '=', runId)
    .executeTakeFirst();
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
