import type { Tx } from '../../../platform/db/database.ts';
import { inBatches } from '../../../kernel/pure/lists.ts';
import { fencedImport, type MirrorDeps, type JobOutcome } from './fenced-import.ts';
import type { Turn } from './run-fence.ts';

/** How the ERP is asked about organizations, `perCall` of them in one call, and what is done with all answers together. */
type Job<Organization, Row, Result> = {
  organizations: readonly Organization[];
  perCall: number;
  ask: (erpIds: string[]) => Promise<{ rows: readonly Row[]; bytes: number }>;
  save: (tx: Tx, rows: Row[]) => Promise<Result>;
};

/**
 * {@link fencedImport} of a job whose answer lists rows of organizations: all calls at once, one transaction after the last of them.
 * Without organizations there is nothing to ask for, and nobody is asked.
 */
export async function importInBatches<Organization extends { erpId: string }, Row, Result>(
  deps: Pick<MirrorDeps, 'db'>,
  run: { runId: number; connectionId: number; turn?: Turn },
  { organizations, perCall, ask, save }: Job<Organization, Row, Result>,
): Promise<JobOutcome<Result> | { outcome: 'NO_ORGANIZATIONS' }> {
  if (organizations.length === 0) return { outcome: 'NO_ORGANIZATIONS' };
  const batches = inBatches(organizations, perCall);
  return fencedImport(
    deps,
    { ...run, organizations: organizations.length, calls: batches.length },
    async () => {
      const answers = await Promise.all(batches.map((batch) => ask(batch.map(({ erpId }) => erpId))));
      return {
        data: answers.flatMap(({ rows }) => rows),
        bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
    save,
  );
}
