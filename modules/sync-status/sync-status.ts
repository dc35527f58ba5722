import type { JobStatus, SyncStatus } from '../mirror/schemas/sync-status.ts';
import { JOBS, type Job } from '../mirror/rules/jobs.ts';
import { ALERT_AFTER_SECONDS } from '../mirror/rules/freshness.ts';
import { connectionHealth, type ConnectionHealth } from '../connections/connection-health.ts';
import type { Sql } from '../../platform/db/database.ts';
import { importStates, runningRuns, type ImportState } from '../mirror/status/import-states.ts';
import { menuOverlaps } from '../mirror/status/menu-overlaps.ts';
import { organizationStates } from '../mirror/status/organization-states.ts';
import { pausedElsewhere } from '../mirror/schedules/paused-elsewhere.ts';
import type { SchedulePlan } from '../mirror/schedules/schedule-plan.ts';
import { snapshotStates, type SnapshotState } from '../menus/snapshot/snapshot-status.ts';
import { readWebhookQueue } from '../erp-webhooks/webhook-event.ts';
import { readOutboxQueue } from '../gauges/read-backlogs.ts';
import { syncConnections, type SyncConnection } from './sync-connections.ts';

type Health = Omit<ConnectionHealth, 'connectionId'>;

/** Health of a connection that was created between two statements. */
const UNKNOWN_HEALTH: Health = {
  circuit: 'CLOSED',
  openedAt: null,
  openUntil: null,
  circuits: [],
  credentialRefusedAt: null,
  refusedEndpoints: [],
};

const NO_MENU: Omit<SnapshotState, 'organizationId'> = {
  menuRevision: null,
  menuBuiltAt: null,
  menuDirtySince: null,
};

/**
 * Reads the freshness of all ERP data from rows alone (OPS-3), with a fixed number of statements.
 */
export async function readSyncStatus(
  sql: Sql,
  intervals: SchedulePlan['jobs'],
): Promise<SyncStatus> {
  const imports = await importStates(sql, intervals);
  const connections = await syncConnections(sql);
  const menus = new Map(
    (await snapshotStates(sql)).map(({ organizationId, ...menu }) => [organizationId, menu]),
  );
  const organizations = await organizationStates(sql);
  const health = new Map(
    (await connectionHealth(sql)).map(({ connectionId, ...each }) => [connectionId, each]),
  );
  const byConnection = Map.groupBy(imports, (state) => state.connectionId);

  return {
    jobs: JOBS.map((job) => jobStatus(job, imports, connections)),
    connections: connections.map((connection) => ({
      ...connection,
      ...(health.get(connection.id) ?? UNKNOWN_HEALTH),
      imports: (byConnection.get(connection.id) ?? []).map(
        ({ connectionId: _its, ...each }) => each,
      ),
    })),
    organizations: organizations.map((organization) => ({
      ...organization,
      ...(menus.get(organization.id) ?? NO_MENU),
      isStopListStale:
        (organization.stopListAgeSeconds ?? Infinity) > ALERT_AFTER_SECONDS.STOP_LIST,
    })),
    running: await runningRuns(sql),
    schedulesPausedElsewhere: await pausedElsewhere(sql),
    queues: { webhook: await readWebhookQueue(sql), outbox: await readOutboxQueue(sql) },
    severalMenusPriceOneSize: await menuOverlaps(sql),
  };
}

function jobStatus(
  job: Job,
  all: readonly ImportState[],
  connections: readonly SyncConnection[],
): JobStatus {
  const imported = new Set(
    connections.filter((connection) => connection.isImported).map((connection) => connection.id),
  );
  const states = all.filter((state) => state.job === job && imported.has(state.connectionId));
  const due = states.filter((state) => state.pause === null);
  const oldest = due.toSorted((a, b) => Number(a.lastSuccessAt) - Number(b.lastSuccessAt))[0];

  return {
    job,
    imports: due.length,
    lastSuccessAt: oldest?.lastSuccessAt ?? null,
    ageSeconds: oldest?.ageSeconds ?? null,
    stale: due.filter((state) => state.isStale).length,
    paused: states.length - due.length,
    running: states.filter((state) => state.isRunning).length,
    missedRuns: due.reduce((sum, state) => sum + state.missedRuns, 0),
  };
}
