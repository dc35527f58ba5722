import { buildSnapshot, type BuildResult, type SnapshotDeps } from '../app/snapshot/build-snapshot.ts';
import { patchAvailability, type PatchResult } from '../app/snapshot/patch-availability.ts';

/** Activities of the snapshot; their results are counters and words, never a menu. */
export type SnapshotActivities = ReturnType<typeof createSnapshotActivities>;

/** The activities bound to what they need; the worker calls this once. */
export function createSnapshotActivities(deps: SnapshotDeps) {
  return {
    /**
     * Builds and publishes the menu of one organization. A second call finds equal content and publishes nothing.
     * A menu that breaks the public schema is retried like any fault: the previous menu stays, the row stays dirty.
     */
    buildSnapshot: (input: { organizationId: number }): Promise<BuildResult> =>
      buildSnapshot(deps, input.organizationId),

    /** Brings the published menu to the stop-list of the tables. A second call writes nothing. */
    patchAvailability: (input: { organizationId: number }): Promise<PatchResult> =>
      patchAvailability(deps, input.organizationId),
  };
}
