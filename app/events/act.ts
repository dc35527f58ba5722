import type { ConnectionSyncInput } from '../../contracts/messages/sync.ts';
import { workflowIds } from '../../contracts/ids.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import { inBatches } from '../../domain/batches.ts';
import { cancelImports } from './cancel-imports.ts';
import type { EventDeps } from './event-deps.ts';
import type { Action } from './listeners.ts';
import { markDirty } from './mark-dirty.ts';
import { organizationsOfProducts } from './organizations-of-products.ts';
import { startSending } from './start-sending.ts';
import { wakeStopListRefresh } from './wake-stop-list-refresh.ts';
import { watchPin } from './watch-pin.ts';
import { signalIncident, wakeBindingEvaluation } from './wake-bindings.ts';
import { wakeSnapshotRebuild } from './wake-snapshot-rebuild.ts';

/** Temporal answers in milliseconds or not at all; an event that waits for it holds a row lock. */
const DEADLINE_MS = 5_000;
/** Rebuilds woken at once: a chain of 100 restaurants takes a fraction of a second without flooding the server. */
const AT_ONCE = 20;

/** Carries out one action of a listener. Throws what Temporal or the database throws; doing it again is harmless. */
export async function act(deps: EventDeps, action: Action): Promise<void> {
  switch (action.do) {
    case 'REBUILD_SNAPSHOTS': {
      const organizationIds = action.organizationIds ?? (await allActiveOrganizations(deps));
      for (const some of inBatches(organizationIds, AT_ONCE))
        await deps.temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
          Promise.all(some.map((organizationId) => wakeSnapshotRebuild(deps, organizationId))),
        );
      return;
    }
    case 'REBUILD_NEWCOMERS': {
      const now = await organizationsOfProducts(deps.db, action.productIds);
      const organizationIds = now.filter((id) => !action.known.includes(id));
      if (organizationIds.length === 0) return;
      await markDirty(deps.db, 'product-update', organizationIds);
      await act(deps, { do: 'REBUILD_SNAPSHOTS', organizationIds });
      return;
    }
    case 'PATCH_AVAILABILITY':
      await deps.patchAvailability(action.organizationId);
      return;
    case 'WATCH_PIN':
      await deps.temporal.withDeadline(Date.now() + DEADLINE_MS, () => watchPin(deps, action.organizationId));
      return;
    case 'SYNC_CONNECTION': {
      const input: ConnectionSyncInput = {
        connectionId: action.connectionId,
        trigger: 'EVENT',
        timings: deps.timings,
      };
      await deps.temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
        deps.temporal.workflow.start('connectionSync', {
          workflowId: workflowIds.connectionSync(action.connectionId),
          taskQueue: deps.queues.workflows,
          args: [input],
          workflowIdConflictPolicy: 'USE_EXISTING',
          typedSearchAttributes: searchAttributes({ CarteCapability: 'mirror', CarteTrigger: 'EVENT' }),
        }),
      );
      return;
    }
    case 'SYNC_CLAIMANTS':
      for (const connectionId of await claimantsOf(deps, action.connectionId))
        await act(deps, { do: 'SYNC_CONNECTION', connectionId });
      return;
    case 'CANCEL_IMPORTS':
      await deps.temporal.withDeadline(Date.now() + DEADLINE_MS, () => cancelImports(deps, action.connectionId));
      return;
    case 'SEND_NOTIFICATION':
      if (deps.sendsNotices)
        await deps.temporal.withDeadline(Date.now() + DEADLINE_MS, () => startSending(deps, action.notificationId));
      return;
    case 'REFRESH_STOP_LISTS':
      await deps.temporal.withDeadline(Date.now() + DEADLINE_MS, () => wakeStopListRefresh(deps, action.connectionId));
      return;
    case 'PROCESS_WEBHOOKS':
      await deps.processWebhooks();
      return;
    case 'APPLY_SCHEDULES':
      await deps.applySchedules();
      return;
    case 'EVALUATE_BINDINGS':
      await deps.temporal.withDeadline(Date.now() + DEADLINE_MS, () => wakeBindingEvaluation(deps, action.runId));
      return;
    case 'SIGNAL_INCIDENTS':
      for (const some of inBatches(action.incidentIds, AT_ONCE))
        await deps.temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
          Promise.all(some.map((incidentId) => signalIncident(deps, incidentId, action.change))),
        );
  }
}

async function allActiveOrganizations({ db }: EventDeps): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'select id from mirror_organization where inactive_at is null order by id',
  );
  return rows.map((row) => row.id);
}

/** Connections in use that list an organization which this one, disabled, still serves. */
async function claimantsOf({ db }: EventDeps, connectionId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select distinct claimant.id from connection disabled
       join mirror_organization served on served.connection_id = disabled.id and served.inactive_at is null
       join mirror_organization claim on claim.erp_id = served.erp_id and claim.connection_id <> disabled.id
       join connection claimant on claimant.id = claim.connection_id and claimant.status = 'ACTIVE'
      where disabled.id = $1 and disabled.status = 'DISABLED' order by claimant.id`,
    [connectionId],
  );
  return rows.map((row) => row.id);
}
