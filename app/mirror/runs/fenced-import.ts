import type { BulkTx } from '../../../db/database.ts';
import type { MirrorDeps } from '../mirror-deps.ts';
import { appliedBefore, enterRun, storeApplied } from './run-fence.ts';

/** What a job of one call and one transaction gives back. */
export type JobOutcome<Result> =
  | { outcome: 'APPLIED'; result: Result; bytes: number }
  /** The run was ended by somebody else meanwhile; nothing was written. */
  | { outcome: 'RUN_CLOSED' };

type Stored<Result> = { result: Result; bytes: number };

/**
 * Runs an import of one call to the ERP and one transaction after it. The result is stored with the rows it describes, so a
 * second call asks the ERP for nothing and returns it; a late one finds its run closed.
 */
export async function fencedImport<Data, Result>(
  deps: Pick<MirrorDeps, 'db'>,
  run: { runId: number; connectionId: number },
  fetch: () => Promise<{ data: Data; bytes: number }>,
  save: (tx: BulkTx, data: Data) => Promise<Result>,
): Promise<JobOutcome<Result>> {
  const before = await appliedBefore<Stored<Result>>(deps.db, run.runId);
  if (before !== null) return { outcome: 'APPLIED', ...before };
  const { data, bytes } = await fetch();
  return deps.db.bulkTransaction<JobOutcome<Result>>(async (tx) => {
    const fence = await enterRun<Stored<Result>>(tx, run);
    if (fence.state === 'APPLIED') return { outcome: 'APPLIED', ...fence.applied };
    if (fence.state === 'CLOSED') return { outcome: 'RUN_CLOSED' };
    const result = await save(tx, data);
    await storeApplied(tx, run.runId, { result, bytes });
    return { outcome: 'APPLIED', result, bytes };
  });
}
