import { cancellationSignal } from '@temporalio/activity';
import type { MediaBatchInput } from '../modules/media/messages/media.ts';
import { sweepBatches, type SweepDeps, type Swept } from '../modules/media/sweep-media.ts';

/** Activities on the media store. */
export type MediaActivities = ReturnType<typeof createMediaActivities>;

/** The activities bound to their dependencies; the worker calls this once. */
export function createMediaActivities(deps: SweepDeps) {
  return {
    /**
     * Removes files without media for half a minute. A second call removes the rest, and a retry
     * continues at the place in the list that the last one has reached.
     */
    sweepMedia: (input: MediaBatchInput): Promise<Swept> =>
      sweepBatches(deps, input, cancellationSignal()),
  };
}
