import { continueAsNew } from '@temporalio/workflow';
import type { MediaSweepInput } from '../modules/media/messages/media.ts';
import { mediaActivities } from './support/activity-sets.ts';

/** Batches after which the execution continues as new. */
const BATCHES_PER_RUN = 200;

/**
 * Scans the whole media store once and removes files without media, in batches; after a crash of a
 * worker, another continues at the same batch.
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
