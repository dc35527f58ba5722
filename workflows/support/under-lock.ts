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

/** The end of an import under its lock, with any result; both values are normal. */
export type UnderLock = ImportResult | 'ALREADY_RUNNING' | 'GIVEN_UP';

/**
 * Runs an import under its lock and waits for its end. 'ALREADY_RUNNING' when another one has the
 * lock; 'GIVEN_UP' when it was canceled, as with its connection, or when Temporal ended it.
 */
export async function underLock(input: ImportInput): Promise<UnderLock> {
  try {
    return await executeChild<(input: ImportInput) => Promise<ImportResult>>(IMPORT_WORKFLOWS[input.job].type, {
      workflowId: importLock({
        job: input.job,
        connectionId: input.connectionId,
        externalMenuId: input.externalMenuId ?? null,
      }),
      args: [input],
      // An import outlives its starter: it holds a lock and has a record of its own.
      parentClosePolicy: 'ABANDON',
      workflowExecutionTimeout: executionLimitMs(input),
      typedSearchAttributes: searchAttributes({
        CarteCapability: 'mirror',
        CarteConnectionId: input.connectionId,
        CarteRunKind: input.job,
        CarteTrigger: input.trigger,
      }),
      memo: idsOfImport(input),
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'ALREADY_RUNNING';
    const ended = error instanceof ChildWorkflowFailure ? endOf(error.cause) : undefined;
    if (ended === undefined) throw error;
    return ended;
  }
}

/** Undefined for a fault of the program, and when it is we who are canceled. */
function endOf(cause: unknown): UnderLock | undefined {
  if (cause instanceof ApplicationFailure) return cause.details?.[0] as ImportResult | undefined;
  if (cause instanceof TimeoutFailure || cause instanceof TerminatedFailure) return 'GIVEN_UP';
  return cause instanceof CancelledFailure && !CancellationScope.current().consideredCancelled ? 'GIVEN_UP' : undefined;
}
