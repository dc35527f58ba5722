import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';

/**
 * A failed activity in words for operators. Rethrows a cancellation of the execution, and faults of
 * the program.
 */
export function failureInWords(error: unknown): string {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) return `failed: ${cause.type ?? 'INTERNAL'}`;
  return cause instanceof TimeoutFailure ? 'failed: no worker has finished it in time' : 'failed: INTERNAL';
}
