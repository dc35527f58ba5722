import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BuildActivities, BuiltMenu } from '../activities/snapshot.ts';
import { snapshotDirtied, type SnapshotRebuildInput } from '../modules/menus/rebuilds/messages/rebuilds.ts';
import { waitForPauseMs, type DebounceTimes } from '../modules/menus/rebuilds/rules/debounce.ts';
import { showAttributes } from './support/trace.ts';

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
    const built = await buildSnapshot({ organizationId: input.organizationId }).catch((error: unknown) => {
      // What arrived meanwhile may be what makes the menu whole again.
      if (signals === seen) throw error;
      return null;
    });
    if (built !== null) showBuild(built);
    const pending = built?.pending ?? true;
    // No await between this check and the return: a signal after it makes the server reject the
    // completion.
    if (signals === seen && !pending) return;
    if (round >= (input.roundsPerRun ?? ROUNDS_PER_RUN) || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof snapshotRebuild>(input);
  }
}

const OUTCOMES: Readonly<Record<BuiltMenu['outcome'], string>> = {
  PUBLISHED: 'A new revision was published.',
  PATCHED: 'Only the availability of dishes has changed.',
  UNCHANGED: 'The published menu was up to date.',
  SUPERSEDED: 'Another build has published newer facts.',
  TOO_LARGE: 'The menu is too large and was not published.',
  INACTIVE: 'The organization has no public menu.',
};

/** Shows operators the result of a build and the change that caused it (rule OPS-190). */
function showBuild({ outcome, revision, source }: BuiltMenu): void {
  // Histories of earlier releases have no source.
  if (source === undefined) return;
  const cause = source === null ? [] : [`Last change: ${source}.`];
  setCurrentDetails(
    [OUTCOMES[outcome], ...(revision === null ? [] : [`Revision: ${revision}.`]), ...cause].join('\n\n'),
  );
  showAttributes({ CarteOutcome: outcome, CarteTrigger: source ?? undefined });
}

/**
 * Resolves when changes pause, or when they have delayed the rebuild for too long
 * (`modules/menus/rebuilds/rules/debounce.ts`).
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
