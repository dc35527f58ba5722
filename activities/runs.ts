import { importLimitMs } from '../modules/mirror/messages/sync.ts';
import { closeRun, type RunEnd } from '../modules/mirror/runs/close-run.ts';
import { openRun, type RunStart } from '../modules/mirror/runs/open-run.ts';
import { hasDirtyStopLists } from '../modules/mirror/mark-stop-lists-dirty.ts';
import { markFullDue, menusOfConnection } from '../modules/mirror/menu/full-due.ts';
import { planMenuImport } from '../modules/mirror/menu/plan-menu-import.ts';
import type { MirrorDeps } from '../modules/mirror/runs/fenced-import.ts';

/** Short database activities of imports. */
export type RunActivities = ReturnType<typeof createRunActivities>;

/** The activities bound to their dependencies; the worker calls this once. */
export function createRunActivities(deps: MirrorDeps) {
  return {
    /**
     * Opens the run record. Returns the time limit of the run in milliseconds, and the reason if it
     * must end immediately. A second call finds the record of this execution.
     */
    openRun: async (run: RunStart) => ({
      ...(await openRun(deps.db, run)),
      limitMs: importLimitMs(run),
    }),

    /** Decides what a menu run requests. A second call decides from the same rows. */
    planMenuImport: (input: { runId: number; connectionId: number; externalMenuId: number }) =>
      planMenuImport(deps.db, input),

    /** Ends a run and deletes its staged rows. A second call changes nothing. */
    closeRun: (end: RunEnd) => closeRun(deps, end),

    /** Menus of a connection that are imported. */
    menusOfConnection: (input: { connectionId: number }) =>
      menusOfConnection(deps.db, input.connectionId),

    /** Returns whether stop-lists of a connection are marked. A read. */
    stopListsMarked: async (input: { connectionId: number }) => ({
      marked: await hasDirtyStopLists(deps.db, input.connectionId),
    }),

    /** Marks menus so that their next run is full. A second call changes nothing. */
    markFullDue: (input: { externalMenuIds: number[] }) =>
      markFullDue(deps.db, input.externalMenuIds),
  };
}
