import { buildSnapshot, type BuildResult, type SnapshotDeps } from '../modules/menus/snapshot/build-snapshot.ts';
import { endDuePin } from '../modules/menus/snapshot/pin-revision.ts';

/** Activities of the queue of builds; their results are counters and words, never a menu. */
export type BuildActivities = ReturnType<typeof createBuildActivities>;

/** Activities of pins, on the queue of workflows. */
export type PinActivities = ReturnType<typeof createPinActivities>;

/** Binds the activities of builds to their dependencies; the worker calls this once. */
export function createBuildActivities(deps: SnapshotDeps) {
  return {
    /**
     * Builds and publishes the menu of one organization, and heartbeats meanwhile. A second call
     * finds equal content and publishes nothing. A menu that cannot be built from these facts is
     * not tried again (SNAPSHOT_BROKEN): the previous menu stays, and the row stays dirty.
     */
    buildSnapshot: (input: { organizationId: number }): Promise<BuildResult> =>
      buildSnapshot(deps, input.organizationId),
  };
}

/** Binds the activities of pins to their dependencies; the worker calls this once. */
export function createPinActivities(deps: SnapshotDeps) {
  return {
    /**
     * Ends the pin of one restaurant when its time is over. A second call finds none and changes
     * nothing.
     */
    endDuePin: (input: { organizationId: number }): Promise<{ remainingMs: number | null }> =>
      endDuePin(deps, input.organizationId),
  };
}
