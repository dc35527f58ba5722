import { endDueBusyModes } from '../modules/delivery/busy-mode/end-busy-mode.ts';
import type { Database } from '../platform/db/database.ts';

/** These activities run on the queue of workflows. */
export type BusyModeActivities = ReturnType<typeof createBusyModeActivities>;

export function createBusyModeActivities(deps: { db: Database }) {
  return {
    endDueBusyModes: () => endDueBusyModes(deps),
  };
}
