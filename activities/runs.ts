import { importLimitMs } from '../modules/mirror/messages/sync.ts';
import { closeRun, type RunEnd } from '../modules/mirror/runs/close-run.ts';
import { openRun, type RunStart } from '../modules/mirror/runs/open-run.ts';
import { hasDirtyStopLists } from '../modules/mirror/mark-stop-lists-dirty.ts';
import { markFullDue, menusOfConnection } from '../modules/mirror/menu/full-due.ts';
import { planMenuImport } from '../modules/mirror/menu/plan-menu-import.ts';
import type { MirrorDeps } from '../modules/mirror/runs/fenced-import.ts';

export type RunActivities = ReturnType<typeof createRunActivities>;

/** The worker calls this once. */
export function createRunActivities(deps: MirrorDeps) {
  return {
    /**
     * Opens the run record. Returns the time limit in ms, and the reason if the run must end at
     * once. Idempotent.
     */
    openRun: async (run: RunStart) => ({
      ...(await openRun(deps.db, run)),
      limitMs: importLimitMs(run),
    }),

    planMenuImport: (input: { runId: number; connectionId: number; externalMenuId: number }) =>
      planMenuImport(deps.db, input),

    /** Ends a run and deletes its staged rows. Idempotent. */
    closeRun: (end: RunEnd) => closeRun(deps, end),

    menusOfConnection: (input: { connectionId: number }) =>
      menusOfConnection(deps.db, input.connectionId),

    stopListsMarked: async (input: { connectionId: number }) => ({
      marked: await hasDirtyStopLists(deps.db, input.connectionId),
    }),

    /** Makes the next run of these menus full. */
    markFullDue: (input: { externalMenuIds: number[] }) =>
      markFullDue(deps.db, input.externalMenuIds),
  };
}
