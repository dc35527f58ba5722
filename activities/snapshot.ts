import {
  buildSnapshot,
  type BuildResult,
  type SnapshotDeps,
} from '../modules/menus/snapshot/build-snapshot.ts';
import { repeatingProgress } from '../platform/progress.ts';
import type { StatementLimit } from './statement-limit.ts';
import { lastSource } from '../modules/menus/rebuilds/build-result.ts';
import { endDuePin } from '../modules/menus/snapshot/pin-revision.ts';

/** `source`: the last change that made the menu outdated (rule OPS-190). */
export type BuiltMenu = BuildResult & { source: string | null };

/** Results are counters and words, never a menu. */
export type BuildActivities = ReturnType<typeof createBuildActivities>;

/** On the queue of workflows. */
export type PinActivities = ReturnType<typeof createPinActivities>;

/** The worker calls this once. */
export function createBuildActivities(deps: SnapshotDeps & StatementLimit) {
  return {
    /**
     * A second call finds equal content and publishes nothing. A menu that cannot be built is not
     * retried (SNAPSHOT_BROKEN): the previous menu stays, and the row stays dirty.
     */
    buildSnapshot: ({ organizationId }: { organizationId: number }): Promise<BuiltMenu> =>
      repeatingProgress(deps.statementMs, async () => {
        const source = await lastSource(deps.db, organizationId);
        return { ...(await buildSnapshot(deps, organizationId)), source };
      }),
  };
}

/** The worker calls this once. */
export function createPinActivities(deps: SnapshotDeps) {
  return {
    /** Ends the pin of a restaurant when its time is over. Idempotent. */
    endDuePin: (input: { organizationId: number }): Promise<{ remainingMs: number | null }> =>
      endDuePin(deps, input.organizationId),
  };
}
