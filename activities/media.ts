import { cancellationSignal } from '@temporalio/activity';
import type { MediaBatchInput } from '../modules/media/messages/media.ts';
import { sweepBatches, type SweepDeps, type Swept } from '../modules/media/sweep-media.ts';

export type MediaActivities = ReturnType<typeof createMediaActivities>;

/** The worker calls this once. */
export function createMediaActivities(deps: SweepDeps) {
  return {
    /** Removes files without media for half a minute. A retry continues at the last position. */
    sweepMedia: (input: MediaBatchInput): Promise<Swept> =>
      sweepBatches(deps, input, cancellationSignal()),
  };
}
