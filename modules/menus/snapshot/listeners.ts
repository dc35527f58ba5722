import type { TemporalDeps } from '../../../kernel/start-workflow.ts';
import type { Listeners } from '../../../kernel/events/listeners.ts';
import type { SnapshotDeps } from './build-snapshot.ts';
import { patchAvailability } from './patch-availability.ts';
import { watchPin } from './watch-pin.ts';

export type SnapshotListenerDeps = SnapshotDeps & TemporalDeps;

/** Patches read the tables: late or repeated events are harmless. */
export const SNAPSHOT_LISTENERS = {
  ErpStopListChanged: ({ organizationId }, deps) => patchAvailability(deps, organizationId),
  ErpTerminalsChanged: async ({ organizationIds }, deps) => {
    for (const organizationId of organizationIds) await patchAvailability(deps, organizationId);
  },
  SnapshotPinChanged: ({ organizationId }, deps) => watchPin(deps, organizationId),
} satisfies Listeners<SnapshotListenerDeps>;
