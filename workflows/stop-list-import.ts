import type { ImportInput, ImportResult } from '../modules/mirror/messages/sync.ts';
import { erpActivities } from './support/activity-sets.ts';
import { askTwice } from './support/ask-twice.ts';
import { importRun, skipped, jobEnding } from './support/import-run.ts';

/** The id is the lock of this job. */
export async function stopListImport(input: ImportInput): Promise<ImportResult> {
  return importRun(input, async (run) => {
    const outcome = await askTwice(run, (list) => erpActivities(run.queues).importStopLists(list));
    return outcome.outcome === 'NO_ORGANIZATIONS'
      ? skipped('NO_ORGANIZATIONS')
      : jobEnding(outcome);
  });
}
