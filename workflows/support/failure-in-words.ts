import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';

/**
 * A failed activity in words for operators. Rethrows a cancellation of the execution, and faults of
 * the program.
 */
export function failureInWords(error: unknown): string {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  return `failed: ${causeOf(error)}`;
}

/** The type of the first cause of a failed activity or child, in words for operators. */
export function causeOf(error: unknown): string {
  if (error instanceof ActivityFailure || error instanceof ChildWorkflowFailure) return causeOf(error.cause);
  if (error instanceof ApplicationFailure) return error.type ?? 'INTERNAL';
  return error instanceof TimeoutFailure ? 'no worker has finished it in time' : 'INTERNAL';
}
