import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  executeChild,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import {
  executionLimitMs,
  idsOfImport,
  type ImportInput,
  type ImportResult,
  IMPORT_WORKFLOWS,
  importLock,
} from '../../modules/mirror/messages/sync.ts';
import { searchAttributes } from '../../platform/pure/search-attributes.ts';

/** Both codes are normal ends. */
export type UnderLock = ImportResult | 'ALREADY_RUNNING' | 'GIVEN_UP';

/**
 * Runs an import under its lock and waits. 'ALREADY_RUNNING': another run has the lock.
 * 'GIVEN_UP': canceled, for example with its connection, or ended by Temporal.
 */
export async function underLock(input: ImportInput): Promise<UnderLock> {
  try {
    return await executeChild<(input: ImportInput) => Promise<ImportResult>>(
      IMPORT_WORKFLOWS[input.job].type,
      {
        workflowId: importLock({
          job: input.job,
          connectionId: input.connectionId,
          externalMenuId: input.externalMenuId ?? null,
        }),
        args: [input],
        // The import outlives its starter, because it has its own lock and record.
        parentClosePolicy: 'ABANDON',
        workflowExecutionTimeout: executionLimitMs(input),
        typedSearchAttributes: searchAttributes({
          CarteCapability: 'mirror',
          CarteConnectionId: input.connectionId,
          CarteRunKind: input.job,
          CarteTrigger: input.trigger,
        }),
        memo: idsOfImport(input),
      },
    );
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'ALREADY_RUNNING';
    const ended = error instanceof ChildWorkflowFailure ? toEnd(error.cause) : undefined;
    if (ended === undefined) throw error;
    return ended;
  }
}

/** Returns undefined for a bug, and if this execution is canceled. */
function toEnd(cause: unknown): UnderLock | undefined {
  if (cause instanceof ApplicationFailure) return cause.details?.[0] as ImportResult | undefined;
  if (cause instanceof TimeoutFailure || cause instanceof TerminatedFailure) return 'GIVEN_UP';
  return cause instanceof CancelledFailure && !CancellationScope.current().consideredCancelled
    ? 'GIVEN_UP'
    : undefined;
}
