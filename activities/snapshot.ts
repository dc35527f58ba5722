import {
  buildSnapshot,
  type BuildResult,
  type SnapshotDeps,
} from '../modules/menus/snapshot/build-snapshot.ts';
import { repeatingProgress } from '../platform/progress.ts';
import type { StatementLimit } from './statement-limit.ts';
import { lastSource } from '../modules/menus/rebuilds/build-result.ts';
import { endDuePin } from '../modules/menus/snapshot/pin-revision.ts';

/** The result of a build, and the last change that made the menu outdated (rule OPS-190). */
export type BuiltMenu = BuildResult & { source: string | null };

/** Activities of the queue of builds; their results are counters and words, never a menu. */
export type BuildActivities = ReturnType<typeof createBuildActivities>;

/** Activities of pins, on the queue of workflows. */
export type PinActivities = ReturnType<typeof createPinActivities>;

/** Binds the activities of builds to their dependencies; the worker calls this once. */
export function createBuildActivities(deps: SnapshotDeps & StatementLimit) {
  return {
    /**
     * Builds and publishes the menu of one organization. Heartbeats with its step. A second call
     * finds equal content and publishes nothing. A menu that cannot be built from these facts is
     * not tried again (SNAPSHOT_BROKEN): the previous menu stays, and the row stays dirty.
     */
    buildSnapshot: ({ organizationId }: { organizationId: number }): Promise<BuiltMenu> =>
      repeatingProgress(deps.statementMs, async () => {
        const source = await lastSource(deps.db, organizationId);
        return { ...(await buildSnapshot(deps, organizationId)), source };
      }),
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
