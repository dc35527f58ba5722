import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';

/**
 * Describes a failed activity for operators. Rethrows bugs, and a cancellation of the execution.
 */
export function failureInWords(error: unknown): string {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  return `failed: ${findCause(error)}`;
}

/** Returns the type of the root cause of a failed activity or child. */
export function findCause(error: unknown): string {
  if (error instanceof ActivityFailure || error instanceof ChildWorkflowFailure)
    return findCause(error.cause);
  if (error instanceof ApplicationFailure) return error.type ?? 'INTERNAL';
  return error instanceof TimeoutFailure ? 'no worker has finished it in time' : 'INTERNAL';
}
