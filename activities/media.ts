import { cancellationSignal } from '@temporalio/activity';
import { sweepMedia, type SweepDeps, type Swept } from '../modules/media/sweep-media.ts';
import type { MediaBatchInput } from '../modules/media/messages/media.ts';

/** Activities on the media store. */
export type MediaActivities = ReturnType<typeof createMediaActivities>;

/** The activities bound to what they need; the worker calls this once. */
export function createMediaActivities(deps: SweepDeps) {
  return {
    /** Removes files that no media has, one batch. A second call finds those gone that the first has removed. */
    sweepMedia: (input: MediaBatchInput): Promise<Swept> => sweepMedia(deps, input, cancellationSignal()),
  };
}
