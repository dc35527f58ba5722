import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { SnapshotActivities } from '../activities/snapshot.ts';
import { snapshotDirtied, type SnapshotRebuildInput } from '../contracts/messages/rebuilds.ts';

const { buildSnapshot } = proxyActivities<SnapshotActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '5 minutes',
  // A worker that dies in the middle of a build is noticed after this time, not after the whole minute.
  heartbeatTimeout: '15 seconds',
  retry: { maximumInterval: '10 seconds' },
});

/** Rounds after which the history starts anew; a start always builds, so no reason is carried over. */
const ROUNDS_PER_RUN = 500;

/**
 * Rebuilds the menu of one organization: waits until the changes pause, at most `debounceMaxMs` after the first one,
 * builds, and does another round when a reason arrived meanwhile. Signals are hints; `pending` of the rows decides.
 * Ends when nothing is left to do.
 */
export async function snapshotRebuild(input: SnapshotRebuildInput): Promise<void> {
  let signals = 0;
  setHandler(snapshotDirtied, () => void (signals += 1));

  for (let round = 1; ; round += 1) {
    await quietMoment(input, () => signals);
    const seen = signals;
    const { pending } = await buildSnapshot({ organizationId: input.organizationId });
    // No await between this check and the return: a signal after it makes the server refuse the completion.
    if (signals === seen && !pending) return;
    if (round >= (input.roundsPerRun ?? ROUNDS_PER_RUN) || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof snapshotRebuild>(input);
  }
}

/** Resolves when no signal came for `debounceMs`, or when `debounceMaxMs` are over. */
async function quietMoment(input: SnapshotRebuildInput, signals: () => number): Promise<void> {
  // The SDK replays Date.now from the history.
  const latest = Date.now() + input.debounceMaxMs;
  let before: number;
  let left: number;
  do {
    before = signals();
    left = latest - Date.now();
  } while (left > 0 && (await condition(() => signals() !== before, Math.min(input.debounceMs, left))));
}
