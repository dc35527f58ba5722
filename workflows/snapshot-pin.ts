import {
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { PinActivities } from '../activities/snapshot.ts';
import { snapshotPinChanged, type SnapshotPinInput } from '../modules/menus/messages/snapshot.ts';

const { endDuePin } = proxyActivities<PinActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '1 hour',
  retry: { maximumInterval: '30 seconds' },
});

/** Enough, because a pin lasts at most a year and rarely changes. */
const LOOKS_PER_RUN = 500;

/**
 * Ends the pin of a restaurant when its time has passed. The row determines this time, and a signal
 * causes a new read.
 */
export async function snapshotPin(input: SnapshotPinInput): Promise<void> {
  const { organizationId } = input;
  let changes = 0;
  setHandler(snapshotPinChanged, () => void (changes += 1));

  for (let looks = 1; ; looks += 1) {
    const seen = changes;
    const { remainingMs } = await endDuePin({ organizationId });
    // No await before the return: the server rejects a completion after a new signal.
    if (changes === seen && remainingMs === null) return;
    if (remainingMs !== null)
      await condition(() => changes !== seen, remainingMs, { summary: 'Until the pin ends' });
    if (looks >= (input.looksPerRun ?? LOOKS_PER_RUN) || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof snapshotPin>(input);
  }
}
