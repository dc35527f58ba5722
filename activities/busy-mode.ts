import { endDueBusyModes } from '../modules/delivery/busy-mode/end-busy-mode.ts';
import type { Database } from '../platform/db/database.ts';

/** Activities of busy modes, on the queue of workflows. */
export type BusyModeActivities = ReturnType<typeof createBusyModeActivities>;

/** Binds the activities of busy modes to their dependencies; the worker calls this once. */
export function createBusyModeActivities(deps: { db: Database }) {
  return {
    /** Ends the busy modes whose time is over. A second call finds none and changes nothing. */
    endDueBusyModes: () => endDueBusyModes(deps),
  };
}
