import type { Client } from '@temporalio/client';
import { IMPORT_WORKFLOWS, importWorkflowId } from '../../../contracts/ids.ts';
import type { ImportInput } from '../../../contracts/messages/sync.ts';
import type { Queues } from '../../../contracts/queues.ts';
import { searchAttributes } from '../../../contracts/search-attributes.ts';
import { isAlreadyStarted } from '../../../platform/temporal.ts';

const DEADLINE_MS = 5_000;

/** Starts an import under its lock; false when that lock is held. Throws what Temporal throws otherwise. */
export async function startImportWorkflow(
  { temporal, queues }: { temporal: Client; queues: Queues },
  input: ImportInput,
): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      temporal.workflow.start(IMPORT_WORKFLOWS[input.job], {
        workflowId: importWorkflowId(input.job, input.connectionId, input.externalMenuId ?? null),
        taskQueue: queues.workflows,
        args: [input],
        workflowIdConflictPolicy: 'FAIL',
        typedSearchAttributes: searchAttributes({
          CarteCapability: 'mirror',
          CarteRunKind: input.job,
          CarteTrigger: input.trigger,
        }),
      }),
    );
    return true;
  } catch (error) {
    if (isAlreadyStarted(error)) return false;
    throw error;
  }
}
