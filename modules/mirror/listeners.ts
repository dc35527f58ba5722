import type { CarteEvents } from '../../kernel/pure/events.ts';
import type { ImportTimings } from './messages/sync.ts';
import type { Listeners } from '../../kernel/events/listeners.ts';
import { cancelImports } from './cancel-imports.ts';
import { applySchedules, type ScheduleDeps } from './schedules/apply-schedules.ts';
import { settleAllRefusedLists } from './list-shrink-guard.ts';
import { wakePolling } from './polling/start-polling.ts';
import { syncClaimants, syncConnection } from './sync-connection.ts';
import { wakeStopListRefresh } from './wake-stop-list-refresh.ts';

export type MirrorListenerDeps = ScheduleDeps & { timings: ImportTimings };

type AfterChange = (deps: MirrorListenerDeps, connectionId: number) => Promise<void>;

const AFTER_CHANGE: Readonly<
  Record<CarteEvents['ConnectionChanged']['change'], readonly AfterChange[]>
> = {
  CREATED: [syncConnection],
  ENABLED: [syncConnection],
  CREDENTIAL_REPLACED: [syncConnection],
  DISABLED: [
    cancelImports,
    ({ db }, connectionId) => settleAllRefusedLists(db, connectionId),
    syncClaimants,
  ],
  UPDATED: [],
};

export const MIRROR_LISTENERS = {
  ErpStopListsMarked: ({ connectionId }, deps) => wakeStopListRefresh(deps, connectionId),
  ErpOrganizationsChanged: async ({ connectionId, activated = [] }, deps) => {
    // A new restaurant has no prices until its menus are imported.
    if (activated.length > 0) await syncConnection(deps, connectionId);
  },
  ExternalMenusChanged: (_, deps) => applySchedules(deps),
  ImportPausesChanged: async ({ connectionId, ended }, deps) => {
    await applySchedules(deps);
    await wakePolling(deps, connectionId);
    // Stop-lists flagged during the pause are due.
    if (ended === 'STOP_LIST') await wakeStopListRefresh(deps, connectionId);
  },
  ConnectionChanged: async ({ connectionId, change }, deps) => {
    for (const follow of AFTER_CHANGE[change]) await follow(deps, connectionId);
    await applySchedules(deps);
    await wakePolling(deps, connectionId);
  },
} satisfies Listeners<MirrorListenerDeps>;
