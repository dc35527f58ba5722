import { IMPORT_WORKFLOWS, importWorkflowId } from '../../../contracts/ids.ts';
import type { ImportInput } from '../../../contracts/messages/sync.ts';
import { activityQueues } from '../../../contracts/queues.ts';
import { searchAttributes } from '../../../contracts/search-attributes.ts';
import { startWorkflow, type TemporalDeps } from '../../../platform/start-workflow.ts';
import { isAlreadyStarted } from '../../../platform/temporal.ts';

/** Starts an import under its lock; false when that lock is held. Throws what Temporal throws otherwise. */
export async function startImportWorkflow(deps: TemporalDeps, input: Omit<ImportInput, 'queues'>): Promise<boolean> {
  try {
    await startWorkflow(
      deps,
      IMPORT_WORKFLOWS[input.job],
      {
        workflowId: importWorkflowId(input.job, input.connectionId, input.externalMenuId ?? null),
        args: [{ ...input, queues: activityQueues(deps.queues) }],
        attributes: searchAttributes({
          CarteCapability: 'mirror',
          CarteRunKind: input.job,
          CarteTrigger: input.trigger,
        }),
      },
      'FAIL',
    );
    return true;
  } catch (error) {
    if (isAlreadyStarted(error)) return false;
    throw error;
  }
}
