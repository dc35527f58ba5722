import { continueAsNew } from '@temporalio/workflow';
import type { MediaSweepInput } from '../modules/media/messages/media.ts';
import { mediaActivities } from './support/activity-sets.ts';

const BATCHES_PER_RUN = 200;

/**
 * Removes files without media from the media store, in batches. After a crash, another worker
 * continues with the same batch.
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
