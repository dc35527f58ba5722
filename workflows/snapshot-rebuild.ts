import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { BuildActivities } from '../activities/snapshot.ts';
import { snapshotDirtied, type SnapshotRebuildInput } from '../modules/rebuilds/messages/rebuilds.ts';
import { waitForPauseMs, type DebounceTimes } from '../modules/rebuilds/rules/debounce.ts';

const builds = (queues: SnapshotRebuildInput['queues']) =>
  proxyActivities<BuildActivities>({
    taskQueue: queues.build,
    startToCloseTimeout: '1 minute',
    // After an edit of the whole catalog a menu may wait for a thousand others.
    scheduleToCloseTimeout: '1 hour',
    // A worker that dies in the middle of a build is noticed after this time, not after the whole
    // minute.
    heartbeatTimeout: '15 seconds',
    retry: { maximumInterval: '10 seconds' },
  });

/**
 * Rounds after which the execution continues as new; a start always builds, so no reason is carried
 * over.
 */
const ROUNDS_PER_RUN = 500;

/**
 * Rebuilds the menu of one organization: waits until the changes pause, at most `debounceMaxMs`
 * after the first one, builds, and does another round when a reason arrived meanwhile. Signals are
 * hints; `pending` of the rows decides. Ends when nothing is left to do, and fails with
 * SNAPSHOT_BROKEN when the facts cannot be built: a further reason starts it again.
 */
export async function snapshotRebuild(input: SnapshotRebuildInput): Promise<void> {
  const { buildSnapshot } = builds(input.queues);
  let signals = 0;
  setHandler(snapshotDirtied, () => void (signals += 1));

  for (let round = 1; ; round += 1) {
    await quietMoment(input, () => signals);
    const seen = signals;
    const { pending } = await buildSnapshot({ organizationId: input.organizationId }).catch((error: unknown) => {
      // What arrived meanwhile may be what makes the menu whole again.
      if (signals === seen) throw error;
      return { pending: true };
    });
    // No await between this check and the return: a signal after it makes the server reject the
    // completion.
    if (signals === seen && !pending) return;
    if (round >= (input.roundsPerRun ?? ROUNDS_PER_RUN) || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof snapshotRebuild>(input);
  }
}

/**
 * Resolves when changes pause, or when they have delayed the rebuild for too long
 * (`modules/rebuilds/rules/debounce.ts`).
 */
async function quietMoment(times: DebounceTimes, signals: () => number): Promise<void> {
  // The SDK replays Date.now from the history.
  const first = Date.now();
  for (;;) {
    const before = signals();
    const waitMs = waitForPauseMs(times, Date.now() - first);
    if (waitMs === 0) return;
    const another = await condition(() => signals() !== before, waitMs, { summary: 'Until the changes pause' });
    if (!another) return;
  }
}
