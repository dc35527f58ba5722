import type { ImportInput, ImportResult } from '../modules/mirror/messages/sync.ts';
import { erpActivities } from './support/activity-sets.ts';
import { importRun, jobEnding } from './support/import-run.ts';

/** Imports external menus and price categories. The id is the lock of this job. */
export async function menuListImport(input: ImportInput): Promise<ImportResult> {
  return importRun(input, async ({ runId, connectionId, queues }) =>
    jobEnding(await erpActivities(queues).importMenuList({ runId, connectionId })),
  );
}
