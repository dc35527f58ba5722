import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BuildActivities, BuiltMenu } from '../activities/snapshot.ts';
import {
  snapshotDirtied,
  type SnapshotRebuildInput,
} from '../modules/menus/rebuilds/messages/rebuilds.ts';
import { waitForPauseMs, type DebounceTimes } from '../modules/menus/rebuilds/rules/debounce.ts';
import { showAttributes } from './support/trace.ts';

const builds = (queues: SnapshotRebuildInput['queues']) =>
  proxyActivities<BuildActivities>({
    taskQueue: queues.build,
    startToCloseTimeout: '1 minute',
    // After an edit of the whole catalog, a menu may wait for a thousand others.
    scheduleToCloseTimeout: '1 hour',
    // Detects within a minute that a worker died during a build.
    heartbeatTimeout: '15 seconds',
    retry: { maximumInterval: '10 seconds' },
  });

/** A new execution always builds, so continue-as-new loses nothing. */
const ROUNDS_PER_RUN = 500;

/**
 * Waits until changes pause, at most `debounceMaxMs` after the first. Then builds, and repeats if
 * changes arrived meanwhile. Signals are hints; `pending` of the rows decides. Fails with
 * SNAPSHOT_BROKEN if the facts cannot be built, until a further change starts it again.
 */
export async function snapshotRebuild(input: SnapshotRebuildInput): Promise<void> {
  const { buildSnapshot } = builds(input.queues);
  let signals = 0;
  setHandler(snapshotDirtied, () => void (signals += 1));

  for (let round = 1; ; round += 1) {
    await quietMoment(input, () => signals);
    const seen = signals;
    const built = await buildSnapshot({ organizationId: input.organizationId }).catch(
      (error: unknown) => {
        // A change that arrived meanwhile may repair the menu.
        if (signals === seen) throw error;
        return null;
      },
    );
    if (built !== null) showBuild(built);

    const pending = built?.pending ?? true;
    // No await before the return: the server rejects a completion after a new signal.
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

/** OPS-190. */
function showBuild({ outcome, revision, source }: BuiltMenu): void {
  // Histories of earlier releases contain no source.
  if (source === undefined) return;
  const cause = source === null ? [] : [`Last change: ${source}.`];
  setCurrentDetails(
    [OUTCOMES[outcome], ...(revision === null ? [] : [`Revision: ${revision}.`]), ...cause].join(
      '\n\n',
    ),
  );

  showAttributes({ CarteOutcome: outcome, CarteTrigger: source ?? undefined });
}

/**
 * Resolves when changes pause or have delayed the rebuild for too long
 * (`modules/menus/rebuilds/rules/debounce.ts`).
 */
async function quietMoment(times: DebounceTimes, signals: () => number): Promise<void> {
  // On replay, the SDK takes Date.now from the history.
  const first = Date.now();
  for (;;) {
    const before = signals();
    const waitMs = waitForPauseMs(times, Date.now() - first);
    if (waitMs === 0) return;
    const another = await condition(() => signals() !== before, waitMs, {
      summary: 'Until the changes pause',
    });
    if (!another) return;
  }
}
