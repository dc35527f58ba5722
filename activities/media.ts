import { cancellationSignal } from '@temporalio/activity';
import type { MediaBatchInput } from '../modules/media/messages/media.ts';
import { sweepMedia, type SweepDeps, type Swept } from '../modules/media/sweep-media.ts';

/** Activities on the media store. */
export type MediaActivities = ReturnType<typeof createMediaActivities>;

/** The activities bound to their dependencies; the worker calls this once. */
export function createMediaActivities(deps: SweepDeps) {
  return {
    /** Removes files without media, in one batch. A second call removes the rest. */
    sweepMedia: (input: MediaBatchInput): Promise<Swept> => sweepMedia(deps, input, cancellationSignal()),
  };
}
