import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { ImportOptions } from '../modules/mirror/runs/import-in-batches.ts';

/** Returns the signal of the activity, and true for the last try of its retry policy. */
export function importOptions(): ImportOptions {
  const { attempt, retryPolicy } = activityInfo();
  return {
    signal: cancellationSignal(),
    isLastTry: attempt >= (retryPolicy?.maximumAttempts ?? 1),
  };
}
