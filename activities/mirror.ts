import { cancellationSignal } from '@temporalio/activity';
import { askedTwice } from './ask-again.ts';
import { importOptions } from './import-options.ts';
import { importMenuList } from '../modules/mirror/import-menu-list.ts';
import { importOrganizations } from '../modules/mirror/import-organizations.ts';
import { importStopLists } from '../modules/mirror/import-stop-lists.ts';
import { importTerminals } from '../modules/mirror/import-terminals.ts';
import { importZones } from '../modules/mirror/zones/import-zones.ts';
import { asyncMenuStatus } from '../modules/mirror/menu/fetch-and-stage.ts';
import type { MirrorDeps } from '../modules/mirror/runs/fenced-import.ts';
import type { Log } from '../platform/log.ts';

/**
 * Results are stored with the rows, so a second call returns the first result. ASK_AGAIN: the
 * list would remove much and was not applied. Permanent faults: an invalid answer, a rejected
 * credential.
 */
export type MirrorActivities = ReturnType<typeof createMirrorActivities>;

/** `isSecond`: the run has requested its list before. */
type Run = { runId: number; connectionId: number };
type ListRun = Run & { isSecond?: boolean };

/** The worker calls this once. */
export function createMirrorActivities(deps: MirrorDeps & { log: Log }) {
  return {
    importOrganizations: (run: ListRun) =>
      askedTwice(run, () => importOrganizations(deps, run, { signal: cancellationSignal() })),

    importTerminals: (run: ListRun) =>
      askedTwice(run, () => importTerminals(deps, run, importOptions())),

    /** Includes price categories. */
    importMenuList: (run: Run) => importMenuList(deps, run, { signal: cancellationSignal() }),

    importStopLists: (run: ListRun) =>
      askedTwice(run, () => importStopLists(deps, run, importOptions())),

    importZones: (run: ListRun) => askedTwice(run, () => importZones(deps, run, importOptions())),

    /** Reads the progress of an asynchronous menu request. */
    asyncMenuStatus: (input: {
      connectionId: number;
      organizationId: number;
      correlationId: string;
    }) => asyncMenuStatus(deps, input, { signal: cancellationSignal() }),
  };
}
