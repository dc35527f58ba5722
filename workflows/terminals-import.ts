import type { ImportInput, ImportResult } from '../contracts/messages/sync.ts';
import { erpActivities } from './activity-sets.ts';
import { importRun } from './import-run.ts';
import { jobEnding } from './job-ending.ts';

/** Imports the terminal groups of a connection; its id is the lock of this job. */
export async function terminalsImport(input: ImportInput): Promise<ImportResult> {
  return importRun(input, async ({ runId, connectionId, queues }) =>
    jobEnding(await erpActivities(queues).importTerminals({ runId, connectionId })),
  );
}
