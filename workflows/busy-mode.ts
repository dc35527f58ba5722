import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import { busyModeChanged, type BusyModeInput } from '../modules/delivery/messages/busy-mode.ts';
import { busyModeActivities } from './support/activity-sets.ts';

const { endDueBusyModes } = busyModeActivities();

const LOOKS_PER_RUN = 500;

/**
 * Ends busy modes when their time has passed (FUL-70). The rows determine these times, and a signal
 * causes a new read.
 */
export async function busyMode(input: BusyModeInput): Promise<void> {
  let changes = 0;
  setHandler(busyModeChanged, () => void (changes += 1));

  for (let looks = 1; ; looks += 1) {
    const seen = changes;
    const { remainingMs } = await endDueBusyModes();
    // No await before the return: the server rejects a completion after a new signal.
    if (changes === seen && remainingMs === null) return;
    if (remainingMs !== null)
      await condition(() => changes !== seen, remainingMs, {
        summary: 'Until the next busy mode ends',
      });

    if (looks >= (input.looksPerRun ?? LOOKS_PER_RUN) || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof busyMode>(input);
  }
}
