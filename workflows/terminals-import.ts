import type { ImportInput, ImportResult } from '../modules/mirror/messages/sync.ts';
import { erpActivities } from './support/activity-sets.ts';
import { askTwice } from './support/ask-twice.ts';
import { importRun, jobEnding } from './support/import-run.ts';

/** The id is the lock of this job. */
export async function terminalsImport(input: ImportInput): Promise<ImportResult> {
  return importRun(input, async (run) =>
    jobEnding(await askTwice(run, (list) => erpActivities(run.queues).importTerminals(list))),
  );
}
