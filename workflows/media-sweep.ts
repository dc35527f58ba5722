import { continueAsNew } from '@temporalio/workflow';
import type { MediaSweepInput } from '../modules/media/messages/media.ts';
import { mediaActivities } from './support/activity-sets.ts';

/** Batches after which the history starts anew. */
const BATCHES_PER_RUN = 200;

/**
 * Goes through the whole media store once and removes files that no media has, batch by batch; a
 * worker that dies is followed by another at the same batch.
 */
export async function mediaSweep({ after = null, ...pace }: MediaSweepInput = {}): Promise<void> {
  const { sweepMedia } = mediaActivities(pace.heartbeatMs);
  let at = after;
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    ({ next: at } = await sweepMedia({ after: at }));
    if (at === null) return;
  }
  await continueAsNew<typeof mediaSweep>({ ...pace, after: at });
}
