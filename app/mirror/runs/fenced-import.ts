import type { Tx, Sql } from '../../../db/database.ts';
import type { MirrorDeps } from '../mirror-deps.ts';
import { appliedBefore, enterRun, storeApplied } from './run-fence.ts';

/** What a job of one call and one transaction gives back. */
export type JobOutcome<Result> =
  | { outcome: 'APPLIED'; result: Result; bytes: number }
  /** The run was ended by somebody else meanwhile; nothing was written. */
  | { outcome: 'RUN_CLOSED' };

type Stored<Result> = { result: Result; bytes: number };

/**
 * `organizations`: how many are asked for; left out when the answer tells or the job is not about any. `batches`: calls made for
 * them, one unless it is said.
 */
export type JobRun = { runId: number; connectionId: number; organizations?: number; batches?: number };

/**
 * Runs an import of one call to the ERP and one transaction after it. The result is stored with the rows it describes, so a
 * second call asks the ERP for nothing and returns it; a late one finds its run closed. How many organizations it is about stands
 * in the run record however it ends; `fetch` may say it instead.
 */
export async function fencedImport<Data, Result>(
  deps: Pick<MirrorDeps, 'db'>,
  run: JobRun,
  fetch: () => Promise<{ data: Data; bytes: number; organizations?: number }>,
  save: (tx: Tx, data: Data) => Promise<Result>,
): Promise<JobOutcome<Result>> {
  const before = await appliedBefore<Stored<Result>>(deps.db, run.runId);
  if (before !== null) return { outcome: 'APPLIED', ...before };
  if (run.organizations !== undefined) await recordAsked(deps.db, run.runId, run.organizations, run.batches);
  const { data, bytes, organizations } = await fetch();
  if (organizations !== undefined) await recordAsked(deps.db, run.runId, organizations);
  return deps.db.transaction<JobOutcome<Result>>(async (tx) => {
    const fence = await enterRun<Stored<Result>>(tx, run);
    if (fence.state === 'APPLIED') return { outcome: 'APPLIED', ...fence.applied };
    if (fence.state === 'CLOSED') return { outcome: 'RUN_CLOSED' };
    const result = await save(tx, data);
    await storeApplied(tx, run.runId, { result, bytes });
    return { outcome: 'APPLIED', result, bytes };
  });
}

/** Without organizations there is no call. */
async function recordAsked({ db }: Sql, runId: number, organizations: number, batches = 1): Promise<void> {
  await db
    .updateTable('sync_run')
    .set({ organizations, batches: Math.min(organizations, batches) })
    .where('id', '=', runId)
    .where('status', '=', 'RUNNING')
    .execute();
}
