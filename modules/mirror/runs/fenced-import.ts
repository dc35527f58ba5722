import type { Tx, Database } from '../../../platform/db/database.ts';
import { isImportRefused } from '../import-refused.ts';
import { recordAnswer, recordAsked, recordRefused } from './run-facts.ts';
import { appliedBefore, enterRun, storeApplied, type Turn } from './run-fence.ts';
import type { ErpClient } from '../../../erp/client.ts';
import type { Failpoint } from '../../../platform/failpoint.ts';
import type { Metrics } from '../../../platform/metrics.ts';

/** Dependencies of the import use cases. Everything else they read from rows. */
export type MirrorDeps = {
  db: Database;
  erp: ErpClient;
  metrics: Pick<Metrics, 'erpSyncDuration' | 'erpSyncItems'>;
  failpoint: Failpoint;
};

/** The result of a job of one call and one transaction. */
export type JobOutcome<Result> =
  | { outcome: 'APPLIED'; result: Result }
  /** Another process has ended the run; nothing was written. */
  | { outcome: 'RUN_CLOSED' };

type Stored<Result> = { result: Result };

/**
 * `organizations`: number of requested ones; absent if the answer has the number or the job has
 * none. `calls`: how many are made for them, one when it is left out.
 */
export type JobRun = { runId: number; connectionId: number; turn?: Turn; organizations?: number; calls?: number };

/**
 * Runs an import of one call to the ERP and one transaction after it. The result is stored with the
 * rows it describes, so a second call returns it without a request to the ERP; a late one finds its
 * run closed. The run record contains the requested and received numbers in any case; `fetch`
 * returns the number of organizations where only the answer has it.
 */
export async function fencedImport<Data, Result>(
  deps: Pick<MirrorDeps, 'db'>,
  run: JobRun,
  fetch: () => Promise<{ data: Data; bytes: number; organizations?: number }>,
  save: (tx: Tx, data: Data) => Promise<Result>,
): Promise<JobOutcome<Result>> {
  const before = await appliedBefore<Stored<Result>>(deps.db, run.runId);
  if (before !== null) return { outcome: 'APPLIED', ...before };
  const { runId, organizations, calls = 1 } = run;
  if (organizations !== undefined) await recordAsked(deps.db, runId, { organizations, calls });
  const { data, bytes, organizations: told } = await fetch();
  await recordAnswer(deps.db, runId, { bytes });
  if (told !== undefined) await recordAsked(deps.db, runId, { organizations: told, calls });
  const applied = deps.db.transaction<JobOutcome<Result>>(async (tx) => {
    const fence = await enterRun<Stored<Result>>(tx, run);
    if (fence.state === 'APPLIED') return { outcome: 'APPLIED', ...fence.applied };
    if (fence.state === 'CLOSED') return { outcome: 'RUN_CLOSED' };
    // Another attempt may have requested others meanwhile: the record describes the one that is
    // applied (rule MIR-56).
    const count = told ?? organizations;
    if (count !== undefined) await recordAsked(tx, runId, { organizations: count, calls });
    const result = await save(tx, data);
    await storeApplied(tx, runId, { result });
    return { outcome: 'APPLIED', result };
  });
  return applied.catch(async (error: unknown) => {
    // The writes of the transaction are rolled back with it.
    if (isImportRefused(error) && error.lost.length > 0) await recordRefused(deps.db, runId, error.lost);
    throw error;
  });
}
