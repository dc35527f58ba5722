import { endDueBusyModes } from '../modules/delivery/busy-mode/end-busy-mode.ts';
import type { Database } from '../platform/db/database.ts';

/** On the queue of workflows. */
export type BusyModeActivities = ReturnType<typeof createBusyModeActivities>;

/** The worker calls this once. */
export function createBusyModeActivities(deps: { db: Database }) {
  return {
    endDueBusyModes: () => endDueBusyModes(deps),
  };
}
