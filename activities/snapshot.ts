import { buildSnapshot, type BuildResult, type SnapshotDeps } from '../modules/menus/snapshot/build-snapshot.ts';
import { endDuePin } from '../modules/menus/snapshot/pin-revision.ts';
import { bulkhead } from 'cockatiel';

/** Activities of the snapshot; their results are counters and words, never a menu. */
export type SnapshotActivities = ReturnType<typeof createSnapshotActivities>;

/** For executions of releases that built on the queue of workflows, which has more slots than builds shall have. */
const BUILDS_AT_ONCE = 2;

/** The activities bound to what they need; the worker calls this once. */
export function createSnapshotActivities(deps: SnapshotDeps) {
  const builds = bulkhead(BUILDS_AT_ONCE, Infinity);
  return {
    /**
     * Builds and publishes the menu of one organization; waits for its turn in this process and heartbeats meanwhile. A second call finds equal content
     * and publishes nothing. A menu that cannot be built from these facts is not tried again (SNAPSHOT_BROKEN): the previous menu
     * stays, and the row stays dirty.
     */
    buildSnapshot: (input: { organizationId: number }): Promise<BuildResult> =>
      builds.execute(() => buildSnapshot(deps, input.organizationId)),

    /** Ends the pin of one restaurant when its time is over. A second call finds none and changes nothing. */
    endDuePin: (input: { organizationId: number }): Promise<{ remainingMs: number | null }> =>
      endDuePin(deps, input.organizationId),
  };
}
