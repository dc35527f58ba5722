import { endDueBusyModes } from '../modules/delivery/busy-mode/end-busy-mode.ts';
import type { Database } from '../platform/db/database.ts';

export type BusyModeActivities = ReturnType<typeof createBusyModeActivities>;

export function createBusyModeActivities(deps: { db: Database }) {
  return {
    endDueBusyModes: () => endDueBusyModes(deps),
  };
}
