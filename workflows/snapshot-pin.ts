import { condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { SnapshotActivities } from '../activities/snapshot.ts';
import { snapshotPinChanged, type SnapshotPinInput } from '../contracts/messages/snapshot.ts';

const { endDuePin } = proxyActivities<SnapshotActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '1 hour',
  retry: { maximumInterval: '30 seconds' },
});

/**
 * Ends the pin of one restaurant at its time. The row decides when that is and whether there is still a pin; a signal only makes it
 * look again. Ends when there is none.
 */
export async function snapshotPin(input: SnapshotPinInput): Promise<void> {
  let changes = 0;
  setHandler(snapshotPinChanged, () => void (changes += 1));
  for (;;) {
    const seen = changes;
    const { remainingMs } = await endDuePin(input);
    // No await between this check and the return: a signal after it makes the server refuse the completion.
    if (changes === seen && remainingMs === null) return;
    if (remainingMs !== null) await condition(() => changes !== seen, remainingMs);
  }
}
