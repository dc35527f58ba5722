import type { Tx, Database } from '../../../platform/db/database.ts';
import { isImportRefused } from '../import-refused.ts';
import { recordAnswer, recordAsked, recordRefused } from './run-facts.ts';
import { appliedBefore, enterRun, storeApplied, type Turn } from './run-fence.ts';
import type { ErpClient } from '../../../erp/client.ts';
import type { Failpoint } from '../../../platform/failpoint.ts';
import type { Metrics } from '../../../platform/metrics.ts';

export type MirrorDeps = {
  db: Database;
  erp: ErpClient;
  metrics: Pick<Metrics, 'erpSyncDuration' | 'erpSyncItems'>;
  failpoint: Failpoint;
};

export type JobOutcome<Result> = { outcome: 'APPLIED'; result: Result } | { outcome: 'RUN_CLOSED' };

type Stored<Result> = { result: Result };

/** `organizations` is used if the response does not contain the number. */
export type JobRun = {
  runId: number;
  connectionId: number;
  turn?: Turn;
  organizations?: number;
  calls?: number;
};

/**
 * Runs an import of one ERP call and one transaction. A repetition returns the stored result
 * without a request; a late attempt finds the run closed.
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
  const { data, bytes, organizations: organizationCount } = await fetch();
  await recordAnswer(deps.db, runId, { bytes });
  if (organizationCount !== undefined)
    await recordAsked(deps.db, runId, { organizations: organizationCount, calls });
  const applied = deps.db.transaction<JobOutcome<Result>>(async (tx) => {
    const fence = await enterRun<Stored<Result>>(tx, run);
    if (fence.state === 'APPLIED') return { outcome: 'APPLIED', ...fence.applied };
    if (fence.state === 'CLOSED') return { outcome: 'RUN_CLOSED' };
    // Another attempt may have requested other organizations (MIR-56).
    const count = organizationCount ?? organizations;
    if (count !== undefined) await recordAsked(tx, runId, { organizations: count, calls });
    const result = await save(tx, data);
    await storeApplied(tx, runId, { result });

    return { outcome: 'APPLIED', result };
  });

  return applied.catch(async (error: unknown) => {
    // Recorded after the rollback.
    if (isImportRefused(error) && error.lost.length > 0)
      await recordRefused(deps.db, runId, error.lost);
    throw error;
  });
}
