import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { ImportOptions } from '../modules/mirror/runs/import-in-batches.ts';

/**
 * Options of an import inside an activity: its signal, and true for the last try of its retry
 * policy.
 */
export function importOptions(): ImportOptions {
  const { attempt, retryPolicy } = activityInfo();
  return {
    signal: cancellationSignal(),
    isLastTry: attempt >= (retryPolicy?.maximumAttempts ?? 1),
  };
}
