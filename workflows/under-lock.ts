import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { executeChild } from '@temporalio/workflow';
import { IMPORT_WORKFLOWS, importWorkflowId } from '../contracts/ids.ts';
import type { ImportInput, ImportResult } from '../contracts/messages/sync.ts';
import { searchAttributes } from '../contracts/search-attributes.ts';

/** Of an import that was started before there was a limit in its input. */
const LIMIT = '1 hour';

/** Runs an import under its lock and waits for its end; 'ALREADY_RUNNING' is a normal result. */
export async function underLock(input: ImportInput): Promise<ImportResult | 'ALREADY_RUNNING'> {
  try {
    return await executeChild<(input: ImportInput) => Promise<ImportResult>>(IMPORT_WORKFLOWS[input.job], {
      workflowId: importWorkflowId(input.job, input.connectionId, input.externalMenuId ?? null),
      args: [input],
      // An import outlives whoever started it: it holds a lock and has a record of its own.
      parentClosePolicy: 'ABANDON',
      // One whose tasks fail for ever, after a faulty release, would hold the lock for ever.
      workflowExecutionTimeout: input.timings?.limitMs ?? LIMIT,
      typedSearchAttributes: searchAttributes({
        CarteCapability: 'mirror',
        CarteRunKind: input.job,
        CarteTrigger: input.trigger,
      }),
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'ALREADY_RUNNING';
    throw error;
  }
}
