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
 * Activities that call the ERP once, except menus. The imports among them store their result with
 * the rows they write, so a second call returns the result of the first. ASK_AGAIN: the list would
 * remove much and was not applied. Permanent: an answer that does not validate, a rejected
 * credential.
 */
export type MirrorActivities = ReturnType<typeof createMirrorActivities>;

/** `isSecond`: the run has requested its list before. */
type Run = { runId: number; connectionId: number };
type ListRun = Run & { isSecond?: boolean };

/** The activities bound to their dependencies; the worker calls this once. */
export function createMirrorActivities(deps: MirrorDeps & { log: Log }) {
  return {
    /** Imports the organizations of a connection. */
    importOrganizations: (run: ListRun) =>
      askedTwice(run, () => importOrganizations(deps, run, { signal: cancellationSignal() })),

    /** Imports the terminal groups of the organizations of a connection. */
    importTerminals: (run: ListRun) =>
      askedTwice(run, () => importTerminals(deps, run, importOptions())),

    /** Imports external menus and price categories of a connection. */
    importMenuList: (run: Run) => importMenuList(deps, run, { signal: cancellationSignal() }),

    /** Imports the stop-lists of the organizations of a connection. */
    importStopLists: (run: ListRun) =>
      askedTwice(run, () => importStopLists(deps, run, importOptions())),

    /** Imports the delivery zones of the organizations of a connection. */
    importZones: (run: ListRun) => askedTwice(run, () => importZones(deps, run, importOptions())),

    /** Reads the progress of an asynchronous menu request. */
    asyncMenuStatus: (input: {
      connectionId: number;
      organizationId: number;
      correlationId: string;
    }) => asyncMenuStatus(deps, input, { signal: cancellationSignal() }),
  };
}
